import { jsonRpc, type NodeRpc, type NodeRpcOptions } from '../json-rpc.ts'

// EIP-1474's code for a limit that is exceeded, and those that providers have of their own: Infura, QuickNode, Ankr, Base and others.
const limited = [-32_005, -32_007, -32_016, -32_029, -32_090, -32_097, 429]
const limitedWords =
  /too many requests|rate.?limit|request limit|requests? per (second|minute|day)|compute units|throughput|slow down/i
// The same code stands for an answer that would be too long: that does not become shorter by waiting.
const tooLongWords = /more than \d+ (results|logs)|block range|response size/i

/**
 * Speaks to a node of the Ethereum kind. Its numbers are text, in hexadecimal, so none can lose digits on the way; the
 * codes of its refusals are those of EIP-1474, as far as nodes keep to it.
 */
export function evmRpc(options: NodeRpcOptions): NodeRpc {
  return jsonRpc(
    {
      version: '2.0',
      parse: JSON.parse,
      unready: [],
      isTooOften: (code, message) =>
        !tooLongWords.test(message) && (limited.includes(code) || limitedWords.test(message)),
    },
    options,
  )
}
