import { afterEach, expect, it, vi } from 'vitest'
import { checkGates, offlineAfterMs } from '../../src/app/gates/check-gates.ts'
import { createGateBook, type GateStatus, onlineGate } from '../../src/app/gates/gate-book.ts'
import type { Gate } from '../../src/gates/gate.ts'
import { scriptedGate, signal } from '../support/scripted-gate.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** Two gates on two nodes, and a clock of their own. */
function watched() {
  vi.useFakeTimers()
  const one = scriptedGate({ network: 'bitcoin' })
  const two = scriptedGate({ network: 'litecoin' })
  const gates: readonly Gate[] = [one.gate, two.gate]
  const statuses = new Map<string, GateStatus>()
  const book = createGateBook(statuses, () => gates)
  const state = {
    nowMs: 1_000,
    followed: new Map(gates.map(({ id, chain }) => [id as string, { chain, height: 0n }])),
  }
  const check = () =>
    checkGates({
      store: { followedChains: { heights: async () => state.followed } } as never,
      gates,
      statuses,
      now: () => state.nowMs,
    })
  const online = () => gates.map(({ id }) => book.isOnline(id))
  return { one: one.script, two: two.script, state, check, online, book }
}

it('a gate is offline until its node has answered once', async () => {
  const { check, online } = watched()
  expect(online()).toEqual([false, false])
  await check()
  expect(online()).toEqual([true, true])
})

it('a node that fails is offline after a while, online again at its next answer, and harms no other', async () => {
  const { one, state, check, online, book } = watched()
  await check()
  one.before = () => {
    throw new Error('refused')
  }
  state.nowMs += offlineAfterMs
  await check()
  expect(online()).toEqual([true, true])
  state.nowMs += 1
  await check()
  expect(online()).toEqual([false, true])
  expect(() => onlineGate(book, 'BTC', 'bitcoin', 'test')).toThrow(
    expect.objectContaining({ code: 'gate_offline' }),
  )
  expect(onlineGate(book, 'LTC', 'litecoin', 'test').id).toBe('litecoin-test')
  one.before = () => {}
  await check()
  expect(online()).toEqual([true, true])
})

it('a node that hangs is given up after bounded time, and the others are known before that', async () => {
  const { one, state, check, online } = watched()
  const never = signal()
  one.before = () => never.given
  const first = check()
  await vi.advanceTimersByTimeAsync(1)
  expect(online()).toEqual([false, true])
  await vi.advanceTimersByTimeAsync(5_000)
  await first
  expect(online()).toEqual([false, true])

  one.before = () => {}
  await check()
  expect(online()).toEqual([true, true])
  one.before = () => never.given
  state.nowMs += offlineAfterMs + 1
  const second = check()
  await vi.advanceTimersByTimeAsync(5_000)
  await second
  expect(online()).toEqual([false, true])
  // An answer that comes after all counts for nothing: the next check decides.
  never.give()
  await vi.advanceTimersByTimeAsync(1)
  expect(online()).toEqual([false, true])
})

it('a gate whose chain is halted or not followed is offline, however well its node answers', async () => {
  const { state, check, online } = watched()
  await check()
  state.followed = new Map([['litecoin-test', { chain: 'scripted', height: 0n }]])
  await check()
  expect(online()).toEqual([false, true])
})

it('a node that is behind what it showed before is offline until it has caught up', async () => {
  const { one, state, check, online } = watched()
  await check()
  state.followed.set('bitcoin-test', { chain: 'scripted', height: one.tip.height + 4n })
  state.nowMs += offlineAfterMs + 1
  await check()
  expect(online()).toEqual([false, true])
  one.mine(1)
  await check()
  expect(online()).toEqual([true, true])
})

it('a simulated gate is the database, which has answered: its node is not asked', async () => {
  const { gate, script } = scriptedGate()
  const statuses = new Map<string, GateStatus>()
  const simulated = { ...gate, simulated: { makeTransactionHash: () => 'x' } }
  const store = {
    followedChains: { heights: async () => new Map([[gate.id, { chain: gate.chain, height: 0n }]]) },
  } as never
  await checkGates({ store, gates: [simulated], statuses })
  expect(statuses.get(gate.id)?.online).toBe(true)
  expect(script.calls.tip).toBe(0)
})

it('a gate whose id was followed on another chain is offline, however well its node answers', async () => {
  const { state, check, online } = watched()
  state.followed.set('bitcoin-test', { chain: 'simulated', height: 0n })
  await check()
  expect(online()).toEqual([false, true])
})
