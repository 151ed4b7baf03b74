import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Language, languages, startLanguage } from '../../../../clients/test/language.ts'
import { eventually, type HookReceiver, startHookReceiver } from '../../support/servers/hook-receiver.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { quiet } from '../../support/shop/shop.ts'

let service: TestService
let receiver: HookReceiver
beforeAll(async () => {
  service = await startTestService(quiet)
  receiver = await startHookReceiver()
})
afterAll(async () => {
  await receiver.close()
  await service.stop()
})

describe.each(languages)('the client in $name, with the service', (settings) => {
  let language: Language
  let client = {}
  beforeAll(async () => {
    language = startLanguage(settings)
    const { key } = await service.makeKey(await service.makeMerchant())
    client = { base_url: `${service.url}/api`, api_key: key }
  })
  afterAll(() => language.end())

  const ask = (method: string, more: object = {}) => language.ask({ do: 'call', method, client, ...more })
  /** The answer of a call that must succeed. */
  async function done(method: string, more: object = {}) {
    const { error, ...answer } = await ask(method, more)
    expect(error, method).toBeUndefined()
    return answer
  }

  /** Creates an invoice, pays it and mines it deep enough. */
  async function pay(amount: string) {
    const { data: invoice } = await done('invoices.create', { fields: { currency: 'BTC', amount } })
    const { data: deposit } = await done('test.create_deposit', {
      fields: { address: invoice.deposit_address, amount, currency: 'BTC' },
    })
    await done('test.mine_blocks', { fields: { network: 'bitcoin', count: invoice.required_confirmations } })
    return { invoice, deposit }
  }

  it('takes a payment, and is told by a webhook that it can verify', async () => {
    const { data: endpoint } = await done('webhook_endpoints.create', {
      fields: { url: receiver.url, events: ['invoice.paid'] },
    })
    const { invoice, deposit } = await pay('0.01')
    const paid = await language.ask({ do: 'fields', client, subject: invoice.id })
    expect(paid.data).toMatchObject({ status: 'paid', hashes: [deposit.tx_hash], has_unknown: false })

    const hook = await eventually(() => {
      const found = receiver.hooks.find(({ body }) => body.data.id === invoice.id)
      if (found === undefined) throw new Error('no webhook yet')
      return found
    })
    const verify = (secret: string, body = hook.text) =>
      language.ask({ do: 'verify', body, headers: hook.headers, secret })
    expect((await verify(endpoint.secret)).data).toEqual({
      class: 'InvoicePaid',
      event: 'invoice.paid',
      of: 'Invoice',
    })
    expect((await verify(endpoint.secret, hook.text.replace('0.01', '0.02'))).error).toMatchObject({
      class: 'WebhookVerificationError',
    })
  })

  it('reads every event once, page by page, and each list', async () => {
    await pay('0.02')
    const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)
    // An event is listed once no open transaction can put another before it, and other tests share this PostgreSQL.
    const all = await eventually(async () => {
      const { data: oldest } = await done('events.all', { query: { after: '0', limit: 2 } })
      const { data: newest } = await done('events.all', { query: { limit: 3 } })
      expect(oldest.length).toBeGreaterThan(5)
      expect(ids(oldest)).toEqual(ids(newest).reverse())
      return oldest
    })
    const last = await language.ask({ do: 'typed', client })
    expect(last.data.event).toBe(all.at(-1).event)

    const { data: invoices } = await done('invoices.all', { query: { limit: 1 } })
    expect(invoices).toHaveLength((await done('invoices.list')).data.length)
    const { data: balances } = await done('balances.list')
    expect(balances).toMatchObject([{ currency: 'BTC', available: '0.03' }])
    expect((await done('balances.ledger', { subject: 'BTC' })).data).toHaveLength(2)
    expect((await done('currencies.list')).data.length).toBeGreaterThan(2)
    expect((await done('rates.list', { query: { currency: ['BTC'] } })).data).toBeInstanceOf(Array)
    expect((await done('suspense.all')).data).toEqual([])
  })

  it('says which field is wrong', async () => {
    const { error } = await ask('invoices.create', { fields: { currency: 'BTC', amount: '-1' } })
    expect(error).toMatchObject({ class: 'ValidationError', code: 'validation_error', status: 400 })
    expect(error?.message).toContain('/amount: ')
    expect(error?.request_id).toMatch(/^req_/)
    const missing = await ask('invoices.get', { subject: '019a8554-7c1e-7b3a-9f0e-3d2c1b0a9f8e' })
    expect(missing.error).toMatchObject({ class: 'NotFoundError' })
    const stranger = { ...client, api_key: `sk_test_${'0'.repeat(64)}` }
    expect((await ask('invoices.list', { client: stranger })).error).toMatchObject({
      class: 'AuthenticationError',
    })
  })

  it('creates once however often it is told to', async () => {
    const fields = { currency: 'BTC', amount: '0.5', idempotency_key: 'order-7', metadata: { weight: 0.1 } }
    const first = await done('invoices.create', { fields })
    const again = await done('invoices.create', { fields })
    expect([first.replayed, again.replayed]).toEqual([false, true])
    expect(again.data.id).toBe(first.data.id)
    expect(again.request_id).not.toBe(first.request_id)
    const { error } = await ask('invoices.create', { fields: { ...fields, amount: '0.6' } })
    expect(error).toMatchObject({ class: 'ConflictError', code: 'idempotency_key_mismatch' })
    expect((await done('invoices.cancel', { subject: first.data.id })).data.status).toBe('cancelled')
    expect((await ask('invoices.cancel', { subject: first.data.id })).error).toMatchObject({
      class: 'ConflictError',
    })
  })

  it('pays out, and refunds', async () => {
    const { invoice } = await pay('0.1')
    const { data: elsewhere } = await done('currencies.list', { query: { environment: 'test' } })
    expect(elsewhere.map(({ code }: { code: string }) => code)).toContain('BTC')
    const destination = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
    const { data: payout } = await done('payouts.create', {
      fields: { currency: 'BTC', amount: '0.02', destination },
    })
    expect(payout).toMatchObject({ status: 'pending_approval', amount: '0.02' })
    expect((await done('test.approve_payout', { subject: payout.id })).data.status).not.toBe(
      'pending_approval',
    )
    const fields = { invoice_id: invoice.id, currency: 'BTC', amount: '0.03', destination }
    const options = { idempotency_key: 'refund-7' }
    const refund = await done('refunds.create', { fields, options })
    const again = await done('refunds.create', { fields, options })
    expect([refund.replayed, again.replayed, again.data.id]).toEqual([false, true, refund.data.id])
    expect((await done('refunds.all', { query: { invoice_id: invoice.id } })).data).toHaveLength(1)
    const poor = await ask('payouts.create', { fields: { currency: 'BTC', amount: '500', destination } })
    expect(poor.error).toMatchObject({ class: 'ValidationError', code: 'insufficient_balance', status: 422 })
  })
})
