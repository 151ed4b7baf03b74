import { afterAll, beforeAll, expect, it } from 'vitest'
import { noPolicy } from '../../../src/domain/payout-policy.ts'
import { query } from '../../support/database/database.ts'
import { payOutTo, until, untilSent } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())

const sql = (text: string, values: unknown[] = []) => query(service.database.url, text, values)

it('a payout that comes due without an announcement is planned, sent and completed', async () => {
  const shop = await openShop(service)
  await shop.fund('1')
  const { payoutPolicies } = service.app.store
  const owner = { merchantId: shop.merchantId, environment: 'test' } as const
  await payoutPolicies.set(owner, { ...noPolicy, coolingOffSeconds: 3600 })
  const payout = await payOutTo(shop, 'bitcoin', { currency: 'BTC', amount: '0.1' })
  expect((await shop.payout(payout)).status).toBe('approved')
  await payoutPolicies.set(owner, noPolicy)
  await sql('update payouts set executable_at = clock_timestamp() where id = $1', [payout.id])
  await untilSent(service, payout)
  await until(shop, payout, 'completed')
})

it('a transaction whose check a dead process had claimed is checked when the claim ends', async () => {
  const shop = await openShop(service)
  await shop.fund('1')
  const payout = await payOutTo(shop, 'bitcoin', { currency: 'BTC', amount: '0.1' })
  await untilSent(service, payout)
  const spend = 'from payouts where payouts.id = $1 and spends.id = payouts.spend_id'
  const [before] = await sql(
    `update spends set look_at = clock_timestamp() + interval '300 milliseconds' ${spend} returning look_at`,
    [payout.id],
  )
  await expect
    .poll(
      async () =>
        (await sql(`select look_at ${spend.replace('from', 'from spends,')}`, [payout.id]))[0]?.look_at,
    )
    .not.toEqual(before?.look_at)
})

it('a job that a dead process had claimed is done when the claim ends', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  await sql(
    `insert into jobs (kind, subject, claimed_until)
     values ('assess_invoice', $1, clock_timestamp() + interval '300 milliseconds')`,
    [invoice.id],
  )
  await expect.poll(() => sql('select from jobs where subject = $1', [invoice.id])).toEqual([])
})

it('an invoice whose window ends expires, with nothing but the clock to say so', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  await sql(
    `update invoices set expires_at = clock_timestamp() + interval '300 milliseconds',
       due_at = clock_timestamp() + interval '300 milliseconds' where id = $1`,
    [invoice.id],
  )
  await expect.poll(async () => (await shop.get(invoice)).status).toBe('expired')
})
