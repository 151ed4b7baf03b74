import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { auditBooks } from '../../../src/app/audit/audit-books.ts'
import { followChain } from '../../../src/app/chain/follow-chain.ts'
import { listAlerts } from '../../../src/app/operator/list-alerts.ts'
import { listGates } from '../../../src/app/operator/list-gates.ts'
import { OutageError } from '../../../src/domain/errors.ts'
import { query } from '../../support/database/database.ts'
import { type Anvil, startAnvil } from '../../support/nodes/anvil.ts'
import { changing, type FaultProxy, startFaultProxy } from '../../support/nodes/fault-proxy.ts'
import { untilFailing } from '../../support/nodes/old-trouble.ts'
import { eventually } from '../../support/servers/hook-receiver.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop, settle } from '../../support/shop/shop.ts'

const gateId = 'ethereum-test'
const eth = { currency: 'ETH', network: 'ethereum' }

let node: Anvil
let proxy: FaultProxy
let service: TestService
let shop: Shop
beforeAll(async () => {
  node = await startAnvil()
  proxy = await startFaultProxy(node.url)
  service = await startTestService({ ...quiet, config: { ...quiet.config, gates: [gateConfig()] } })
  await eventually(() => expect(service.app.gates.isOnline(gateId)).toBe(true))
  shop = await openShop(service)
})
afterEach(async () => {
  proxy.fault = null
  await settle(service, gateId)
  expect(await auditBooks(service.app)).toEqual({ ok: true, differences: [] })
})
afterAll(async () => {
  await service.stop()
  await proxy.close()
  await node.giveBack()
})

function gateConfig(change: object = {}) {
  return {
    network: 'ethereum',
    environment: 'test',
    kind: 'evm',
    rpc_url: proxy.url,
    chain_id: 31_337,
    confirmations: 2,
    poll_seconds: 1,
    ...change,
  }
}

async function pay(address: string, units: bigint): Promise<void> {
  const [from] = await node.ask('eth_accounts')
  await node.ask('eth_sendTransaction', { from, to: address, value: `0x${units.toString(16)}` })
}

async function followed(): Promise<number> {
  return Number((await service.app.store.followedChains.find(gateId))?.tip.height)
}

it('a payment on a real node is seen before it is mined, and pays its invoice when it is deep enough', async () => {
  const invoice = await shop.create({ ...eth, amount: '0.5' })
  await pay(invoice.deposit_address, 5n * 10n ** 17n)
  await settle(service, gateId)
  expect(await shop.get(invoice)).toMatchObject({ status: 'pending', amount_pending: '0.5' })
  await node.mine(1)
  await settle(service, gateId)
  expect(await shop.get(invoice)).toMatchObject({ amount_paid: '0', amount_pending: '0.5' })
  await node.mine(1)
  await settle(service, gateId)
  expect(await shop.get(invoice)).toMatchObject({ status: 'paid', amount_paid: '0.5', amount_pending: '0' })
})

it.each([
  ['is unreachable', async () => 'cut' as const],
  ['answers nonsense', async () => '{"jsonrpc":"2.0","id":1,"result":{}}'],
  [
    'reports a wrong height',
    changing('eth_getBlockByNumber', (block) => ({ ...block, number: `0x${(2n ** 60n).toString(16)}` })),
  ],
  [
    'shows a block that does not fit its chain',
    changing('eth_getBlockByNumber', (block) => ({ ...block, parentHash: `0x${'ab'.repeat(32)}` })),
  ],
])(
  'while the node %s nothing is credited and the cursor stays, and then following continues',
  async (_, fault) => {
    const invoice = await shop.create({ ...eth, amount: '0.1' })
    await settle(service, gateId)
    const before = await followed()
    proxy.fault = fault
    await pay(invoice.deposit_address, 10n ** 17n)
    await node.mine(2)
    const gate = service.app.gates.find(gateId)
    if (gate === null) throw new Error('There is no gate.')
    await expect(followChain(service.app, gate, { evenIfHeld: true })).rejects.toBeInstanceOf(OutageError)
    expect(await followed()).toBe(before)
    expect(await shop.get(invoice)).toMatchObject({ amount_paid: '0', amount_pending: '0' })
    proxy.fault = null
    await settle(service, gateId)
    expect(await shop.get(invoice)).toMatchObject({ status: 'paid', amount_paid: '0.1' })
  },
)

