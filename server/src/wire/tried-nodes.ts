import type { AssetRegistry } from '../domain/assets.ts'
import type { Network } from '../domain/networks/network.ts'
import { nodeRpc } from '../gates/bitcoin/rpc.ts'
import { bitcoinTriedNode } from '../gates/bitcoin/tried-node.ts'
import { evmRpc } from '../gates/evm/rpc.ts'
import { evmTriedNode } from '../gates/evm/tried-node.ts'
import { assetsOf } from '../gates/families.ts'
import type { NodeRpc, NodeRpcOptions } from '../gates/json-rpc.ts'
import { solanaRpc } from '../gates/solana/node-rpc.ts'
import { solanaTriedNode } from '../gates/solana/tried-node.ts'
import { type Meter, meteredRpc } from '../gates/trial/metered-rpc.ts'
import type { TriedNode } from '../gates/trial/tried-node.ts'
import { xrpRpc } from '../gates/xrp/node-rpc.ts'
import { xrpTriedNode } from '../gates/xrp/tried-node.ts'
import type { GateConfig } from '../settings/gate-config.ts'
import type { Closers } from './closers.ts'
import { chainOf, clusterOf, nodeChain } from './node-gates.ts'

/** The server of a gate that has one, as its family is tried. A new family of nodes adds its case here. */
export function openTriedNode(
  registry: AssetRegistry,
  config: GateConfig,
  network: Network,
  meter: Meter,
  closers: Closers,
): TriedNode {
  const open = (rpcTo: (options: NodeRpcOptions) => NodeRpc, options: NodeRpcOptions): NodeRpc => {
    const rpc = rpcTo({ ...options, onRequest: () => meter.requests++, onTooOften: () => meter.tooOften++ })
    closers.add(async () => rpc.close())
    return meteredRpc(rpc, meter)
  }
  const { environment } = config
  const chain = chainOf(registry, config)
  const assets = assetsOf(network, environment, registry, chain).map((asset) => ({ ...asset, network }))
  const common = { network, environment, assets }
  switch (config.kind) {
    case 'bitcoin': {
      const rpc = open(nodeRpc, { url: config.rpcUrl(), cookieFile: config.rpcCookieFile })
      return bitcoinTriedNode({ ...common, chain: nodeChain(registry, config), fees: config.fees, rpc })
    }
    case 'evm': {
      const [url = ''] = config.rpcUrls()
      const { chainId, tag, fees } = config
      const rpc = open(evmRpc, { url })
      return evmTriedNode({ ...common, chainId, tag, fees, rpc, place: new URL(url).host })
    }
    case 'solana': {
      const [url = ''] = config.rpcUrls()
      const { commitment, prices } = config
      const rpc = open(solanaRpc, { url })
      const place = new URL(url).host
      return solanaTriedNode({ ...common, ...clusterOf(network, config), commitment, prices, rpc, place })
    }
    case 'xrp': {
      const [url = ''] = config.rpcUrls()
      const { networkId, fees } = config
      const rpc = open(xrpRpc, { url })
      return xrpTriedNode({ ...common, networkId, fees, rpc, place: new URL(url).host })
    }
  }
}
