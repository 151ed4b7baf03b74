import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OutageError } from '../../../src/domain/errors.ts'
import { type NodeGate, type WatchedAddresses, WrongChainError } from '../../../src/gates/gate.ts'
import { changing, type Fault, type FaultProxy, startFaultProxy } from '../../support/nodes/fault-proxy.ts'
import { type AnvilHarness, anvilHarness, openEvmGate } from './harness.ts'
import { ether } from './traits.ts'

const timeoutMs = 2_000
const bounds = { timeoutMs, maxAnswerBytes: 1024 * 1024 }

let harness: AnvilHarness
let proxy: FaultProxy
let opened: ReturnType<typeof openEvmGate>
let watched: WatchedAddresses
let coinsIn: bigint
let tokensIn: bigint
beforeAll(async () => {
  harness = await anvilHarness(ether, { payers: 10 })
  proxy = await startFaultProxy(harness.node.url)
  await harness.pay([{ to: harness.deposit(0), currency: 'ETH', units: 1_000_000n }])
  await harness.mine(1)
  coinsIn = (await harness.gate.tip()).height
  await harness.pay([{ to: harness.deposit(0), currency: 'USDT', units: 3_000_000n }])
  await harness.mine(1)
  tokensIn = coinsIn + 1n
  await harness.pay([{ to: harness.deposit(1), currency: 'ETH', units: 2_000_000n }])
})
beforeEach(() => {
  opened = openEvmGate([proxy.url], harness.payers.tokens, { rpc: bounds })
  watched = harness.watch([harness.deposit(0), harness.deposit(1)])
})
afterEach(async () => {
  await expectRecovered(opened.gate)
  opened.close()
})
afterAll(async () => {
  await proxy.close()
  await harness.close()
})

/** After every fault the gate recovers by itself once the node does. */
async function expectRecovered(gate: NodeGate): Promise<void> {
  proxy.fault = null
  expect((await gate.tip()).height).toBe(tokensIn)
  for (const height of [coinsIn, tokensIn])
    expect((await gate.block(height, watched))?.transfers).toHaveLength(1)
  expect(await gate.pending(watched)).toHaveLength(1)
}

