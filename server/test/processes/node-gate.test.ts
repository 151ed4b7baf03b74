import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CoinNode, coins, startCoinNode, stopsSoon } from '../support/nodes/coin-node.ts'
import { mainCoin } from '../support/nodes/each-coin.ts'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import { runCommand } from '../support/processes/run-command.ts'
import { runSluice, type SluiceProcess, startSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { call } from '../support/shop/contract-client.ts'

const coin = mainCoin()
const otherCoin = coin === 'bitcoin' ? 'litecoin' : 'bitcoin'
const prefixes = { bitcoin: 'bcrt1q', litecoin: 'rltc1q' }
// Every process refuses in the same way; this one is alone.
const asWorker = ['start', '--role', 'worker', '--json']
let folder: TemporaryFolder
let node: CoinNode
let service: SluiceProcess | null = null
let env: Record<string, string>
beforeAll(async () => {
  folder = await makeTemporaryFolder()
  node = await startCoinNode(coin, '-disablewallet', stopsSoon)
  await node.mine(3)
  env = { SLUICE_DATA_DIR: join(folder.path, 'data'), SLUICE_CONFIG: join(folder.path, 'config.json') }
  await makeDataFolder(join(folder.path, 'data'))
})
afterAll(async () => {
  await service?.end('SIGTERM')
  await node.close()
  await folder.remove()
})

async function configure(...gates: object[]): Promise<void> {
  await writeFile(join(folder.path, 'config.json'), JSON.stringify({ gates, addresses: { ready: 20 } }))
}

const gate = (change: object = {}) => ({
  network: coin,
  environment: 'test',
  kind: 'bitcoin',
  chain: 'regtest',
  confirmations: 2,
  rpc_url: `http://127.0.0.1:${node.port}`,
  rpc_cookie_file: node.cookieFile,
  ...change,
})

it('a node on another chain is refused at the start, and both chains are named', async () => {
  await chmod(node.cookieFile, 0o644)
  await configure(gate({ network: otherCoin }))
  const { code, stderr } = await runSluice(asWorker, env)
  expect(code).toBe(1)
  expect(stderr).toContain(`is on ${coin} regtest`)
  expect(stderr).toContain(`must be on ${otherCoin} regtest`)
})

it('a live gate on a test node is refused at the start, even without a live wallet yet', async () => {
  await chmod(node.cookieFile, 0o644)
  await configure(gate({ environment: 'live', chain: 'main' }))
  const { code, stderr } = await runSluice(asWorker, env)
  expect(code).toBe(1)
  expect(stderr).toContain(`The node of ${coin}-live is on ${coin} regtest`)
  expect(stderr).toContain(`must be on ${coin} main`)
  expect(stderr).toContain('Point rpc_url at the right node')
})

// Only root runs the processes as other users.
if (process.getuid?.() === 0)
  it('a cookie that the service may not read is reported when root starts it', async () => {
    await chmod(node.cookieFile, 0o600)
    await configure(gate())
    const { code, stderr } = await runSluice(asWorker, env)
    expect(code).toBe(1)
    expect(stderr).toContain(`cannot read ${node.cookieFile}`)
  })

it('isolated processes reach the node with its cookie, even after it restarts; the gate’s chain cannot change', async () => {
  await chmod(node.cookieFile, 0o644)
  await configure(gate())
  const running = await startSluice(env)
  service = running
  const create = async () => {
    const body = JSON.stringify({ currency: coins[coin].currency, network: coin, amount: '1' })
    return call(running.ready.url, 'createInvoice', { key: running.ready.test_key ?? '', body })
  }
  await expect.poll(async () => (await create()).status).toBe(201)
  expect((await create()).body.data).toMatchObject({
    deposit_address: expect.stringMatching(`^${prefixes[coin]}`),
    required_confirmations: 2,
  })
  const heightOf = async () => {
    const { gates } = JSON.parse((await runCommand(['gate', 'list', '--json'], env)).stdout)
    return gates.find((each: { gate_id: string }) => each.gate_id === `${coin}-test`).height
  }
  expect(await heightOf()).toBe(3)
  const listed = await runCommand(
    ['wallet', 'coins', '--network', coin, '--environment', 'test', '--json'],
    env,
  )
  expect(JSON.parse(listed.stdout)).toMatchObject({
    gate_id: `${coin}-test`,
    currency: coins[coin].currency,
    coins: [],
  })
  const { SLUICE_DATA_DIR = '' } = env
  const other = await runCommand(['gate', 'list', '--json'], { SLUICE_DATA_DIR })
  expect([other.code, other.stderr]).toEqual([
    1,
    expect.stringContaining('Use the settings that the service runs'),
  ])
  await node.stop()
  await node.start()
  await chmod(node.cookieFile, 0o644)
  await node.mine(2)
  await expect.poll(heightOf).toBe(5)
  await running.end('SIGTERM')

  await configure()
  const { code, stderr } = await runSluice(asWorker, env)
  expect(code).toBe(1)
  expect(stderr).toContain(`${coin}-test is ${coin} regtest in this database`)
})
