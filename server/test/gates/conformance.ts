import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Block, Transfer } from '../../src/domain/chain.ts'
import { OutageError } from '../../src/domain/errors.ts'
import type { DepositAddress } from '../../src/gates/family.ts'
import { noAddresses, type WatchedAddresses } from '../../src/gates/gate.ts'
import {
  checkLinked,
  checkNothingAt,
  checkRuns,
  checkSameAgain,
  blockAt as readBlockAt,
} from '../../src/gates/trial/guarantees.ts'
import { isEveryNode } from '../support/nodes/each-coin.ts'
import { describeCoinBytes } from './coin-bytes.ts'
import type { GateHarness, GateTraits, Paid } from './harness.ts'
import { describeSending } from './sending.ts'

const longestOutageMs = 15_000
// Every block of both branches is read several times, so `npm run soak` goes deeper.
const deep = isEveryNode ? 20 : 7

/** The guarantees of every gate, on every network and from every source of the chain. */
export function describeGate(
  name: string,
  traits: GateTraits,
  makeHarness: () => Promise<GateHarness>,
): void {
  describe(`the gate of ${name}`, () => {
    let harness: GateHarness
    beforeAll(async () => {
      harness = await makeHarness()
    })
    // Mines what the previous test left in the mempool, so that each test starts with an empty one.
    beforeEach(() => harness.mine(1))
    afterAll(() => harness.close())

    const [currency = ''] = traits.currencies
    // Every test pays to addresses of its own, so that none sees another's payments.
    let next = 0
    const fresh = (): DepositAddress => harness.deposit(next++)
    const one = (to: DepositAddress, units = 1_000_000n, of = currency): Paid => ({ to, currency: of, units })
    const expected = (txHash: string, outputIndex: number, { to, currency: of, units }: Paid): Transfer => ({
      txHash,
      outputIndex: traits.plainIndexes ? outputIndex : expect.any(Number),
      currency: of,
      units,
      address: to.address,
      tag: to.tag,
    })
    const sorted = (transfers: readonly Transfer[]) =>
      transfers.toSorted((a, b) => a.txHash.localeCompare(b.txHash) || a.outputIndex - b.outputIndex)
    const height = async () => (await harness.gate.tip()).height

    const blockAt = (at: bigint, watched: WatchedAddresses) => readBlockAt(harness.gate, at, watched)

    /** The blocks after `from` up to the tip, as a follower reads them: the parent of each is the one before. */
    async function follow(from: bigint, watched: WatchedAddresses): Promise<Block[]> {
      const tip = await harness.gate.tip()
      const blocks: Block[] = [await blockAt(from, noAddresses)]
      for (let at = from + 1n; at <= tip.height; at++) {
        const block = await blockAt(at, watched)
        expect(block).toMatchObject({ height: at })
        expect(block.minedAt).toBeInstanceOf(Date)
        blocks.push(block)
      }
      checkLinked(blocks, tip)
      await checkRuns(harness.gate, blocks.slice(1), watched)
      return blocks.slice(1)
    }

    /** A gate that can show its tip and its mempool at once shows what it shows separately. */
    async function expectLook(watched: WatchedAddresses, to: DepositAddress, pending: readonly Transfer[]) {
      const seen = await harness.gate.look?.(watched)
      if (seen === undefined) return
      expect(seen.tip).toEqual(await harness.gate.tip())
      expect(only(seen.pending ?? [], to)).toEqual(pending)
    }

    /** Transfers to one address (and tag) with the height of their block. */
    const found = (blocks: readonly Block[], to: DepositAddress) =>
      blocks.flatMap((block) =>
        block.transfers
          .filter(({ address, tag }) => address === to.address && tag === to.tag)
          .map(({ txHash }) => ({ txHash, height: block.height })),
      )

    describe('following', () => {
      it('missed blocks are read one by one and link by parent hash up to the tip', async () => {
        const from = await height()
        await harness.mine(5)
        expect(await follow(from, harness.watch([]))).toHaveLength(5)
      })

      it('reading can resume at any height and returns the same again', async () => {
        const to = fresh()
        const watched = harness.watch([to])
        const from = await height()
        await harness.pay([one(to)])
        await harness.mine(4)
        const blocks = await follow(from, watched)
        for (const block of blocks.toReversed()) await checkSameAgain(harness.gate, block, watched)
      })

      it('a block beyond the tip is null, until it is mined', async () => {
        const beyond = (await height()) + 1n
        await checkNothingAt(harness.gate, beyond, harness.watch([]))
        await checkNothingAt(harness.gate, beyond + 1_000_000n, harness.watch([]))
        await harness.mine(1)
        expect(await harness.gate.block(beyond, harness.watch([]))).not.toBeNull()
      })

      it('the chain is unchanged after a restart', async () => {
        const to = fresh()
        const txHash = await harness.pay([one(to)])
        const tip = await harness.gate.tip()
        const block = await blockAt(tip.height, harness.watch([]))
        await harness.restart()
        expect(await harness.gate.tip()).toEqual(tip)
        expect(await blockAt(tip.height, harness.watch([]))).toEqual(block)
        expect(await harness.gate.pending(harness.watch([to]))).toEqual([expected(txHash, 0, one(to))])
      })
    })

    describe('payments', () => {
      it.each(traits.currencies)('%s is pending once sent, and in one block once mined', async (of) => {
        const to = fresh()
        const watched = harness.watch([to])
        const from = await height()
        const txHash = await harness.pay([one(to, 1_234_567n, of)])
        const transfer = expected(txHash, 0, one(to, 1_234_567n, of))
        expect(only(await harness.gate.pending(watched), to)).toEqual([transfer])
        await expectLook(watched, to, [transfer])
        await harness.mine(2)
        expect(only(await harness.gate.pending(watched), to)).toEqual([])
        await expectLook(watched, to, [])
        const blocks = await follow(from, watched)
        expect(blocks.flatMap(({ transfers }) => only(transfers, to))).toEqual([transfer])
      })

      it('several payments in one block are each reported once', async () => {
        const paid = Array.from({ length: 5 }, (_, index) => one(fresh(), BigInt(1_000_000 + index)))
        const watched = harness.watch(paid.map(({ to }) => to))
        const from = await height()
        const transfers: Transfer[] = []
        for (const line of paid) transfers.push(expected(await harness.pay([line]), 0, line))
        await harness.mine(1)
        const reported = (await follow(from, watched)).flatMap((block) => block.transfers)
        expect(sorted(reported)).toEqual(sorted(transfers))
      })

      it('an address paid twice is reported twice', async () => {
        const to = fresh()
        const from = await height()
        const hashes = [await harness.pay([one(to)]), await harness.pay([one(to)])]
        await harness.mine(1)
        const seen = found(await follow(from, harness.watch([to])), to)
        expect(seen.map(({ txHash }) => txHash).sort()).toEqual(hashes.sort())
      })

      if (traits.severalTransfers) {
        it('each transfer of a transaction has its own index, also if it pays two of our addresses and one of them twice', async () => {
          const [first, second] = [fresh(), fresh()]
          const paid = [one(first, 1_000_001n), one(second, 1_000_002n), one(first, 1_000_003n)]
          const watched = harness.watch([first, second])
          const from = await height()
          const txHash = await harness.pay([...paid, one(harness.stranger)])
          const pending = await harness.gate.pending(watched)
          await harness.mine(1)
          const mined = (await follow(from, watched)).flatMap(({ transfers }) => transfers)
          for (const transfers of [pending, mined]) {
            expect(new Set(transfers.map(({ outputIndex }) => outputIndex)).size).toBe(3)
            expect(sorted(transfers).map(({ units }) => units)).toEqual(paid.map(({ units }) => units))
            expect(new Set(transfers.map((transfer) => transfer.txHash))).toEqual(new Set([txHash]))
          }
          expect(sorted(pending)).toEqual(sorted(mined))
        })
      }

      if (traits.largeUnits !== null) {
        const { largeUnits } = traits
        it('amounts beyond 2^53 units are exact', async () => {
          const to = fresh()
          const watched = harness.watch([to])
          expect(largeUnits > 2n ** 53n).toBe(true)
          const from = await height()
          await harness.pay([one(to, largeUnits)])
          expect(only(await harness.gate.pending(watched), to)[0]?.units).toBe(largeUnits)
          await harness.mine(1)
          const blocks = await follow(from, watched)
          expect(blocks.flatMap(({ transfers }) => only(transfers, to))[0]?.units).toBe(largeUnits)
        })
      }

      it('payments to addresses that are not ours are never reported', async () => {
        const from = await height()
        await harness.pay([one(harness.stranger)])
        expect(await harness.gate.pending(harness.watch([fresh()]))).toEqual([])
        await harness.mine(1)
        const blocks = await follow(from, harness.watch([fresh()]))
        expect(blocks.flatMap(({ transfers }) => transfers)).toEqual([])
      })

      it('the watched addresses are looked up once a block, and none of them twice', async () => {
        const [first, second] = [fresh(), fresh()]
        for (const to of [first, second, first, harness.stranger]) await harness.pay([one(to)])
        const pending = harness.watch([first, second])
        await harness.gate.pending(pending)
        await harness.mine(1)
        const watched = harness.watch([first, second])
        await blockAt(await height(), watched)
        for (const { asked } of [pending, watched]) {
          // Everything sent to a shared account is ours without a lookup.
          expect(asked).toHaveLength(traits.tagged ? 0 : 1)
          for (const addresses of asked) expect(new Set(addresses).size).toBe(addresses.length)
        }
      })

      if (traits.tagged) {
        it('a missing or unknown tag is reported as it is', async () => {
          const { address } = fresh()
          const from = await height()
          const tags = [null, '0', '4294967295']
          const watched = harness.watch([{ address, tag: null }])
          for (const tag of tags) await harness.pay([one({ address, tag })])
          const pending = await harness.gate.pending(watched)
          await harness.mine(1)
          const mined = (await follow(from, watched)).flatMap(({ transfers }) => transfers)
          for (const transfers of [pending, mined])
            expect(transfers.map(({ tag }) => tag).sort()).toEqual([...tags].sort())
        })
      }

      if (traits.replaces) {
        it('a replaced or double-spent payment vanishes from pending and is never mined', async () => {
          const [payer, thief] = [fresh(), fresh()]
          const watched = harness.watch([payer, thief])
          const from = await height()
          const first = await harness.pay([one(payer)])
          const second = await harness.replace(first, [one(thief)])
          expect(await harness.gate.pending(watched)).toEqual([expected(second, 0, one(thief))])
          const third = await harness.replace(second, [one(harness.stranger)])
          expect(third).not.toBe(second)
          expect(await harness.gate.pending(watched)).toEqual([])
          await harness.mine(3)
          expect((await follow(from, watched)).flatMap(({ transfers }) => transfers)).toEqual([])
        })
      }
    })

    // A chain of final blocks has none.
    if (traits.reorganisations.length > 0 || traits.drops)
      describe('reorganisations', () => {
        for (const depth of [1, deep]) {
          for (const others of traits.reorganisations) {
            it(`of depth ${depth} are visible by parent hash, and a payment is found once (${others})`, async () => {
              const to = fresh()
              const watched = harness.watch([to])
              await harness.mine(1)
              const fork = await harness.gate.tip()
              const txHash = await harness.pay([one(to)])
              await harness.mine(depth)
              const old = await follow(fork.height, watched)
              await harness.reorganise(depth, { others })

              const tip = await harness.gate.tip()
              expect(tip.height).toBe(fork.height + BigInt(depth) + 1n)
              expect((await blockAt(fork.height, watched)).hash).toBe(fork.hash)
              const now = await follow(fork.height, watched)
              for (const block of old) expect(now.map(({ hash }) => hash)).not.toContain(block.hash)

              if (others === 'mempool') {
                expect(found(now, to)).toEqual([])
                expect(only(await harness.gate.pending(watched), to)).toEqual([expected(txHash, 0, one(to))])
                await harness.mine(1)
              }
              const at = {
                same_height: fork.height + 1n,
                next_height: fork.height + 2n,
                mempool: tip.height + 1n,
              }
              expect(found(await follow(fork.height, watched), to)).toEqual([{ txHash, height: at[others] }])
              expect(only(await harness.gate.pending(watched), to)).toEqual([])
            })
          }

          if (traits.drops) {
            it(`of depth ${depth} can remove a payment for good, while others stay`, async () => {
              const [gone, kept] = [fresh(), fresh()]
              const watched = harness.watch([gone, kept])
              const fork = await height()
              const dropped = await harness.pay([one(gone)])
              const txHash = await harness.pay([one(kept)])
              await harness.mine(depth)
              await harness.reorganise(depth, { drop: [dropped] })
              await harness.mine(3)
              const blocks = await follow(fork, watched)
              expect(found(blocks, gone)).toEqual([])
              expect(found(blocks, kept).map((payment) => payment.txHash)).toEqual([txHash])
              expect(await harness.gate.pending(watched)).toEqual([])
            })
          }
        }
      })

    if (traits.spends !== null) describeSending(traits, () => harness)
    if (traits.spends === 'coins') describeCoinBytes(currency, fresh, () => harness)

    describe('outages', () => {
      it('are reported as such in bounded time, and end when the node is back', async () => {
        const to = fresh()
        const watched = harness.watch([to])
        const txHash = await harness.pay([one(to)])
        const tip = await harness.gate.tip()
        await harness.stop()
        const asks = [
          () => harness.gate.tip(),
          () => harness.gate.block(tip.height, watched),
          () => harness.gate.pending(watched),
        ]
        for (const ask of asks) {
          const before = performance.now()
          await expect(ask()).rejects.toBeInstanceOf(OutageError)
          expect(performance.now() - before).toBeLessThan(longestOutageMs)
        }
        await harness.start()
        expect(await harness.gate.tip()).toEqual(tip)
        expect(only(await harness.gate.pending(watched), to)).toEqual([expected(txHash, 0, one(to))])
        await harness.mine(1)
        expect(await height()).toBe(tip.height + 1n)
      })
    })

    describe('addresses', () => {
      it('deposit addresses are always the same and all different', () => {
        const made = Array.from({ length: 50 }, (_, index) => harness.gate.depositAddress(index))
        if (!traits.derivesAddresses) return expect(new Set(made)).toEqual(new Set([null]))
        const again = Array.from({ length: 50 }, (_, index) => harness.gate.depositAddress(index))
        expect(made).toEqual(again)
        expect(new Set(made.map((one) => `${one?.address}/${one?.tag}`)).size).toBe(50)
        expect(made.every((one) => (one?.tag !== null) === traits.tagged)).toBe(true)
      })

      it.each(traits.destinations.good)('$text with tag $tag is a destination', ({ text, tag, reads }) => {
        expect(harness.gate.parseDestination(text, tag)).toEqual(reads)
        // An address in our own notation is read unchanged.
        expect(harness.gate.parseDestination(reads.address, reads.tag)).toEqual(reads)
      })

      it.each(traits.destinations.bad)('$text with tag $tag is refused: $because', ({ text, tag }) => {
        expect(harness.gate.parseDestination(text, tag)).toBeNull()
      })

      it('a payment link names the address and the exact amount', () => {
        const to = harness.deposit(0)
        const asset = harness.gate.assets.find((candidate) => candidate.currency === currency)
        if (asset === undefined) throw new Error(`The gate has no ${currency}.`)
        const uri = harness.gate.paymentUri(to, asset, traits.written.units)
        expect(uri).toContain(to.address)
        expect(uri.split(/[=&]/)).toContain(traits.written.as)
        if (to.tag !== null) expect(uri).toContain(to.tag)
      })
    })
  })
}

// On a tagged network everything sent to the account is ours, so transfers of other tests show up too.
function only(transfers: readonly Transfer[], to: DepositAddress): Transfer[] {
  return transfers.filter(({ address, tag }) => address === to.address && tag === to.tag)
}
