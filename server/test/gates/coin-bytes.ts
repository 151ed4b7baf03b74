import { describe, expect, it } from 'vitest'
import type { Block } from '../../src/domain/chain.ts'
import type { DepositAddress } from '../../src/gates/family.ts'
import type { GateHarness } from './harness.ts'

/** The guarantees of every gate of coins about the transactions that made them. */
export function describeCoinBytes(
  currency: string,
  fresh: () => DepositAddress,
  harness: () => GateHarness,
): void {
  describe('the bytes of what pays us', () => {
    it('come with its block, can be asked for later, and prove the amounts', async () => {
      const { gate, stranger } = harness()
      const { spending, transactions } = gate
      if (spending.kind !== 'coins' || transactions === null) throw new Error('It has no coins.')
      const [one, two] = [fresh(), fresh()]
      const watched = harness().watch([one, two])
      const from = (await gate.tip()).height
      const txHash = await harness().pay([
        { to: one, currency, units: 1_000_000n },
        { to: stranger, currency, units: 1_000_000n },
        { to: two, currency, units: 3_000_000n },
      ])
      await harness().pay([{ to: stranger, currency, units: 1_000_000n }])
      await harness().mine(2)
      const blocks: Block[] = []
      for (let at = from + 1n; at <= from + 2n; at++) blocks.push((await gate.block(at, watched)) as Block)

      const [made, ...others] = blocks.flatMap(({ transactionBytes }) => transactionBytes ?? [])
      expect([made?.hash, others]).toEqual([txHash, []])
      const block = blocks.find(({ transfers }) => transfers.length > 0) as Block
      const bytes = made?.bytes ?? new Uint8Array()
      const indexes = block.transfers.map(({ outputIndex }) => outputIndex)
      const outputs = spending.readOutputs(txHash, bytes, indexes)
      expect(block.transfers.map(({ units }) => units).sort()).toEqual([1_000_000n, 3_000_000n])
      for (const { outputIndex, address, units } of block.transfers)
        expect(outputs?.get(outputIndex)).toEqual({ address, units })

      const unknown = { hash: '5a'.repeat(32), block }
      const [again, refused] = await transactions.fetch([{ hash: txHash, block }, unknown])
      expect(again).toEqual(bytes)
      expect(refused).toMatchObject({ refused: expect.any(String) })
    })
  })
}
