import { jsonRpc, type NodeRpc, type NodeRpcOptions } from '../json-rpc.ts'
import { isRateLimit, type RateLimitSigns } from '../rate-limits.ts'

// EIP-1474's code for an exceeded limit, and the providers' own codes: Infura, QuickNode, Ankr, Base and others.
const limits: RateLimitSigns = {
  codes: [-32_005, -32_007, -32_016, -32_029, -32_090, -32_097, 429],
  // Alchemy's unit of account.
  words: /compute units/i,
}

/**
 * JSON-RPC to an EVM node. Its numbers are hexadecimal text, so none can lose digits. The codes of its refusals are those
 * of EIP-1474, as far as nodes follow it.
 */
export function evmRpc(options: NodeRpcOptions): NodeRpc {
  return jsonRpc(
    {
      version: '2.0',
      parse: JSON.parse,
      unready: [],
      isTooOften: (code, message) => isRateLimit(limits, code, message),
    },
    options,
  )
}
