import { jsonRpc, type NodeRpc, type NodeRpcOptions } from '../json-rpc.ts'
import { isRateLimit, type RateLimitSigns } from '../rate-limits.ts'

// Helius and others. The codes around -32005 that mean a limit on EVM networks have other meanings here.
const limits: RateLimitSigns = { codes: [429, -32_429] }
// The node is behind the others, or has not started yet.
const unhealthy = -32_005

/** JSON-RPC to a Solana node. The codes of its refusals are those of Agave's `rpc-client-api`. */
export function solanaRpc(options: NodeRpcOptions): NodeRpc {
  return jsonRpc(
    {
      version: '2.0',
      parse: JSON.parse,
      unready: [unhealthy],
      isTooOften: (code, message) => isRateLimit(limits, code, message),
    },
    options,
  )
}
