import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Coin, type CoinNode, coinNetworks, coins, startCoinNode } from '../support/nodes/coin-node.ts'
import { mainCoin } from '../support/nodes/each-coin.ts'
import { changing, type FaultProxy, startFaultProxy } from '../support/nodes/fault-proxy.ts'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import { runCommand } from '../support/processes/run-command.ts'
import { type SluiceProcess, startSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { call } from '../support/shop/contract-client.ts'

const coin = mainCoin()
const other = coin === 'bitcoin' ? 'litecoin' : 'bitcoin'
const prefixes = { bitcoin: 'bc1q', litecoin: 'ltc1q' }
let folder: TemporaryFolder
let node: CoinNode
let proxy: FaultProxy
let service: SluiceProcess | null = null
beforeAll(async () => {
  folder = await makeTemporaryFolder()
  await makeDataFolder(join(folder.path, 'data'))
  // The main chain as a node without peers has it: its first block.
  node = await startCoinNode(coin, '-chain=main', '-disablewallet')
  proxy = await startFaultProxy(node.url)
})
afterAll(async () => {
  await service?.end('SIGTERM')
  await proxy.close()
  await node.close()
  await folder.remove()
})

it('a live gate waits for the live wallet and for its node, and then gives out addresses of the main chain', async () => {
  const env = {
    SLUICE_DATA_DIR: join(folder.path, 'data'),
    SLUICE_CONFIG: join(folder.path, 'config.json'),
    SLUICE_WALLET_KEY_FILE: join(folder.path, 'wallet-key'),
  }
  const gate = {
    network: coin,
    environment: 'live',
    kind: 'bitcoin',
    rpc_url: proxy.url,
    chain: 'main',
  }
  await writeFile(env.SLUICE_CONFIG, JSON.stringify({ gates: [gate], addresses: { ready: 20 } }))
  const running = await startSluice(env)
  service = running
  expect(running.stderr()).toContain('the gate waits for the live wallet')
  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand([...args, '--json'], env)
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout)
  }
  // A demo's owner is also the operator, and its password is printed: none is created beside a live gate.
  expect(running.ready).toEqual({ url: running.ready.url })
  const { merchant_id: merchantId } = await command('merchant', 'create', '--name', 'Live shop')
  const { key } = await command(
    ...['key', 'create', '--merchant', merchantId, '--environment', 'live', '--permissions', 'all'],
  )
  const create = (body: object) =>
    call(running.ready.url, 'createInvoice', { key, body: JSON.stringify(body) })
  const of = (which: Coin) => ({ currency: coins[which].currency, network: which, amount: '1' })
  expect((await create(of(coin))).body.error.code).toBe('gate_offline')

  // The keys are published at once, but a node that is still downloading has no current tip.
  await command('wallet', 'init', '--environment', 'live')
  await expect.poll(() => proxy.calls.get('getblockchaininfo') ?? 0).toBeGreaterThan(1)
  expect((await create(of(coin))).body.error.code).toBe('gate_offline')
  proxy.fault = changing('getblockchaininfo', (info) => ({ ...info, initialblockdownload: false }))
  await expect.poll(async () => (await create(of(coin))).status).toBe(201)
  expect((await create(of(coin))).body.data).toMatchObject({
    environment: 'live',
    gate_id: `${coin}-live`,
    required_confirmations: coinNetworks[coin].confirmations,
    deposit_address: expect.stringMatching(`^${prefixes[coin]}`),
  })
  // No live network is ever simulated.
  expect((await create(of(other))).body.error.code).toBe('gate_offline')
})
