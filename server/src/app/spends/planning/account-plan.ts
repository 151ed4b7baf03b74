import type { AccountPlan, GasBudget } from '../../../domain/spends.ts'
import type { GateAsset } from '../../../gates/gate.ts'

type Transfer = Pick<AccountPlan, 'from' | 'to' | 'units' | 'gasPrice' | 'payoutId'> & {
  readonly asset: Pick<GateAsset, 'currency' | 'contractAddress'>
  readonly budget: GasBudget
  /** Left out: the next one of the account, taken when the plan is written. */
  readonly nonce?: bigint
}

/** The plan of a transfer from an account. */
export function accountPlan({ asset, budget, nonce = 0n, ...transfer }: Transfer): AccountPlan {
  const { currency, contractAddress } = asset
  return { kind: 'account', nonce, currency, contractAddress, ...transfer, ...budget }
}
