import { say, sayAll } from '../../../domain/reasons/reasons.ts'
import { type AccountPlan, isCancelling, type Spend } from '../../../domain/spends.ts'
import { coinName } from '../../../domain/uses.ts'
import { type Gate, GateOutageError } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'

// Most networks mine blocks faster; on slower ones it does no harm to say what the payout waits for.
const saidAfterMs = 15_000

/**
 * Sets the reason why a spend's payouts wait; null when nothing holds them up. A spend that is being cancelled keeps its own
 * reason, and without a reason the signer's refusal of an unsigned attempt is used.
 */
export async function sayWhy(
  app: Pick<App, 'store' | 'reports'>,
  spend: Spend,
  reason: string | null,
): Promise<void> {
  if (spend.kind !== 'payout' || spend.transactions.some(({ plan }) => isCancelling(plan))) return
  const unsigned = spend.transactions.findLast(({ signed }) => signed === null)?.refusal ?? null
  const told = await app.store.waiting.say(spend.id, reason ?? unsigned)
  if (reason !== null) for (const payout of told) app.reports.payoutWaits(payout, reason)
}

/** Sets the reason on every due payout of a gate on which nothing can be planned. */
export async function letAllWait(
  app: Pick<App, 'store' | 'reports'>,
  gateId: string,
  reason: string,
): Promise<0> {
  for (const payout of await app.store.waiting.sayAll(gateId, reason)) app.reports.payoutWaits(payout, reason)
  return 0
}

/** Why nothing can be planned or sent without a gate. */
export function noGate(gateId: string): string {
  return say('no_gate', { gate: gateId })
}

/** Why nothing leaves while the right branch of a chain is unknown. */
export function halted({ network }: Gate): string {
  return say('halted', { network: network.name })
}

/** Why a transaction that the network has is not mined yet; null while it is too early to say. */
export async function whyNotMined(
  app: Pick<App, 'store' | 'now'>,
  gate: Gate,
  { plan, sentAt }: { readonly plan: Spend['transactions'][number]['plan']; readonly sentAt: Date | null },
): Promise<string | null> {
  const isLong = sentAt !== null && app.now().getTime() - sentAt.getTime() >= saidAfterMs
  const turn = plan.kind === 'account' ? await whoseTurn(app, gate, plan) : null
  if (turn !== null && (isLong || turn.isHeldUp)) return turn.reason
  return isLong ? say('waits_for_block', { network: gate.network.name }) : null
}

/** The network mines an account's transactions in nonce order. Null when it is this one's turn. */
async function whoseTurn(
  { store }: Pick<App, 'store'>,
  gate: Gate,
  { from, nonce }: AccountPlan,
): Promise<{ readonly reason: string; readonly isHeldUp: boolean } | null> {
  const next = await gate.nextNonce(from.address)
  if (next >= nonce) return null
  const earlier = await store.waiting.atNonce(gate.id, from.address, next)
  const why = earlier === null ? say('nonce_filled') : earlier.why
  const order = say('nonce_order', { network: gate.network.name, nonce: next, own: nonce })
  return { reason: sayAll(order, why), isHeldUp: earlier === null || earlier.why !== null }
}

/** Why the network does not accept a transaction at present. */
export async function whyNotTaken(
  { store }: Pick<App, 'store'>,
  { id, moved }: Spend,
  refusal: string,
): Promise<string> {
  const lost = moved === null ? await store.holdings.lostCoins(id) : []
  const said = say('not_accepted', { detail: refusal.replace(/\.$/, '') })
  if (lost.length === 0) return said
  return sayAll(say('coin_reorganised', { coins: lost.map(coinName).join(', ') }), said)
}

/** Why a transaction could not be checked. */
export function whyNotSeen({ gateId }: Spend, error: unknown): string {
  return error instanceof GateOutageError
    ? say('gate_unreachable', { gate: gateId, detail: error.message })
    : say('state_unknown')
}
