import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import * as shown from '../../../web/dashboard/test/fixtures.ts'
import { endpoint, shopReview } from '../../../web/dashboard/test/more-fixtures.ts'
import { allSuspense } from '../../../web/dashboard/test/operator-fixtures.ts'
import type { StandIn } from '../../../web/dashboard/test/stand-in-service.ts'
import { axeViolations } from '../support/browser/axe.ts'
import { goByKeys } from '../support/browser/dashboard-window.ts'
import { base, openStandInWindow } from '../support/browser/stand-in-window.ts'
import { shopRequest } from '../support/people/pairing-shop.ts'

/** What people do on the dashboard, against canned answers: dialogs, messages and keyboard shortcuts. */

const shownIn = openStandInWindow()
const { says, go, follow } = shownIn
let service: StandIn
let context: BrowserContext
let page: Page
beforeAll(() => {
  ;({ service, context, page } = shownIn)
})
const [first, second] = shown.payouts as [(typeof shown.payouts)[0], (typeof shown.payouts)[0]]

it('an export contains what the page shows: its link carries every filter of the page', async () => {
  const link = () => page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')
  const below = `/dashboard-api/merchants/${shown.merchant}/test`
  await follow(`${base}/invoices`)
  await expect.poll(link).toBe(`${below}/invoices/export`)
  await follow(`${base}/invoices?status=underpaid&currency=LTC`)
  await expect.poll(link).toBe(`${below}/invoices/export?status=underpaid&currency=LTC`)
  await follow(`${base}/balances/BTC?entry_type=fee`)
  await expect.poll(link).toBe(`${below}/ledger/export?currency=BTC&entry_type=fee`)
  await follow(`${base}/payouts?status=failed`)
  await expect.poll(link).toBe(`${below}/payouts/export?status=failed`)
  await follow(`${base}/refunds?currency=BTC&search=cup&order=oldest_first`)
  await expect.poll(link).toBe(`${below}/refunds/export?currency=BTC&search=cup&order=oldest_first`)
  await follow(`${base}/addresses?currency=LTC&search=mugs`)
  await expect.poll(link).toBe(`${below}/addresses/export?currency=LTC&search=mugs`)
  await follow(`${base}/events?event=invoice.paid`)
  await expect.poll(link).toBe(`${below}/events/export?event=invoice.paid`)
  await follow(`${base}/audit-log?actor=user:1&action=key.created`)
  const ofLog = `/dashboard-api/merchants/${shown.merchant}/audit-log/export`
  await expect.poll(link).toBe(`${ofLog}?actor=user%3A1&action=key.created`)
  await follow(`${base}/webhooks/${endpoint.id}?status=failed`)
  await expect.poll(link).toBe(`${below}/webhook_endpoints/${endpoint.id}/deliveries/export?status=failed`)
  await follow(`${base}/balances`)
  await expect.poll(link).toBe(`${below}/suspense/export`)
  await follow('/dashboard/operator/suspense?environment=test&reason=dust')
  await expect.poll(link).toBe('/dashboard-api/operator/suspense/export?environment=test&reason=dust')
})

it('the deposits of an address can be narrowed to days, in either order, and their export with them', async () => {
  const { id } = shown.staticAddress
  await follow(`${base}/addresses/${id}?period=custom&from=2026-03-01&to=2026-03-02&order=oldest_first`)
  const [from, to] = await page.evaluate<string[]>(
    '[new Date(2026, 2, 1), new Date(2026, 2, 3)].map((day) => encodeURIComponent(day.toISOString()))',
  )
  const query = `created_after=${from}&created_before=${to}&order=oldest_first`
  const link = () => page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')
  await expect.poll(link).toMatch(new RegExp(`/addresses/${id}/invoices/export\\?${query}$`))
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await expect.poll(link).toMatch(new RegExp(`/addresses/${id}/invoices/export\\?order=oldest_first$`))
  expect(await axeViolations(page)).toEqual([])
})

