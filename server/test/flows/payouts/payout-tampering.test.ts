import { afterAll, beforeAll, expect, it } from 'vitest'
import { noPolicy } from '../../../src/domain/payout-policy.ts'
import { query } from '../../support/database/database.ts'
import { arrivals, attemptsOf, newAddress, payOutTo, until } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())

const sql = (text: string, values: readonly unknown[]) => query(service.database.url, text, values)
const refusals = (spend: string) =>
  service.logged.filter(
    ({ msg, spend_id }) => msg === 'THE SIGNER REFUSES A TRANSACTION' && spend_id === spend,
  )

/** An approved payout that is not due yet. */
async function approved(shop: Shop, network: string, json: { currency: string; amount: string }) {
  const owner = { merchantId: shop.merchantId, environment: 'test' } as const
  await service.app.store.payoutPolicies.set(owner, { ...noPolicy, coolingOffSeconds: 3600 })
  const payout = await payOutTo(shop, network, json)
  await service.app.store.payoutPolicies.set(owner, noPolicy)
  return payout
}

/** A change that only the database's owner can make. */
async function tamper(payout: { id: string }, change: string, values: readonly unknown[] = []) {
  await sql(`alter table payouts disable trigger payouts_stay_what_they_are`, [])
  await sql(`update payouts set ${change}, executable_at = clock_timestamp() where id = $1`, [
    payout.id,
    ...values,
  ])
  await sql(`alter table payouts enable trigger payouts_stay_what_they_are`, [])
}

async function expectUnsigned(shop: Shop, payout: { id: string; network: string }, reason: string) {
  await expect.poll(async () => (await shop.payout(payout)).waiting_reason).toContain(reason)
  const attempts = await attemptsOf(service, payout)
  expect(attempts.map(({ bytes, hash }) => [bytes, hash])).toEqual([[null, null]])
  expect(refusals(attempts[0]?.spend_id)).toHaveLength(1)
  expect(await shop.payout(payout)).toMatchObject({ status: 'processing', tx_hash: null })
  return attempts[0]
}

it('a payout whose destination was changed in the database after its approval is not signed', async () => {
  for (const [network, currency, funds] of [
    ['bitcoin', 'BTC', '0.5'],
    ['xrp', 'XRP', '500'],
  ] as const) {
    const shop = await openShop(service)
    await shop.fund(funds, currency, network)
    const payout = await approved(shop, network, { currency, amount: network === 'xrp' ? '50' : '0.05' })
    const thief = await newAddress(network)
    // On XRP all external addresses belong to one account: another tag makes another destination.
    if (network === 'xrp') await tamper(payout, `destination_tag = $2`, ['666'])
    else await tamper(payout, `destination = $2`, [thief])
    await expectUnsigned(shop, payout, 'does not match this payout')
    await shop.mine(3, network)
    expect(await arrivals(service, network, thief)).toEqual([])
    expect((await attemptsOf(service, payout))[0]?.bytes).toBeNull()
    // Other payouts continue. On an account, nonces are used in order, so they wait, say why, and can still be cancelled.
    await shop.fund(funds, currency, network)
    const next = await payOutTo(shop, network, { currency, amount: network === 'xrp' ? '50' : '0.05' })
    if (network === 'bitcoin') await until(shop, next, 'completed')
    else {
      await expect
        .poll(async () => (await shop.payout(next)).waiting_reason)
        .toMatch(/earlier transaction on this network.* does not match this payout/)
      expect((await shop.cancelPayout(next)).body.data).toMatchObject({ status: 'cancelled' })
    }
  }
})

it('a payout without an approval is not signed, and another payout’s approval does not count for it', async () => {
  const shop = await openShop(service)
  await shop.fund('0.5')
  const good = await approved(shop, 'bitcoin', { currency: 'BTC', amount: '0.01' })
  const [approval] = await sql('select approval_hash as hash from payout_approvals where payout_id = $1', [
    good.id,
  ])
  const forged = [0, 1].map(async () =>
    shop.payOut({ currency: 'BTC', amount: '0.01', destination: good.destination }),
  )
  const [alone, replayed] = await Promise.all(forged)
  await sql(
    `insert into payout_approvals (payout_id, approver, approval_hash) values ($1, 'user:thief', $2)`,
    [replayed.id, approval?.hash],
  )
  const approve = `status = 'approved', approved_at = clock_timestamp()`
  await tamper(alone, approve)
  await expectUnsigned(shop, alone, 'has 0 of 1 approvals')
  await tamper(replayed, approve)
  await expectUnsigned(shop, replayed, 'does not match this payout')
})

it('a plan that pays another address is not signed', async () => {
  const shop = await openShop(service)
  await shop.fund('0.5')
  const payout = await approved(shop, 'bitcoin', { currency: 'BTC', amount: '0.01' })
  const thief = await newAddress('bitcoin')
  // The planner is the compromised part: its plan is altered the moment it is written.
  await sql(
    `create function steal() returns trigger language plpgsql as $$
     begin
       new.plan := jsonb_set(new.plan, array['outputs',
         (select (place - 1)::text from jsonb_array_elements(new.plan -> 'outputs') with ordinality as o (output, place)
          where output ->> 'payoutId' is not null limit 1), 'address'], to_jsonb('${thief}'::text));
       return new;
     end $$`,
    [],
  )
  await sql(
    'create trigger steal before insert on spend_transactions for each row execute function steal()',
    [],
  )
  try {
    await tamper(payout, 'description = null')
    await expectUnsigned(shop, payout, 'does not pay exactly the payouts of its spend')
  } finally {
    await sql('drop trigger steal on spend_transactions', [])
  }
})
