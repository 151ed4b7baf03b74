import type { GateAsset, Rehearsal } from '../gate.ts'
import { type NodeRpc, type RpcCall, resultOf } from '../json-rpc.ts'
import { readQuantity } from './node-answers.ts'
import { quantity } from './node-blocks.ts'
import { transferCall } from './transfer-call.ts'
import { bytesIn, isNo, refusalIn } from './trial-answers.ts'

/** What it takes more to write what a token keeps of somebody if that was zero than if it was not (EIP-2200, EIP-2929). */
export const newHolderGas = 17_100n

/**
 * Has the node run a transfer on its newest block without sending it. Without a price the sender's coins for gas are no
 * matter. A token's answer counts too: some say no without failing, and where there is no contract nothing ever fails.
 */
export async function nodeRehearsal(
  rpc: NodeRpc,
  from: string,
  to: string,
  { contractAddress }: GateAsset,
  units: bigint,
  looksAtReceiver = false,
): Promise<Rehearsal> {
  const call =
    contractAddress === null
      ? { from, to, value: quantity(units) }
      : { from, to: contractAddress, data: transferCall(to, units) }
  const [run, gas, code, receiverCode, ...receiver] = await rpc.batch([
    ['eth_call', call, 'latest'],
    ['eth_estimateGas', call, 'latest'],
    ['eth_getCode', contractAddress ?? to, 'latest'],
    ...(looksAtReceiver ? receiverCalls(to) : []),
  ])
  const refused = refusalIn(run) ?? refusalIn(gas)
  if (refused !== null) return { refused }
  if (contractAddress !== null) {
    if (bytesIn(resultOf(code)) === '0x') return { refused: `there is no contract at ${contractAddress}` }
    if (isNo(bytesIn(resultOf(run)))) return { refused: 'the token says no, without a reason' }
  }
  // EIP-161: what has neither coins nor sent anything is not there yet. A token keeps its own books and does not care.
  const isKnown = contractAddress !== null || receiver.some((answer) => readQuantity(resultOf(answer)) > 0n)
  const isPlain = receiverCode !== undefined && isKnown && bytesIn(resultOf(receiverCode)) === '0x'
  const took = readQuantity(resultOf(gas))
  // Who has some of a token may have given all of it away when it is mined.
  return { gas: took, ...(contractAddress !== null && { mostGas: took + newHolderGas }), isPlain }
}

function receiverCalls(to: string): readonly RpcCall[] {
  return [
    ['eth_getCode', to, 'latest'],
    ['eth_getBalance', to, 'latest'],
    ['eth_getTransactionCount', to, 'latest'],
  ]
}
