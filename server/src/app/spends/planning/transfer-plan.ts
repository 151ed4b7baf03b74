import type {
  AccountPlan,
  Budget,
  SolanaPlan,
  SolanaSource,
  SpendPlan,
  TransferPlan,
} from '../../../domain/spends.ts'
import type { Gate, GateAsset } from '../../../gates/gate.ts'
import { accountPlan } from './account-plan.ts'

/** A plan that leaves from the hot wallet of a network with accounts. */
export type HotPlan = AccountPlan | SolanaPlan

type Transfer = Pick<TransferPlan, 'from' | 'to' | 'units' | 'payoutId'> & {
  readonly asset: GateAsset
  readonly budget: Budget
  /** Of a unit of gas, or of a compute unit. */
  readonly price: bigint
  /** On Solana, the addresses that are emptied in a sweep. */
  readonly sources?: readonly SolanaSource[]
}

// Assigned when the plan is written.
const unplaced: SolanaPlan['lifetime'] = { kind: 'nonce', index: 0, value: '' }

/** The plan of a transfer from an account. Its nonce is assigned when it is written. */
export function transferPlan(
  { spending }: Pick<Gate, 'spending'>,
  { asset, budget, price, sources, ...transfer }: Transfer,
): HotPlan {
  const { currency, contractAddress } = asset
  if ('gasLimit' in budget) return accountPlan({ ...transfer, asset, budget, gasPrice: price })
  if (spending.kind !== 'solana') throw new Error('Only Solana counts compute units.')
  const { computeLimit, rentUnits } = budget
  return {
    kind: 'solana',
    ...transfer,
    currency,
    contractAddress,
    lifetime: unplaced,
    token: spending.tokenOf(asset),
    ...(sources !== undefined && { sources }),
    rentUnits,
    computeLimit,
    computePrice: price,
  }
}

/** The price of gas or of a compute unit that a plan pays. */
export function priceOf(plan: HotPlan): bigint {
  return plan.kind === 'account' ? plan.gasPrice : plan.computePrice
}

/** The same plan at another price. */
export function atPrice(plan: HotPlan, price: bigint): HotPlan {
  return plan.kind === 'account' ? { ...plan, gasPrice: price } : { ...plan, computePrice: price }
}

/** Whether a plan leaves from the hot wallet of a network with accounts, or from a deposit address there. */
export function isHotPlan(plan: SpendPlan): plan is HotPlan {
  return plan.kind !== 'coins'
}
