import { type Finding, ok, problem, warning } from '../../app/operator/judge-health.ts'
import type { AssetRegistry } from '../../domain/assets.ts'
import { nodeRpc } from '../../gates/bitcoin/rpc.ts'
import { evmRpc } from '../../gates/evm/rpc.ts'
import { GateOutageError, WrongChainError } from '../../gates/gate.ts'
import { type NodeRpc, RpcRefusal } from '../../gates/json-rpc.ts'
import { solanaRpc } from '../../gates/solana/node-rpc.ts'
import type { GateConfig } from '../../settings/gate-config.ts'
import { Closers } from '../closers.ts'
import { checkChainOf } from '../node-gates.ts'

const timeoutMs = 8_000

/** Asks every node of every gate whether it is on the right chain, and has all of it. */
export async function checkNodes(registry: AssetRegistry, gates: readonly GateConfig[]): Promise<Finding[]> {
  const each = gates.flatMap((gate) =>
    gate.kind === 'bitcoin'
      ? [checkNode(registry, gate, gate.rpcUrl())]
      : gate
          .rpcUrls()
          .map((url) => checkNode(registry, { ...gate, rpcUrls: () => [url], agreement: 1 }, url)),
  )
  const found = await Promise.all(each)
  return found.length > 0 ? found : [ok('nodes', 'No gate uses a node: all networks are simulated.')]
}

async function checkNode(registry: AssetRegistry, gate: GateConfig, url: string): Promise<Finding> {
  const closers = new Closers()
  const { host } = new URL(url)
  const named = `The node of ${gate.id} at ${host}`
  try {
    await checkChainOf(registry, gate, closers)
    const rpc = openRpc(gate, url)
    closers.add(async () => rpc.close())
    const behind = await whyNotSynced(gate, rpc)
    if (behind !== null) return warning('nodes', `${named} ${behind}`, 'Wait until it has the whole chain.')
    return ok('nodes', `${named} is on the right chain and up to date.`)
  } catch (error) {
    if (error instanceof WrongChainError)
      return problem('nodes', error.message, 'Point the gate in SLUICE_CONFIG at a node of its chain.')
    if (!(error instanceof GateOutageError || error instanceof RpcRefusal)) throw error
    return problem(
      'nodes',
      `${named} cannot be used: ${error.message}`,
      'Check that it runs, that this machine reaches it, and the login in its URL.',
    )
  } finally {
    await closers.close()
  }
}

function openRpc(gate: GateConfig, url: string): NodeRpc {
  if (gate.kind === 'bitcoin') return nodeRpc({ url, cookieFile: gate.rpcCookieFile, timeoutMs })
  return gate.kind === 'evm' ? evmRpc({ url, timeoutMs }) : solanaRpc({ url, timeoutMs })
}

/** What the node says about its own progress, in words; null if it has the whole chain. */
async function whyNotSynced(gate: GateConfig, rpc: NodeRpc): Promise<string | null> {
  if (gate.kind === 'bitcoin') {
    const info = (await rpc.call('getblockchaininfo')) as { initialblockdownload?: unknown } | null
    return info?.initialblockdownload === true ? 'is still downloading the chain.' : null
  }
  if (gate.kind === 'evm') return (await rpc.call('eth_syncing')) === false ? null : 'is still syncing.'
  return (await rpc.call('getHealth')) === 'ok' ? null : 'says that it is behind.'
}
