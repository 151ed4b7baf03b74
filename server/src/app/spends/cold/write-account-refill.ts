import { isAccountRefill, refillPlanOf } from '../../../domain/account-refills.ts'
import { ServiceError } from '../../../domain/errors.ts'
import { formatDecimal } from '../../../domain/money.ts'
import { ceilingOf } from '../../../domain/spending-limits.ts'
import { type AccountPlan, maxFeeOf, type Spend } from '../../../domain/spends.ts'
import type { UnsignedTransfer } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'
import { assetOn, nativeAsset } from '../hot-wallet/native-asset.ts'
import { type AccountColdSide, accountColdSideOf } from './cold-side.ts'

/** A refill from an account, and the transaction to sign. */
export type PreparedAccountRefill = UnsignedTransfer & {
  readonly id: string
  readonly gateId: string
  readonly currency: string
  readonly amount: string
  readonly feeCurrency: string
  /** The most that the network can take. */
  readonly fee: string
  readonly nonce: bigint
  readonly coldAddress: string
  readonly hotAddress: string
}

/** An open refill with its plan. */
export type OpenedAccountRefill = AccountColdSide & { readonly spend: Spend; readonly plan: AccountPlan }

/**
 * Reads an open refill, and makes sure that it goes from the cold wallet that is configured now to our hot wallet, by the
 * token's own contract. The database may have been changed since it was prepared.
 */
export async function openAccountRefill(
  app: Pick<App, 'store' | 'gates' | 'spending'>,
  id: string,
): Promise<OpenedAccountRefill> {
  const spend = await app.store.spends.find(id)
  if (spend === null || !isAccountRefill(spend))
    throw new ServiceError('not_found', `There is no refill ${id}. See: npx sluice wallet cold`)
  if (spend.status !== 'open')
    throw new ServiceError('conflict', `Refill ${id} is ${spend.status}. Prepare another one.`)
  const side = accountColdSideOf(app, spend.gateId)
  const plan = refillPlanOf(spend)
  const asset = side.gate.assets.find(({ currency }) => currency === plan.currency)
  const isOurs = plan.from.address === side.coldAddress && plan.to.address === side.hot.hotAddress
  if (!isOurs || asset?.contractAddress !== plan.contractAddress)
    throw new ServiceError(
      'conflict',
      `Refill ${id} does not move ${plan.currency} from the cold wallet that is configured now to your hot wallet. DO NOT SIGN IT. If you have changed the cold wallet, give the refill up: npx sluice wallet give-up ${id}`,
    )
  return { ...side, spend, plan }
}

/** The transaction to sign, of a refill that was prepared. The same refill always gives the same transaction. */
export async function writeAccountRefill(
  app: Pick<App, 'store' | 'gates' | 'spending'>,
  id: string,
): Promise<PreparedAccountRefill> {
  const { gate, refilling, plan, coldAddress, hot } = await openAccountRefill(app, id)
  if (maxFeeOf(plan) > ceilingOf(app.spending.maxFees, gate.network.id))
    throw new ServiceError(
      'conflict',
      `Refill ${id} may pay the network more than signer.max_fee allows. DO NOT SIGN IT. Give it up and prepare another one: npx sluice wallet give-up ${id}`,
    )
  const tip = await app.store.accountRefills.tipOf(id)
  const { currency, decimals } = assetOn(gate, plan.currency)
  const native = nativeAsset(gate)
  return {
    id,
    gateId: gate.id,
    currency,
    amount: formatDecimal(plan.units, decimals),
    feeCurrency: native.currency,
    fee: formatDecimal(maxFeeOf(plan), native.decimals),
    nonce: plan.nonce,
    coldAddress,
    hotAddress: hot.hotAddress,
    ...refilling.write(plan, tip ?? plan.gasPrice),
  }
}
