import { networksIn } from '../../domain/assets.ts'
import type { Environment } from '../../domain/environment.ts'
import { ServiceError } from '../../domain/errors.ts'
import { gateId } from '../../domain/networks/network.ts'
import type { Gate } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import type { CoinGate } from './widen-window.ts'

/** The gate whose old blocks a rescan reads; throws with the reason if there is none or a rescan makes no sense there. */
export async function findCoinGate(
  app: Pick<App, 'store' | 'gates' | 'assets'>,
  networkId: string,
  environment: Environment,
): Promise<CoinGate> {
  const networks = networksIn(app.assets)
  const network = networks.find(({ id }) => id === networkId)
  if (network === undefined)
    throw new ServiceError(
      'not_found',
      `There is no network ${networkId}. There are: ${networks.map(({ id }) => id).join(', ')}.`,
    )
  if (network.family !== 'bitcoin')
    throw new ServiceError(
      'invalid_state',
      `${network.name} has accounts, not coins: the chain itself shows each balance, so there is nothing to look for. Rescans ` +
        'are for Bitcoin and Litecoin.',
    )
  if ((await app.store.walletKeys.read(environment)) === null)
    throw new ServiceError(
      'invalid_state',
      `This database has no ${environment} wallet, so its addresses are unknown. Restore the wallet first: npx sluice ` +
        `wallet init --environment ${environment} --words-from-stdin`,
    )
  const gate = app.gates.find(gateId(network.id, environment))
  if (gate === null)
    throw new ServiceError(
      'not_found',
      `There is no gate ${gateId(network.id, environment)}. Name its node under "gates" in the SLUICE_CONFIG file.`,
    )
  if (isCoinGate(gate)) return gate
  throw new ServiceError(
    'invalid_state',
    `${gate.id} is simulated: its chain is in the database itself, so there is no node to read it from. To use a node, name ` +
      'it under "gates" in the SLUICE_CONFIG file.',
  )
}

function isCoinGate(gate: Gate): gate is CoinGate {
  return gate.simulated === null && gate.spending.kind === 'coins' && gate.unspent !== null
}
