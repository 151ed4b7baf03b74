import type { App } from '../app/app.ts'
import type { Environment } from '../domain/environment.ts'
import { keychainOf, networkOfGate } from '../domain/networks.ts'
import { overLimit, type SpendingLimit } from '../domain/spending-limits.ts'
import { maxFeeOf } from '../domain/spends.ts'
import { useNamesOf } from '../domain/uses.ts'
import { nativeOf } from '../gates/gate.ts'
import type { PayoutToSign } from '../store/signing.ts'
import type { UnsignedTransaction } from '../store/spends.ts'
import { payoutObjection } from './check-payout.ts'
import { ownPlanObjection, payoutPlanObjection } from './check-plan.ts'
import type { Journal } from './journal.ts'
import type { Wallet, WalletNetwork } from './wallet.ts'

/** What the signer itself is told to keep to. */
export type SignerLimits = {
  readonly spending: readonly SpendingLimit[]
  /** By network, the most that one transaction may cost. */
  readonly maxFees: ReadonlyMap<string, bigint>
}

/** What may be signed: for whom, and by how much it adds to what has left. */
export type Cleared = {
  readonly payouts: readonly PayoutToSign[]
  readonly value: ReadonlyMap<string, bigint>
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Checks an attempt from the start, trusting nobody's earlier word: what may be signed, or why nothing is. */
export async function judge(
  app: Pick<App, 'store' | 'now'>,
  wallet: Wallet,
  journal: Journal,
  attempt: UnsignedTransaction,
  limits: SignerLimits,
  ownNow: Date,
): Promise<Cleared | string> {
  const { gateId, kind, plan } = attempt
  const network = wallet.network(networkOfGate(gateId).id)
  if (gateId !== `${network.network.id}-${wallet.environment}`)
    return 'The transaction is for another environment than this wallet.'
  const ceiling = limits.maxFees.get(network.network.id) ?? 0n
  if (maxFeeOf(plan) > ceiling)
    return 'The network would get more than the signer allows for one transaction.'
  if (kind === 'absorb') return 'Nothing is to be signed for coins that only arrived.'

  const payouts = kind === 'payout' ? await app.store.signing.payoutsOf(attempt.spendId) : []
  const objection =
    kind === 'payout'
      ? (payouts.map((payout) => payoutObjection(payout, attempt, app.now())).find((each) => each !== null) ??
        payoutPlanObjection(wallet, network, plan, payouts) ??
        secondSpend(journal, attempt, payouts))
      : ownPlanObjection(wallet, network, kind, plan, await positionOf(app, network, attempt), ceiling)
  if (objection !== null) return objection
  const value = addedBy(journal, attempt, nativeOf(network.assets).currency, payouts)
  return (
    overLimits(journal, wallet.environment, attempt, network, limits, payouts, value, ownNow) ?? {
      payouts,
      value,
    }
  )
}

/** The number of the deposit address that a plan pays to; null when it is none of ours. */
async function positionOf(
  { store }: Pick<App, 'store'>,
  { network }: WalletNetwork,
  { gateId, plan }: UnsignedTransaction,
): Promise<number | null> {
  if (plan.kind !== 'account') return null
  const keychain = keychainOf(network, gateId.endsWith('-live') ? 'live' : 'test')
  const [found] = await store.depositAddresses.find(keychain, [plan.to])
  return found?.position ?? null
}

/** Whatever was signed for a payout before must be ruled out by this transaction, or it could be paid twice. */
function secondSpend(
  journal: Journal,
  { plan }: UnsignedTransaction,
  payouts: readonly PayoutToSign[],
): string | null {
  const uses = new Set(useNamesOf(plan))
  for (const { id } of payouts) {
    const other = journal.ofPayout(id).find((earlier) => !earlier.uses.some((use) => uses.has(use)))
    if (other !== undefined)
      return (
        `The journal knows transaction ${other.hash} for payout ${id}, and this one would pay it a second time. Restore a ` +
        'newer database, or run: npx sluice wallet reconcile'
      )
  }
  return null
}

/** What a transaction adds to what has left. Of those that rule each other out only the dearest counts. */
export function addedBy(
  journal: Pick<Journal, 'ofPayout' | 'ofSpend'>,
  { spendId, plan }: Pick<UnsignedTransaction, 'spendId' | 'plan'>,
  native: string,
  payouts: readonly PayoutToSign[],
): ReadonlyMap<string, bigint> {
  const value = new Map<string, bigint>()
  const add = (currency: string, units: bigint) => value.set(currency, (value.get(currency) ?? 0n) + units)
  for (const { id, currency, amountUnits } of payouts)
    if (journal.ofPayout(id).length === 0) add(currency, amountUnits)
  const paid = journal.ofSpend(spendId).reduce((most, { maxFeeUnits }) => max(most, maxFeeUnits), 0n)
  const fee = maxFeeOf(plan)
  if (fee > paid) add(native, fee - paid)
  return value
}

function overLimits(
  journal: Journal,
  environment: Environment,
  { gateId }: UnsignedTransaction,
  { network }: WalletNetwork,
  { spending }: SignerLimits,
  payouts: readonly PayoutToSign[],
  value: ReadonlyMap<string, bigint>,
  ownNow: Date,
): string | null {
  const own = spending.filter(
    (limit) => limit.network === network.id && (limit.environment ?? environment) === environment,
  )
  for (const [currency, addedUnits] of value) {
    const since = (span: number) => journal.spentSince(gateId, currency, ownNow.getTime() - span)
    const over = overLimit(own, {
      currency,
      payoutUnits: payouts.filter((each) => each.currency === currency).map((each) => each.amountUnits),
      addedUnits,
      lastHourUnits: since(hourMs),
      lastDayUnits: since(dayMs),
    })
    if (over !== null)
      return `It would go over the signer's own limit of ${over}. It is signed when that allows.`
  }
  return null
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
