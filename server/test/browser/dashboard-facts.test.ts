import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as shown from '../../../web/dashboard/test/fixtures.ts'
import { deliveries, endpoint, event, keys, settings } from '../../../web/dashboard/test/more-fixtures.ts'
import { suspense } from '../../../web/dashboard/test/operator-fixtures.ts'
import { base, openStandInWindow } from '../support/browser/stand-in-window.ts'

/** What the dashboard says is true and in words: about times, counts, durations, deliveries and factors. */

const shownIn = openStandInWindow()
const { says, go } = shownIn
let page: Page
beforeAll(() => {
  ;({ page } = shownIn)
})
afterEach(() => page.unrouteAll({ behavior: 'wait' }))

/** Has the service answer something else to calls whose path has this end. */
const answer = (end: string, data: () => unknown, on = page) =>
  on.route(new RegExp(`/dashboard-api/[^?]*${end}(\\?|$)`), (route) => {
    const rows = data()
    const pagination = { total: 1, limit: 25, offset: 0, has_more: false }
    return route.fulfill({ json: { data: rows, meta: Array.isArray(rows) ? { pagination } : {} } })
  })

/** A script that sets the device's clock wrong. */
const wrongBy = (ms: number) => `{
  const Right = Date
  Date = class extends Right {
    constructor(...parts) { parts.length === 0 ? super(Right.now() + ${ms}) : super(...parts) }
    static now() { return Right.now() + ${ms} }
  }
}`

describe.each([
  ['behind', -3],
  ['ahead', 3],
])('on a device whose clock is three hours %s', (_, hours) => {
  it('what happened is as long ago as it is by the service’s clock, and never in the future', async () => {
    const context = await shownIn.browser.newContext({ locale: 'en-GB' })
    const window = await context.newPage()
    await window.addInitScript(wrongBy(hours * 3_600_000))
    const usedAt = () => new Date(Date.now() - 90 * 60_000).toISOString()
    await answer('/test/keys', () => keys.map((key) => ({ ...key, last_used_at: usedAt() })), window)
    await window.goto(`${shownIn.service.url}${base}/keys`)
    await window.getByText('sk_test_…9f30').first().waitFor()
    const times = () => window.locator('main time').allInnerTexts()
    await expect.poll(times).toContain('1 hour ago')
    for (const path of ['/keys', '/audit-log', '/payouts', '/events']) {
      await window.goto(`${shownIn.service.url}${base}${path}`)
      await expect.poll(async () => (await times()).length).toBeGreaterThan(0)
      expect(
        (await times()).filter((text) => /^in |tomorrow|next /.test(text)),
        path,
      ).toEqual([])
    }
    await context.close()
  })
})

it('a payment never has more confirmations than it needs', async () => {
  const [open] = shown.invoices
  const payments = (
    [
      ['confirmed', 40],
      ['confirming', 4],
    ] as const
  ).map(([status, confirmations], n) => ({
    ...shown.invoice(2).payments[0],
    id: `019a8667-3bd4-7c21-9a6e-00000000099${n}`,
    status,
    confirmations,
    required_confirmations: 6,
  }))
  await answer('/invoices/[^/?]+', () => ({ ...open, payments }))
  await go(`${base}/invoices/${open?.id}`)
  await says('4 of 6 confirmations')
  // Other parts of the page, which may come later, count too.
  const tooMany = async () =>
    [...(await page.locator('#main').innerText()).matchAll(/(\d+) of (\d+) confirmations?/g)].filter(
      ([, done, needed]) => Number(done) > Number(needed),
    )
  expect(await tooMany()).toEqual([])
  // One in suspense waits for more than its block.
  await answer('/suspense', () => [{ ...suspense[1], confirmations: 40, required_confirmations: 6 }])
  await go(`${base}/balances`)
  await says('6 of 6 confirmations')
  expect(await tooMany()).toEqual([])
})

it('a duration is said in its largest unit', async () => {
  await answer('/settings', () => ({ ...settings, default_window_seconds: 86_400 }))
  await go(`${base}/settings`)
  await page.locator('dd').getByText('1 day', { exact: true }).waitFor()
  await go(`${base}/invoices/new`)
  const offered = page.locator('option', { hasText: /minute|hour|day/ })
  await expect.poll(() => offered.allInnerTexts()).toEqual(['15 minutes', '30 minutes', '1 hour', '1 day'])
})

it('a delivery that failed and will be tried again does not look as if all were well', async () => {
  const [attempt] = deliveries[0]?.attempt_log ?? []
  const attempt_log = [1, 2, 3].map((number) => ({ ...attempt, number }))
  const failing = { ...deliveries[0], status: 'pending', attempts: 3, attempt_log }
  await answer('/deliveries', () => [failing])
  await answer('/events/[^/?]+', () => ({
    ...event,
    deliveries: [{ ...event.deliveries[0], status: 'pending', attempts: 3, attempt_log }],
  }))
  const state = page.locator('main .status').filter({ hasText: /On its way|Failed, will retry/ })
  for (const path of [`webhooks/${endpoint.id}`, `events/${event.id}`]) {
    await go(`${base}/${path}`)
    await expect.poll(() => state.allInnerTexts(), { message: path }).toEqual(['Failed, will retry'])
    expect(await state.getAttribute('class'), path).toContain('attention')
  }
  // Of the deliveries of an invoice's event, one arrived and one failed so far.
  const [open] = shown.invoices
  await go(`${base}/invoices/${open?.id}`)
  const folded = page.locator('summary', { hasText: '1 webhook not delivered yet' })
  await folded.locator('.status.attention').waitFor()
  await folded.click()
  expect(await state.allInnerTexts()).toEqual(['Failed, will retry'])
})

it('a person with only a passkey is told that they lack recovery codes, and can make some', async () => {
  await answer('session', () => ({
    ...shown.session,
    second_factors: ['passkey'],
    recovery_codes_left: 0,
  }))
  await go(base)
  await says('You have no recovery codes.')
  await page.locator('main').getByRole('link', { name: 'Create new codes' }).click()
  await page.waitForURL('**/dashboard/account')
  await says('You have no recovery codes.')
  await page.getByRole('button', { name: 'Create new codes' }).waitFor()
})
