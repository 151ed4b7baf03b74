import { WrongChainError } from '../gate.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { readHash } from './node-answers.ts'
import { type NodeChain, nodeChainFrom } from './node-chains.ts'

/** Asks a node for its first block. Throws a `WrongChainError` that names both chains when it is not the gate's chain. */
export async function checkGenesis(rpc: NodeRpc, gateId: string, chain: NodeChain): Promise<void> {
  const genesis = readHash(await rpc.call('getblockhash', 0))
  if (genesis === chain.genesis) return
  const found = nodeChainFrom(genesis)
  const name = found === null ? 'an unknown chain' : `${found.coin} ${found.name}`
  throw new WrongChainError(
    `The node of ${gateId} is on ${name} (genesis ${genesis}), but it must be on ` +
      `${chain.coin} ${chain.name} (genesis ${chain.genesis}). Point rpc_url at the right node, or correct "chain".`,
  )
}
