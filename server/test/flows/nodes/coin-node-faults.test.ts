import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { auditBooks } from '../../../src/app/audit/audit-books.ts'
import { followChain } from '../../../src/app/chain/follow-chain.ts'
import { listAlerts } from '../../../src/app/operator/list-alerts.ts'
import { OutageError } from '../../../src/domain/errors.ts'
import { coins } from '../../support/nodes/coin-node.ts'
import { mainCoin } from '../../support/nodes/each-coin.ts'
import { changing, type FaultProxy, startFaultProxy } from '../../support/nodes/fault-proxy.ts'
import { type NodeShop, openNodeShop } from '../../support/nodes/node-shop.ts'
import { untilFailing } from '../../support/nodes/old-trouble.ts'
import { eventually } from '../../support/servers/hook-receiver.ts'
import { attemptsOf, gateOf, hurry, untilSent } from '../../support/shop/money-out.ts'

const coin = mainCoin()
const other = coin === 'bitcoin' ? 'litecoin' : 'bitcoin'
let stage: NodeShop
let proxy: FaultProxy
beforeAll(async () => {
  stage = await openNodeShop(coin, {
    config: { payouts: { raise_fee_after_seconds: 1 } },
    async url(node) {
      proxy = await startFaultProxy(node.url)
      return proxy.url
    },
  })
})
afterEach(async () => {
  proxy.fault = null
  await stage.settle()
  expect(await auditBooks(stage.service.app)).toEqual({ ok: true, differences: [] })
  expect(await stage.heldInBooks()).toBe(await stage.heldOnChain())
})
afterAll(async () => {
  await stage.close()
  await proxy.close()
})

async function paidInvoice(amount: string) {
  const invoice = await stage.shop.create(stage.of(amount))
  const hash = await stage.cli('sendtoaddress', invoice.deposit_address, amount)
  return { invoice, hash }
}

async function followed(): Promise<number> {
  return Number((await stage.service.app.store.followedChains.find(stage.gateId))?.tip.height)
}

/** Replaces the last blocks with one block more, all empty; the node returns their transactions to its mempool. */
async function reorganise(depth: number): Promise<void> {
  const { node } = stage
  const top: number = await node.ask('getblockcount')
  await node.ask('invalidateblock', await node.ask('getblockhash', top - depth + 1))
  for (let made = 0; made <= depth; made++) await node.mineExactly([])
}

it('a deposit that is reorganised away is reversed once, and credited once when it is mined again', async () => {
  const { shop, mine, settle } = stage
  const { invoice } = await paidInvoice('1')
  await mine(2)
  expect(await shop.get(invoice)).toMatchObject({ status: 'paid' })
  await reorganise(2)
  await settle()
  expect(await shop.get(invoice)).toMatchObject({ status: 'pending', amount_paid: '0', amount_pending: '1' })
  await mine(2)
  expect(await shop.get(invoice)).toMatchObject({ status: 'paid', amount_paid: '1' })
  const entries = await shop.ledger(coins[coin].currency)
  expect(entries.map(({ entry_type }) => entry_type)).toEqual(['deposit', 'reversal', 'deposit'])
})

it('a deposit that is replaced before it is mined counts for nothing', async () => {
  const { shop, mine, settle, cli, node } = stage
  const invoice = await shop.create(stage.of('1'))
  const hash = await cli(
    '-named',
    'sendtoaddress',
    `address=${invoice.deposit_address}`,
    'amount=1',
    'replaceable=true',
  )
  await settle()
  expect(await shop.get(invoice)).toMatchObject({ amount_pending: '1' })
  // The same coins, to another address, at a higher fee.
  const { vin, vout } = await node.ask('getrawtransaction', hash, true)
  const elsewhere = await cli('getnewaddress')
  const total = vout.reduce((sum: number, { value }: { value: string }) => sum + Number(value), 0)
  const raw = await node.ask(
    'createrawtransaction',
    vin.map(({ txid, vout: index }: { txid: string; vout: number }) => ({ txid, vout: index, sequence: 1 })),
    { [elsewhere]: (total - 0.01).toFixed(8) },
  )
  await node.ask('sendrawtransaction', (await node.ask('signrawtransactionwithwallet', raw)).hex, 0)
  await settle()
  expect(await shop.get(invoice)).toMatchObject({ status: 'pending', amount_pending: '0' })
  await mine(3)
  expect(await shop.get(invoice)).toMatchObject({ status: 'pending', amount_paid: '0', amount_pending: '0' })
})

