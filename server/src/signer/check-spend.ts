import type { App } from '../app/app.ts'
import type { ColdDestinations } from '../domain/cold-wallets.ts'
import { keychainOf, networkIdOf } from '../domain/networks/network.ts'
import { say, sayAll } from '../domain/reasons/reasons.ts'
import { ceilingOf, lowest } from '../domain/spending-limits.ts'
import { isCancelling, type Refusal } from '../domain/spends.ts'
import { nativeOf } from '../gates/gate.ts'
import type { PayoutToSign } from '../store/spends/signing.ts'
import { type Attempt, forGood, forNow } from './attempt.ts'
import { coldObjection } from './check-cold.ts'
import { inputObjection } from './check-inputs.ts'
import { journalObjection } from './check-journal.ts'
import { addedBy, feeObjection, limitObjection, type StandingLimits } from './check-limits.ts'
import { payoutObjection } from './check-payout.ts'
import {
  cancellingPlanObjection,
  consolidationObjection,
  ownPlanObjection,
  payoutPlanObjection,
  trustPlanObjection,
} from './check-plan.ts'
import { noncePlanObjection } from './check-solana.ts'
import type { FirstSights } from './first-sights.ts'
import type { Journal } from './journal.ts'
import type { PasskeyTrust } from './passkey-trust.ts'
import type { Wallet, WalletNetwork } from './wallet.ts'

/** A transaction that may be signed: its payouts, and how much it adds to what has left. */
export type Cleared = {
  readonly payouts: readonly PayoutToSign[]
  readonly value: ReadonlyMap<string, bigint>
}

/** What the signer knows from its own settings and files. */
export type Knowledge = {
  readonly limits: StandingLimits
  readonly trust: PasskeyTrust
  readonly sights: FirstSights
  /** The operator's cold wallets under all settings that count. Nothing else is paid without an approval. */
  readonly cold: readonly ColdDestinations[]
}

/** Checks an attempt from scratch, without trusting any earlier check: clears it for signing, or refuses it with the reason. */
export async function judge(
  app: Pick<App, 'store' | 'now'>,
  wallet: Wallet,
  journal: Journal,
  attempt: Attempt,
  known: Knowledge,
): Promise<Cleared | Refusal> {
  const { limits, trust } = known
  const { gateId, kind } = attempt
  const network = wallet.network(networkIdOf(gateId))
  if (gateId !== `${network.network.id}-${wallet.environment}`)
    return forNow('The transaction is for a different environment from this wallet’s.')
  const payouts = kind === 'payout' ? await app.store.signing.payoutsOf(attempt.spendId) : []
  // The journal is checked first: while a signed transaction exists, nothing may be refused for good.
  const contradiction = await journalObjection(app, journal, attempt, payouts)
  if (contradiction !== null) return forNow(contradiction)
  // What a plan costs and who gets the change can be judged only once its coins are facts.
  const unproved = await inputObjection(app, wallet, attempt)
  if (unproved !== null) return unproved
  const fee = underEach(limits, (each) => {
    const objection = feeObjection(attempt, network, each)
    return objection === null ? null : forGood(objection)
  })
  if (fee !== null) return fee
  if (kind === 'absorb') return forNow('A spend that only receives funds needs no signature.')
  const objection = await objectionTo(app, wallet, network, journal, attempt, payouts, known)
  if (objection !== null) return objection
  const value = addedBy(journal, attempt, nativeOf(network.assets).currency, payouts)
  const excess = underEach(limits, (each) =>
    limitObjection(journal, wallet.environment, attempt, network, each, payouts, value, trust.ownNow),
  )
  return excess ?? { payouts, value }
}

/** The first objection under all limits that count. Where the newest ones have none, the spend waits for their time. */
function underEach(
  limits: StandingLimits,
  objectionUnder: (limits: StandingLimits[number]) => Refusal | null,
): Refusal | null {
  const found = limits.map(objectionUnder)
  const first = found.find((each) => each !== null)
  const newest = limits.at(-1)
  if (first == null || newest === undefined || found.at(-1) !== null) return first ?? null
  return forNow(sayAll(first.reason, say('settings_from', { at: newest.from.toISOString() })))
}

/** Why the plan or one of its payouts may not be signed; null when they may. */
async function objectionTo(
  app: Pick<App, 'store' | 'now'>,
  wallet: Wallet,
  network: WalletNetwork,
  journal: Journal,
  attempt: Attempt,
  payouts: readonly PayoutToSign[],
  known: Knowledge,
): Promise<Refusal | null> {
  const { kind, plan } = attempt
  if (kind === 'payout' && !isCancelling(plan)) {
    const { trust, sights } = known
    const cooling = { sights, journal }
    const objections = payouts.map((payout) => payoutObjection(payout, attempt, trust, cooling, app.now()))
    // A permanent objection decides, even if another one may pass.
    const worst = objections.find((each) => each?.isForGood) ?? objections.find((each) => each !== null)
    if (worst != null) return worst
  }
  const objection = await planObjection(app, wallet, network, journal, attempt, payouts, known)
  return objection === null ? null : forGood(objection)
}

async function planObjection(
  app: Pick<App, 'store'>,
  wallet: Wallet,
  network: WalletNetwork,
  journal: Journal,
  attempt: Attempt,
  payouts: readonly PayoutToSign[],
  { limits, cold }: Knowledge,
): Promise<string | null> {
  const { gateId, kind, plan } = attempt
  if (kind !== 'cold' && plan.kind === 'coins' && plan.cold !== undefined)
    return 'Only a move to the cold wallet names an output to it.'
  if (isCancelling(plan)) return cancellingPlanObjection(wallet, network, kind, plan)
  switch (kind) {
    case 'payout':
      return payoutPlanObjection(wallet, network, plan, payouts)
    case 'consolidation':
      return consolidationObjection(wallet, network, plan)
    case 'sweep':
    case 'gas':
      return ownPlanObjection(
        wallet,
        network,
        kind,
        plan,
        await positionOf(app, network, attempt),
        lowest(limits.map(({ maxFees }) => ceilingOf(maxFees, network.network.id))) ?? 0n,
      )
    case 'cold':
      return coldObjection(
        wallet,
        network,
        journal,
        plan,
        cold.map((each) => each.get(gateId)),
      )
    case 'nonce':
      return plan.kind === 'solana'
        ? noncePlanObjection(wallet, network, plan)
        : 'Only plans for Solana create nonce accounts.'
    case 'trust':
      return trustPlanObjection(wallet, network, plan)
    case 'fill':
      return 'A fill must pay no one, from the hot wallet to itself.'
    case 'refill':
      return 'A refill is signed by the operator, never here.'
    case 'absorb':
      return 'A spend that only receives funds is never signed.'
    default:
      // The row may have been forged: an attacker who can write it can also change the database's list of kinds.
      return `The signer knows no spend of the kind “${kind satisfies never}”.`
  }
}

/** The position of the deposit address that a plan pays; null when it is not one of ours. */
async function positionOf(
  { store }: Pick<App, 'store'>,
  { network }: WalletNetwork,
  { gateId, plan }: Attempt,
): Promise<number | null> {
  if (plan.kind !== 'account') return null
  const keychain = keychainOf(network, gateId.endsWith('-live') ? 'live' : 'test')
  const [found] = await store.depositAddresses.find(keychain, [plan.to])
  return found?.position ?? null
}
