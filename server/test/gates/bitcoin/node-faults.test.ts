import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OutageError } from '../../../src/domain/errors.ts'
import { nodeChainOf } from '../../../src/gates/bitcoin/node-chains.ts'
import { type Output, type WatchedAddresses, WrongChainError } from '../../../src/gates/gate.ts'
import { coinNetworks, coins } from '../../support/nodes/coin-node.ts'
import { mainCoin } from '../../support/nodes/each-coin.ts'
import { changing, type Fault, type FaultProxy, startFaultProxy } from '../../support/nodes/fault-proxy.ts'
import { nodeHarness, openNodeGate } from './harness.ts'

const coin = mainCoin()
const otherCoin = coin === 'bitcoin' ? 'litecoin' : 'bitcoin'
const timeoutMs = 1_000
const maxAnswerBytes = 1024 * 1024

let harness: Awaited<ReturnType<typeof nodeHarness>>
let proxy: FaultProxy
let opened: ReturnType<typeof openNodeGate>
let watched: WatchedAddresses
beforeAll(async () => {
  harness = await nodeHarness(coin)
  proxy = await startFaultProxy(harness.node.url)
  await harness.pay([{ to: harness.deposit(0), currency: coins[coin].currency, units: 1_000_000n }])
  await harness.mine(1)
  await harness.pay([{ to: harness.deposit(1), currency: coins[coin].currency, units: 2_000_000n }])
})
beforeEach(() => {
  opened = openNodeGate(coin, { url: proxy.url, timeoutMs, maxAnswerBytes })
  watched = harness.watch([harness.deposit(0), harness.deposit(1)])
})
afterEach(async () => {
  // After every fault the gate recovers by itself once the node does.
  proxy.fault = null
  const { gate } = opened
  const asked = async () => {
    const tip = await gate.tip()
    return [(await gate.block(tip.height, watched))?.transfers.length, (await gate.pending(watched)).length]
  }
  // It has a second to answer, and on a busy machine may take that long.
  await expect.poll(asked).toEqual([1, 1])
  opened.close()
})
afterAll(async () => {
  await proxy.close()
  await harness.close()
})

function lookUp(outputs: readonly Output[]) {
  const { unspent } = opened.gate
  if (unspent === null) throw new Error('A node has unspent outputs to look up.')
  return unspent.look(outputs)
}

/** Every request that a follower or a sender makes. */
async function questions(): Promise<Record<string, () => Promise<unknown>>> {
  const { height } = await harness.gate.tip()
  const { gate } = opened
  const plan = {
    kind: 'coins' as const,
    inputs: [
      { txHash: 'ab'.repeat(32), outputIndex: 0, units: 1n, key: { chain: 'own' as const, index: 0 } },
    ],
    outputs: [],
    change: null,
    feeUnits: 1n,
  }
  return {
    tip: () => gate.tip(),
    block: () => gate.block(height, watched),
    pending: () => gate.pending(watched),
    feeRate: () => gate.feeRate(),
    fate: () => gate.fate([{ hash: 'cd'.repeat(32), plan }]),
    unspent: () => lookUp(plan.inputs),
  }
}

const garbled: Record<string, Fault> = {
  'cuts every connection': async () => 'cut',
  'never answers': async () => 'hang',
  'answers with a page': async () => '<html>502 Bad Gateway</html>',
  'answers with nothing': async () => '',
  'answers with half of the answer': async ({ ask }) => {
    const text = await ask()
    return text.slice(0, Math.floor(text.length / 2))
  },
  'answers without end': async (_, response) => {
    response.writeHead(200).write('{"result":"')
    const more = setInterval(() => response.write('a'.repeat(200_000)), 1)
    response.once('close', () => clearInterval(more))
    return undefined
  },
  'answers byte by byte': async (_, response) => {
    response.writeHead(200)
    const more = setInterval(() => response.write(' '), 20)
    response.once('close', () => clearInterval(more))
    return undefined
  },
  'answers another call': async ({ ask }) => (await ask()).replaceAll(/"id":(\d+)/g, '"id":1$1'),
  'answers without an id': async ({ ask }) => (await ask()).replaceAll(/,"id":\d+/g, ''),
  'answers several calls with one answer': async ({ body, ask }) =>
    Array.isArray(body) ? JSON.stringify(JSON.parse(await ask()).slice(0, 1)) : '[]',
  'answers with null': async () => 'null',
  'answers with a malformed error': async ({ body }) =>
    JSON.stringify({ result: null, error: 'no', id: body.id }),
  'is still loading': async ({ body }) =>
    JSON.stringify({ result: null, error: { code: -28, message: 'Loading block index...' }, id: body.id }),
}

