import { ServiceError } from '../../../domain/errors.ts'
import { formatDecimal } from '../../../domain/money.ts'
import { ceilingOf } from '../../../domain/spending-limits.ts'
import type { CoinPlan, Spend } from '../../../domain/spends.ts'
import { coinName } from '../../../domain/uses.ts'
import type { CoinSpending, Gate } from '../../../gates/gate.ts'
import type { Refill, RefillableCoin } from '../../../store/spends/refills.ts'
import type { App } from '../../app.ts'
import { nativeAsset } from '../hot-wallet/native-asset.ts'
import { coldSideOf } from './cold-side.ts'

// Consensus: no transaction is larger.
const maxBytes = 4_000_000

/** A refill and the file to sign. */
export type PreparedRefill = {
  readonly id: string
  readonly gateId: string
  readonly txHash: string
  readonly currency: string
  readonly amount: string
  readonly fee: string
  readonly hotAddress: string
  /** What goes back to the cold wallet; null where nothing does. */
  readonly change: { readonly address: string; readonly amount: string } | null
  readonly psbt: Uint8Array
}

/** A refill with its plan, and its coins in the plan's order. */
export type OpenedRefill = Refill & {
  readonly spend: Spend
  readonly gate: Gate
  readonly spending: CoinSpending
  readonly plan: CoinPlan
  readonly coins: readonly RefillableCoin[]
}

type ReadingApp = Pick<App, 'store' | 'gates' | 'spending'>

/**
 * Reads a refill, and makes sure that it pays no one but our own addresses, the cold wallet and a fee that is allowed. The
 * database may have been changed since it was prepared.
 */
export async function openRefill(app: ReadingApp, refill: Refill): Promise<OpenedRefill> {
  const { gate, spending, policy } = coldSideOf(app, refill.gateId)
  const spend = await app.store.spends.find(refill.spendId)
  const plan = spend?.transactions[0]?.plan
  if (spend == null || spend.kind !== 'refill' || plan?.kind !== 'coins' || plan.change === null)
    throw new Error(`Spend ${refill.spendId} is no refill.`)
  const { change, cold } = plan
  const isOurs = plan.outputs.every(({ address }, at) =>
    at === change.outputIndex
      ? address === spending.changeAddress(change.index)
      : at === cold?.outputIndex && address === policy.wallet.addressAt(cold.index),
  )
  const sum = (all: readonly { readonly units: bigint }[]) =>
    all.reduce((total, { units }) => total + units, 0n)
  const isFee = sum(plan.inputs) - sum(plan.outputs) === plan.feeUnits
  if (!isOurs || !isFee || spending.refill.hashOf(plan) !== refill.txHash)
    throw new ServiceError(
      'conflict',
      `Refill ${refill.spendId} does not pay your hot wallet and the cold wallet that is configured now. DO NOT SIGN IT. If you have changed the cold wallet, give the refill up: npx sluice wallet give-up ${refill.spendId}`,
    )
  const found = new Map(
    (await app.store.refills.coins(gate.id, plan.inputs)).map((coin) => [coinName(coin), coin]),
  )
  const coins = plan.inputs.map((input) => {
    const coin = found.get(coinName(input))
    if (coin === undefined || coin.units !== input.units)
      throw new ServiceError(
        'conflict',
        `The coin ${coinName(input)} of refill ${spend.id} is not in the cold wallet any more. Give it up and prepare another one: npx sluice wallet give-up ${spend.id}`,
      )
    return coin
  })
  return { ...refill, spend, gate, spending, plan, coins }
}

/** The file for the offline signer, of a refill that was prepared. The same refill always gives the same file. */
export async function writeRefill(app: ReadingApp, id: string): Promise<PreparedRefill> {
  const refill = await app.store.refills.find(id)
  if (refill === null)
    throw new ServiceError('not_found', `There is no refill ${id}. See: npx sluice wallet cold`)
  const { gate, spending, plan, coins, spend } = await openRefill(app, refill)
  if (spend.status !== 'open')
    throw new ServiceError('conflict', `Refill ${id} has ended (${spend.status}). Prepare another one.`)
  const ceiling = ceilingOf(app.spending.maxFees, gate.network.id)
  if (plan.feeUnits > ceiling)
    throw new ServiceError(
      'conflict',
      `Refill ${id} pays the network more than signer.max_fee allows. DO NOT SIGN IT. Give it up and prepare another one: npx sluice wallet give-up ${id}`,
    )
  const { wallet } = coldSideOf(app, gate.id).policy
  const keyAt = (index: number | null) => (index === null ? null : wallet.keyAt(index))
  const stored = await app.store.signing.previous(
    gate.id,
    coins.map(({ txHash }) => txHash),
    maxBytes,
  )
  const psbtCoins = coins.map((coin) => {
    const previous = stored.find(({ txHash, bytes }) => {
      const paid = txHash === coin.txHash && spending.readOutputs(txHash, bytes, [coin.outputIndex])
      const output = paid ? paid.get(coin.outputIndex) : undefined
      return output?.address === coin.address && output.units === coin.units
    })
    if (previous === undefined)
      throw new ServiceError(
        'conflict',
        `The transaction ${coin.txHash}, which brought ${coinName(coin)} to the cold wallet, is not in this database as the books have it. Spend that coin with the cold wallet itself.`,
      )
    return { address: coin.address, previous: previous.bytes, key: keyAt(coin.index) }
  })
  const { currency, decimals } = nativeAsset(gate)
  const inCoins = (units: bigint) => formatDecimal(units, decimals)
  const hot = plan.change === null ? undefined : plan.outputs[plan.change.outputIndex]
  const cold = plan.cold === undefined ? undefined : plan.outputs[plan.cold.outputIndex]
  return {
    id,
    gateId: gate.id,
    txHash: refill.txHash,
    currency,
    amount: inCoins(hot?.units ?? 0n),
    fee: inCoins(plan.feeUnits),
    hotAddress: hot?.address ?? '',
    change: cold === undefined ? null : { address: cold.address, amount: inCoins(cold.units) },
    psbt: spending.refill.write(plan, psbtCoins, keyAt(plan.cold?.index ?? null)),
  }
}
