import { type AccountPlan, isCancelling, type Spend } from '../../domain/spends.ts'
import { coinName } from '../../domain/uses.ts'
import { type Gate, GateOutageError } from '../../gates/gate.ts'
import type { App } from '../app.ts'

// Blocks of most networks come faster; where they do not, it does no harm to say what is waited for.
const saidAfterMs = 15_000

/**
 * Says at the payouts of a spend why they do not move on; null when nothing holds them up. What is being cancelled has its own words,
 * and so has what the signer does not sign.
 */
export async function sayWhy(
  app: Pick<App, 'store' | 'spending'>,
  spend: Spend,
  reason: string | null,
): Promise<void> {
  if (spend.kind !== 'payout' || spend.transactions.some(({ plan }) => isCancelling(plan))) return
  const unsigned = spend.transactions.findLast(({ signed }) => signed === null)?.refusal ?? null
  const told = await app.store.waiting.say(spend.id, reason ?? unsigned)
  if (reason !== null) for (const payout of told) app.spending.onWaits(payout, reason)
}

/** Says at every due payout of a gate why nothing of it is planned. */
export async function letAllWait(
  app: Pick<App, 'store' | 'spending'>,
  gateId: string,
  reason: string,
): Promise<0> {
  for (const payout of await app.store.waiting.sayAll(gateId, reason)) app.spending.onWaits(payout, reason)
  return 0
}

/** Why nothing can be planned or sent where no gate is. */
export function noGate(gateId: string): string {
  return `There is no gate ${gateId} here at present. It goes on by itself when the operator has one again.`
}

/** Why nothing leaves while nobody knows which branch of a chain is right. */
export function halted({ network }: Gate): string {
  return `${network.name} is halted: a reorganisation was deeper than is followed. Nothing leaves before the operator has looked at it.`
}

/** Why a transaction that the network has is not mined yet; null while it has had no time to be. */
export async function whyNotMined(
  app: Pick<App, 'store' | 'now'>,
  gate: Gate,
  { plan, sentAt }: { readonly plan: Spend['transactions'][number]['plan']; readonly sentAt: Date | null },
): Promise<string | null> {
  const isLong = sentAt !== null && app.now().getTime() - sentAt.getTime() >= saidAfterMs
  const turn = plan.kind === 'account' ? await whoseTurn(app, gate, plan) : null
  if (turn !== null && (isLong || turn.isHeldUp)) return turn.reason
  return isLong
    ? `Its transaction is known to ${gate.network.name} and waits for a block. It goes on by itself.`
    : null
}

/** Accounts count their transactions, and the network takes them in turn. Null when it is this one's. */
async function whoseTurn(
  { store }: Pick<App, 'store'>,
  gate: Gate,
  { from, nonce }: AccountPlan,
): Promise<{ readonly reason: string; readonly isHeldUp: boolean } | null> {
  const next = await gate.nextNonce(from.address)
  if (next >= nonce) return null
  const earlier = await store.waiting.atNonce(gate.id, from.address, next)
  const why = earlier === null ? 'It is being used up with one that pays nobody.' : (earlier.why ?? '')
  const reason = `${gate.network.name} takes transactions in turn, and number ${next} of the hot wallet, before this one (${nonce}), is not mined yet. ${why}`
  return { reason: reason.trim(), isHeldUp: earlier === null || earlier.why !== null }
}

/** Why the network does not take a transaction at present. */
export async function whyNotTaken(
  { store }: Pick<App, 'store'>,
  { id, moved }: Spend,
  refusal: string,
): Promise<string> {
  const lost = moved === null ? await store.holdings.lostCoins(id) : []
  const said = `The network does not take its transaction at present: ${refusal.replace(/\.$/, '')}. It is sent again by itself.`
  if (lost.length === 0) return said
  return `A coin that it spends was reorganised away (${lost.map(coinName).join(', ')}). It goes on by itself if that comes back; the operator can end it if it never will. ${said}`
}

/** Why a transaction could not be looked at. */
export function whyNotSeen({ gateId }: Spend, error: unknown): string {
  return error instanceof GateOutageError
    ? `${gateId} cannot be reached at present: ${error.message} It is tried again by itself.`
    : `What has become of its transaction could not be found out. It is tried again by itself.`
}
