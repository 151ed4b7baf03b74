import { afterAll, beforeAll, expect, it } from 'vitest'
import { GateOutageError } from '../../src/gates/gate.ts'
import { simulatedHarness } from '../simulator/gate/harness.ts'
import { faultyGate } from '../support/nodes/faulty-gate.ts'

let harness: Awaited<ReturnType<typeof simulatedHarness>>
beforeAll(async () => {
  harness = await simulatedHarness('bitcoin', {
    address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    tag: null,
  })
})
afterAll(() => harness.close())

async function payment() {
  const purse = await harness.purse()
  const { signed, plan } = purse.sign({ to: harness.stranger, units: 1_000n })
  const faulty = faultyGate(harness.gate, { chains: harness.chains })
  const ours = [{ hash: signed.hash, plan }]
  return {
    faulty,
    send: () => faulty.gate.broadcast(signed),
    ask: () => faulty.gate.fate(ours),
    truth: async () => (await harness.gate.fate(ours)).kind,
  }
}

it.each([
  ['times_out_after', 'waiting'],
  ['times_out_before', 'unknown'],
] as const)('a node that %s gives no answer, and the transaction is %s', async (fault, truth) => {
  const { faulty, send, truth: find } = await payment()
  faulty.next('broadcast', fault)
  await expect(send()).rejects.toBeInstanceOf(GateOutageError)
  expect(await find()).toBe(truth)
  expect(await send()).toBeNull()
  expect(await find()).toBe('waiting')
})

it.each([
  ['says_refused', 'waiting'],
  ['refuses', 'unknown'],
] as const)('a node that %s gives a reason, and the transaction is %s', async (fault, truth) => {
  const { faulty, send, truth: find } = await payment()
  faulty.next('broadcast', fault)
  expect(await send()).toEqual(expect.any(String))
  expect(await find()).toBe(truth)
})

it('a node that forgets a transaction accepted it, and accepts it again', async () => {
  const { faulty, send, truth } = await payment()
  faulty.next('broadcast', 'forgets', 'forgets')
  for (let round = 0; round < 2; round++) {
    expect(await send()).toBeNull()
    expect(await truth()).toBe('unknown')
  }
  expect(await send()).toBeNull()
  expect(await truth()).toBe('waiting')
})

it('garbage is not an outage, and a standing fault lasts until it is lifted', async () => {
  const { faulty, send, ask } = await payment()
  await send()
  faulty.always('fate', 'answers_garbage')
  for (let round = 0; round < 3; round++) {
    const failure = await ask().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(GateOutageError)
  }
  faulty.always('fate', null)
  expect(await ask()).toMatchObject({ kind: 'waiting' })
  expect(faulty.calls).toEqual({ broadcast: 1, fate: 4 })
})
