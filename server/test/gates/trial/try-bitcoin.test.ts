import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { coins } from '../../support/nodes/coin-node.ts'
import { describeEachCoin } from '../../support/nodes/each-coin.ts'
import { changing, type FaultProxy, refusing, startFaultProxy } from '../../support/nodes/fault-proxy.ts'
import { runCommand } from '../../support/processes/run-command.ts'
import { nodeHarness } from '../bitcoin/harness.ts'
import { trying } from './trying.ts'

const units = 12_345_678n
const zeros = '0'.repeat(64)

describeEachCoin((coin) => {
  let harness: Awaited<ReturnType<typeof nodeHarness>>
  let proxy: FaultProxy
  let txHash: string
  let payingBlock: { hash: string; previousblockhash: string; height: number }
  beforeAll(async () => {
    harness = await nodeHarness(coin)
    proxy = await startFaultProxy(harness.node.url)
    txHash = await harness.pay([{ to: harness.stranger, currency: coins[coin].currency, units }])
    await harness.mine(4)
    const top: number = await harness.node.ask('getblockcount')
    payingBlock = await harness.node.ask('getblock', await harness.node.ask('getblockhash', top - 3))
  })
  afterEach(() => {
    proxy.fault = null
  })
  afterAll(async () => {
    await proxy?.close()
    await harness?.close()
  })

  const tried = (urls = [proxy.url]) => trying(coin, 'regtest', urls)

  it('a sound node passes every check', async () => {
    const { report, names, of } = await tried()
    expect(names('failed')).toEqual([])
    expect(names('skipped')).toEqual([])
    expect(of('alone').says).toMatch(/^[1-9]\d* payments? ha(s|ve) the same amount alone/)
    expect(of('hashes').says).toContain('every transaction with its amounts')
    expect(report.servers[0]?.software).toMatch(/^\/\w+/)
    expect(report.agreement.state).toBe('skipped')
  })

  it('the cookie file is a login too, and a wrong one is said', async () => {
    const url = `http://127.0.0.1:${harness.node.port}`
    const good = await trying(coin, 'regtest', [url], { cookieFile: harness.node.cookieFile })
    expect(good.names('failed')).toEqual([])
    const bad = await trying(coin, 'regtest', [url.replace('//', '//someone:wrong-password@')])
    expect(bad.of('reachable')).toMatchObject({
      state: 'failed',
      says: expect.stringContaining('refused access'),
    })
    expect(bad.names('skipped')).toHaveLength(13)
  })

  it('several nodes that say the same agree, and one that says otherwise is named', async () => {
    const same = await tried([proxy.url, harness.node.url])
    expect(same.report.agreement).toMatchObject({ state: 'passed', says: '2 servers show the same blocks.' })
    const earlier = (shown: { time: number } | string) =>
      typeof shown === 'string' ? shown : { ...shown, time: shown.time - 1 }
    proxy.fault = async (exchange) =>
      exchange.methods[0] === 'getblock'
        ? changing('getblock', earlier)(exchange, undefined as never)
        : changing('getblockheader', earlier)(exchange, undefined as never)
    const other = await tried([harness.node.url, proxy.url])
    expect(other.names('failed')).toEqual([])
    expect(other.names('failed', 2)).toEqual(['hashes'])
    expect(other.report.agreement.lie).toMatchObject({
      call: expect.stringMatching(/^block \d+ on server 2 \(127\.0\.0\.1:\d+\)$/),
      said: expect.stringMatching(/^that it was made at /),
    })
  })

  describe('a lie is named:', () => {
    it('another chain', async () => {
      proxy.fault = changing('getblockhash', (hash, [height]) => (height === 0 ? 'ab'.repeat(32) : hash))
      const { of, names } = await tried()
      expect(of('chain').lie).toEqual({
        call: 'getblockhash 0',
        said: `that block 0 is ${'ab'.repeat(32)}`,
        truth: expect.stringMatching(new RegExp(`^block 0 of ${coin} regtest is [0-9a-f]{64}$`)),
      })
      expect(names('passed')).toEqual(['reachable'])
    })

    it('another name of the chain', async () => {
      proxy.fault = changing('getblockchaininfo', (info) => ({ ...info, chain: 'main' }))
      expect((await tried()).of('synced').lie).toMatchObject({
        call: 'getblockchaininfo',
        said: 'that its chain is main',
      })
    })

    it('a wrong parent', async () => {
      const lying = (block: { hash: string }) =>
        block.hash === payingBlock.hash ? { ...block, previousblockhash: zeros } : block
      proxy.fault = changing('getblockheader', (header) =>
        typeof header === 'string' ? header : lying(header),
      )
      const { of } = await tried()
      expect(of('blocks').lie).toMatchObject({
        call: `block ${payingBlock.height} (${payingBlock.hash})`,
        said: `that its parent is ${zeros}`,
      })
      expect(of('hashes').lie).toMatchObject({
        said: `that its parent is ${zeros}`,
        truth: `the header, whose hash is right, says that it is ${payingBlock.previousblockhash}`,
      })
    })

    it('a changed amount', async () => {
      proxy.fault = async ({ ask }) => (await ask()).replaceAll('0.12345678', '1.12345678')
      const { of } = await tried()
      const lie = of('hashes').lie
      expect(lie?.call).toBe(`getblock ${payingBlock.hash} 2 (block ${payingBlock.height})`)
      expect(lie?.said).toMatch(new RegExp(`^that ${txHash}:\\d pays 112345678 units$`))
      expect(lie?.truth).toBe(`its bytes pay ${units}`)
    })

    it('a changed amount, in the bytes too', async () => {
      const written = (amount: bigint) => {
        const bytes = Buffer.alloc(8)
        bytes.writeBigUInt64LE(amount)
        return bytes.toString('hex')
      }
      const more = units + 100_000_000n
      proxy.fault = async ({ ask }) =>
        (await ask()).replaceAll('0.12345678', '1.12345678').replaceAll(written(units), written(more))
      expect((await tried()).of('hashes').lie).toMatchObject({
        said: `that transaction ${txHash} has certain bytes`,
        truth: 'these bytes do not have this hash',
      })
    })

    it('a transaction that is left out', async () => {
      proxy.fault = changing('getblock', (block) => ({
        ...block,
        tx: block.tx.filter(({ txid }: { txid?: string }) => txid !== txHash),
      }))
      expect((await tried()).of('hashes').lie?.said).toMatch(
        /^that it has \d+ transactions, whose merkle root is/,
      )
    })

    it('blocks that it claims to keep, and does not', async () => {
      proxy.fault = refusing(
        'getblock',
        -1,
        'Block not available (pruned data)',
        ([hash]) => hash !== payingBlock.hash,
      )
      const only = await tried()
      expect(only.of('history').lie).toMatchObject({
        call: 'getblockchaininfo',
        said: 'that it keeps all blocks (pruned: false)',
        truth: expect.stringContaining('asked for block 1, it says'),
      })
    })

    it('something made up', async () => {
      proxy.fault = async ({ body, ask }) =>
        body.method === 'gettxout' ? JSON.stringify({ id: body.id, result: {}, error: null }) : ask()
      expect((await tried()).of('unknown').lie).toMatchObject({
        call: expect.stringMatching(/^gettxout [0-9a-f]{64}$/),
        truth: 'this hash was made up',
      })
    })
  })

  it('every missing method is named, with what it is needed for', async () => {
    proxy.fault = refusing('getrawmempool', -32_601, 'Method not found')
    const { of } = await tried()
    expect(of('methods')).toMatchObject({
      state: 'failed',
      says: expect.stringContaining(
        'getrawmempool (needed to show payments before they are mined): Method not found (code -32601)',
      ),
    })
  })

  it('a fee above the ceiling fails', async () => {
    proxy.fault = changing('getmempoolinfo', (info) => ({ ...info, mempoolminfee: 0.9 }))
    expect((await tried()).of('fees')).toMatchObject({
      state: 'failed',
      says: 'It says that a fee of 90000 units per virtual byte is needed, above the ceiling of 500.',
    })
  })

  it('a rate limit is seen', async () => {
    let requests = 0
    proxy.fault = async ({ ask }, response) => {
      if (++requests !== 5) return ask()
      response.writeHead(429).end('Too Many Requests')
      return undefined
    }
    const { of } = await tried()
    expect(of('rate_limit')).toMatchObject({
      state: 'failed',
      says: expect.stringMatching(/^It refused 1 of \d+ requests because they came too often/),
    })
  })

  it('the command prints the report, for people and for machines, and shows no secret of the URL', async () => {
    const secret = 'planted-secret-7f3a'
    const url = `${proxy.url.replace(/\/$/, '')}/${secret}?key=${secret}`
    const args = ['gate', 'try', coin, '--chain', 'regtest', '--blocks', '3', '--url', url]
    const good = await runCommand(args, {})
    expect(good.stdout).toMatch(/^Sluice \S+ tried a server of \w+ \(regtest\) at /)
    expect(good.stdout).toMatch(/^passed {3}reachable: It answers in \d+ ms/m)
    expect(good.stdout).toMatch(/\n1[0-9] passed, 0 failed, \d skipped\.\n$/)
    expect(good.code).toBe(0)

    proxy.fault = async () => `<html>wrong key ${secret}, ${url}</html>`
    const bad = await runCommand([...args, '--json'], {})
    expect(bad.code).toBe(1)
    expect(JSON.parse(bad.stdout)).toMatchObject({ ok: false, network: coin, servers: [{ server: 1 }] })
    expect(bad.stdout).toContain('wrong key …')
    for (const { stdout, stderr } of [good, bad]) {
      expect(stdout + stderr).not.toContain(secret)
      expect(stdout + stderr).not.toContain('password:')
      expect(stdout + stderr).not.toContain('a%20password')
    }
  })
})
