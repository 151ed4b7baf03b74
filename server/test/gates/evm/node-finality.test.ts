import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { NodeGate } from '../../../src/gates/gate.ts'
import { makePurse } from '../../simulator/gate/purse.ts'
import { type AnvilHarness, anvilHarness, openEvmGate } from './harness.ts'
import { ether } from './traits.ts'

// The depth at which anvil calls a block final.
const lag = 64

let harness: AnvilHarness
let gate: NodeGate
let close: () => void
let next = 0
beforeAll(async () => {
  harness = await anvilHarness(ether, { payers: 30 })
  await harness.mine(lag)
})
beforeEach(() => {
  close?.()
  ;({ gate, close } = openEvmGate([harness.proxy.url], harness.payers.tokens, { tag: 'finalized' }))
})
afterAll(async () => {
  close()
  await harness.close()
})

it('no block above the final one is followed, and payments there wait, in the mempool and in blocks', async () => {
  const to = harness.deposit(next++)
  const watched = harness.watch([to])
  const coins = await harness.pay([{ to, currency: 'ETH', units: 7n }])
  const tokens = await harness.pay([{ to, currency: 'USDT', units: 8n }])
  const waiting = [
    { txHash: coins, outputIndex: 0, currency: 'ETH', address: to.address, tag: null, units: 7n },
    { txHash: tokens, outputIndex: 0, currency: 'USDT', address: to.address, tag: null, units: 8n },
  ]
  const sorted = async () =>
    (await gate.pending(watched)).toSorted((a, b) => a.currency.localeCompare(b.currency))
  expect(await sorted()).toEqual(waiting)
  await harness.mine(1)
  const mined = (await harness.gate.tip()).height
  expect(await sorted()).toEqual(waiting)
  expect(await gate.block(mined, watched)).toBeNull()
  expect((await gate.tip()).height).toBe(mined - BigInt(lag))
  await harness.mine(lag - 1)
  expect(await sorted()).toEqual(waiting)
  await harness.mine(1)
  expect((await gate.tip()).height).toBe(mined)
  expect(await sorted()).toEqual([])
  expect((await gate.block(mined, watched))?.transfers).toEqual(waiting)
})

it('each block that is not final is read once, and a reorganisation above the final one is followed', async () => {
  const to = harness.deposit(next++)
  const watched = harness.watch([to])
  const gone = await harness.pay([{ to, currency: 'ETH', units: 7n }])
  await harness.mine(3)
  expect(await gate.pending(watched)).toHaveLength(1)
  const before = harness.proxy.calls.get('eth_getLogs') ?? 0
  expect(await gate.pending(watched)).toHaveLength(1)
  expect(harness.proxy.calls.get('eth_getLogs')).toBe(before)
  await harness.mine(2)
  expect(await gate.pending(watched)).toHaveLength(1)
  expect(harness.proxy.calls.get('eth_getLogs')).toBe(before + 2)
  await harness.reorganise(5, { drop: [gone] })
  expect(await gate.pending(watched)).toEqual([])
})

it('a transaction of ours waits until its block is final, and only then rules others out', async () => {
  const purse = makePurse(gate, 2_000, 0n)
  await harness.payers.pay({ to: purse.address, contractAddress: null, units: 10n ** 18n })
  await harness.mine(1)
  const [first, second] = [1n, 9n].map((feeTimes) =>
    purse.sign({ to: harness.stranger, units: 5n, feeTimes }),
  )
  if (first === undefined || second === undefined) throw new Error('Two transactions should be signed.')
  const fateOf = ({ signed, plan }: typeof first) => gate.fate([{ hash: signed.hash, plan }])
  expect(await gate.broadcast(first.signed)).toBeNull()
  expect(await fateOf(first)).toEqual({ kind: 'waiting', hash: first.signed.hash })
  await harness.mine(1)
  const { height } = await harness.gate.tip()
  expect(await fateOf(first)).toEqual({ kind: 'waiting', hash: first.signed.hash })
  expect(await fateOf(second)).toEqual({ kind: 'unknown' })
  expect(await gate.nextNonce(purse.address)).toBe(0n)
  await harness.mine(lag)
  expect(await fateOf(first)).toMatchObject({ kind: 'mined', block: { height }, feeUnits: 21_000n })
  expect(await fateOf(second)).toMatchObject({
    kind: 'ruled_out',
    block: { height },
    reason: expect.stringContaining(first.signed.hash),
  })
  expect(await gate.nextNonce(purse.address)).toBe(1n)
})
