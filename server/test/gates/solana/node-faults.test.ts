import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OutageError } from '../../../src/domain/errors.ts'
import { noAddresses } from '../../../src/gates/gate.ts'
import {
  changing,
  type Fault,
  type FaultProxy,
  refusing,
  startFaultProxy,
} from '../../support/nodes/fault-proxy.ts'
import {
  keyOf,
  type ScriptedSolana,
  solTo,
  startScriptedSolana,
} from '../../support/nodes/scripted-solana.ts'
import { watching } from '../watch.ts'
import { openReading } from './reading.ts'

const timeoutMs = 2_000
const maxAnswerBytes = 64 * 1024
const ours = keyOf('ours')
const watched = watching([{ address: ours, tag: null }])

let node: ScriptedSolana
let proxy: FaultProxy
let opened: ReturnType<typeof openReading>
beforeAll(async () => {
  node = await startScriptedSolana()
  proxy = await startFaultProxy(node.url)
  node.mineMany(3)
  node.mine([solTo(ours, 5)], 2)
  node.mineMany(3)
})
beforeEach(() => {
  opened = openReading([proxy.url], { rpc: { timeoutMs, maxAnswerBytes, maxWaitMs: 300 } })
})
afterEach(async () => {
  // After every fault the gate recovers by itself once the node does.
  proxy.fault = null
  expect((await opened.reading.tip()).height).toBe(7n)
  expect((await opened.reading.block(4n, watched))?.transfers).toHaveLength(1)
  opened.close()
})
afterAll(async () => {
  await proxy.close()
  await node.close()
})

const garbled: Record<string, Fault> = {
  'cuts every connection': async () => 'cut',
  'never answers': async () => 'hang',
  'answers with a page': async () => '<html>502 Bad Gateway</html>',
  'answers with half of the answer': async ({ ask }) => {
    const text = await ask()
    return text.slice(0, Math.floor(text.length / 2))
  },
  'answers another call': async ({ ask }) => (await ask()).replaceAll(/"id":(\d+)/g, '"id":1$1'),
  'answers with null': async () => 'null',
  'answers with too much': async () => `{"result":"${'a'.repeat(2 * maxAnswerBytes)}"}`,
  'limits our rate': async (_, response) => {
    response.writeHead(429, { 'Retry-After': '60' }).end('Too Many Requests')
    return undefined
  },
  'limits our rate in words': async ({ body }) =>
    JSON.stringify({ jsonrpc: '2.0', id: body.id, error: { code: -32_000, message: 'rate limit exceeded' } }),
  'is behind the others': async ({ body }) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: body.id,
      error: { code: -32_005, message: 'Node is behind by 42 slots' },
    }),
}

describe.each(Object.entries(garbled))('a node that %s', (_, fault) => {
  it('is an outage for every request, in bounded time', async () => {
    for (const isKnown of [false, true]) {
      const { reading, close } = openReading([proxy.url], {
        rpc: { timeoutMs, maxAnswerBytes, maxWaitMs: 300 },
      })
      proxy.fault = null
      if (isKnown) await reading.tip()
      proxy.fault = fault
      const asks = [
        () => reading.tip(),
        () => reading.block(4n, watched),
        () => reading.block(4n, noAddresses),
        () => reading.look(watched),
        () => reading.pending(watched),
        () => reading.nativeBalance(ours),
      ]
      const before = performance.now()
      await Promise.all(asks.map((ask) => expect(ask()).rejects.toBeInstanceOf(OutageError)))
      expect(performance.now() - before).toBeLessThan(timeoutMs * 5)
      close()
    }
  })
})

describe('a node that lies', () => {
  const lies: readonly [string, Fault][] = [
    ['about its slot', changing('getSlot', () => -1)],
    ['about its slot, in words', changing('getSlot', () => '7')],
    ['about a slot that it does not have', changing('getSlot', () => 1_000_000)],
    ['about slots: not a list', changing('getBlocks', () => null)],
    ['about slots: not in order', changing('getBlocks', (slots) => [...slots].reverse())],
    ['about slots: one of them twice', changing('getBlocks', ([one, ...slots]) => [one, one, ...slots])],
    ['about slots: others than asked for', changing('getBlocks', (slots, [, last]) => [...slots, last + 1])],
    ['about slots: none', changing('getBlocks', () => [])],
    ['about slots: one too few', changing('getBlocks', (slots) => slots.slice(0, -1))],
    ...(
      [
        ['blockHeight', null],
        ['blockHeight', 3],
        ['blockHeight', '4'],
        ['blockHeight', 2 ** 60],
        ['blockhash', 'none'],
        ['previousBlockhash', undefined],
        ['parentSlot', 90],
        ['parentSlot', null],
        ['parentSlot', 0],
        ['blockTime', null],
        ['blockTime', 1e15],
        ['transactions', null],
        ['transactions', [null]],
        ['transactions', [{ transaction: null, meta: {} }]],
      ] as const
    ).map(([name, value]): [string, Fault] => [
      `about a block’s ${name}: ${value}`,
      changing('getBlock', (block) => ({ ...block, [name]: value })),
    ]),
    ['about a block: it is a word', changing('getBlock', () => 'block')],
    ['about its health', changing('getHealth', () => null)],
  ]

  it.each(lies)('%s is an outage, or shows a shorter chain, but credits nothing', async (_, fault) => {
    proxy.fault = fault
    const { reading } = opened
    const seen = await (async () => {
      const tip = await reading.tip()
      const block = await reading.block(4n, watched)
      return { tip, block }
    })().catch((error: unknown) => error)
    if (!(seen instanceof OutageError)) expect(seen).toMatchObject({ block: null })
  })

  it('about how to read it is told what to change', async () => {
    const { reading } = opened
    const refusals = [
      [-32_011, 'Transaction history is not available from this node', '--enable-rpc-transaction-history'],
      [-32_015, 'Transaction version (1) is not supported', 'Update Sluice'],
      [-32_019, 'Failed to query long-term storage; please try again', 'long-term storage'],
    ] as const
    for (const [code, message, said] of refusals) {
      proxy.fault = refusing('getBlock', code, message)
      await expect(reading.block(4n, watched)).rejects.toThrow(said)
    }
  })

  it('about not knowing its health may be believed in the rest', async () => {
    proxy.fault = refusing('getHealth', -32_601, 'Method not found')
    expect((await opened.reading.tip()).height).toBe(7n)
  })
})
