import { formatDecimal } from '../../domain/money.ts'
import type { GateAsset, TransferSimulation } from '../gate.ts'
import { type NodeRpc, type RpcCall, resultOf } from '../json-rpc.ts'
import { readQuantity } from './node-answers.ts'
import { arrivalCall, arrivedIn } from './node-arrival.ts'
import { quantity } from './node-blocks.ts'
import { transferCall } from './transfer-call.ts'
import { bytesIn, isNo, refusalIn } from './trial-answers.ts'

// What it takes more to write what a token keeps of somebody if that was zero than if it was not (EIP-2200, EIP-2929).
const newHolderGas = 17_100n

/**
 * Has the node run a transfer on its newest block without sending it. Without a price the sender's coins for gas are no
 * matter. A token's answer counts too: some say no without failing, and where there is no contract nothing ever fails. So does
 * what would arrive: some keep a share of what is sent.
 */
export async function nodeSimulation(
  rpc: NodeRpc,
  from: string,
  to: string,
  { contractAddress, decimals }: GateAsset,
  units: bigint,
): Promise<TransferSimulation> {
  const call =
    contractAddress === null
      ? { from, to, value: quantity(units) }
      : { from, to: contractAddress, data: transferCall(to, units) }
  const calls: readonly RpcCall[] = [
    ['eth_call', call, 'latest'],
    ['eth_estimateGas', call, 'latest'],
    ['eth_getCode', contractAddress ?? to, 'latest'],
  ]
  // What goes to its own sender leaves every balance as it was.
  const measures = contractAddress !== null && to !== from
  const answers = await rpc.batch(
    measures ? [...calls, arrivalCall(from, to, contractAddress, units)] : calls,
  )
  const [run, gas, code] = answers
  const refused = refusalIn(run) ?? refusalIn(gas)
  if (refused !== null) return { refused }
  if (contractAddress !== null) {
    if (bytesIn(resultOf(code)) === '0x') return { refused: `there is no contract at ${contractAddress}` }
    if (isNo(bytesIn(resultOf(run)))) return { refused: 'the token says no, without a reason' }
    const arrived = measures ? arrivedIn(answers[calls.length]) : null
    if (arrived !== null && arrived !== units) return { refused: notAll(units, arrived, decimals) }
  }
  const took = readQuantity(resultOf(gas))
  // Who has some of a token may have given all of it away when it is mined.
  return contractAddress === null ? { gas: took } : { gas: took, mostGas: took + newHolderGas }
}

/** A receiver is promised exactly the amount; a token that takes a share of what is sent cannot keep that. */
function notAll(units: bigint, arrived: bigint, decimals: number): string {
  const [sent, got] = [units, arrived > 0n ? arrived : 0n].map((each) => formatDecimal(each, decimals))
  return `the token takes a fee, or counts otherwise: of ${sent} sent, ${got} would arrive`
}
