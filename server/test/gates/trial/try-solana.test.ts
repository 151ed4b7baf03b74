import { address, createKeyPairSignerFromPrivateKeyBytes, type KeyPairSigner } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { registryOf } from '../../../src/domain/assets.ts'
import { shippedNetworks } from '../../../src/domain/networks/shipped.ts'
import { readGates } from '../../../src/settings/gate-config.ts'
import { changing, type FaultProxy, refusing, startFaultProxy } from '../../support/nodes/fault-proxy.ts'
import { describeOnSolana, type SolanaNode, startSolanaNode } from '../../support/nodes/solana-node.ts'
import { createMint, sendFrom } from '../solana/executor.ts'
import { receiver } from '../solana/plans.ts'
import { validatorExecutor } from '../solana/validator.ts'
import { trying } from './trying.ts'

const units = 12_345_678n
const forged = 99_000_000n
// Servers are asked one after the other, and must still have blocks in common.
const slotMs = 300
const blocks = 15
const devnet = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
const other = '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY'

// biome-ignore lint/suspicious/noExplicitAny: whatever a node answers
type Json = any

describeOnSolana(() => {
  const payee = receiver(77)
  let node: SolanaNode
  let proxy: FaultProxy
  let payer: KeyPairSigner
  let hash: string
  let slot: number
  let executor: ReturnType<typeof validatorExecutor>
  let token: Awaited<ReturnType<typeof createMint>>
  beforeAll(async () => {
    node = await startSolanaNode(slotMs)
    proxy = await startFaultProxy(node.url)
    executor = validatorExecutor(node)
    payer = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(211))
    await executor.fund(payer.address, 5_000_000_000n)
    token = await createMint(executor, 'token', 6)
  })
  // The node makes blocks all the time, and only the newest are read.
  beforeEach(async () => {
    const transfer = getTransferSolInstruction({ source: payer, destination: address(payee), amount: units })
    ;({ hash } = await sendFrom(executor, payer, [transfer]))
    slot = (await node.ask('getTransaction', hash, { commitment: 'finalized' })).slot
  })
  afterEach(() => {
    proxy.fault = null
  })
  afterAll(async () => {
    await proxy?.close()
    await node?.close()
  })

  const tried = (urls = [proxy.url], chain = 'localnet') => trying('solana', chain, urls, { blocks })

  /** Changes the block with the payment wherever it is shown, or only with these details. */
  const lying = (change: (block: Json) => Json, details: string | null = null) =>
    changing('getBlock', (block, [at, options]) =>
      at === slot && (details === null || options.transactionDetails === details) ? change(block) : block,
    )

  /** The payee gets more than was paid. */
  const paidMore = (block: Json) => ({
    ...block,
    transactions: block.transactions?.map(({ transaction, meta }: Json) => ({
      transaction,
      meta: {
        ...meta,
        postBalances: meta.postBalances.map((after: number, at: number) =>
          after - meta.preBalances[at] === Number(units) ? after + Number(forged) : after,
        ),
      },
    })),
  })

  it('a sound node passes every check that can be made', async () => {
    const { report, names, of } = await tried()
    expect(names('failed')).toEqual([])
    // No block is found by its hash, and this node does not tell what others pay.
    expect(names('skipped')).toEqual(['by_hash', 'fees'])
    expect(of('alone').says).toMatch(/^[1-9]\d* payments have the same amount alone/)
    expect(of('hashes').says).toContain('the signatures of all transactions, and that none makes SOL')
    expect(of('methods').says).toContain('but not getRecentPrioritizationFees (needed to know the fee')
    expect(of('history').says).toContain('It still has block 1')
    expect(report.servers[0]?.software).toMatch(/^solana-core \d/)
  })

  it('the tokens of a gate in the settings are read, and compared with their transaction alone', async () => {
    const registry = registryOf(shippedNetworks)
    const tokens = [{ code: 'USDC', contract: token.token.mint, decimals: 6 }]
    const gates = readGates(shippedNetworks, [
      {
        network: 'solana',
        environment: 'test',
        kind: 'solana',
        rpc_url: proxy.url,
        cluster: 'localnet',
        tokens,
      },
    ])
    await token.give(payee, 7_000_000n)
    const usual = await trying('solana', null, [], { blocks, configured: { assets: registry, gates } })
    expect(usual.names('failed')).toEqual([])
    const tokensOf = (answer: Json) =>
      JSON.parse(JSON.stringify(answer).replaceAll('"amount":"7000000"', '"amount":"7000001"'))
    proxy.fault = changing('getTransaction', tokensOf)
    const lied = await trying('solana', null, [], { blocks, configured: { assets: registry, gates } })
    expect(lied.of('alone').lie).toMatchObject({
      call: expect.stringMatching(/^getTransaction /),
      said: expect.stringContaining(`pays 7000001 units of USDC to ${payee}`),
      truth: expect.stringContaining(`pays 7000000 units of USDC to ${payee}`),
    })
  })

  it('several nodes that say the same agree, and one that says otherwise is named', async () => {
    // However slow this machine is.
    const both = (urls: string[]) => trying('solana', 'localnet', urls, { blocks: 3 * blocks })
    const same = await both([proxy.url, node.url])
    expect(same.report.agreement).toMatchObject({ state: 'passed', says: '2 servers show the same blocks.' })
    proxy.fault = lying((block) => ({ ...block, blockTime: block.blockTime - 1 }))
    const differing = await both([node.url, proxy.url])
    expect(differing.report.agreement.lie).toMatchObject({
      call: expect.stringMatching(/^block \d+ on server 2 \(127\.0\.0\.1:\d+\)$/),
      said: expect.stringMatching(/^that it was made at /),
    })
  })

  it('what is secret in a URL is nowhere in the report', async () => {
    const url = `${proxy.url}KEY-0f3a9c?api-key=OTHER-77b1`
    proxy.fault = refusing('getBlocks', -32_000, `no such thing at ${url}`)
    const { report } = await tried([url])
    expect(JSON.stringify(report)).not.toMatch(/0f3a9c|77b1/)
    expect(JSON.stringify(report)).toContain('no such thing at')
  })

  describe('a lie is named:', () => {
    it('another chain', async () => {
      proxy.fault = changing('getGenesisHash', () => devnet)
      const { of, names } = await tried()
      expect(of('chain').lie).toEqual({
        call: 'getGenesisHash',
        said: `that its chain begins with ${devnet}, which is devnet`,
        truth: 'it must be a chain of its own',
      })
      expect(names('passed')).toEqual(['reachable'])
      expect((await tried([proxy.url], 'testnet')).of('chain').lie?.truth).toBe(
        `testnet begins with ${other}`,
      )
    })

    it('a wrong parent', async () => {
      proxy.fault = lying((block) => ({ ...block, previousBlockhash: other }))
      expect((await tried()).of('blocks').lie).toMatchObject({
        said: `that its parent is ${other}`,
        truth: expect.stringMatching(/^block \d+ is /),
      })
    })

    it('a block that changes between two readings', async () => {
      let shown = 0
      proxy.fault = lying((block) => ({ ...block, blockTime: block.blockTime - shown++ }))
      const { of } = await tried()
      expect(of('payments').lie).toMatchObject({
        call: expect.stringMatching(/^block \d+, read with its payments,$/),
        said: expect.stringMatching(/^that it was made at /),
      })
    })

    it('a forged balance in the block, by the bytes and by the transaction alone', async () => {
      proxy.fault = lying(paidMore, 'accounts')
      const { of } = await tried()
      expect(of('hashes').lie).toMatchObject({
        call: expect.stringMatching(new RegExp(`^getBlock ${slot} `)),
        said: expect.stringContaining(`that a balance after ${hash} is `),
        truth: expect.stringContaining('where it shows the bytes it says '),
      })
      expect(of('alone').lie).toMatchObject({
        call: `getTransaction ${hash}`,
        said: expect.stringContaining(`pays ${units} units of SOL to ${payee}`),
        truth: expect.stringContaining(`pays ${units + forged} units of SOL to ${payee}`),
      })
    })

    it('a forged balance wherever it is shown, by the SOL that it makes', async () => {
      proxy.fault = async (exchange) => {
        const fault = exchange.methods.includes('getTransaction')
          ? changing('getTransaction', (found) => paidMore({ transactions: [found] }).transactions[0])
          : lying(paidMore)
        return fault(exchange, undefined as never)
      }
      expect((await tried()).of('hashes').lie).toMatchObject({
        call: expect.stringMatching(new RegExp(`^getBlock ${slot} `)),
        said: expect.stringContaining(`that ${hash} leaves `),
        truth: expect.stringContaining(`which is ${forged} less`),
      })
    })

    it('a transaction without a valid signature', async () => {
      proxy.fault = lying((block) => {
        const [{ transaction, meta }] = block.transactions
        const bytes = Buffer.from(transaction[0], 'base64')
        // The last byte is the highest one of the amount.
        bytes.writeUInt8(1, bytes.length - 1)
        return { ...block, transactions: [{ transaction: [bytes.toString('base64'), 'base64'], meta }] }
      }, 'full')
      expect((await tried()).of('hashes').lie).toMatchObject({
        said: `that ${payer.address} has signed ${hash}`,
      })
    })

    it('a transaction that is not known alone', async () => {
      proxy.fault = changing('getTransaction', (found, [asked]) => (asked === hash ? null : found))
      expect((await tried()).of('alone').lie).toMatchObject({
        call: `getTransaction ${hash}`,
        said: `that there is no transaction ${hash}`,
      })
    })

    it('another transaction in place of the one that is asked for', async () => {
      const another = [...hash].toReversed().join('')
      proxy.fault = changing('getTransaction', (found, [asked]) =>
        asked === hash ? { ...found, transaction: { ...found.transaction, signatures: [another] } } : found,
      )
      expect((await tried()).of('alone').lie).toEqual({
        call: `getTransaction ${hash}`,
        said: `that it is ${another}`,
        truth: 'it was asked for another one',
      })
    })

    it('something made up', async () => {
      const account = { lamports: 5, owner: devnet, executable: false, data: ['', 'base64'] }
      proxy.fault = changing('getMultipleAccounts', ({ context, value }) => ({
        context,
        value: value.map((each: Json) => each ?? account),
      }))
      expect((await tried()).of('unknown').lie?.call).toMatch(/^getMultipleAccounts /)
    })

    it('blocks that it claims to keep', async () => {
      proxy.fault = refusing('getBlock', -32_001, 'Block 1 cleaned up', ([at]) => at === 1)
      const { of } = await trying('solana', 'localnet', [proxy.url], { blocks: 2 })
      expect(of('history').lie).toMatchObject({
        call: 'getFirstAvailableBlock',
        said: 'that it keeps blocks from slot 0 on, where block 0 is',
        truth: expect.stringContaining('asked for block 1, it says'),
      })
    })
  })

  it.each([
    ['bytes in base64', ['AAAA', 'base64']],
    ['other characters', ['*', 'base64']],
    ['a text', 'text'],
    ['nothing', null],
  ])('bytes that are no transaction prove nothing, and are no lie: %s', async (_, shown) => {
    proxy.fault = lying(
      (block) => ({
        ...block,
        transactions: block.transactions.map(({ meta }: Json) => ({ transaction: shown, meta })),
      }),
      'full',
    )
    expect((await tried()).of('hashes')).toMatchObject({
      state: 'skipped',
      says: expect.stringContaining('the bytes of'),
    })
  })

  it('a node without old blocks fails, and what to do is said', async () => {
    const first = slot - 1
    proxy.fault = async (exchange) => {
      const fault = exchange.methods.includes('getFirstAvailableBlock')
        ? changing('getFirstAvailableBlock', () => first)
        : refusing('getBlock', -32_001, 'Block cleaned up', ([at]) => at < first)
      return fault(exchange, undefined as never)
    }
    const { of } = await trying('solana', 'localnet', [proxy.url], { blocks: 2 })
    expect(of('history')).toMatchObject({
      state: 'failed',
      lie: null,
      todo: expect.stringContaining('Let it keep more blocks'),
    })
  })

  it('a node that is behind the others fails', async () => {
    proxy.fault = refusing('getHealth', -32_005, 'Node is behind by 42 slots')
    expect((await tried()).of('synced')).toMatchObject({
      state: 'failed',
      says: expect.stringContaining('behind by 42 slots'),
    })
  })

  it('a node that keeps no transactions fails', async () => {
    proxy.fault = refusing('getBlock', -32_011, 'Transaction history is not available from this node')
    expect((await tried()).of('synced').says).toContain('--enable-rpc-transaction-history')
  })

  it('a request that came too often is counted', async () => {
    let isFirst = true
    proxy.fault = async ({ ask, methods }, response) => {
      if (!isFirst || !methods.includes('getBlocks')) return ask()
      isFirst = false
      response.writeHead(429, { 'Retry-After': '1' }).end('Too Many Requests')
      return undefined
    }
    const { of } = await trying('solana', 'localnet', [proxy.url], { blocks: 2 })
    expect(of('rate_limit')).toMatchObject({
      state: 'failed',
      says: expect.stringMatching(/^It refused 1 of \d+ requests/),
    })
  })
})
