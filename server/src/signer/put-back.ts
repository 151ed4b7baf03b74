import type { App } from '../app/app.ts'
import { submitPayout } from '../app/spends/planning/submit-payout.ts'
import { nativeCurrencyOn } from '../domain/assets.ts'
import { type GateId, networkIdOf } from '../domain/networks/network.ts'
import type { Payout } from '../domain/payouts.ts'
import {
  type AccountPlan,
  type CoinPlan,
  claimsOf,
  claimWith,
  maxFeeOf,
  type SolanaPlan,
} from '../domain/spends.ts'
import type { Store } from '../store/store.ts'
import { planHash, type Signature } from './journal-lines.ts'

/** What is needed to append events, and to find a network's native currency. */
type Telling = Pick<App, 'now' | 'present' | 'assets'>
type Knowing = Pick<App, 'assets'>

/** A journaled transaction cannot be put back into the database in its current state. The message says why and what to do. */
export class Unresolved extends Error {
  override readonly name = 'Unresolved'
}

const later =
  'Let the worker follow the chain to its tip while no signer runs, and reconcile again; or restore the backup again and ' +
  'reconcile before anything else runs.'

/**
 * Puts a journaled transaction back as if the database had never forgotten it, inside the caller's database transaction.
 * `isLost`: without those of its payouts that the database has lost.
 */
export async function putBack(
  app: Telling,
  tx: Store,
  signature: Signature,
  { isLost = false }: { readonly isLost?: boolean } = {},
): Promise<'restored' | 'lost'> {
  const { spendId, attempt, plan } = signature
  const attempts = await tx.signing.attemptsOf([spendId])
  if (attempts.length === 0) {
    if (signature.kind === 'payout') return putBackPayouts(app, tx, signature, isLost)
    await insertSpend(app, tx, signature)
    await save(tx, spendId, 1, signature)
    return 'restored'
  }
  const same = attempts.find((each) => each.attempt === attempt)
  if (same === undefined) await addAttempt(app, tx, signature)
  else if (planHash(same.plan) !== planHash(plan))
    throw new Unresolved(
      `The database has a different plan for attempt ${attempt} of spend ${spendId}. ${later}`,
    )
  await save(tx, spendId, attempt, signature)
  return 'restored'
}

/** Adds another attempt, and claims what it may cost beyond the claims of earlier attempts. */
async function addAttempt(
  app: Knowing,
  tx: Store,
  { spendId, attempt, gateId, kind, plan }: Signature,
): Promise<void> {
  const claimed = (await tx.spends.lock(spendId)).transactions.at(-1)?.maxFeeUnits ?? 0n
  const wanted = claimWith(claimed, plan)
  if (plan.kind === 'solana' || (plan.kind === 'account' && kind !== 'sweep'))
    await take(tx, gateId, new Map([[nativeCode(app, gateId), wanted - claimed]]))
  await tx.spends.addAttempt(spendId, attempt, plan, wanted)
}

async function putBackPayouts(
  app: Telling,
  tx: Store,
  signature: Signature,
  isLost: boolean,
): Promise<'restored' | 'lost'> {
  const { spendId } = signature
  const payouts = await tx.payouts.lockMany(signature.payouts.map(({ id }) => id))
  const lost = signature.payouts.filter(({ id }) => !payouts.some((payout) => payout.id === id))
  const [first] = lost
  if (first !== undefined && !isLost)
    throw new Unresolved(
      `Payout ${first.id} was created after the backup and is lost. To accept its transaction, run: npx sluice wallet ` +
        `reconcile --accept ${signature.hash}. Sluice then sends it if that has not happened yet and books its cost to your ` +
        'float; you settle the payout with the merchant.',
    )
  check(payouts, signature)
  if (payouts.every(({ status }) => status === 'approved')) {
    await insertSpend(app, tx, signature)
    for (const payout of payouts) await submitPayout(app, tx, payout, spendId)
    if (first !== undefined) {
      const units = lost.reduce((sum, each) => sum + each.units, 0n)
      await tx.spendRestore.noteLost(spendId, { currency: first.currency, units, count: lost.length })
    }
    await save(tx, spendId, 1, signature)
    return first === undefined ? 'restored' : 'lost'
  }
  if (first !== undefined)
    throw new Unresolved('Some of its payouts are lost, and another spend is processing the others.')
  await takeOver(app, tx, signature, payouts)
  return 'restored'
}

function check(payouts: readonly Payout[], { payouts: journaled }: Signature): void {
  for (const { id, destination, tag, units, currency } of journaled) {
    const payout = payouts.find((each) => each.id === id)
    if (payout === undefined) continue
    if (
      payout.destination !== destination ||
      payout.destinationTag !== tag ||
      payout.amountUnits !== units ||
      payout.currency !== currency
    )
      throw new Unresolved(`Payout ${id} in the database differs from the one in the journal.`)
    if (payout.status === 'pending_approval')
      throw new Unresolved(`Payout ${id} is waiting for approval again. Approve it, then reconcile again.`)
    if (payout.status !== 'approved' && payout.status !== 'processing')
      throw new Unresolved(
        `Payout ${id} is ${payout.status} in the database, but a transaction was signed for it.`,
      )
  }
}

