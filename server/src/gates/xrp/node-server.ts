import type { ChainCheck } from '../endpoints.ts'
import { GateOutageError, WrongChainError } from '../gate.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { shownText } from '../shown-text.ts'
import { readNumber, readObject } from './node-answers.ts'

// The main network's servers need not name it.
const mainNetwork = 0
// A ledger is validated every four seconds. rippled itself calls itself out of sync after twenty.
const maxAgeSeconds = 60
// What a server says it is while it follows the network; Clio says nothing.
const following = new Set<unknown>(['full', 'proposing', 'validating', undefined])
const maxShownLedgers = 200

/** The parts of `server_info` that matter. */
export type ServerInfo = {
  readonly networkId: number
  /** The ledgers that it has, in its own notation: `1-5,8`. */
  readonly held: string
}

/** Everything that a server says about itself. */
export async function askInfo(rpc: NodeRpc): Promise<Record<string, unknown>> {
  const answer = readObject(await rpc.call('server_info', {}), 'it says nothing about itself')
  return readObject(answer.info, 'it says nothing about itself')
}

/** The number of the network that a server says it is on. */
export function networkIdIn(info: Record<string, unknown>): number {
  return readNumber(info.network_id ?? mainNetwork, 'the network’s id')
}

export async function askServer(rpc: NodeRpc): Promise<ServerInfo> {
  const info = await askInfo(rpc)
  if (info.amendment_blocked === true)
    throw new GateOutageError(
      'The server does not know the network’s present rules (amendment blocked). Upgrade it.',
    )
  if (!following.has(info.server_state))
    throw new GateOutageError(
      `The server is not in sync with the network: it is ${shownText(info.server_state)}.`,
    )
  const validated = info.validated_ledger
  if (typeof validated !== 'object' || validated === null)
    throw new GateOutageError('The server is not in sync with the network: it has no validated ledger.')
  const age = readNumber((validated as { age?: unknown }).age ?? 0, 'the age of a ledger')
  if (age > maxAgeSeconds)
    throw new GateOutageError(
      `The server is not in sync with the network: its newest validated ledger is ${age} seconds old.`,
    )
  return {
    networkId: networkIdIn(info),
    held: shownText(info.complete_ledgers ?? 'none').slice(0, maxShownLedgers),
  }
}

/** Networks of the XRP Ledger are told apart by their number: 0 is the main one, 1 and 2 are public test networks. */
export function xrpChain(networkId: number): ChainCheck {
  return {
    called: 'XRP Ledger network',
    async genesisOf(rpc, node) {
      const found = (await askServer(rpc)).networkId
      if (found !== networkId)
        throw new WrongChainError(
          `${node} is on network ${found}, but it must be on network ${networkId}. Point rpc_url at the right server, or ` +
            'correct "network_id".',
        )
      return `network ${found}`
    },
  }
}
