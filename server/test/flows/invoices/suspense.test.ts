import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { releasePayment } from '../../../src/app/suspense/release-payment.ts'
import { type Gate, hotAddressOf } from '../../../src/gates/gate.ts'
import { expectSoundBooks } from '../../support/database/books.ts'
import { query } from '../../support/database/database.ts'
import { audit } from '../../support/database/tampered-books.ts'
import { makePerson, signedIn } from '../../support/people/dashboard-client.ts'
import { runCommand } from '../../support/processes/run-command.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop, settle } from '../../support/shop/shop.ts'

const operator = { actor: 'cli:ada', name: 'ada', ip: null, userAgent: null }
const note = 'The payer chose the wrong token.'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())
afterEach(async () => {
  await expectSoundBooks(service.database.url)
  expect(await audit(service.database.url)).toEqual({ ok: true, differences: [] })
})

const list = async (shop: Shop, filter: Record<string, string> = {}) =>
  (await shop.expect(200, 'listSuspense', { query: filter })).body.data

const release = (paymentId: string, { merchantId }: Pick<Shop, 'merchantId'>) =>
  releasePayment(service.app, operator, { paymentId, merchantId, note })

/** A transaction as any payer may send it, without a tag. */
async function send(
  gateId: string,
  hash: string,
  output: { address: string; currency: string; units: bigint },
): Promise<void> {
  const outputs = [{ ...output, tag: null }]
  await service.app.store.simulatedChains.submit(gateId, {
    feeUnits: 1n,
    outputs,
    makeTransaction: () => ({ hash: hash, bytes: null }),
  })
  await settle(service, gateId)
}

/** An ETH invoice to whose address USDT was sent, and the resulting payment in suspense. */
async function sendWrongToken(shop: Shop, { mined = 12 } = {}) {
  const invoice = await shop.create({ currency: 'ETH', amount: '1' })
  const txHash = await shop.pay({ ...invoice, currency: 'USDT' }, '25')
  if (mined > 0) await shop.mine(mined, 'ethereum')
  const [payment] = await list(shop, { tx_hash: txHash })
  return { invoice, txHash, payment }
}

it('a payment in another currency is shown only to the merchant whose address was paid', async () => {
  const [shop, other] = [await openShop(service), await openShop(service)]
  const { invoice, txHash, payment } = await sendWrongToken(shop, { mined: 0 })
  expect(payment).toMatchObject({
    currency: 'USDT',
    network: 'ethereum',
    amount: '25',
    amount_in_base_currency: '25.00',
    base_currency: 'USD',
    address: invoice.deposit_address,
    tx_hash: txHash,
    reason: 'wrong_currency',
    status: 'pending',
    confirmations: 0,
    invoice_id: invoice.id,
    static_address_id: null,
    released_at: null,
  })
  await shop.mine(12, 'ethereum')
  expect(await list(shop)).toMatchObject([{ id: payment.id, status: 'held', confirmations: 12 }])
  expect(await list(shop, { invoice_id: invoice.id, reason: 'wrong_currency' })).toHaveLength(1)
  expect(await list(shop, { reason: 'dust' })).toEqual([])
  expect(await list(shop, { invoice_id: randomUUID() })).toEqual([])
  expect(await list(other)).toEqual([])
  for (const wrong of ['', 'a b', 'a\0', 'a'.repeat(201)])
    expect((await shop.call('listSuspense', { query: { tx_hash: wrong } })).status).toBe(400)
  expect(await shop.get(invoice)).toMatchObject({ status: 'pending', payments: [] })
  // When it is released to another merchant, it does not reveal whose address was paid.
  await release(payment.id, other)
  expect(await list(other)).toMatchObject([{ id: payment.id, status: 'released', invoice_id: null }])
  expect(await list(shop)).toMatchObject([{ id: payment.id, status: 'released', invoice_id: invoice.id }])
})