it('the operator releases a payment in suspense to the merchant whose address was paid, and says why', async () => {
  await follow('/dashboard/operator/suspense?environment=test')
  await page.getByRole('button', { name: 'Release' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Release' })
  expect(await dialog.getByLabel('Merchant to credit').inputValue()).toBe(shown.merchant)
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByLabel('Note').fill('The payer chose the wrong token.')
  await dialog.getByRole('button', { name: 'Release' }).click()
  await says('The payment was credited')
  const [{ payment }] = allSuspense as [(typeof allSuspense)[0]]
  const body = { merchant_id: shown.merchant, note: 'The payer chose the wrong token.' }
  expect(service.asked).toContain(`POST /operator/suspense/${payment.id}/release ${JSON.stringify(body)}`)
})

it('keyboard shortcuts lead everywhere: g and a letter, slash, question mark, j and k', async () => {
  await follow(base)
  await says('Needs your attention')
  await goByKeys(page, 'i', 'Invoices')
  await says('order-1099')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await page.keyboard.press('j')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('order-1098')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'order-1098' }).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('page-title')
  await page.keyboard.press('/')
  await page.getByRole('dialog', { name: 'Search and commands' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

it('a user who is not signed in is asked to sign in, and returns to the page they wanted', async () => {
  service.signedOut = true
  await go(`${base}/payouts?status=failed`)
  await page.getByLabel('Email address').fill('ada@example.com')
  await page.getByLabel('Password').fill('correct horse battery staple')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/test/payouts?status=failed')
})

it('a session that ends keeps what is filled in: the user signs in on the spot, and it continues', async () => {
  await go(`${base}/invoices/new`)
  await page.getByLabel('Price in cryptocurrency').check()
  await page.getByLabel('Amount').fill('0.01')
  await page.getByLabel('Paid in').selectOption('BTC')
  await page.getByLabel('Order number').fill('order 77')
  service.signedOut = true
  await page.getByRole('button', { name: 'Create invoice' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign in again' })
  expect(await dialog.getByLabel('Email address').inputValue()).toBe(shown.session.email)
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByLabel('Password').fill('correct horse battery staple')
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await says('The invoice is ready')
  const made = service.asked.filter((call) => call.includes('/test/invoices {'))
  expect(made).toHaveLength(2)
  expect(made[0]).toContain('"external_id":"order 77"')
  expect(made[1]).toBe(made[0])
})

it('a message is in front of the dialog that is open, and can be dismissed there', async () => {
  await follow(`${base}/keys`)
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Name').fill('Web shop')
  await page.route('**/keys', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await page.getByRole('button', { name: 'Create key' }).click()
  const toast = page.locator('.toast')
  await toast.getByText('The service cannot be reached').waitFor()
  await toast.getByRole('button', { name: 'Close' }).click()
  await toast.waitFor({ state: 'detached' })
  await page.unroute('**/keys')
  await page.getByRole('button', { name: 'Not now' }).click()
  shownIn.complaints = shownIn.complaints.filter((said) => !said.includes('ERR_FAILED'))
})

it('a page whose code does not arrive says so, and appears once the service is back', async () => {
  const window = await context.newPage()
  await window.goto(`${service.url}${base}/events`)
  await window.getByText('invoice.paid').locator('visible=true').first().waitFor()
  await window.route('**/dashboard-assets/**', (route) => route.abort())
  await follow('/dashboard/account', window)
  await window.getByRole('heading', { name: 'This page did not load', level: 1 }).waitFor()
  expect(await axeViolations(window)).toEqual([])
  await window.unroute('**/dashboard-assets/**')
  await window.getByText('Safari on iPhone').waitFor()
  await window.close()
})

it('an action that needs a fresh proof asks for it, and then does exactly what was requested', async () => {
  await follow(`${base}/payouts/${second.id}`)
  service.refuseOnce = { status: 403, code: 'step_up_required', details: ['/: totp', '/: recovery_code'] }
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
  await dialog.getByLabel('Code from your authenticator app').fill('123456')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.locator('.toast').getByText('The payout was approved').waitFor()
  const changes = service.asked.filter((call) => call.startsWith('POST'))
  const { hash, total } = shown.review(second)
  const approval = `POST /merchants/${shown.merchant}/test/payouts/approval {"payouts":[{"id":"${second.id}","hash":"${hash}","total":"${total}"}]}`
  expect(changes).toEqual([approval, 'POST /step-up {"totp":"123456"}', approval])
})

it('approving a risky payout names the risk, and takes a factor shown for it alone', async () => {
  await go(`${base}/payouts/${first.id}`)
  const button = page.getByRole('button', { name: 'Approve to a lookalike destination' })
  await button.click()
  const dialog = page.getByRole('dialog', { name: 'Approve to a lookalike destination' })
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.locator('.toast').getByText('Nothing was done').waitFor()
  expect(service.asked.filter((call) => call.startsWith('POST'))).toEqual([])

  await button.click()
  service.refuseOnce = { status: 400, code: 'validation_error', details: ['/proof/totp: is wrong'] }
  await dialog.getByRole('button', { name: 'Use an authenticator code' }).click()
  await dialog.getByLabel('Code from your authenticator app').fill('654321')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Code from your authenticator app').fill('123456')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await page.locator('.toast').getByText('The payout was approved').waitFor()
  const { hash, total } = shown.review(first)
  const approval = (totp: string) =>
    `POST /merchants/${shown.merchant}/test/payouts/approval {"payouts":[{"id":"${first.id}","hash":"${hash}","total":"${total}"}],"proof":{"totp":"${totp}"}}`
  expect(service.asked.filter((call) => call.startsWith('POST'))).toEqual([
    approval('654321'),
    approval('123456'),
  ])
})

it('a cost that rose since it was shown is shown beside the old one, and approved only as the new one', async () => {
  const dearer = { ...shown.review(second), total: '1201.5', network_fee: '1.5' }
  await go(`${base}/payouts/${second.id}`)
  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
  await page.route(`**/payouts/${second.id}/approval`, (route) =>
    route.fulfill({ json: { data: dearer, meta: { request_id: 'req' } } }),
  )
  await says('this payout now costs 1,201.5 USDT instead of 0.25001 USDT')
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Approve at the new cost' }).click()
  await page.locator('.toast').getByText('The payout was approved').waitFor()
  expect(service.asked.filter((call) => call.startsWith('POST')).join()).toContain('"total":"1201.5"')
  await page.unroute(`**/payouts/${second.id}/approval`)
})

it('of several payouts, one whose cost rose meanwhile is shown at both costs, and approved only at the new one', async () => {
  const dearer = { ...shown.review(second), total: '1201.5', network_fee: '1.5' }
  const answer = (data: object) => ({ json: { data, meta: { request_id: 'req' } } })
  const refusal = {
    code: 'conflict',
    message: 'The fee has risen.',
    reasons: [{ code: 'other', message: 'The fee has risen.', values: {} }],
  }
  await go(`${base}/payouts/approve?ids=${second.id}`)
  await page.getByRole('button', { name: 'Approve 1 payout' }).waitFor()
  await page.route(
    '**/payouts/approval',
    (route) => route.fulfill(answer([{ id: second.id, outcome: 'refused', payout: null, error: refusal }])),
    { times: 1 },
  )
  await page.route(`**/payouts/${second.id}/approval`, (route) => route.fulfill(answer(dearer)))
  await page.getByRole('button', { name: 'Approve 1 payout' }).click()
  await says('this payout now costs 1,201.5 USDT instead of 0.25001 USDT')
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Approve 1 payout' }).click()
  await page.locator('.toast').getByText('1 approval given.').waitFor()
  expect(service.asked.filter((call) => call.startsWith('POST')).join()).toContain('"total":"1201.5"')
  await page.unroute(`**/payouts/${second.id}/approval`)
})

it('a user who declines to give a proof has changed nothing, and is told so', async () => {
  await go(`${base}/payouts/${second.id}`)
  service.refuseOnce = { status: 403, code: 'step_up_required', details: ['/: totp'] }
  await page.getByRole('button', { name: 'Approve' }).click()
  await says('Code from your authenticator app')
  await page.keyboard.press('Escape')
  await page.locator('.toast').getByText('Nothing was done').waitFor()
  expect(service.asked.filter((call) => call.startsWith('POST'))).toHaveLength(1)
})

it('a refused role falls back to the saved one and shows the reason; an accepted role stays', async () => {
  await follow(`${base}/team`)
  const role = page.getByLabel('Role of Cy <b>Wong</b>')
  const before = await role.inputValue()
  service.refuseOnce = { status: 409, code: 'conflict' }
  await role.selectOption('viewer')
  await page.locator('.toast').getByText('Refused: conflict.').waitFor()
  await expect.poll(() => role.inputValue()).toBe(before)
  await role.selectOption('viewer')
  await page.locator('.toast').getByText('The role was changed').waitFor()
  await page.getByRole('button', { name: 'Remove: Cy <b>Wong</b>' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await page.locator('.toast').getByText('Removed from the team').waitFor()
  await follow('/dashboard/account')
  service.refuseOnce = { status: 409, code: 'conflict' }
  const language = page.getByLabel('Language')
  await language.selectOption('de')
  await page.locator('.toast').getByText('Refused: conflict.').waitFor()
  await expect.poll(() => language.inputValue()).toBe('en')
  expect(await page.getAttribute('html', 'lang')).toBe('en')
})

it('a secret is shown once, with a command to try it, and is gone when its dialog is closed', async () => {
  await follow(`${base}/keys`)
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Name').fill('Web shop')
  await page.getByRole('button', { name: 'Create key' }).click()
  await says('It is shown only once')
  // A key that was not stored is lost: only this button closes the dialog.
  for (let times = 0; times < 3; times++) await page.keyboard.press('Escape')
  expect(await page.getByRole('dialog').locator('header button').count()).toBe(0)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(`sk_test_${'0'.repeat(64)}`)
})

it('a shop’s name cannot turn around what stands after it, such as the host', async () => {
  const reads = (text: string) =>
    page.getByText(text, { exact: true }).evaluate((element) => {
      const range = element.ownerDocument.createRange()
      const at = (n: number) => {
        range.setStart(element.firstChild, n)
        range.setEnd(element.firstChild, n + 1)
        return range.getBoundingClientRect().left
      }
      return at(1) < at(3)
    })
  await go(`/dashboard/connect?${new URLSearchParams({ ...shopRequest(), environment: 'test' })}`)
  await says('(WooCommerce)')
  expect(await reads('(WooCommerce)')).toBe(true)
  await go(`${base}/keys`)
  await says('old.example')
  expect(await reads('old.example')).toBe(true)
})

it('the dialog of a key that is on its way stays open, since the key is shown only once', async () => {
  await follow(`${base}/keys`)
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Name').fill('Web shop')
  let arrive = () => {}
  await page.route('**/keys', async (route) => {
    if (route.request().method() === 'POST') await new Promise<void>((resolve) => (arrive = resolve))
    await route.continue()
  })
  const asking = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Create key' }).click()
  await asking
  for (let times = 0; times < 3; times++) await page.keyboard.press('Escape')
  expect(
    await page
      .getByRole('dialog')
      .locator('button:enabled')
      .getByText(/Close|Not now/)
      .count(),
  ).toBe(0)
  arrive()
  await says('It is shown only once')
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.unroute('**/keys')
})

it('a shop is connected by one click, with exactly what was shown, and the browser goes back to it', async () => {
  const request = shopRequest()
  await go(`/dashboard/connect?${new URLSearchParams({ ...request, environment: 'test' })}`)
  await says('shop.alpengluehen.example')
  expect(new URL(page.url()).pathname).toBe(`${base}/connect`)
  expect(await page.getByRole('link', { name: 'Do not connect' }).getAttribute('href')).toBe(
    shopReview.decline_url,
  )
  await page.getByLabel('Environment').selectOption('live')
  await page.waitForURL('**/live/connect?**')
  await page.getByLabel('Environment').selectOption('test')
  await page.waitForURL('**/test/connect?**')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.waitForURL('**/returned?code=abc&state=def')
  const { permissions } = shopReview
  const body = JSON.stringify({ ...request, permissions })
  expect(service.asked).toContain(`POST /merchants/${shown.merchant}/test/shops ${body}`)
  await go(`${base}/keys`)
  await page.getByRole('button', { name: 'Disconnect: Alpenglühen Laden' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect', exact: true }).click()
  await says('The shop was disconnected')
  expect(service.asked.filter((call) => call.startsWith('DELETE'))).toHaveLength(1)
})
