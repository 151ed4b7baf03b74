import { coinName } from '../../domain/uses.ts'
import { GateOutageError, type Output, type Unspent } from '../gate.ts'
import { type NodeRpc, type RpcAnswer, type RpcCall, resultOf } from '../json-rpc.ts'
import { exactUnits } from './exact-json.ts'
import { readHash } from './node-answers.ts'

/** How many outputs one request looks up, twice each. */
export const maxOutputsAtOnce = 100
// The branch may change between two requests; then all are repeated.
const maxTries = 5
const decimals = 8

/**
 * Which of the outputs are unspent on the node's current branch, and which of those a transaction in its mempool spends.
 * Every node can tell, even a pruned one without any index.
 */
export async function nodeUnspent(rpc: NodeRpc, outputs: readonly Output[]): Promise<Unspent> {
  for (let tries = 0; tries < maxTries; tries++) {
    const answers = await rpc.batch([
      ['getbestblockhash'],
      ['getmempoolinfo'],
      ...outputs.map(({ txHash, outputIndex }): RpcCall => ['gettxout', txHash, outputIndex, false]),
      ...outputs.map(({ txHash, outputIndex }): RpcCall => ['gettxout', txHash, outputIndex, true]),
      ['getbestblockhash'],
    ])
    const tipHash = readHash(resultOf(answers.at(0)))
    if (readHash(resultOf(answers.at(-1))) !== tipHash) continue
    // With a partly loaded mempool, a coin that it spends would seem free.
    if ((resultOf(answers.at(1)) as { readonly loaded?: unknown } | null)?.loaded === false)
      throw new GateOutageError('The node is still loading its mempool.')
    const [shown, withMempool] = [answers.slice(2, 2 + outputs.length), answers.slice(2 + outputs.length, -1)]
    const inBlocks = outputs.filter((_, at) => unitsIn(shown[at]) !== null)
    const left = new Set(outputs.filter((_, at) => unitsIn(withMempool[at]) !== null).map(coinName))
    const isDifferent = (output: Output) => unitsIn(shown[outputs.indexOf(output)]) !== output.units
    const different = new Set(inBlocks.filter(isDifferent).map(coinName))
    const names = inBlocks.map(coinName).filter((name) => !different.has(name))
    return {
      tipHash,
      free: new Set(names.filter((name) => left.has(name))),
      beingSpent: new Set(names.filter((name) => !left.has(name))),
      different,
    }
  }
  throw new GateOutageError('The chain changed during the lookup of outputs.')
}

/** What an output pays; null when it is spent or was never there. */
function unitsIn(answer: RpcAnswer | undefined): bigint | null {
  const found = resultOf(answer) as { readonly value?: unknown } | null
  return found === null ? null : exactUnits(found.value, decimals)
}
