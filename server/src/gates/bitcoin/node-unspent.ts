import { coinName } from '../../domain/uses.ts'
import { GateOutageError, type Output, type Unspent } from '../gate.ts'
import { type NodeRpc, type RpcAnswer, type RpcCall, resultOf } from '../json-rpc.ts'
import { exactUnits } from './exact-json.ts'
import { readHash, unbelievable } from './node-answers.ts'

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
    const inBlocks = outputs.filter((output, at) => isThere(shown[at], output))
    const left = new Set(outputs.filter((output, at) => isThere(withMempool[at], output)).map(coinName))
    const names = inBlocks.map(coinName)
    return {
      tipHash,
      free: new Set(names.filter((name) => left.has(name))),
      beingSpent: new Set(names.filter((name) => !left.has(name))),
    }
  }
  throw new GateOutageError('The chain changed during the lookup of outputs.')
}

function isThere(answer: RpcAnswer | undefined, { units, ...output }: Output): boolean {
  const found = resultOf(answer) as { readonly value?: unknown } | null
  if (found === null) return false
  if (exactUnits(found.value, decimals) !== units)
    unbelievable(`output ${coinName(output)} has a different amount from the one in its block`)
  return true
}
