import { ServiceError } from '../../../domain/errors.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'
import { hotAccountOf } from './hot-account.ts'

/** The nonces of a hot wallet: the one we would use next, and the one the node expects next. */
export type OutsideUse = { readonly address: string; readonly ours: bigint; readonly nodes: bigint }

/** How far a hot wallet's key was used outside Sluice, according to the node. */
export async function findOutsideUse(app: Pick<App, 'store'>, gate: Gate): Promise<OutsideUse> {
  const hot = hotAccountOf(gate)
  if (hot?.kind !== 'account')
    throw new ServiceError('validation_error', `${gate.id} has no hot wallet with nonces.`)
  const address = hot.hotAddress
  const nodes = await gate.nextNonce(address)
  // Sluice counts from the first nonce that it finds.
  if (gate.noncesStartAnywhere && !(await app.store.holdings.hasCount(gate.id, address)))
    return { address, nodes, ours: nodes }
  return { address, nodes, ours: await app.store.holdings.nextCount(gate.id, address) }
}