it('a payout whose block is reorganised away is found in the next one and paid once', async () => {
  const { shop, mine, cli, untilPaidOut, node, settle } = stage
  const destination = await cli('getnewaddress')
  const payout = await shop.payOut({ ...stage.of('0.3'), destination })
  expect((await shop.approve(payout)).status).toBe(200)
  await untilSent(stage.service, payout)
  await mine(1)
  await reorganise(1)
  await settle()
  expect(await shop.payout(payout)).toMatchObject({ status: 'processing' })
  expect(await node.ask('getrawmempool')).toHaveLength(1)
  const done = await untilPaidOut(payout)
  // Deep enough and booked; then even that block is replaced.
  await reorganise(2)
  await settle()
  await mine(2)
  expect(await shop.payout(payout)).toEqual(done)
  expect(await cli('getreceivedbyaddress', destination, '1')).toBe('0.30000000')
  expect(await attemptsOf(stage.service, payout)).toHaveLength(1)
})

it('a payout is paid once when the node accepts its transaction but does not answer', async () => {
  const { shop, cli, untilPaidOut, node } = stage
  const destination = await cli('getnewaddress')
  let taken = 0
  proxy.fault = async ({ methods, ask }) => {
    const answer = await ask()
    if (!methods.includes('sendrawtransaction')) return answer
    taken++
    return 'cut'
  }
  const payout = await shop.payOut({ ...stage.of('0.2'), destination })
  expect((await shop.approve(payout)).status).toBe(200)
  await eventually(async () => {
    await hurry(stage.service)
    expect(taken).toBeGreaterThanOrEqual(2)
  })
  expect(await node.ask('getrawmempool')).toHaveLength(1)
  expect(await shop.payout(payout)).toMatchObject({ status: 'processing' })
  proxy.fault = null
  await untilPaidOut(payout)
  expect(await cli('getreceivedbyaddress', destination, '1')).toBe('0.20000000')
  expect(await attemptsOf(stage.service, payout)).toHaveLength(1)
})

it('a payout that waits while fees rise is replaced by one that spends the same coins, and paid once', async () => {
  const { shop, cli, untilPaidOut, node, service } = stage
  const destination = await cli('getnewaddress')
  const payout = await shop.payOut({ ...stage.of('0.1'), destination })
  expect((await shop.approve(payout)).status).toBe(200)
  await untilSent(service, payout)
  const [first] = await attemptsOf(service, payout)
  expect(await node.ask('getrawmempool')).toEqual([first?.hash])

  proxy.fault = changing('estimatesmartfee', () => ({ feerate: 0.0002, blocks: 3 }))
  await eventually(async () => {
    await hurry(service)
    const waiting = await node.ask('getrawmempool')
    expect(waiting).toHaveLength(1)
    expect(waiting).not.toContain(first?.hash)
  })
  proxy.fault = null
  const done = await untilPaidOut(payout)
  const attempts = await attemptsOf(service, payout)
  expect(attempts.at(-1)?.hash).toBe(done.tx_hash)
  const inputs = (plan: { inputs: { txHash: string; outputIndex: number }[] }) =>
    plan.inputs.map(({ txHash, outputIndex }) => `${txHash}:${outputIndex}`)
  for (const { plan } of attempts) expect(inputs(plan)).toEqual(inputs(first?.plan))
  expect(BigInt(attempts.at(-1)?.fee)).toBeGreaterThan(BigInt(first?.fee))
  expect(await cli('getreceivedbyaddress', destination, '2')).toBe('0.10000000')
})

