import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OutageError } from '../../../src/domain/errors.ts'
import { nodeEndpoints } from '../../../src/gates/endpoints.ts'
import { evmChain } from '../../../src/gates/evm/chain-check.ts'
import { evmRpc } from '../../../src/gates/evm/rpc.ts'
import { type WatchedAddresses, WrongChainError } from '../../../src/gates/gate.ts'
import { changing, type FaultProxy, startFaultProxy } from '../../support/nodes/fault-proxy.ts'
import { type AnvilHarness, anvilHarness, openEvmGate } from './harness.ts'
import { ether } from './traits.ts'

let harness: AnvilHarness
let proxies: FaultProxy[]
let watched: WatchedAddresses
let coinsIn: bigint
beforeAll(async () => {
  harness = await anvilHarness(ether, { payers: 10 })
  await harness.pay([{ to: harness.deposit(0), currency: 'ETH', units: 1_000_000n }])
  await harness.pay([{ to: harness.deposit(0), currency: 'USDT', units: 3_000_000n }])
  await harness.mine(1)
  coinsIn = (await harness.gate.tip()).height
  await harness.mine(1)
  watched = harness.watch([harness.deposit(0)])
})
beforeEach(async () => {
  proxies = await Promise.all([1, 2, 3].map(() => startFaultProxy(harness.node.url)))
})
afterEach(async () => {
  for (const proxy of proxies) await proxy.close()
})
afterAll(() => harness.close())

const urls = () => proxies.map(({ url }) => url)
const at = (index: number) => proxies[index] as FaultProxy
const open = (agreement: number, count = 3) =>
  openEvmGate(urls().slice(0, count), harness.payers.tokens, { agreement })
const cut = async () => 'cut' as const

/** Doubles the amounts in its blocks. */
const paysMore = changing('eth_getBlockByNumber', (block) => ({
  ...block,
  transactions: block.transactions.map((each: { value: string }) =>
    typeof each === 'string' || each.value === '0x0' ? each : { ...each, value: '0x1e8480' },
  ),
}))

describe('several nodes', () => {
  it('replace each other for every request, and the first is asked again after a while', async () => {
    let nowMs = 0
    const endpoints = urls().map((url) => ({ place: new URL(url).host, rpc: evmRpc({ url }) }))
    const nodes = nodeEndpoints({
      name: 'ethereum-test',
      chain: evmChain(31_337),
      endpoints,
      agreement: 1,
      now: () => nowMs,
    })
    const answering = () =>
      nodes.ask(async (rpc) => {
        await rpc.call('eth_blockNumber')
        return endpoints.findIndex((each) => each.rpc === rpc)
      })
    expect(await answering()).toBe(0)
    at(0).fault = cut
    expect(await answering()).toBe(1)
    at(1).fault = cut
    expect(await answering()).toBe(2)
    for (const proxy of proxies) proxy.fault = null
    // A failed one is left alone for some time.
    expect(await answering()).toBe(2)
    nowMs += 60_000
    expect(await answering()).toBe(0)
    for (const { rpc } of endpoints) rpc.close()
  })

  it('are an outage that names each of them if all fail', async () => {
    const { gate, close } = open(1)
    for (const proxy of proxies) proxy.fault = cut
    const error = await gate.tip().catch((reason: Error) => reason)
    expect(error).toBeInstanceOf(OutageError)
    for (const url of urls()) expect((error as Error).message).toContain(new URL(url).host)
    close()
  })

  it('help out when one of them lacks the state of a block', async () => {
    const { gate, close } = open(1)
    at(0).fault = async ({ body, ask }) => {
      const answers = [JSON.parse(await ask())].flat()
      for (const [place, { method }] of [body].flat().entries())
        if (method === 'eth_call')
          answers[place] = { id: answers[place].id, error: { code: -32_000, message: 'missing trie node' } }
      return JSON.stringify(Array.isArray(body) ? answers : answers[0])
    }
    expect((await gate.block(coinsIn, watched))?.transfers).toHaveLength(2)
    expect(at(1).calls.get('eth_call')).toBeGreaterThan(0)
    close()
  })

  it('prevent the start if one is on another chain, but not if one is down', async () => {
    const { gate, close } = open(1)
    at(1).fault = cut
    await expect(gate.checkChain()).resolves.toBeUndefined()
    expect(gate.chain).toMatch(/^evm 31337 0x[0-9a-f]{64}$/)
    at(1).fault = changing('eth_chainId', () => '0x1')
    await expect(gate.checkChain()).rejects.toBeInstanceOf(WrongChainError)
    close()
  })
})

describe('nodes that must agree', () => {
  it('are both asked about a block that pays us, and only one about other blocks', async () => {
    const { gate, close } = open(2, 2)
    expect((await gate.block(coinsIn, watched))?.transfers).toHaveLength(2)
    expect(at(1).calls.get('eth_getLogs')).toBe(1)
    expect((await gate.block(coinsIn + 1n, watched))?.transfers).toEqual([])
    expect(at(1).calls.get('eth_getLogs')).toBe(1)
    close()
  })

  it.each([
    ['another amount', paysMore],
    [
      'another block',
      changing('eth_getBlockByNumber', (block, [height]) =>
        height === '0x0' ? block : { ...block, hash: `0x${'ab'.repeat(32)}` },
      ),
    ],
    ['no payment', changing('eth_getBlockByNumber', (block) => ({ ...block, transactions: [] }))],
    ['no such block', changing('eth_getBlockByNumber', (block, [tag]) => (tag === '0x0' ? block : null))],
    ['nothing at all', cut],
  ])('credit nothing if the other answers with: %s', async (_, fault) => {
    for (const [liar, good] of [
      [1, 0],
      [0, 1],
    ] as const) {
      const { gate, close } = open(2, 2)
      at(liar).fault = fault
      const seen = await gate.block(coinsIn, watched).catch((error: Error) => error)
      // The other is not asked about a block that pays nothing; but no payment may be believed on the word of one node
      // alone.
      if (seen instanceof Error) {
        expect(seen).toBeInstanceOf(OutageError)
        expect(seen.message).toContain(new URL(urls()[good] as string).host)
      } else expect(seen?.transfers ?? []).toEqual([])
      at(liar).fault = null
      expect((await gate.block(coinsIn, watched))?.transfers).toHaveLength(2)
      close()
    }
  })

  it('suffice if two of three agree', async () => {
    const { gate, close } = open(2, 3)
    at(1).fault = paysMore
    expect((await gate.block(coinsIn, watched))?.transfers).toHaveLength(2)
    close()
  })

  it('must agree about balances as well', async () => {
    const { gate, close } = open(2, 2)
    const [address, tip] = [harness.deposit(0).address, await harness.gate.tip()]
    expect(await gate.balances?.([address], tip)).toEqual(new Map([[address, 1_000_000n]]))
    at(1).fault = changing('eth_call', (result) => `${result.slice(0, -1)}7`)
    await expect(gate.balances?.([address], tip)).rejects.toThrow('do not agree')
    close()
  })
})