it('while the node is unreachable, only new invoices of its network are refused', async () => {
  proxy.fault = async () => 'cut'
  await untilFailing(service, gateId)
  await expect
    .poll(async () => (await shop.call('createInvoice', { json: { ...eth, amount: '1' } })).status)
    .toBe(503)
  await shop.create({ currency: 'BTC', amount: '0.01' })
  await shop.create({ currency: 'POL', amount: '1' })
  proxy.fault = null
  await eventually(() => expect(service.app.gates.isOnline(gateId)).toBe(true))
  await shop.create({ ...eth, amount: '1' })
})

it('a node on another chain halts its gate with the reason, and the gate recovers by itself on the right chain', async () => {
  const ofGate = async () => (await listGates(service.app)).find(({ gate }) => gate.id === gateId)
  proxy.fault = async () => 'cut'
  await expect
    .poll(() => query(service.database.url, 'select from gate_progress where trouble is not null'))
    .toHaveLength(1)
  proxy.fault = changing('eth_chainId', () => '0x1')
  await expect.poll(async () => (await ofGate())?.status).toBe('halted')
  expect((await ofGate())?.haltReason).toMatch(
    /node of ethereum-test at .* is on chain 1, but it must be on chain 31337. Point rpc_url at the right node/,
  )
  const answer = await shop.call('createInvoice', { json: { ...eth, amount: '1' } })
  expect([answer.status, answer.body.error?.code]).toEqual([503, 'gate_offline'])
  expect((await listAlerts(service.app)).find((each) => each.gateId === gateId)).toMatchObject({
    kind: 'gate_halted',
    details: expect.stringContaining('is on chain 1'),
  })
  proxy.fault = null
  await expect.poll(async () => (await ofGate())?.status).toBe('online')
  await shop.create({ ...eth, amount: '1' })
})

it('a live gate on a node of another chain is refused at the start, even without a live wallet', async () => {
  const live = { ...gateConfig({ environment: 'live', chain_id: 1 }) }
  await expect(startTestService({ ...quiet, config: { ...quiet.config, gates: [live] } })).rejects.toThrow(
    /node of ethereum-live at .* is on chain 31337, but it must be on chain 1. Point rpc_url at the right node/,
  )
})

it('a token that the gate does not list is refused there and shown as offline', async () => {
  const json = { currency: 'USDC', network: 'ethereum', amount: '5' }
  const answer = await shop.expect(503, 'createInvoice', { json })
  expect(answer.body.error.code).toBe('gate_offline')
  const { body } = await shop.expect(200, 'listCurrencies', { query: { environment: 'test' } })
  const rowOf = (code: string) =>
    body.data
      .find((each: { code: string }) => each.code === code)
      .networks.find((each: { network: string }) => each.network === 'ethereum')
  expect(rowOf('USDC')).toMatchObject({ status: 'offline', contract_address: null })
  expect(rowOf('ETH')).toMatchObject({ status: 'online', required_confirmations: 2 })
})

it('a chain with the same id but another genesis block is refused once addresses were given out', async () => {
  const other = await startAnvil()
  const gates = [gateConfig({ rpc_url: other.url })]
  const config = { ...quiet.config, gates }
  await expect(startTestService({ ...quiet, config, database: service.database })).rejects.toThrow(
    /ethereum-test is evm 31337 0x[0-9a-f]{64} in this database.*so it cannot become evm 31337 0x/,
  )
  const wrong = { ...quiet.config, gates: [gateConfig({ rpc_url: other.url, chain_id: 31_338 })] }
  await expect(startTestService({ ...quiet, config: wrong, database: service.database })).rejects.toThrow(
    'is on chain 31337, but it must be on chain 31338',
  )
  await other.close()
})
