import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Anvil, startAnvil } from '../../support/nodes/anvil.ts'
import { changing, type FaultProxy, refusing, startFaultProxy } from '../../support/nodes/fault-proxy.ts'
import { trying } from './trying.ts'

const units = 12_345_678n
const hash = `0x${'ab'.repeat(32)}`
const receiver = `0x${'12'.repeat(20)}`
const inHex = (value: bigint) => `0x${value.toString(16)}`

let node: Anvil
let proxy: FaultProxy
let txHash: string
let paying: { hash: string; parentHash: string; number: string }
beforeAll(async () => {
  node = await startAnvil()
  proxy = await startFaultProxy(node.url)
  const [from] = await node.ask('eth_accounts')
  txHash = await node.ask('eth_sendTransaction', { from, to: receiver, value: inHex(units) })
  await node.mine(1)
  paying = await node.ask('eth_getBlockByNumber', 'latest', false)
  for (const type of ['0x0', '0x1'])
    await node.ask('eth_sendTransaction', {
      from,
      to: receiver,
      value: '0x1',
      type,
      gasPrice: inHex(10n ** 10n),
    })
  await node.mine(3)
})
afterEach(() => {
  proxy.fault = null
})
afterAll(async () => {
  await proxy?.close()
  await node?.close()
})

const tried = (urls = [proxy.url]) => trying('ethereum', '31337', urls)

/** Changes the block with the payment wherever it is shown. */
const lying = (change: (block: { transactions: { hash?: string; value?: string }[] }) => object) =>
  changing('eth_getBlockByNumber', (block) => (block?.hash === paying.hash ? change(block) : block))

it('a sound node passes every check', async () => {
  const { report, names, of } = await tried()
  expect(names('failed')).toEqual([])
  expect(names('skipped')).toEqual([])
  expect(of('alone').says).toBe('3 payments have the same amount alone as in their block.')
  expect(of('hashes').says).toContain('transactions of usual kinds with their amounts')
  expect(of('history').says).toContain('the state of all blocks')
  expect(report.servers[0]?.software).toMatch(/^anvil/)
})

it('several nodes that say the same agree', async () => {
  const { report } = await tried([proxy.url, node.url])
  expect(report.agreement).toMatchObject({ state: 'passed', says: '2 servers show the same blocks.' })
})

describe('a lie is named:', () => {
  it('another chain id than its transactions are signed for', async () => {
    const [from] = await node.ask('eth_accounts')
    await node.ask('eth_sendTransaction', { from, to: receiver, value: '0x1' })
    await node.mine(1)
    proxy.fault = changing('eth_chainId', () => '0x5')
    const { of } = await tried()
    expect(of('chain').lie).toEqual({
      call: 'eth_chainId',
      said: 'that the chain is 5',
      truth: 'the transactions in its newest block are signed for chain 31337',
    })
  })

  it('a wrong parent', async () => {
    proxy.fault = lying((block) => ({ ...block, parentHash: hash }))
    const { of } = await tried()
    expect(of('blocks').lie).toMatchObject({
      call: `block ${Number(paying.number)} (${paying.hash})`,
      said: `that its parent is ${hash}`,
      truth: `block ${Number(paying.number) - 1} is ${paying.parentHash}`,
    })
    expect(of('hashes').lie).toMatchObject({
      said: `that its parent is ${hash}`,
      truth: expect.stringContaining(`with its hash its parent is ${paying.parentHash}`),
    })
  })

  it('another time', async () => {
    proxy.fault = lying((block) => ({ ...block, timestamp: '0x1' }))
    expect((await tried()).of('hashes').lie).toMatchObject({
      said: `that its hash is ${paying.hash}`,
      truth: expect.stringMatching(/^the hash of what it shows as the header is 0x[0-9a-f]{64}$/),
    })
  })

  it('a changed amount', async () => {
    proxy.fault = lying((block) => ({
      ...block,
      transactions: block.transactions.map((each) =>
        each.hash === txHash ? { ...each, value: inHex(units * 2n) } : each,
      ),
    }))
    const { of } = await tried()
    const said = `pays ${units * 2n} units`
    expect(of('hashes').lie).toEqual({
      call: `eth_getBlockByNumber ${paying.number} (block ${Number(paying.number)})`,
      said: `that transaction ${txHash} ${said} to ${receiver}`,
      truth: `by eth_getTransactionByHash, whose answer has this hash, it pays ${units} units to ${receiver}`,
    })
    expect(of('alone').lie).toMatchObject({ call: `eth_getTransactionByHash ${txHash}` })
  })

  it('a transaction that is not known alone', async () => {
    proxy.fault = changing('eth_getTransactionByHash', (found) => (found?.hash === txHash ? null : found))
    expect((await tried()).of('alone').lie).toMatchObject({
      call: `eth_getTransactionByHash ${txHash}`,
      said: `that there is no transaction ${txHash}`,
    })
  })

  it('a chain without its old blocks', async () => {
    proxy.fault = changing('eth_getBlockByNumber', (block) => (block?.number === '0x1' ? null : block))
    expect((await trying('ethereum', '31337', [proxy.url], { blocks: 2 })).of('history').lie).toMatchObject({
      call: 'the block at height 1',
      said: 'that there is none',
    })
  })

  it('something made up', async () => {
    const receipt = { transactionHash: hash }
    proxy.fault = changing('eth_getTransactionReceipt', (found) => found ?? receipt)
    expect((await tried()).of('unknown').lie?.call).toMatch(/^eth_getTransactionReceipt 0x[0-9a-f]{64}$/)
  })
})

it('every missing method is named, with what it is needed for', async () => {
  proxy.fault = refusing('eth_getLogs', -32_000, 'the method eth_getLogs is not available on your plan')
  const { of } = await tried()
  expect(of('methods').says).toContain(
    'eth_getLogs (needed to find payments of tokens, by the hash of a block): the method eth_getLogs is not available',
  )
})

it('a node without the state of its blocks fails', async () => {
  await node.mine(40)
  proxy.fault = refusing('eth_call', -32_000, 'missing trie node', ([, at]) => at?.blockHash !== undefined)
  expect((await tried()).of('history')).toMatchObject({
    state: 'failed',
    says: expect.stringContaining('It does not have the state of the block 32 blocks back'),
  })
})

it('a fee above the ceiling fails', async () => {
  proxy.fault = changing('eth_maxPriorityFeePerGas', () => inHex(10n ** 15n))
  expect((await tried()).of('fees')).toMatchObject({
    state: 'failed',
    says: expect.stringMatching(/above the ceiling of 500000000000\.$/),
  })
})
