import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { OutageError } from '../../../src/domain/errors.ts'
import type { WatchedAddresses } from '../../../src/gates/gate.ts'
import { type FaultProxy, startFaultProxy } from '../../support/nodes/fault-proxy.ts'
import { type AnvilHarness, anvilHarness, openEvmGate } from './harness.ts'
import { ether } from './traits.ts'

let harness: AnvilHarness
let proxy: FaultProxy
let opened: ReturnType<typeof openEvmGate>
let watched: WatchedAddresses
beforeAll(async () => {
  harness = await anvilHarness(ether, { payers: 10 })
  watched = harness.watch([harness.deposit(0)])
})
beforeEach(async () => {
  proxy = await startFaultProxy(harness.node.url)
  opened = openEvmGate([proxy.url], harness.payers.tokens, {})
  // Asks which chain it is on and whether it is still downloading: once, or now and then.
  await opened.gate.look?.(watched)
  proxy.requests = 0
  proxy.calls.clear()
})
afterEach(async () => {
  opened.close()
  await proxy.close()
})
afterAll(() => harness.close())

/** What the follower requests when it finds a new block. */
async function follow() {
  const { gate } = opened
  const seen = await gate.look?.(watched)
  if (seen === undefined) throw new Error('The gate has no look.')
  const block = await gate.block(seen.tip.height, watched)
  await gate.balances?.([harness.deposit(0).address], seen.tip)
  return { seen, block }
}

it('a look at an unchanged chain takes one request, and a new block that pays no one takes two more', async () => {
  for (let looks = 1; looks <= 5; looks++) {
    await opened.gate.look?.(watched)
    expect(proxy.requests).toBe(looks)
  }
  expect([...proxy.calls]).toEqual([['eth_getBlockByNumber', 10]])
  await harness.mine(1)
  proxy.requests = 0
  const { seen, block } = await follow()
  expect(block?.hash).toBe(seen.tip.hash)
  expect(proxy.requests).toBe(3)
})

it('a look shows the pending payments as of exactly the block that it shows', async () => {
  await harness.pay([{ to: harness.deposit(0), currency: 'ETH', units: 5n }])
  expect(await opened.gate.look?.(watched)).toMatchObject({
    tip: await opened.gate.tip(),
    pending: [{ units: 5n }],
  })
  await harness.mine(1)
  expect((await opened.gate.look?.(watched))?.pending).toEqual([])
})

it('a provider that does not support batches gets single calls, and no batch again', async () => {
  let refused = 0
  proxy.fault = async ({ body, ask }) => {
    if (!Array.isArray(body)) return ask()
    refused++
    return JSON.stringify({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_600, message: 'batches are not supported' },
    })
  }
  await harness.mine(1)
  for (let looks = 0; looks < 3; looks++) {
    const { seen, block } = await follow()
    expect(block?.hash).toBe(seen.tip.hash)
  }
  expect(refused).toBe(1)
})

it.each([
  ['429 with Retry-After', async () => null],
  [
    '-32005 in its answer',
    async () => ({ code: -32_005, message: 'daily request count exceeded, request rate limited' }),
  ],
  ['-32097 in its answer', async () => ({ code: -32_097, message: 'Rate limit reached' })],
  [
    '429 in its answer',
    async () => ({ code: 429, message: 'Your app has exceeded its compute units per second' }),
  ],
])('a provider that says %s is asked again after a while, and answers', async (_, errorOf) => {
  let refused = 0
  proxy.fault = async ({ body, ask }, response) => {
    if (refused++ > 0) return ask()
    const error = await errorOf()
    if (error !== null) return JSON.stringify([body].flat().map(({ id }) => ({ jsonrpc: '2.0', id, error })))
    response.writeHead(429, { 'Retry-After': '1' }).end('slow down')
    return undefined
  }
  const startMs = performance.now()
  expect((await opened.gate.look?.(watched))?.tip).toEqual(await harness.gate.tip())
  if (_ === '429 with Retry-After') expect(performance.now() - startMs).toBeGreaterThanOrEqual(990)
})

it('a provider that asks for an hour’s pause is not asked meanwhile, and the gate says why at once', async () => {
  proxy.fault = async (_, response) => {
    response.writeHead(429, { 'Retry-After': '3600' }).end('that was all for now')
    return undefined
  }
  await expect(opened.gate.tip()).rejects.toThrow('has reached its rate limit')
  for (let tries = 0; tries < 5; tries++) await expect(opened.gate.tip()).rejects.toBeInstanceOf(OutageError)
  expect(proxy.requests).toBe(1)
})
