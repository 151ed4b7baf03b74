import { networksIn } from '../../domain/assets.ts'
import type { Environment } from '../../domain/environment.ts'
import { ServiceError } from '../../domain/errors.ts'
import { gateId } from '../../domain/networks/network.ts'
import type { Gate } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import type { CoinGate } from './widen-window.ts'

/** The gate whose old blocks are to be read again; a refusal that says why where there is none, or nothing to be found there. */
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
      `${network.name} has accounts, not coins: the chain shows what an account has, and there are no coins to look for. A ` +
        'rescan is for Bitcoin and Litecoin.',
    )
  if ((await app.store.walletKeys.read(environment)) === null)
    throw new ServiceError(
      'invalid_state',
      `This database has no ${environment} wallet, so nobody knows which addresses are ours. Bring it back first: npx sluice ` +
        `wallet init --environment ${environment} --words-from-stdin`,
    )
  const gate = app.gates.find(gateId(network.id, environment))
  if (gate === null)
    throw new ServiceError(
      'not_found',
      `There is no gate ${gateId(network.id, environment)}. Name its node under "gates" in the file of SLUICE_CONFIG.`,
    )
  if (isCoinGate(gate)) return gate
  throw new ServiceError(
    'invalid_state',
    `${gate.id} is simulated: its chain is in the database itself, and there is no node to read it from again. To have it on a ` +
      'node, name that under "gates" in the file of SLUICE_CONFIG.',
  )
}

function isCoinGate(gate: Gate): gate is CoinGate {
  return gate.simulated === null && gate.spending.kind === 'coins' && gate.unspent !== null
}
