import { jsonRpc, type NodeRpc, type NodeRpcOptions } from '../json-rpc.ts'

// EIP-1474: a limit of requests is exceeded.
const limited = -32_005

/**
 * Speaks to a node of the Ethereum kind. Its numbers are text, in hexadecimal, so none can lose digits on the way; the
 * codes of its refusals are those of EIP-1474, as far as nodes keep to it.
 */
export function evmRpc(options: NodeRpcOptions): NodeRpc {
  return jsonRpc({ version: '2.0', parse: JSON.parse, unready: [limited] }, options)
}
