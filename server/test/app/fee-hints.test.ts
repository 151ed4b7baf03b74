import { expect, it } from 'vitest'
import { feeHints } from '../../src/app/checkout/fee-hints.ts'
import { type Gate, type GateAsset, GateOutageError } from '../../src/gates/gate.ts'

const asset = { currency: 'ETH', contractAddress: null } as GateAsset

/** A gate that answers when the test tells it to. */
function aGate() {
  const asked: { resolve: (rate: bigint) => void; reject: (error: unknown) => void }[] = []
  const gate = {
    id: 'ethereum-live',
    spending: { kind: 'account', gasOf: () => 21_000n },
    feeRate: () => new Promise<bigint>((resolve, reject) => asked.push({ resolve, reject })),
  } as unknown as Gate
  return { gate, asked }
}

it('a hint never waits for a node: it is unknown at first, and refreshed once a minute from then on', async () => {
  let now = 0
  const { gate, asked } = aGate()
  const hints = feeHints(() => now)
  expect(hints.of(gate, asset)).toBeNull()
  expect(hints.of(gate, asset)).toBeNull()
  expect(asked).toHaveLength(1)
  asked[0]?.resolve(2n)
  await expect.poll(() => hints.of(gate, asset)).toBe(42_000n)
  now = 60_000
  hints.of(gate, asset)
  expect(asked).toHaveLength(1)
  now = 60_001
  expect(hints.of(gate, asset)).toBe(42_000n)
  expect(asked).toHaveLength(2)
  asked[1]?.resolve(3n)
  await expect.poll(() => hints.of(gate, asset)).toBe(63_000n)
})

it('a node that does not answer delays no caller, and its old answer is forgotten', async () => {
  let now = 0
  const { gate, asked } = aGate()
  const hints = feeHints(() => now)
  hints.of(gate, asset)
  asked[0]?.resolve(2n)
  await expect.poll(() => hints.of(gate, asset)).toBe(42_000n)
  now = 600_000
  expect(hints.of(gate, asset)).toBe(42_000n)
  asked[1]?.reject(new GateOutageError('away'))
  now = 600_001
  expect(hints.of(gate, asset)).toBeNull()
})

it('on a network with coins the hint is computed from the transaction size', async () => {
  const { gate, asked } = aGate()
  const spending = {
    kind: 'coins',
    changeAddress: () => 'change',
    sizeOf: (inputs: number, outputs: readonly string[]) => BigInt(inputs * 100 + outputs.length * 10),
  }
  const coins = { ...gate, spending } as unknown as Gate
  const hints = feeHints(() => 0)
  hints.of(coins, asset)
  asked[0]?.resolve(5n)
  await expect.poll(() => hints.of(coins, asset)).toBe(1_100n)
})
