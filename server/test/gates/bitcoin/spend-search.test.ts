import { expect, it, vi } from 'vitest'
import type { BlockRef } from '../../../src/domain/chain.ts'
import { OutageError } from '../../../src/domain/errors.ts'
import type { NodeBlock } from '../../../src/gates/bitcoin/node-answers.ts'
import { spendSearch } from '../../../src/gates/bitcoin/spend-search.ts'

const coin = { txHash: 'aa', outputIndex: 1 }

/** A chain of this many blocks; `spends` says which transaction spends the coin at which height. */
function chainOf(count: number, spends: Record<number, string> = {}) {
  let branch = 'a'
  let height = count
  const reads: bigint[] = []
  const hashAt = (at: bigint) => `${at > 50n ? branch : 'a'}${at}`
  const read = async ({ height: at, hash }: BlockRef): Promise<NodeBlock> => {
    reads.push(at)
    const txid = spends[Number(at)]
    const spending = {
      txid: txid ?? 'other',
      vin: [{ txid: 'aa', vout: txid === undefined ? 2 : 1 }],
      vout: [],
    }
    return {
      height: at,
      hash,
      parentHash: hashAt(at - 1n),
      minedAt: new Date(0),
      isOnBranch: true,
      transactions: [{ txid: 'coinbase', vin: [{ coinbase: '00' }], vout: [] }, spending],
    }
  }
  return {
    read,
    reads,
    spends,
    tip: (): BlockRef => ({ height: BigInt(height), hash: hashAt(BigInt(height)) }),
    mine: (more: number) => {
      height += more
    },
    reorganise: () => {
      branch = 'b'
    },
  }
}

it('finds the transaction that spent a coin, and reads only each new block after that', async () => {
  const chain = chainOf(60, { 40: 'thief' })
  const search = spendSearch(chain.read)
  const found = { hash: 'thief', block: { height: 40n, hash: 'a40' } }
  expect(await search.find(chain.tip(), [coin])).toEqual(found)
  expect(chain.reads).toHaveLength(21)
  chain.mine(2)
  expect(await search.find(chain.tip(), [coin])).toEqual(found)
  expect(chain.reads.slice(21)).toEqual([62n, 61n])
})

it('searches again after a reorganisation, and does not believe the old branch', async () => {
  const chain = chainOf(60, { 55: 'thief' })
  const search = spendSearch(chain.read)
  expect(await search.find(chain.tip(), [coin])).toMatchObject({ hash: 'thief' })
  chain.reorganise()
  delete chain.spends[55]
  expect(await search.find(chain.tip(), [coin])).toBeNull()
})

it('searches for a coin that was never spent down to the first block, once', async () => {
  const chain = chainOf(60)
  const search = spendSearch(chain.read)
  expect(await search.find(chain.tip(), [coin])).toBeNull()
  expect(chain.reads).toHaveLength(61)
  expect(await search.find(chain.tip(), [coin])).toBeNull()
  expect(chain.reads).toHaveLength(61)
})

it('reports a long search as an outage that says how far it has come, and continues from there', async () => {
  vi.useFakeTimers()
  try {
    const chain = chainOf(100, { 5: 'thief' })
    const slow = spendSearch(async (ref) => {
      vi.advanceTimersByTime(1_000)
      return chain.read(ref)
    })
    let outages = 0
    for (;;) {
      const found = await slow.find(chain.tip(), [coin]).catch((error: unknown) => error)
      if (!(found instanceof OutageError)) {
        expect(found).toMatchObject({ hash: 'thief', block: { height: 5n } })
        break
      }
      expect(found.message).toContain('continues below block')
      outages++
    }
    expect(outages).toBeGreaterThan(5)
    expect(new Set(chain.reads).size).toBe(chain.reads.length)
  } finally {
    vi.useRealTimers()
  }
})