/** Every request that a follower or a sender makes. */
function questions(gate: NodeGate): Record<string, () => Promise<unknown>> {
  const address = harness.deposit(0).address
  const plan = {
    kind: 'account' as const,
    from: { address, key: { chain: 'deposit' as const, index: 0 } },
    nonce: 0n,
    to: harness.stranger,
    currency: 'ETH',
    contractAddress: null,
    units: 1n,
    gasLimit: 21_000n,
    gasPrice: 1n,
    payoutId: null,
  }
  return {
    tip: () => gate.tip(),
    coins: () => gate.block(coinsIn, watched),
    tokens: () => gate.block(tokensIn, watched),
    pending: () => gate.pending(watched),
    feeRate: () => gate.feeRate(),
    fate: () => gate.fate([{ hash: `0x${'cd'.repeat(32)}`, plan }]),
    nextNonce: () => gate.nextNonce(address),
    balances: async () => gate.balances?.([address], await harness.gate.tip()),
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
  'answers another call': async ({ ask }) => (await ask()).replaceAll(/"id":(\d+)/g, '"id":1$1'),
  'answers without an id': async ({ ask }) => (await ask()).replaceAll(/"id":\d+,/g, ''),
  'answers several calls with one answer': async ({ body, ask }) =>
    Array.isArray(body) ? JSON.stringify(JSON.parse(await ask()).slice(0, 1)) : '[]',
  'answers with null': async () => 'null',
}

/** Asks a gate that knows the chain and one that does not. */
async function expectOutage(known: NodeGate, unknown: NodeGate, fault: Fault, says = ''): Promise<void> {
  proxy.fault = null
  await known.tip()
  proxy.fault = fault
  const before = performance.now()
  const asked = [() => unknown.tip(), ...Object.values(questions(known))]
  const outages = await Promise.all(asked.map((ask) => ask().catch((error: unknown) => error)))
  for (const outage of outages) {
    expect(outage).toBeInstanceOf(OutageError)
    expect((outage as Error).message).toContain(says)
  }
  expect(performance.now() - before).toBeLessThan(timeoutMs * 30)
}

it.each(Object.entries(garbled))(
  'a node that %s is an outage for every request, in bounded time',
  async (_, fault) => {
    const known = openEvmGate([proxy.url], harness.payers.tokens, { rpc: bounds })
    await expectOutage(known.gate, opened.gate, fault)
    await expectRecovered(known.gate)
    known.close()
  },
)

it('a node that limits our rate is an outage for every request, and is asked again once it answers', async () => {
  // Longer waits would only add up: the pace of requests has tests of its own.
  const options = { rpc: { ...bounds, maxWaitMs: 450 } }
  const [known, unknown] = [1, 2].map(() => openEvmGate([proxy.url], harness.payers.tokens, options)) as [
    ReturnType<typeof openEvmGate>,
    ReturnType<typeof openEvmGate>,
  ]
  const tooOften = (id: unknown) => ({ jsonrpc: '2.0', id, error: { code: -32_005, message: 'slow down' } })
  const limit: Fault = async ({ body }) =>
    JSON.stringify(Array.isArray(body) ? body.map(({ id }) => tooOften(id)) : tooOften(body.id))
  await expectOutage(known.gate, unknown.gate, limit, 'has reached its rate limit')
  proxy.fault = null
  await Promise.all(
    [known, unknown].map(async ({ gate, close }) => {
      await expect.poll(() => gate.nextNonce(harness.deposit(0).address)).toBe(0n)
      close()
    }),
  )
})

describe('a node that lies', () => {
  const atTip = (name: string, value: unknown) =>
    changing('eth_getBlockByNumber', (block, [tag]) =>
      tag === 'latest' ? { ...block, [name]: value } : block,
    )

  it.each([
    ['number', `0x${(2n ** 53n).toString(16)}`],
    ['number', 7],
    ['number', '7'],
    ['number', '0x'],
    ['hash', '0xnewest'],
    ['hash', null],
    ['timestamp', `0x${'f'.repeat(64)}`],
  ])('about its tip (%s: %s) is not believed', async (name, value) => {
    proxy.fault = atTip(name, value)
    await expect(opened.gate.tip()).rejects.toBeInstanceOf(OutageError)
  })

  it.each([
    ['number', '0x1'],
    ['hash', 7],
    ['parentHash', undefined],
    ['timestamp', 'now'],
    ['transactions', 'many'],
    ['transactions', [{}]],
  ])('about a block (%s: %s) is not believed', async (name, value) => {
    await opened.gate.tip()
    proxy.fault = changing('eth_getBlockByNumber', (block) => ({ ...block, [name]: value }))
    await expect(opened.gate.block(coinsIn, watched)).rejects.toBeInstanceOf(OutageError)
  })

  it.each(['1000000', 1_000_000, '0x', `0x1${'0'.repeat(64)}`, '-0x1', '0x1.8', null])(
    'about an amount (%j) is not believed',
    async (value) => {
      proxy.fault = changing('eth_getBlockByNumber', (block) => ({
        ...block,
        transactions: block.transactions.map((each: object) =>
          typeof each === 'string' ? each : { ...each, value },
        ),
      }))
      await expect(opened.gate.block(coinsIn, watched)).rejects.toBeInstanceOf(OutageError)
    },
  )

  it('an amount beyond 2^53 is read to the unit', async () => {
    proxy.fault = changing('eth_getBlockByNumber', (block) => ({
      ...block,
      transactions: block.transactions.map((each: object) =>
        typeof each === 'string' ? each : { ...each, value: '0x100000000000000000000001' },
      ),
    }))
    const [transfer] = (await opened.gate.block(coinsIn, watched))?.transfers ?? []
    expect(transfer?.units).toBe(2n ** 92n + 1n)
  })

  it.each([
    ['of another block', { blockHash: `0x${'ab'.repeat(32)}` }],
    ['of a contract that is not listed', { address: ether }],
    ['that were removed', { removed: true }],
    ['of another event', { topics: [`0x${'ab'.repeat(32)}`] }],
    ['of a transaction that is not in the block', { transactionHash: `0x${'ab'.repeat(32)}` }],
  ])('by showing logs %s is not believed', async (_, change) => {
    proxy.fault = changing('eth_getLogs', (logs) => logs.map((log: object) => ({ ...log, ...change })))
    await expect(opened.gate.block(tokensIn, watched)).rejects.toBeInstanceOf(OutageError)
  })

  it('by showing more in a log than the token has moved is believed only for the amount moved', async () => {
    proxy.fault = changing('eth_getLogs', (logs) =>
      logs.map((log: object) => ({ ...log, data: `0x${'f'.repeat(64)}` })),
    )
    expect((await opened.gate.block(tokensIn, watched))?.transfers).toMatchObject([{ units: 3_000_000n }])
  })

  it.each([
    ['failed', { status: '0x0' }, 0],
    ['succeeded', { status: '0x1' }, 1],
  ])('a transaction whose receipt says that it %s counts accordingly', async (_, change, count) => {
    proxy.fault = changing('eth_getTransactionReceipt', (receipt) => ({ ...receipt, ...change }))
    expect((await opened.gate.block(coinsIn, watched))?.transfers).toHaveLength(count)
  })

  it.each([
    ['none', () => null],
    ['of another block', (receipt: object) => ({ ...receipt, blockHash: `0x${'ab'.repeat(32)}` })],
    [
      'of another transaction',
      (receipt: object) => ({ ...receipt, transactionHash: `0x${'ab'.repeat(32)}` }),
    ],
    ['without a status', (receipt: object) => ({ ...receipt, status: undefined })],
  ])('a payment with a receipt that is %s is not believed', async (_, change) => {
    proxy.fault = changing('eth_getTransactionReceipt', change)
    await expect(opened.gate.block(coinsIn, watched)).rejects.toBeInstanceOf(OutageError)
  })

  it('and switches to another chain meanwhile is found out, and both chains are named', async () => {
    await opened.gate.tip()
    proxy.fault = async () => 'cut'
    await expect(opened.gate.tip()).rejects.toBeInstanceOf(OutageError)
    proxy.fault = changing('eth_chainId', () => '0x1')
    await expect(opened.gate.tip()).rejects.toBeInstanceOf(WrongChainError)
    await expect(opened.gate.tip()).rejects.toThrow(/is on chain 1, but it must be on chain 31337/)
    proxy.fault = changing('eth_getBlockByNumber', (block, [height]) =>
      height === '0x0' ? { ...block, hash: `0x${'ab'.repeat(32)}` } : block,
    )
    await expect(opened.gate.checkChain()).rejects.toBeInstanceOf(WrongChainError)
    await expect(opened.gate.tip()).rejects.toBeInstanceOf(WrongChainError)
    await expect(opened.gate.tip()).rejects.toThrow(/a different chain 31337 \(genesis 0xabab/)
  })
})

it('a node without the state of a block says so, and its balances are unknown', async () => {
  proxy.fault = async ({ body, ask }) => {
    const answers = [JSON.parse(await ask())].flat()
    for (const [at, { method }] of [body].flat().entries())
      if (method === 'eth_call') {
        delete answers[at].result
        answers[at].error = {
          code: -32_000,
          message: 'missing trie node 1234 (path ) state is not available',
        }
      }
    return JSON.stringify(Array.isArray(body) ? answers : answers[0])
  }
  await expect(opened.gate.block(tokensIn, watched)).rejects.toThrow(
    /does not have the balances of block .*archive node/,
  )
  expect(await opened.gate.balances?.([harness.deposit(0).address], await harness.gate.tip())).toBeNull()
  // ETH transfers need no state.
  expect((await opened.gate.block(coinsIn, watched))?.transfers).toHaveLength(1)
})

it('a node that is still downloading the chain is an outage', async () => {
  proxy.fault = changing('eth_syncing', () => ({ currentBlock: '0x10', highestBlock: '0x1000' }))
  await expect(opened.gate.tip()).rejects.toThrow('still downloading')
  proxy.fault = changing('eth_syncing', () => ({ currentBlock: '0xfff', highestBlock: '0x1000' }))
  expect((await opened.gate.tip()).height).toBe(tokensIn)
})

it('a pending payment is reported as it will be mined, and a call that would fail is not reported', async () => {
  const [token] = harness.payers.tokens
  const poor = await harness.payers.pay({
    to: harness.deposit(1).address,
    contractAddress: token as string,
    units: 5n,
  })
  expect(await opened.gate.pending(watched)).toHaveLength(2)
  const again = openEvmGate([proxy.url], harness.payers.tokens)
  try {
    proxy.fault = async ({ body, ask }) => {
      const answers = [JSON.parse(await ask())].flat()
      for (const [at, { method }] of [body].flat().entries())
        if (method === 'eth_call')
          answers[at] = { id: answers[at].id, error: { code: 3, message: 'reverted' } }
      return JSON.stringify(Array.isArray(body) ? answers : answers[0])
    }
    const seen = await again.gate.pending(watched)
    expect(seen.map(({ txHash }) => txHash)).not.toContain(poor)
  } finally {
    again.close()
    await harness.node.ask('anvil_dropTransaction', poor)
  }
})

it('the fee rate follows the node within floor and ceiling', async () => {
  const bounded = openEvmGate([proxy.url], [], { fees: { floor: 50n, ceiling: 1_000n } })
  const rateWith = (baseFeePerGas: string | undefined, tip: string) => {
    proxy.fault = async (exchange, response) => {
      const inBlock = await changing('eth_getBlockByNumber', (block) => ({ ...block, baseFeePerGas }))(
        exchange,
        response,
      )
      const asked = { ...exchange, ask: async () => inBlock as string }
      const withTip = await changing('eth_maxPriorityFeePerGas', () => tip)(asked, response)
      return changing('eth_gasPrice', () => '0x64')(
        { ...exchange, ask: async () => withTip as string },
        response,
      )
    }
    return bounded.gate.feeRate()
  }
  expect(await rateWith('0x0', '0x1')).toBe(50n)
  // Room for two full blocks, rounded up, plus the tip.
  expect(await rateWith('0x65', '0x7')).toBe(135n)
  expect(await rateWith('0x10000', '0x1')).toBe(1_000n)
  expect(await rateWith(undefined, '0x1')).toBe(100n)
  bounded.close()
})

it('the gate reports a base fee above the highest allowed fee rate', async () => {
  const bounded = openEvmGate([proxy.url], [], { fees: { floor: 50n, ceiling: 1_000n } })
  const dearAt = (baseFeePerGas: string | undefined) => {
    proxy.fault = changing('eth_getBlockByNumber', (block) => ({ ...block, baseFeePerGas }))
    return bounded.gate.tooDear?.()
  }
  expect(await dearAt('0x3e8')).toBeNull()
  expect(await dearAt(undefined)).toBeNull()
  expect(await dearAt('0x3e9')).toMatch(/requires at least 1001 wei .* the operator allows at most 1000/)
  bounded.close()
})

it('an outage of a node never shows the key in its URL', async () => {
  const wrong = openEvmGate(['http://127.0.0.1:9/hunter2?key=hunter3'], [])
  const error = await wrong.gate.tip().then(
    () => null,
    (reason: Error) => reason,
  )
  wrong.close()
  expect(error).toBeInstanceOf(OutageError)
  expect(error?.message).toContain('127.0.0.1:9')
  expect(error?.message).not.toContain('hunter')
})