/** The worker has planned these payouts again, but nothing was signed for the new plan: its spend takes the old transaction. */
async function takeOver(
  app: Knowing,
  tx: Store,
  signature: Signature,
  payouts: readonly Payout[],
): Promise<void> {
  const { gateId, plan } = signature
  const id = payouts[0]?.spendId ?? null
  const others = id === null ? [] : await tx.payouts.lockOfSpend(id)
  if (id === null || others.length !== payouts.length || !payouts.every(({ spendId }) => spendId === id))
    throw new Unresolved(`Some of its payouts were planned again together with others. ${later}`)
  const spend = await tx.spends.lock(id)
  if (spend.status !== 'open' || spend.transactions.some(({ signed }) => signed !== null))
    throw new Unresolved(
      `Spend ${id} is processing its payouts, and a different transaction was signed for it.`,
    )
  await tx.holdings.release(id)
  for (const { plan: old } of spend.transactions.slice(0, 1))
    if (old.kind !== 'coins') await claim(app, tx, signature, old, -1n)
  if (plan.kind !== 'coins') {
    await claim(app, tx, signature, plan, 1n)
    await tx.spendRestore.retarget(id, plan)
  } else await pin(tx, gateId, plan, id)
  const attempt = spend.transactions.length + 1
  await tx.spends.addAttempt(id, attempt, plan)
  await save(tx, id, attempt, signature)
}

async function insertSpend(
  app: Knowing,
  tx: Store,
  { spendId, gateId, kind, plan }: Signature,
): Promise<void> {
  if (kind === 'absorb') throw new Unresolved('A spend that only receives funds is never signed.')
  if (plan.kind === 'account') await freeNonce(app, tx, { spendId, gateId, plan })
  const feeCurrency = nativeCode(app, gateId)
  await tx.spends.insert({ id: spendId, gateId, kind, plan, feeCurrency, afterSpendId: null })
  if (plan.kind === 'coins') await pin(tx, gateId, plan, spendId)
  else if (kind === 'sweep') {
    await pinSwept(tx, { spendId, gateId, plan })
    if (plan.kind === 'solana') await take(tx, gateId, new Map([[feeCurrency, maxFeeOf(plan)]]))
  } else await claim(app, tx, { gateId }, plan, 1n)
}

/** Ends unsigned fills that were planned for the nonce, to free it. */
async function freeNonce(
  app: Knowing,
  tx: Store,
  { spendId, gateId, plan }: Pick<Signature, 'spendId' | 'gateId'> & { plan: AccountPlan },
): Promise<void> {
  const { from, nonce } = plan
  for (const fill of await tx.spendRestore.endUnsignedFills(gateId, from.address, nonce))
    if (fill.kind === 'account') await claim(app, tx, { gateId }, fill, -1n)
  if (await tx.nonces.isTaken(gateId, from.address, nonce, spendId))
    throw new Unresolved(`Its nonce ${nonce} was given to another spend. ${later}`)
}

// The worker may have planned to consolidate or move some of these coins since, but that plan is not signed.
async function pin(tx: Store, gateId: GateId, { inputs }: CoinPlan, spendId: string): Promise<void> {
  await tx.spendRestore.endUnsignedMoves(gateId, inputs)
  if (!(await tx.holdings.pinCoins(gateId, inputs, spendId)))
    throw new Unresolved(`Some of its coins are unknown, or were given to another spend. ${later}`)
}

/** A sweep takes everything on its addresses. */
async function pinSwept(
  tx: Store,
  { spendId, gateId, plan }: Pick<Signature, 'spendId' | 'gateId'> & { plan: AccountPlan | SolanaPlan },
): Promise<void> {
  for (const { address, units: moved } of sweptBy(plan)) {
    const lying = await tx.holdings.onAddresses(gateId, plan.currency, [address])
    const sum = lying.reduce((total, { units }) => total + units, 0n)
    const ids = lying.map(({ paymentId }) => paymentId)
    if (sum !== moved || !(await tx.holdings.pinPayments(ids, spendId)))
      throw new Unresolved(`The funds on ${address} differ from what it moves. ${later}`)
  }
}

/** What a sweep takes from each address. On networks with gas, the address pays the fee too. */
function sweptBy(
  plan: AccountPlan | SolanaPlan,
): readonly { readonly address: string; readonly units: bigint }[] {
  if (plan.kind === 'solana') return plan.sources ?? []
  const { address } = plan.from
  return [{ address, units: plan.contractAddress === null ? plan.units + maxFeeOf(plan) : plan.units }]
}

async function claim(
  app: Knowing,
  tx: Store,
  { gateId }: Pick<Signature, 'gateId'>,
  plan: AccountPlan | SolanaPlan,
  sign: 1n | -1n,
): Promise<void> {
  const taken = claimsOf(plan, nativeCode(app, gateId))
  await take(tx, gateId, new Map([...taken].map(([currency, units]) => [currency, sign * units])))
}

async function take(tx: Store, gateId: GateId, taken: ReadonlyMap<string, bigint>): Promise<void> {
  const free = await tx.holdings.lockHot(gateId, [...taken.keys()])
  const changes = new Map([...taken].map(([currency, units]) => [currency, -units]))
  if ([...changes].every(([currency, units]) => (free.get(currency) ?? 0n) + units >= 0n))
    await tx.holdings.changeHot(gateId, changes)
  else
    throw new Unresolved(`In this database, the hot wallet does not have enough funds for it yet. ${later}`)
}

function nativeCode({ assets }: Knowing, gateId: GateId): string {
  return nativeCurrencyOn(assets, networkIdOf(gateId)).currency.code
}

async function save(tx: Store, spendId: string, attempt: number, { hash, bytes }: Signature): Promise<void> {
  if (!(await tx.spends.saveSigned(spendId, attempt, { hash, bytes })))
    throw new Unresolved(
      `The database has a different transaction for attempt ${attempt} of spend ${spendId}.`,
    )
}
