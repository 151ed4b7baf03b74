import type { Address } from 'viem'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { auditBooks } from '../../../src/app/audit/audit-books.ts'
import { listAlerts } from '../../../src/app/operator/list-alerts.ts'
import { listGates } from '../../../src/app/operator/list-gates.ts'
import { type Anvil, startAnvil } from '../../support/nodes/anvil.ts'
import { type EvmShop, openEvmShop } from '../../support/nodes/evm-shop.ts'
import {
  changing,
  type FaultProxy,
  limiting,
  refusing,
  startFaultProxy,
} from '../../support/nodes/fault-proxy.ts'
import { untilFailing } from '../../support/nodes/old-trouble.ts'

const gateId = 'ethereum-test'
const usdt = { currency: 'USDT', network: 'ethereum' }

let node: Anvil
let proxy: FaultProxy
let stage: EvmShop
beforeAll(async () => {
  node = await startAnvil()
  proxy = await startFaultProxy(node.url)
  stage = await openEvmShop(
    { USDT: 'PlainToken' },
    { node: Promise.resolve(node), gate: { rpc_url: proxy.url } },
  )
})
afterEach(async () => {
  proxy.fault = null
  await stage.settle()
  expect(await auditBooks(stage.service.app)).toEqual({ ok: true, differences: [] })
  expect(await stage.heldInBooks('USDT')).toBe(await stage.heldOnChain('USDT'))
})
afterAll(async () => {
  await stage.close()
  await proxy.close()
})

async function create() {
  return stage.shop.call('createInvoice', { json: { ...usdt, amount: '5' } })
}

async function payToken(address: string, units: bigint): Promise<void> {
  const at = stage.tokens.USDT as Address
  await stage.send({ contract: 'PlainToken', at }, 'transfer', address, units)
}

async function ofGate() {
  const [gate] = (await listGates(stage.service.app)).filter(({ gate: { id } }) => id === gateId)
  const alert = (await listAlerts(stage.service.app)).find((each) => each.gateId === gateId)
  const { body } = await stage.shop.expect(200, 'listCurrencies', { query: { environment: 'test' } })
  const currency = body.data.find(({ code }: { code: string }) => code === 'USDT')
  const network = currency.networks.find((each: { network: string }) => each.network === 'ethereum')
  return { status: gate?.status, reason: gate?.offlineReason, alert, shown: network.status }
}

it.each([
  [
    'refuses logs',
    () => refusing('eth_getLogs', -32_601, 'the method eth_getLogs does not exist'),
    'eth_getLogs',
  ],
  ['has no receipts', () => changing('eth_getTransactionReceipt', () => null), 'no receipts'],
  [
    'has lost the state of its blocks',
    () => refusing('eth_call', -32_000, 'missing trie node 0xab (path ) state 0xcd is not available'),
    'archive node',
  ],
])(
  'a gate whose node %s is offline with the reason, and credits what it missed when the node recovers',
  async (_, fault, says) => {
    const invoice = (await create()).body.data
    await payToken(invoice.deposit_address, 5_000_000n)
    proxy.fault = fault()
    await node.mine(2)
    await untilFailing(stage.service, gateId)
    await expect.poll(async () => (await create()).body.error?.code).toBe('gate_offline')
    expect(await ofGate()).toMatchObject({
      status: 'offline',
      reason: expect.stringContaining(says),
      shown: 'offline',
      alert: { kind: 'gate_offline', details: expect.stringContaining(says), since: expect.any(Date) },
    })
    // The node answers every second, but the trouble is logged once.
    const told = stage.service.logged.filter(
      ({ msg, err }) => msg === 'could not follow the chain' && String((err as Error).message).includes(says),
    )
    expect(told).toHaveLength(1)

    proxy.fault = null
    await expect.poll(async () => (await create()).status).toBe(201)
    await stage.settle()
    expect(await stage.shop.get(invoice)).toMatchObject({ status: 'paid', amount_paid: '5' })
    expect(await ofGate()).toMatchObject({
      status: 'online',
      reason: null,
      shown: 'online',
      alert: undefined,
    })
  },
)

it('a provider that allows two requests per second is queried slowly, and a deposit is still seen and credited', async () => {
  const invoice = (await create()).body.data
  await payToken(invoice.deposit_address, 5_000_000n)
  const limit = limiting(2)
  proxy.fault = limit
  const count = 2
  for (let mined = 1; mined <= count; mined++) {
    await node.mine(1)
    const { height } = (await node.ask('eth_getBlockByNumber', 'latest', false).then(({ number }) => ({
      height: Number(number),
    }))) as { height: number }
    await expect
      .poll(async () => Number((await stage.service.app.store.followedChains.find(gateId))?.tip.height), {
        interval: 200,
      })
      .toBe(height)
  }
  await expect.poll(async () => (await stage.shop.get(invoice)).status, { interval: 200 }).toBe('paid')
  // The number of requests matters, not the time they took: a few per block, and few of them refused.
  expect(limit.served()).toBeLessThan(count * 25)
  expect(limit.refused()).toBeLessThan(limit.served())
  expect((await create()).status).toBe(201)
})
