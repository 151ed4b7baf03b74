import { formatDecimal } from '../../domain/money.ts'
import type { GateAsset, TransferSimulation } from '../gate.ts'
import { type NodeRpc, type RpcCall, resultOf } from '../json-rpc.ts'
import { readQuantity } from './node-answers.ts'
import { arrivalCall, arrivedIn } from './node-arrival.ts'
import { quantity } from './node-blocks.ts'
import { transferCall } from './transfer-call.ts'
import { bytesIn, isNo, refusalIn } from './trial-answers.ts'

// The extra gas for storing a token balance that was zero before (EIP-2200, EIP-2929).
const newHolderGas = 17_100n

/**
 * Simulates a transfer on the node's newest block. The call has no gas price, so the sender's funds for gas do not matter.
 * A token's return value counts too: some tokens return false without failing, and a call without a contract never fails.
 * So does the amount that would arrive: some tokens keep a share.
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
  // A transfer to the sender itself changes no balance.
  const measures = contractAddress !== null && to !== from
  const answers = await rpc.batch(
    measures ? [...calls, arrivalCall(from, to, contractAddress, units)] : calls,
  )
  const [run, gas, code] = answers
  const refused = refusalIn(run) ?? refusalIn(gas)
  if (refused !== null) return { refused }
  if (contractAddress !== null) {
    if (bytesIn(resultOf(code)) === '0x') return { refused: `there is no contract at ${contractAddress}` }
    if (isNo(bytesIn(resultOf(run)))) return { refused: 'the token refuses without a reason' }
    const arrived = measures ? arrivedIn(answers[calls.length]) : null
    if (arrived !== null && arrived !== units) return { refused: notAll(units, arrived, decimals) }
  }
  const took = readQuantity(resultOf(gas))
  // The receiver may have spent its whole token balance by the time this is mined.
  return contractAddress === null ? { gas: took } : { gas: took, mostGas: took + newHolderGas }
}

/** The receiver is promised exactly the amount, which a token that keeps a share cannot deliver. */
function notAll(units: bigint, arrived: bigint, decimals: number): string {
  const [sent, got] = [units, arrived > 0n ? arrived : 0n].map((each) => formatDecimal(each, decimals))
  return `the token takes a fee or changes amounts: of ${sent} sent, ${got} would arrive`
}