it('dust to a static address is shown with it, and a payment without its tag only to the operator', async () => {
  const shop = await openShop(service)
  const address = await shop.createAddress({ currency: 'BTC' })
  await shop.deposit({ address: address.address, amount: '0.000001', currency: 'BTC', network: 'bitcoin' })
  await shop.mine(3)
  expect(await list(shop)).toMatchObject([
    { reason: 'dust', static_address_id: address.id, invoice_id: null, status: 'held' },
  ])
  const tagged = await shop.create({ currency: 'XRP', amount: '20' })
  const txHash = 'A1'.repeat(32)
  await send('xrp-test', txHash, { address: tagged.deposit_address, currency: 'XRP', units: 20_000_000n })
  await shop.mine(1, 'xrp')
  expect(await list(shop, { tx_hash: txHash })).toEqual([])
  const page = { reason: null, invoiceId: null, txHash, limit: 20, offset: 0 }
  expect(await service.app.store.suspense.listAll('test', page)).toMatchObject({
    total: 1,
    rows: [{ reason: 'missing_tag', merchantId: null, isBooked: true }],
  })
  expect(await service.app.store.suspense.listAll('live', page)).toEqual({ total: 0, rows: [] })
})

it('a released payment is credited once, sent as an event, and recorded in ledger and audit log', async () => {
  const shop = await openShop(service)
  const { payment, txHash } = await sendWrongToken(shop)
  await shop.events()
  const released = await release(payment.id, shop)
  expect(released.release).toMatchObject({ merchantId: shop.merchantId, by: 'cli:ada', note })
  expect(await list(shop)).toMatchObject([{ status: 'released', released_at: expect.any(String) }])
  expect(await shop.balance('USDT')).toMatchObject({ available: '25' })
  expect(await shop.ledger('USDT')).toMatchObject([
    {
      entry_type: 'adjustment',
      direction: 'credit',
      amount: '25',
      amount_in_base_currency: null,
      base_currency: null,
      balance_after: '25',
      reference_type: null,
      reference_id: null,
      description: `Released from suspense, paid in ${txHash}: ${note}`,
    },
  ])
  expect(await shop.events()).toMatchObject([
    {
      event: 'balance.credited',
      data: { amount: '25', entry_type: 'adjustment', invoice_id: null, available: '25', ledger_entry_id: 1 },
    },
  ])
  const acts = await query(
    service.database.url,
    `select action, subject, actor, details ->> 'note' as note from audit_entries where chain = $1`,
    [shop.merchantId],
  )
  expect(acts).toContainEqual({ action: 'suspense.released', subject: payment.id, actor: 'cli:ada', note })
  await expect(release(payment.id, shop)).rejects.toThrow('was already released')
})

it('of many concurrent releases one takes effect', async () => {
  const [shop, other] = [await openShop(service), await openShop(service)]
  const { payment } = await sendWrongToken(shop)
  const done = await Promise.allSettled(
    [1, 2, 3, 4].flatMap(() => [release(payment.id, shop), release(payment.id, other)]),
  )
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const balances = await Promise.all([shop.balance('USDT'), other.balance('USDT')])
  expect(balances.flatMap((each) => each?.available ?? []).filter((units) => units !== '0')).toEqual(['25'])
})

it('a released payment that is reorganised away is reversed, and credited again when it returns', async () => {
  const shop = await openShop(service)
  await shop.mine(30, 'ethereum')
  const { payment, txHash } = await sendWrongToken(shop)
  await release(payment.id, shop)
  await service.app.store.simulatedChains.reorganise('ethereum-test', 14, [], { others: 'mempool' })
  await settle(service, 'ethereum-test')
  expect(await shop.balance('USDT')).toMatchObject({ available: '0' })
  expect(await list(shop, { tx_hash: txHash })).toMatchObject([{ status: 'pending' }])
  await shop.mine(14, 'ethereum')
  expect(await shop.balance('USDT')).toMatchObject({ available: '25' })
  expect((await shop.ledger('USDT')).map(({ direction }) => direction)).toEqual(['credit', 'debit', 'credit'])
  expect(await list(shop, { tx_hash: txHash })).toMatchObject([{ status: 'released' }])
  await shop.reorganise(14, [txHash], 'ethereum')
  expect(await shop.balance('USDT')).toMatchObject({ available: '0' })
  expect(await list(shop, { tx_hash: txHash })).toMatchObject([{ status: 'gone' }])
})

