import { jsonRpc, type NodeRpc, type NodeRpcOptions } from '../json-rpc.ts'

// EIP-1474's code for an exceeded limit, and the providers' own codes: Infura, QuickNode, Ankr, Base and others.
const limited = [-32_005, -32_007, -32_016, -32_029, -32_090, -32_097, 429]
const limitedWords =
  /too many requests|rate.?limit|request limit|requests? per (second|minute|day)|compute units|throughput|slow down/i
// The same code is used for answers that would be too long, which waiting does not help.
const tooLongWords = /more than \d+ (results|logs)|block range|response size/i

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
      isTooOften: (code, message) =>
        !tooLongWords.test(message) && (limited.includes(code) || limitedWords.test(message)),
    },
    options,
  )
}
