import { ServiceError } from '../../../domain/errors.ts'
import type { AccountRefilling, Gate } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'
import { type HotAccount, hotAccountOf } from '../hot-wallet/hot-account.ts'

type NamingApp = Pick<App, 'gates' | 'spending'>

/** A gate whose cold wallet is an account that refills can come from. */
export type AccountColdSide = {
  readonly gate: Gate
  readonly hot: Extract<HotAccount, { kind: 'account' }>
  readonly refilling: AccountRefilling
  readonly coldAddress: string
}

/** Whether refills of a gate come from an account, if they come at all. */
export function refillsFromAccount(app: Pick<App, 'gates'>, gateId: string): boolean {
  const gate = app.gates.find(gateId)
  return gate !== null && gate.spending.kind !== 'coins'
}

/** A gate that spends coins, and its cold wallet. */
export function coldSideOf(app: NamingApp, gateId: string) {
  const gate = gateNamed(app, gateId)
  const { spending } = gate
  if (spending.kind !== 'coins') throw new Error(`${gateId} spends no coins.`)
  const policy = app.spending.cold.get(gate.id)
  if (policy === undefined) throw noColdWallet(gateId)
  return { gate, spending, policy }
}

/** The same where refills come from an account. */
export function accountColdSideOf(app: NamingApp, gateId: string): AccountColdSide {
  const gate = gateNamed(app, gateId)
  const hot = hotAccountOf(gate)
  const refilling = hot?.kind === 'account' ? hot.refill : undefined
  if (hot?.kind !== 'account' || refilling === undefined || gate.nonceUse === undefined)
    throw new ServiceError(
      'validation_error',
      `There are no cold wallets on ${gate.network.name}, and so no refills. Send funds to the hot wallet’s address, where they count as your float: npx sluice wallet addresses`,
    )
  const coldAddress = app.spending.cold.get(gate.id)?.wallet.addressAt(null) ?? null
  if (coldAddress === null) throw noColdWallet(gateId)
  return { gate, hot, refilling, coldAddress }
}

function gateNamed({ gates }: Pick<App, 'gates'>, gateId: string): Gate {
  const gate = gates.find(gateId)
  if (gate !== null) return gate
  throw new ServiceError('not_found', `There is no gate ${gateId} here. See: npx sluice gate list`)
}

function noColdWallet(gateId: string): ServiceError {
  return new ServiceError(
    'conflict',
    `${gateId} has no cold wallet. Set one under cold in SLUICE_CONFIG: see docs/operating/wallets.md`,
  )
}
