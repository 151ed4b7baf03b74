import { ServiceError } from '../../../domain/errors.ts'
import type { AccountPlan, Spend } from '../../../domain/spends.ts'
import type { AccountRefilling, Gate } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'
import { type HotAccount, hotAccountOf } from '../hot-wallet/hot-account.ts'

/** A gate whose cold wallet is an account that refills can come from. */
export type AccountColdSide = {
  readonly gate: Gate
  readonly hot: HotAccount
  readonly refilling: AccountRefilling
  readonly coldAddress: string
}

/** Whether refills of a gate come from an account, if they come at all. */
export function refillsFromAccount(app: Pick<App, 'gates'>, gateId: string): boolean {
  return app.gates.find(gateId)?.spending.kind === 'account'
}

export function accountColdSideOf(app: Pick<App, 'gates' | 'spending'>, gateId: string): AccountColdSide {
  const gate = app.gates.find(gateId)
  if (gate === null)
    throw new ServiceError('not_found', `There is no gate ${gateId} here. See: npx sluice gate list`)
  const hot = hotAccountOf(gate)
  const refilling = gate.spending.kind === 'account' ? gate.spending.refill : undefined
  if (hot === null || refilling === undefined || gate.nonceUse === undefined)
    throw new ServiceError(
      'validation_error',
      `There are no cold wallets on ${gate.network.name}, and so no refills. Send funds to the hot wallet’s address, where they count as your float: npx sluice wallet addresses`,
    )
  const coldAddress = app.spending.cold.get(gate.id)?.wallet.addressAt(null) ?? null
  if (coldAddress === null)
    throw new ServiceError(
      'conflict',
      `${gateId} has no cold wallet. Set one under cold in SLUICE_CONFIG: see docs/operating/wallets.md`,
    )
  return { gate, hot, refilling, coldAddress }
}

/** The plan of a refill from an account, as it was prepared. */
export function refillPlanOf({ id, transactions }: Spend): AccountPlan {
  const plan = transactions[0]?.plan
  if (plan?.kind !== 'account') throw new Error(`Spend ${id} is no refill from an account.`)
  return plan
}
