import { expect, it } from 'vitest'
import { checkGates } from '../../src/app/gates/check-gates.ts'
import { createGateBook, type GateStatus, onlineGate } from '../../src/app/gates/gate-book.ts'
import {
  failingAfterMs,
  type GateProgress,
  silentAfterMs,
  statelessAfterMs,
  type TroubleKind,
} from '../../src/domain/gate-health.ts'
import type { Gate } from '../../src/gates/gate.ts'
import { scriptedGate } from '../support/nodes/scripted-gate.ts'
import { noProofs } from '../support/shop/no-proofs.ts'

const fine: GateProgress = { sinceEndMs: 1_000, behind: 0n, trouble: null }

function failing(kind: TroubleKind, sinceMs: number, sinceEndMs: number | null = sinceMs): GateProgress {
  return { ...fine, sinceEndMs, trouble: { kind, reason: 'Why not.', sinceMs, since: new Date(0) } }
}

/** Two gates whose followers report what a test tells them to. */
function watched() {
  const one = scriptedGate({ network: 'bitcoin' })
  const two = scriptedGate({ network: 'litecoin' })
  const gates: readonly Gate[] = [one.gate, two.gate]
  const statuses = new Map<string, GateStatus>()
  const book = createGateBook(statuses, () => gates)
  const state = {
    progress: new Map<string, GateProgress>(gates.map(({ id }) => [id, fine])),
    followed: new Map(gates.map(({ id, chain }) => [id as string, { chain, height: 0n }])),
  }
  const check = () =>
    checkGates({
      store: {
        followedChains: { heights: async () => state.followed },
        gateProgress: { list: async () => state.progress },
      } as never,
      gates,
      statuses,
      proofs: noProofs,
    })
  /** Whether the first gate is online when its follower reports this; the second always is. */
  const onlineAt = async (progress: GateProgress): Promise<boolean> => {
    state.progress.set(one.gate.id, progress)
    await check()
    expect(book.isOnline(two.gate.id)).toBe(true)
    return book.isOnline(one.gate.id)
  }
  const online = () => gates.map(({ id }) => book.isOnline(id))
  return { script: one.script, gate: one.gate, state, check, online, onlineAt, book }
}

it('a gate is offline until its follower has reached the tip of its chain, and no node is asked', async () => {
  const { check, online, state, script, book, gate } = watched()
  expect(online()).toEqual([false, false])
  state.progress.delete(gate.id)
  await check()
  expect(online()).toEqual([false, true])
  expect(book.status(gate.id)).toMatchObject({ reason: expect.stringContaining('a worker is running') })
  state.progress.set(gate.id, fine)
  await check()
  expect(online()).toEqual([true, true])
  expect(script.calls.tip).toBe(0)
})

it('a gate whose follower keeps failing goes offline with the reason, and online once it makes progress again', async () => {
  const { onlineAt, book, gate } = watched()
  expect(await onlineAt(failing('outage', failingAfterMs - 1))).toBe(true)
  expect(await onlineAt(failing('outage', failingAfterMs))).toBe(false)
  expect(book.status(gate.id)).toMatchObject({ reason: 'Why not.', since: new Date(0) })
  expect(() => onlineGate(book, 'BTC', 'bitcoin', 'test')).toThrow(
    expect.objectContaining({ code: 'gate_offline' }),
  )
  expect(onlineGate(book, 'LTC', 'litecoin', 'test').id).toBe('litecoin-test')
  expect(await onlineAt(fine)).toBe(true)
  // A failure that has only just begun does not make an unreliable gate reliable.
  expect(await onlineAt(failing('outage', 0, null))).toBe(false)
})

it('a gate without the state of its blocks is offline within a minute, but not because of a single block', async () => {
  const { onlineAt } = watched()
  expect(await onlineAt(failing('state', statelessAfterMs - 1, 0))).toBe(true)
  expect(await onlineAt(failing('state', statelessAfterMs, 0))).toBe(false)
  expect(statelessAfterMs).toBeLessThan(60_000)
})

it('a gate whose node is on another chain is halted at once', async () => {
  const { onlineAt, book, gate } = watched()
  expect(await onlineAt(failing('wrong_chain', 0))).toBe(false)
  expect(book.status(gate.id)).toMatchObject({ isWrongChain: true })
})

it('a gate that has not been followed to its tip for a while is offline, even while it catches up', async () => {
  const { onlineAt, book, gate } = watched()
  expect(await onlineAt({ ...fine, sinceEndMs: silentAfterMs })).toBe(true)
  expect(await onlineAt({ ...fine, sinceEndMs: silentAfterMs + 1 })).toBe(false)
  expect(await onlineAt({ ...fine, sinceEndMs: silentAfterMs + 1, behind: 500n })).toBe(false)
  expect(book.status(gate.id)).toMatchObject({ reason: expect.stringContaining('500 blocks are left') })
  expect(silentAfterMs).toBeLessThan(60_000)
})

it('a gate whose chain is halted or not followed is offline, whatever its follower reports', async () => {
  const { state, check, online } = watched()
  await check()
  state.followed = new Map([['litecoin-test', { chain: 'scripted', height: 0n }]])
  await check()
  expect(online()).toEqual([false, true])
})

it('a simulated gate is online as soon as the database answers, without a report from a follower', async () => {
  const { gate, script } = scriptedGate()
  const statuses = new Map<string, GateStatus>()
  const simulated = { ...gate, simulated: { makeTransaction: () => ({ hash: 'x', bytes: null }) } }
  const store = {
    followedChains: { heights: async () => new Map([[gate.id, { chain: gate.chain, height: 0n }]]) },
    gateProgress: { list: async () => new Map() },
  } as never
  await checkGates({ store, gates: [simulated], statuses, proofs: noProofs })
  expect(statuses.get(gate.id)?.online).toBe(true)
  expect(script.calls.tip).toBe(0)
})

it('a gate whose id was followed on another chain is offline, whatever its follower reports', async () => {
  const { state, check, online } = watched()
  state.followed.set('bitcoin-test', { chain: 'simulated', height: 0n })
  await check()
  expect(online()).toEqual([false, true])
})