it('an unconfirmed payment, an unknown one and one that is not in suspense cannot be released', async () => {
  const shop = await openShop(service)
  const { payment } = await sendWrongToken(shop, { mined: 1 })
  await expect(release(payment.id, shop)).rejects.toThrow('1 of 12 confirmations')
  await expect(release(randomUUID(), shop)).rejects.toThrow('no such payment')
  await expect(release(payment.id, { merchantId: randomUUID() })).rejects.toThrow('There is no merchant')
  const invoice = await shop.fund('0.01')
  const [credited] = await query<{ id: string }>(
    service.database.url,
    'select id from payments where invoice_id = $1',
    [invoice.id],
  )
  await expect(release(credited?.id ?? '', shop)).rejects.toThrow('no such payment')
  const address = hotAddressOf(service.app.gates.find('ethereum-test') as Gate) ?? ''
  const txHash = `0x${'5f'.repeat(32)}`
  await send('ethereum-test', txHash, { address, currency: 'ETH', units: 5n })
  await shop.mine(12, 'ethereum')
  const [float] = await query<{ id: string }>(
    service.database.url,
    'select id from payments where tx_hash = $1',
    [txHash],
  )
  await expect(release(float?.id ?? '', shop)).rejects.toThrow('your own float')
  expect(await shop.balance('USDT')).toBeUndefined()
})

it('the operator lists and releases payments by command', async () => {
  const shop = await openShop(service)
  const { payment, txHash } = await sendWrongToken(shop)
  const env = { DATABASE_URL: service.database.serviceUrl, SLUICE_SECRET_KEY: '5e'.repeat(32) }
  const run = (...args: string[]) => runCommand(['suspense', ...args], env)
  const listed = await run('list', '--environment', 'test', '--tx-hash', txHash, '--json')
  expect(JSON.parse(listed.stdout)).toMatchObject({
    total: 1,
    payments: [{ id: payment.id, status: 'held', merchant_id: shop.merchantId, note: null }],
  })
  expect((await run('list')).stdout).toContain('No payments are in suspense in live.')
  const given = ['release', payment.id, '--merchant', shop.merchantId, '--note', note, '--as', 'ada']
  expect((await run(...given)).stdout).toContain(`It has been credited to merchant ${shop.merchantId}.`)
  const again = await run(...given)
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('was already released')])
})

it('only the operator lists and releases payments in the dashboard, and only with a fresh proof', async () => {
  const shop = await openShop(service, { baseCurrency: 'EUR' })
  const { merchantId } = shop
  const { payment, txHash } = await sendWrongToken(shop)
  const operating = await signedIn(service, await makePerson(service, null))
  const owner = await signedIn(service, await makePerson(service, { merchantId, role: 'owner' }))
  const asked = { query: { environment: 'test', tx_hash: txHash } }
  const given = { path: { paymentID: payment.id }, body: { merchant_id: merchantId, note } }
  expect((await operating.call('listOperatorSuspense', asked)).body.data).toMatchObject([
    {
      payment: { id: payment.id, amount_in_base_currency: '22.00', base_currency: 'EUR' },
      merchant_id: merchantId,
      released_to: null,
    },
  ])
  const spans = [{ seen_after: payment.seen_at }, { seen_before: payment.seen_at }].map((span) =>
    operating.call('listOperatorSuspense', { query: { ...asked.query, ...span } }),
  )
  expect((await Promise.all(spans)).map(({ body }) => body.meta.pagination.total)).toEqual([1, 0])
  for (const refused of [
    await owner.call('listOperatorSuspense', asked),
    await owner.call('releaseSuspense', given),
  ])
    expect(refused.status).toBe(403)
  const seen = await owner.call('listSuspense', {
    path: { merchantID: merchantId, environment: 'test' },
    query: { tx_hash: txHash },
  })
  expect(seen.body.data).toMatchObject([{ id: payment.id, status: 'held' }])
  await query(service.database.url, `update sessions set proved_at = proved_at - interval '1 hour'`)
  expect((await operating.call('releaseSuspense', given)).body.error.code).toBe('step_up_required')
  await query(service.database.url, `update sessions set proved_at = proved_at + interval '1 hour'`)
  const blank = { ...given, body: { merchant_id: merchantId, note: '  ' } }
  expect((await operating.call('releaseSuspense', blank)).status).toBe(400)
  expect((await operating.call('releaseSuspense', given)).body.data).toMatchObject({
    payment: { status: 'released' },
    released_to: merchantId,
    note,
  })
  expect((await operating.call('releaseSuspense', given)).status).toBe(409)
})
