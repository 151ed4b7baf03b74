import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { expectSoundBooks } from '../../support/database/books.ts'
import { query } from '../../support/database/database.ts'
import { approve, openDesk, review, seen } from '../../support/people/approval-desk.ts'
import { enrolTotp } from '../../support/people/dashboard-client.ts'
import { gateOf } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { quiet } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())
afterEach(() => expectSoundBooks(service.database.url))

const body = { currency: 'BTC', amount: '0.01', destination: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' }

it('a risky payout takes a factor shown for it alone: the sign-in of a moment ago approves only what is usual', async () => {
  const desk = await openDesk(service)
  const { client, here, password } = desk
  const risky = await desk.shop.payOut(body)
  const send = async (payout: { id: string }, shown: object = {}) =>
    client.call('approvePayouts', { path: here, body: { payouts: [await seen(desk, payout)], ...shown } })
  expect((await review(desk, risky)).risks).toEqual(['destination_new'])
  expect((await send(risky)).body.data).toMatchObject([
    {
      outcome: 'refused',
      error: { code: 'step_up_required', message: expect.stringContaining('never been paid') },
    },
  ])
  expect(await service.app.store.payoutApprovals.list(risky.id)).toEqual([])
  const wrong = await send(risky, { proof: { password: 'wrong' } })
  expect([wrong.status, wrong.body.error.details]).toEqual([400, ['/proof/password: is wrong']])
  expect((await send(risky, { proof: { password } })).body.data).toMatchObject([{ outcome: 'approved' }])

  const usual = await desk.shop.payOut({ ...body, amount: '0.011' })
  expect((await review(desk, usual)).risks).toEqual([])
  expect((await send(usual)).body.data).toMatchObject([{ outcome: 'approved' }])

  const large = await desk.shop.payOut({ ...body, amount: '0.04' })
  expect((await review(desk, large)).risks).toEqual(['over_usual'])
  const { totp } = await enrolTotp(client)
  expect((await send(large, { proof: { password } })).status).toBe(400)
  const code = { proof: { totp: await totp.code() } }
  expect((await send(large, code)).body.data).toMatchObject([{ outcome: 'approved' }])
  // A code counts once.
  expect((await send(large, code)).status).toBe(400)
})

it('a factor shown for an approval counts where none was fresh, as a passkey does', async () => {
  const desk = await openDesk(service)
  const payout = await desk.shop.payOut(body)
  const shown = await seen(desk, payout)
  await query(
    service.database.url,
    `update sessions set proved_at = proved_at - interval '6 minutes' where user_id = $1`,
    [desk.userId],
  )
  expect(await approve(desk, [shown])).toMatchObject([{ outcome: 'approved' }])
})

it('a payout whose network asks for more by now than was shown is not approved before the new cost is', async () => {
  const desk = await openDesk(service)
  const payout = await desk.shop.payOut(body)
  const { id, hash, total: before } = await seen(desk, payout)
  const gate = gateOf(service, 'bitcoin')
  const { feeRate } = gate
  const rate = await gate.feeRate()
  const approveSeeing = async (total: string) => (await approve(desk, [{ id, hash, total }]))[0]
  const untilTotal = async (least: number) => {
    await expect.poll(async () => Number((await review(desk, payout)).total)).toBeGreaterThan(least)
    return (await seen(desk, payout)).total
  }
  try {
    Object.assign(gate, { feeRate: async () => rate * 5n })
    const risen = await untilTotal(Number(before))
    expect(await approveSeeing(before)).toMatchObject({
      outcome: 'refused',
      error: {
        code: 'conflict',
        message: expect.stringContaining(`costs ${risen} BTC by now, not ${before} BTC`),
      },
    })
    expect(await service.app.store.payoutApprovals.list(id)).toEqual([])
    // What was shown has room: a small rise since does not ask again, and nor does a fall.
    Object.assign(gate, { feeRate: async () => rate * 6n })
    await untilTotal(Number(risen))
    expect(await approveSeeing(risen)).toMatchObject({ outcome: 'approved' })
  } finally {
    Object.assign(gate, { feeRate })
  }
})