it('a node that lost its newest blocks moves nothing back, and following continues once it has them again', async () => {
  const { shop, mine, node, service } = stage
  const { invoice } = await paidInvoice('0.5')
  await mine(3)
  expect(await shop.get(invoice)).toMatchObject({ status: 'paid' })
  const top = await followed()
  const lost = await node.ask('getblockhash', top - 2)
  await node.ask('invalidateblock', lost)
  const gate = gateOf(service, coin)
  expect(await followChain(service.app, gate, { evenIfHeld: true })).toBe('idle')
  expect([await followed(), (await shop.get(invoice)).status]).toEqual([top, 'paid'])
  await node.ask('reconsiderblock', lost)
  await mine(1)
  expect(await followed()).toBe(top + 1)
})

it('a node that reports a wrong height moves nothing', async () => {
  const top = await followed()
  const gate = gateOf(stage.service, coin)
  const follow = () => followChain(stage.service.app, gate, { evenIfHeld: true })
  proxy.fault = changing('getblockchaininfo', (info) => ({ ...info, blocks: info.blocks + 1_000 }))
  await expect(follow()).rejects.toBeInstanceOf(OutageError)
  proxy.fault = changing('getblockchaininfo', (info) => ({ ...info, blocks: 1 }))
  await expect(follow()).resolves.toBe('idle')
  expect(await followed()).toBe(top)
})

it('a gate whose pruned node lacks the next block is offline with the reason, and later credits what it missed', async () => {
  const { shop, node, service, settle } = stage
  const { invoice } = await paidInvoice('0.4')
  const error = { code: -1, message: 'Block not available (pruned data)' }
  proxy.fault = async ({ body, ask }) =>
    body.method === 'getblock' ? JSON.stringify({ result: null, error, id: body.id }) : ask()
  await node.mine(2)
  await untilFailing(service, stage.gateId)
  const create = () => shop.call('createInvoice', { json: stage.of('1') })
  await expect.poll(async () => (await create()).body.error?.code).toBe('gate_offline')
  const alerts = await listAlerts(service.app)
  expect(alerts.find(({ gateId }) => gateId === stage.gateId)).toMatchObject({
    kind: 'gate_offline',
    details: expect.stringMatching(/no longer has block \d+.*"prune"/),
  })
  proxy.fault = null
  await expect.poll(async () => (await create()).status).toBe(201)
  await settle()
  expect(await shop.get(invoice)).toMatchObject({ status: 'paid', amount_paid: '0.4' })
})

it('a stopped node takes only its own network offline, and after a restart 100 missed blocks are read', async () => {
  const { shop, node, cli, settle } = stage
  const { invoice } = await paidInvoice('0.7')
  const early = await shop.create(stage.of('0.6'))
  await settle()
  const top = await followed()
  await node.stop()
  await untilFailing(stage.service, stage.gateId)
  await eventually(async () => {
    const answer = await shop.call('createInvoice', { json: stage.of('1') })
    expect([answer.status, answer.body.error?.code]).toEqual([503, 'gate_offline'])
  })
  await shop.create({ currency: coins[other].currency, network: other, amount: '0.01' })
  expect(await followed()).toBe(top)

  await node.start()
  await cli('loadwallet', 'payer')
  // The service does not follow these blocks: its connection to the node is cut.
  proxy.fault = async () => 'cut'
  await node.mine(50)
  await cli('sendtoaddress', early.deposit_address, '0.6')
  await node.mine(50)
  expect(await followed()).toBe(top)
  proxy.fault = null
  await eventually(async () => expect(await followed()).toBe(top + 100))
  await settle()
  for (const each of [invoice, early]) expect(await shop.get(each)).toMatchObject({ status: 'paid' })
  await eventually(async () => {
    const answer = await shop.call('createInvoice', { json: stage.of('1') })
    expect(answer.status).toBe(201)
  })
})