describe.each(Object.entries(garbled))('a node that %s', (_, fault) => {
  it('is an outage for every request, in bounded time', async () => {
    const all = await questions()
    // After it is known to be on the right chain, and before.
    for (const known of [false, true]) {
      if (known) {
        proxy.fault = null
        await opened.gate.tip()
      }
      proxy.fault = fault
      const before = performance.now()
      const asked = known ? Object.values(all) : [all.tip as () => Promise<unknown>]
      await Promise.all(asked.map((ask) => expect(ask()).rejects.toBeInstanceOf(OutageError)))
      expect(performance.now() - before).toBeLessThan(timeoutMs * 5)
    }
  })
})

describe('a node that lies', () => {
  it.each([
    ['blocks', 2 ** 53],
    ['blocks', -1],
    ['blocks', 1.5],
    ['blocks', '7'],
    ['bestblockhash', 'newest'],
    ['bestblockhash', null],
  ])('about its tip (%s: %s) is not believed', async (name, value) => {
    proxy.fault = changing('getblockchaininfo', (info) => ({ ...info, [name]: value }))
    await expect(opened.gate.tip()).rejects.toBeInstanceOf(OutageError)
  })

  it.each([
    ['height', 1],
    ['height', 2 ** 53],
    ['hash', 'ab'.repeat(32)],
    ['previousblockhash', undefined],
    ['time', 'now'],
    ['tx', 'many'],
    ['tx', [{}]],
    ['confirmations', undefined],
  ])('about a block (%s: %s) is not believed', async (name, value) => {
    const { height } = await harness.gate.tip()
    proxy.fault = changing('getblock', (block) => ({ ...block, [name]: value }))
    await expect(opened.gate.block(height, watched)).rejects.toBeInstanceOf(OutageError)
  })

  it.each(['address', 'addresses'])(
    'by attributing another script to our %s is not believed',
    async (name) => {
      const { height } = await harness.gate.tip()
      const { address } = harness.deposit(0)
      proxy.fault = changing('getblock', (block) => {
        for (const { vout } of block.tx)
          for (const output of vout) {
            const { hex, type } = output.scriptPubKey
            output.scriptPubKey = { hex, type, [name]: name === 'address' ? address : [address] }
          }
        return block
      })
      await expect(opened.gate.block(height, watched)).rejects.toThrow('does not pay')
    },
  )

  it.each(['1e-9', '-1', '"much"', 'null', '1e400'])(
    'about an amount (%s) is not believed',
    async (value) => {
      const { height } = await harness.gate.tip()
      proxy.fault = async ({ ask }) => (await ask()).replaceAll(/"value":[0-9.]+/g, `"value":${value}`)
      await expect(opened.gate.block(height, watched)).rejects.toBeInstanceOf(OutageError)
    },
  )

  it.each([
    ['90071992.54740993', 9_007_199_254_740_993n],
    ['1.234E-5', 1_234n],
  ])('an amount beyond 2^53 or with an exponent is read to the unit (%s)', async (value, units) => {
    proxy.fault = async ({ ask }) => (await ask()).replaceAll(/"value":[0-9.]+/g, `"value": ${value}`)
    expect((await opened.gate.pending(watched))[0]?.units).toBe(units)
  })

  it('about an amount that the bytes of its transaction contradict is not believed', async () => {
    const { height } = await harness.gate.tip()
    proxy.fault = async ({ ask }) => (await ask()).replaceAll(/"value":[0-9.]+/g, '"value":0.5')
    await expect(opened.gate.block(height, watched)).rejects.toThrow('have a different amount')
  })

  it.each<[what: string, forged: (hex: string) => unknown]>([
    ['cuts off', (hex) => hex.slice(0, -2)],
    ['changes', (hex) => `03${hex.slice(2)}`],
    ['does not write in hexadecimal', (hex) => `xy${hex.slice(2)}`],
    ['leaves out', () => null],
    ['replaces by something else', () => 7],
  ])('whose bytes of a transaction it %s is not believed', async (_, forged) => {
    const { height, hash } = await harness.gate.tip()
    const [paid] = (await opened.gate.block(height, watched))?.transfers ?? []
    if (paid === undefined) throw new Error('The newest block should pay us.')
    proxy.fault = changing('getblock', (block) => {
      for (const transaction of block.tx) transaction.hex = forged(transaction.hex)
      return block
    })
    await expect(opened.gate.block(height, watched)).rejects.toThrow('do not have its hash')
    proxy.fault = changing('getrawtransaction', forged)
    const wanted = [{ hash: paid.txHash, block: { height, hash } }]
    await expect(opened.gate.transactions?.fetch(wanted)).rejects.toThrow('do not have its hash')
  })

  it('and switches to another chain meanwhile is found out, and both chains are named', async () => {
    await opened.gate.tip()
    proxy.fault = async () => 'cut'
    await expect(opened.gate.tip()).rejects.toBeInstanceOf(OutageError)
    const other = nodeChainOf(coinNetworks[otherCoin], 'regtest')?.genesis
    proxy.fault = changing('getblockhash', (hash, [height]) => (height === 0 ? other : hash))
    await expect(opened.gate.tip()).rejects.toBeInstanceOf(WrongChainError)
    await expect(opened.gate.tip()).rejects.toThrow(
      new RegExp(`is on ${otherCoin} regtest .* must be on ${coin} regtest`),
    )
    proxy.fault = changing('getblockchaininfo', (info) => ({ ...info, chain: 'test' }))
    await expect(opened.gate.tip()).rejects.toBeInstanceOf(WrongChainError)
  })

  it('by showing a block that it has abandoned is asked again, and the block of the present branch is returned', async () => {
    const { height, hash } = await harness.gate.tip()
    let shown = 0
    proxy.fault = changing('getblock', (block) => (shown++ === 0 ? { ...block, confirmations: -1 } : block))
    expect(await opened.gate.block(height, watched)).toMatchObject({ height, hash })
    expect(shown).toBe(2)
    proxy.fault = changing('getblock', (block) => ({ ...block, confirmations: -1 }))
    await expect(opened.gate.block(height, watched)).rejects.toBeInstanceOf(OutageError)
  })
})

