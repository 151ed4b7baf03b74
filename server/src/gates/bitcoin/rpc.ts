import { jsonRpc, type NodeRpc, type NodeRpcOptions } from '../json-rpc.ts'
import { parseExact } from './exact-json.ts'

// Bitcoin Core's `rpc/protocol.h`: the node is loading.
const warmingUp = -28

/** JSON-RPC to a Bitcoin-like node. The codes of its refusals are those of Bitcoin Core's `rpc/protocol.h`. */
export function nodeRpc(options: NodeRpcOptions): NodeRpc {
  return jsonRpc({ version: '1.0', parse: parseExact, unready: [warmingUp] }, options)
}
