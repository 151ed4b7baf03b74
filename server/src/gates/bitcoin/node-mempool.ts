import type { Transfer } from '../../domain/chain.ts'
import { StillReadingError, type WatchedAddresses } from '../gate.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import { isTransaction, type NodeTransaction, readHash, transfersIn } from './node-answers.ts'
import type { NodeChain } from './node-chains.ts'

// Nodes keep 300 MB of transactions, and each takes them at least a kilobyte.
const maxTransactions = 1_000_000
const batchSize = 200
// The first read of a full mempool takes a while; each call continues where the last one stopped.
const maxReadMs = 8_000
const none: readonly Transfer[] = []

/**
 * A node's mempool as a gate shows it. Each transaction is fetched once and checked once for payments to us; we remember
 * its hash and our transfers for as long as it is in the mempool. If an address becomes ours after that check, its payment
 * shows when it is mined.
 */
export function nodeMempool(
  rpc: NodeRpc,
  chain: NodeChain,
  currency: string,
): { pending(watched: WatchedAddresses): Promise<readonly Transfer[]> } {
  let known: ReadonlyMap<string, readonly Transfer[]> = new Map()

  async function fetch(hashes: readonly string[]): Promise<NodeTransaction[]> {
    const answers = await rpc.batch(hashes.map((hash) => ['getrawtransaction', hash, true]))
    return answers.flatMap((answer, at) => {
      // It has since been mined, replaced or dropped.
      if ('refusal' in answer) return []
      if (!isTransaction(answer.result) || answer.result.txid !== hashes[at])
        return unbelievable('it shows a different transaction from the requested one')
      return [answer.result]
    })
  }

  return {
    async pending(watched) {
      const hashes = await hashesIn(rpc)
      const now = new Map<string, readonly Transfer[]>()
      const fresh: string[] = []
      for (const hash of hashes) {
        const seen = known.get(hash)
        if (seen === undefined) fresh.push(hash)
        else now.set(hash, seen)
      }
      const endMs = performance.now() + maxReadMs
      const transactions: NodeTransaction[] = []
      let fetched = 0
      for (; fetched < fresh.length && performance.now() < endMs; fetched += batchSize)
        transactions.push(...(await fetch(fresh.slice(fetched, fetched + batchSize))))
      const ours = Map.groupBy(
        await transfersIn(chain, currency, transactions, watched),
        ({ txHash }) => txHash,
      )
      for (const { txid } of transactions) now.set(txid, ours.get(txid) ?? none)
      known = now
      // A partial answer would mean that the missing transfers are gone.
      if (fetched < fresh.length)
        throw new StillReadingError(
          `The mempool is still being read: ${now.size} of ${hashes.length} transactions so far.`,
        )
      return [...now.values()].flat()
    },
  }
}

async function hashesIn(rpc: NodeRpc): Promise<readonly string[]> {
  const [info, list] = await rpc.batch([['getmempoolinfo'], ['getrawmempool']])
  if (info === undefined || list === undefined || !('result' in info) || !('result' in list))
    return unbelievable('it does not show its mempool')
  if ((info.result as { loaded?: unknown } | null)?.loaded === false)
    throw new StillReadingError('The node is still loading its mempool.')
  if (!Array.isArray(list.result)) return unbelievable('its mempool is not a list')
  if (list.result.length > maxTransactions) return unbelievable('its mempool is too large')
  return list.result.map(readHash)
}