it('a mempool that is still loading does not count as empty', async () => {
  proxy.fault = changing('getmempoolinfo', (info) => ({ ...info, loaded: false }))
  await expect(opened.gate.pending(watched)).rejects.toThrow('still loading its mempool')
  await expect(lookUp([])).rejects.toThrow('still loading its mempool')
})

it('unspent outputs are reported as of one block, and only with the amount from their block', async () => {
  const { height, hash } = await harness.gate.tip()
  const [coin] = (await opened.gate.block(height, watched))?.transfers ?? []
  if (coin === undefined) throw new Error('The newest block should pay us.')
  const missing = { ...coin, outputIndex: 77 }
  const names = [`${coin.txHash}:${coin.outputIndex}`]
  const all = { tipHash: hash, free: new Set(names), beingSpent: new Set(), different: new Set() }
  expect(await lookUp([coin, missing])).toEqual(all)
  // A new block arrives while it answers: everything is asked again.
  let asked = 0
  proxy.fault = changing('getbestblockhash', (best) => (asked++ === 1 ? 'ab'.repeat(32) : best))
  expect(await lookUp([coin])).toEqual(all)
  expect(asked).toBe(4)
  proxy.fault = changing('gettxout', (output, [, , withMempool]) => (withMempool ? null : output))
  expect(await lookUp([coin])).toEqual({ ...all, free: new Set(), beingSpent: new Set(names) })
  proxy.fault = null
  expect(await lookUp([{ ...coin, units: coin.units + 1n }])).toEqual({
    ...all,
    free: new Set(),
    different: new Set(names),
  })
})

it('each pending transaction is fetched once, however often the mempool is read', async () => {
  await opened.gate.pending(watched)
  const before = proxy.calls.get('getrawtransaction')
  for (let round = 0; round < 3; round++) expect(await opened.gate.pending(watched)).toHaveLength(1)
  expect(proxy.calls.get('getrawtransaction')).toBe(before)
})

it('the fee rate follows the node within floor and ceiling, rounded up', async () => {
  const rateWith = (feerate: number | undefined) => {
    proxy.fault = changing('estimatesmartfee', () => ({ feerate, blocks: 3 }))
    return opened.gate.feeRate()
  }
  expect(await rateWith(undefined)).toBe(2n)
  expect(await rateWith(0.00000001)).toBe(2n)
  expect(await rateWith(0.00012001)).toBe(13n)
  expect(await rateWith(5)).toBe(1_000n)
})

it('the gate reports that the node accepts nothing at the highest allowed fee rate', async () => {
  const least = (mempoolminfee: number) => {
    proxy.fault = changing('getmempoolinfo', (info) => ({ ...info, mempoolminfee }))
    return opened.gate.tooDear?.()
  }
  expect(await least(0.01)).toBeNull()
  expect(await least(0.01000001)).toMatch(/requires at least 1001 units .* the operator allows at most 1000/)
})

it('a wrong password is an outage whose message says so without showing it', async () => {
  const wrong = openNodeGate(coin, {
    url: harness.node.url.replace('sluice:', 'sluice:wrong-word'),
    timeoutMs,
  })
  const error = await wrong.gate.tip().then(
    () => null,
    (reason: Error) => reason,
  )
  wrong.close()
  expect(error).toBeInstanceOf(OutageError)
  expect(error?.message).toContain('check the user, the password')
  expect(error?.message).not.toContain('wrong-word')
})
