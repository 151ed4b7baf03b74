import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noPolicy } from '../../../src/domain/payout-policy.ts'
import { createLog } from '../../../src/log.ts'
import { openFirstSights, sightsPath } from '../../../src/signer/first-sights.ts'
import { createSigningSession, signerSeat } from '../../../src/signer/signing-session.ts'
import { forgetPastSights } from '../../../src/signer/watch-cooling-off.ts'
import { homePage } from '../../support/people/approving-passkey.ts'
import { type Holder, openPasskeyDesk, type PasskeyDesk } from '../../support/people/passkey-desk.ts'
import { settingsOf } from '../../support/signer/signer-limits.ts'

const secondMs = 1_000
const hourMs = 3_600 * secondMs
const unapproved = { approvers: [] }

let desk: PasskeyDesk
let ann: Holder
let nowMs: number
beforeEach(async () => {
  desk = await openPasskeyDesk()
  ann = await desk.holder()
  const { merchantId } = desk
  const policy = { ...noPolicy, approval: 'passkey', coolingOffSeconds: 3_600 } as const
  const at = new Date()
  await desk.state(ann, { kind: 'policy', environment: 'live', merchantId, baseCurrency: 'USD', policy, at })
  nowMs = Date.now()
})
afterEach(() => desk.close())

const now = () => new Date(nowMs)
const sign = (sights = desk.sights) => desk.sign({ ownNow: now, sights })
/** Approved a year ago, as the database has it. */
async function backdated() {
  const payout = await desk.payout(unapproved)
  await desk.approveWith(ann, payout)
  await desk.forge(
    'payout_approvals',
    `update payout_approvals set created_at = created_at - interval '1 year' where payout_id = $1`,
    [payout.id],
  )
  return payout
}
async function plan(payout: Awaited<ReturnType<typeof backdated>>) {
  return desk.plan(desk.coinPlan([await desk.coin()], [payout]), [payout])
}

it('begins when the signer first sees enough approvals, whatever time the database gives them', async () => {
  const spendId = await plan(await backdated())
  expect(await sign()).toBe(0)
  expect((await desk.outcome(spendId)).refusal).toMatch('still in its cooling-off period')
  nowMs += hourMs - 1
  expect(await sign()).toBe(0)
  nowMs += 1
  expect(await sign()).toBe(1)
})

it('begins with the approval and not with the plan', async () => {
  const payout = await backdated()
  const other = await desk.payout(unapproved)
  await desk.watch(now())
  expect([desk.sights.has(payout.id), desk.sights.has(other.id)]).toEqual([true, false])
  nowMs += hourMs
  await desk.approveWith(ann, other)
  const late = await plan(other)
  await plan(payout)
  expect(await sign()).toBe(1)
  expect((await desk.outcome(late)).refusal).toMatch('still in its cooling-off period')
})

it('does not begin with forged approvals, or with those of another payout in its place', async () => {
  const forged = await desk.payout({ approvers: [`user:${ann.userId}`] })
  await desk.watch(now())
  expect(desk.sights.has(forged.id)).toBe(false)
  const payout = await backdated()
  await desk.watch(now())
  await desk.forge('payouts', 'update payouts set amount_units = 90000 where id = $1', [payout.id])
  const changed = await desk.find(payout.id)
  await desk.forge('payout_approvals', 'delete from payout_approvals where payout_id = $1', [payout.id])
  await desk.approveWith(ann, changed)
  nowMs += hourMs
  await plan(changed)
  expect(await sign()).toBe(0)
})

it('goes on after a restart, and a raised fee does not begin it again', async () => {
  const payout = await backdated()
  await desk.watch(now())
  const path = sightsPath(desk.folder.path, 'live')
  const again = await openFirstSights(path, 'live')
  nowMs += hourMs
  const coin = await desk.coin()
  const spendId = await desk.plan(desk.coinPlan([coin], [payout]), [payout])
  expect(await sign(again)).toBe(1)
  await forgetPastSights(desk.app, desk.journal(), again)
  expect(again.has(payout.id)).toBe(false)
  await desk.app.store.spends.addAttempt(spendId, 2, desk.coinPlan([coin], [payout], 2_000n))
  expect(await sign(again)).toBe(1)
  await again.close()
})

it('keeps no note of payouts that were signed or have ended, and its file does not grow', async () => {
  const [signed, ended, waiting] = [await backdated(), await backdated(), await backdated()]
  await desk.watch(now())
  nowMs += hourMs
  await plan(signed)
  expect(await sign()).toBe(1)
  await desk.forge('payouts', `update payouts set status = 'cancelled', cancelled_at = now() where id = $1`, [
    ended.id,
  ])
  await forgetPastSights(desk.app, desk.journal(), desk.sights)
  expect(desk.sights.payoutIds()).toEqual([waiting.id])
  const path = sightsPath(desk.folder.path, 'live')
  expect((await readFile(path, 'utf8')).trim().split('\n')).toHaveLength(2)
  // The file goes on where it was.
  const next = await backdated()
  await desk.watch(now())
  const again = await openFirstSights(path, 'live')
  expect(again.payoutIds()).toEqual([waiting.id, next.id])
  await again.close()
})

it('a signer at work notes approved payouts before they are planned', async () => {
  const payout = await backdated()
  const seat = signerSeat(desk.folder.path)
  const session = createSigningSession({
    app: desk.app,
    url: desk.url,
    dataDir: desk.folder.path,
    wallet: desk.wallet,
    seat,
    settings: settingsOf(),
    relyingParty: { id: homePage.rpId, origins: [homePage.origin] },
    log: createLog('silent', { write: () => {} }),
  })
  await session.step()
  await session.close()
  seat.release()
  expect(await readFile(sightsPath(desk.folder.path, 'live'), 'utf8')).toContain(payout.id)
})

it('is asked for by the signer’s own policy only: without one, nothing is noted', async () => {
  const other = await openPasskeyDesk()
  try {
    const bob = await other.holder()
    const { payout } = await other.ordinary(unapproved)
    await other.approveWith(bob, payout)
    await other.watch()
    expect(await other.sign()).toBe(1)
    expect(other.sights.payoutIds()).toEqual([])
  } finally {
    await other.close()
  }
})
