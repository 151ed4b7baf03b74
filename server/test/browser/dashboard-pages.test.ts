import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as shown from '../../../web/dashboard/test/fixtures.ts'
import { endpoint, shopReview } from '../../../web/dashboard/test/more-fixtures.ts'
import { allSuspense } from '../../../web/dashboard/test/operator-fixtures.ts'
import { type StandIn, startStandIn } from '../../../web/dashboard/test/stand-in-service.ts'
import { axeViolations } from '../support/browser/axe.ts'
import { openBrowser } from '../support/browser/browser.ts'
import { followLink, goByKeys } from '../support/browser/dashboard-window.ts'
import { shopRequest } from '../support/people/pairing-shop.ts'

/** Every page of the dashboard with content, against canned answers: looks, texts, keyboard shortcuts and dialogs. */

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 800 }

let service: StandIn
let browser: Browser
let context: BrowserContext
let page: Page
let complaints: string[]

beforeAll(async () => {
  service = await startStandIn()
  browser = await openBrowser()
  context = await browser.newContext({ viewport: desktop, colorScheme: 'light', locale: 'en-GB' })
  page = await context.newPage()
  page.on('console', (message) => {
    // The browser itself reports every refusal, including those that the page expects and explains.
    if (message.type() !== 'debug' && !/status of 40[1349]|^\[DOM\]/.test(message.text()))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${service.url}/`) && !request.url().startsWith('data:'))
      complaints.push(`asked ${request.url()}`)
  })
})
afterAll(async () => {
  await browser.close()
  await service.close()
})
beforeEach(async () => {
  service.signedOut = false
  service.empty = false
  service.asked.length = 0
  complaints = []
  await page.setViewportSize(desktop)
})
afterEach(async () => {
  expect(await page.title()).not.toContain('owned')
  expect(complaints).toEqual([])
})

const base = `/dashboard/${shown.merchant}/test`
const shopAsks = 'app=woocommerce&name=Laden&return=https%3A%2F%2Fshop.example'
const [open] = shown.invoices as [(typeof shown.invoices)[0]]
const [first, second] = shown.payouts as [(typeof shown.payouts)[0], (typeof shown.payouts)[0]]

/** Every page: its path, and a text that only this page shows. */
const pages: Readonly<Record<string, readonly [path: string, says: string]>> = {
  overview: [base, '2 payouts wait for approval'],
  invoices: [`${base}/invoices`, '<script>document.title="owned"</script>'],
  new_invoice: [`${base}/invoices/new`, 'You get a payment link'],
  invoice: [`${base}/invoices/${open.id}`, 'Simulate the payer'],
  addresses: [`${base}/addresses`, 'Donations'],
  address: [`${base}/addresses/${shown.staticAddress.id}`, 'The tag must be given with the address'],
  payouts: [`${base}/payouts`, '1,200 USDT'],
  new_payout: [`${base}/payouts/new`, 'Creating does not send it'],
  payout: [`${base}/payouts/${first.id}`, 'Compare every character'],
  approvals: [`${base}/payouts/approve?ids=${first.id},${second.id}`, 'exactly the 2 payouts shown here'],
  missing: [`${base}/invoices/00000000-0000-0000-0000-000000000000`, 'There is nothing here'],
  refunds: [`${base}/refunds`, '0.00016833'],
  refund: [`${base}/refunds/${shown.refund.id}`, 'waits until its payout is approved'],
  balances: [`${base}/balances`, 'They change no balance'],
  ledger: [`${base}/balances/BTC`, 'Released from suspense: the wrong token.'],
  keys: [`${base}/keys`, 'sk_test_…9f30'],
  connect: [`/dashboard/connect?${shopAsks}`, 'hooks.alpengluehen.example'],
  webhooks: [`${base}/webhooks`, endpoint.url],
  webhook: [`${base}/webhooks/${endpoint.id}`, 'Rotate the secret'],
  events: [`${base}/events`, 'invoice.paid'],
  event: [`${base}/events/${shown.eventId}`, '<h1>oops</h1>'],
  search: [`${base}/search?q=order`, 'order-1098'],
  settings: [`${base}/settings`, 'Set by the operator of this service'],
  policy: [`${base}/policy`, 'Passkeys the signer trusts'],
  team: [`${base}/team`, 'Cy <b>Wong</b>'],
  audit_log: [`${base}/audit-log`, 'payout.approved'],
  live: [`/dashboard/${shown.merchant}/live/invoices`, 'order-1098'],
  nowhere: [`/dashboard/${shown.other}/live/nothing`, 'There is nothing here'],
  account: ['/dashboard/account', 'Safari on iPhone'],
  gates: ['/dashboard/operator/gates', 'A reorganisation deeper than 100 blocks'],
  not_theirs: ['/dashboard/00000000-0000-0000-0000-000000000000/live/invoices', 'There is nothing here'],
  merchants: ['/dashboard/operator/merchants', '0.25 %'],
  suspense: ['/dashboard/operator/suspense', 'Wrong currency'],
  welcome: ['/dashboard/welcome', 'Protect your account'],
  new_password: ['/dashboard/new-password', 'Choose your own password'],
  second_factor: ['/dashboard/welcome?needed=', 'Live needs a second factor'],
  invitation: [`/dashboard/invitation#${'a'.repeat(43)}`, 'Join Alpenglühen Coffee as: Finance'],
  sign_in: ['/dashboard/sign-in', 'Sign in with a passkey'],
  forgot_password: ['/dashboard/forgot-password', 'We send a link'],
  reset_password: [`/dashboard/reset#${'a'.repeat(43)}`, 'At least 12 characters'],
}
const closed = new Set(['sign_in', 'forgot_password', 'reset_password'])
// The others are followed to from the page before, which says something else.
const loadedAnew = new Set(['overview', 'sign_in'])

// A page has the same elements in both views, except for the menu. Its colours come from the components that pages share;
// these pages together have all of them. The contrast of colours is half of what axe does; the soak looks at every page.
const coloured = new Set([
  'overview',
  'invoice',
  'payout',
  'keys',
  'connect',
  'webhook',
  'team',
  'account',
  'gates',
  'sign_in',
])
const isEveryLook = process.env.SLUICE_EVERY_LOOK !== undefined
const violations = async (name: string, viewport: typeof phone) => {
  const hasColours = isEveryLook || coloured.has(name)
  if (viewport === phone || name === 'overview')
    return axeViolations(page, hasColours ? 'all' : 'all but colours')
  return hasColours ? axeViolations(page, 'colours') : []
}

const says = (text: string) => page.getByText(text).locator('visible=true').first().waitFor()
const overflow = () =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
const go = (path: string) => page.goto(`${service.url}${path}`)
/** Follows a link to this path, as users do: the page is not reloaded. */
const follow = (path: string, on = page): Promise<unknown> =>
  on.url() === 'about:blank' ? on.goto(`${service.url}${path}`) : followLink(on, path)

describe.each(Object.entries(pages).map(([name, [path, text]]) => ({ name, path, text })))(
  '$name',
  ({ name, path, text }) => {
    it('shows the essentials on a phone in light and a desktop in dark colours, passes axe and fits', async () => {
      service.signedOut = closed.has(name)
      await (loadedAnew.has(name) ? go(path) : follow(path))
      for (const [viewport, colorScheme] of [
        [phone, 'light'],
        [desktop, 'dark'],
      ] as const) {
        await page.setViewportSize(viewport)
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await says(text)
        expect(await violations(name, viewport)).toEqual([])
        expect(await overflow()).toBe(0)
      }
    })
  },
)

it('says by whose time the test environment is dated once its clock was moved, and is silent before', async () => {
  service.signedOut = false
  await go(base)
  await says('no real money moves')
  expect(await page.locator('.test-clock').count()).toBe(0)
  service.aheadSeconds = 3 * 24 * 3600
  try {
    for (const viewport of [phone, desktop]) {
      await page.setViewportSize(viewport)
      await go(base)
      await says('Its clock is ahead:')
      const shownAt = await page.locator('.test-clock time').getAttribute('datetime')
      expect(Date.parse(shownAt ?? '') - Date.now()).toBeGreaterThan(2.9 * 24 * 3_600_000)
      expect(await violations('overview', viewport)).toEqual([])
      expect(await overflow()).toBe(0)
    }
  } finally {
    service.aheadSeconds = 0
  }
})

it('axe, used as above and in the same document, finds a violation', async () => {
  await page.evaluate('document.body.append(new Image(9, 9))')
  expect((await axeViolations(page)).map(({ id }) => id)).toContain('image-alt')
})

it('in German the pages with the most text fit the narrowest phone', async () => {
  const german = await browser.newContext({ viewport: { width: 320, height: 640 }, locale: 'de-DE' })
  const narrow = await german.newPage()
  await narrow.goto(`${service.url}${base}`)
  for (const [name, title] of [
    ['overview', 'Übersicht'],
    ['invoices', 'Rechnungen'],
    ['invoice', open.external_id ?? ''],
    ['payout', 'Auszahlung'],
    ['policy', 'Auszahlungsregeln'],
    ['team', 'Team'],
    ['account', 'Ihr Konto'],
    ['settings', 'Einstellungen'],
    ['connect', 'Shop verbinden'],
  ] as const) {
    await follow(pages[name]?.[0] ?? '', narrow)
    await narrow.getByRole('heading', { name: title, level: 1 }).waitFor()
    const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    expect(await narrow.evaluate(wide), name).toBe(0)
    expect(await narrow.getAttribute('html', 'lang')).toBe('de')
  }
  await german.close()
})

it('empty lists explain how to create the first item', async () => {
  service.empty = true
  await go(base)
  for (const [path, text] of [
    ['invoices', 'No invoices yet'],
    ['payouts', 'No payouts yet'],
    ['keys', 'No keys yet'],
    ['webhooks', 'No endpoints yet'],
    ['addresses', 'No static addresses yet'],
  ] as const) {
    await follow(`${base}/${path}`)
    await says(text)
  }
  await follow(`${base}/invoices`)
  await says(`curl ${service.url}/api/v1/invoices`)
})

it('the test environment is unmistakable, live has no banner, and switching keeps the page', async () => {
  await follow(`${base}/payouts`)
  await says('Test environment: everything here is simulated')
  await expect.poll(() => page.title()).toMatch(/^Test · Payouts/)
  const edge = "getComputedStyle(document.querySelector('.frame'), '::before').borderTopWidth"
  expect(await page.evaluate(edge)).toBe('3px')
  await page.locator('.sidebar .environment').first().getByRole('link', { name: 'Live' }).click()
  await page.waitForURL(`**/${shown.merchant}/live/payouts`)
  await says('1,200 USDT')
  expect(await page.getByText('everything here is simulated').count()).toBe(0)
  expect(service.asked.some((call) => call.includes('/live/payouts'))).toBe(true)
})

it('filters and page numbers are in the URL, and the back button steps through them', async () => {
  await follow(`${base}/invoices`)
  await page.getByRole('link', { name: 'Underpaid', exact: true }).first().click()
  await page.waitForURL('**/invoices?status=underpaid')
  await page.getByLabel('Currency').selectOption('LTC')
  await page.waitForURL('**/invoices?status=underpaid&currency=LTC')
  await page.getByRole('link', { name: 'order-1099' }).click()
  await page.getByRole('heading', { name: 'order-1099' }).waitFor()
  await page.goBack()
  await page.waitForURL('**/invoices?status=underpaid&currency=LTC')
  await page.goBack()
  await page.waitForURL('**/invoices?status=underpaid')
  await page.goBack()
  expect(new URL(page.url()).search).toBe('')
  await says('order-1098')
})

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
  await page.keyboard.type('tx?gp')
  expect(await page.getByRole('searchbox').inputValue()).toBe('tx?gp')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/search?q=tx%3Fgp')
  await page.getByRole('heading', { name: 'Search', level: 1 }).click()
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

it('a refund of an overpaid invoice suggests the excess as its amount', async () => {
  const overpaid = shown.invoices.find(({ status }) => status === 'overpaid')
  service.empty = true
  await follow(`${base}/invoices/${overpaid?.id}`)
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  expect(await page.getByLabel('Amount in LTC').inputValue()).toBe('0.00016833')
  // Litecoin has no tags, so none is asked for.
  expect(await page.getByRole('dialog').getByRole('textbox').count()).toBe(3)
  await page.keyboard.press('Escape')
})

it('an amount may be typed with a comma, and one that could be two amounts is not sent', async () => {
  const german = await browser.newContext({ viewport: desktop, locale: 'de-DE' })
  const window = await german.newPage()
  await window.goto(`${service.url}${base}/invoices/new`)
  const amount = window.getByPlaceholder('49,90')
  const make = () => window.locator('button[type=submit]').last().click()
  await amount.fill('1.234')
  await make()
  const said = await window.evaluate(`document.querySelector('[placeholder="49,90"]').validationMessage`)
  expect(said).toContain('1234,5')
  expect(service.asked.filter((call) => call.startsWith('POST'))).toEqual([])
  await amount.fill('1.234,50')
  await make()
  await expect.poll(() => service.asked.join('\n')).toContain('"amount_fiat":"1234.50"')
  await german.close()
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
  await page.keyboard.press('Escape')
  complaints = complaints.filter((said) => !said.includes('ERR_FAILED'))
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
  await follow(`${base}/payouts/${first.id}`)
  service.refuseOnce = { status: 403, code: 'step_up_required', details: ['/: totp', '/: recovery_code'] }
  await page.getByRole('button', { name: 'Approve' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
  await dialog.getByLabel('Code from your authenticator app').fill('123456')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.locator('.toast').getByText('The payout was approved').waitFor()
  const changes = service.asked.filter((call) => call.startsWith('POST'))
  const { hash } = shown.review(first)
  const approval = `POST /merchants/${shown.merchant}/test/payouts/approval {"payouts":[{"id":"${first.id}","hash":"${hash}"}]}`
  expect(changes).toEqual([approval, 'POST /step-up {"totp":"123456"}', approval])
})

it('a user who declines to give a proof has changed nothing, and is told so', async () => {
  await follow(`${base}/payouts/${second.id}`)
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

it('colours follow the system until the user chooses, and the choice is kept', async () => {
  await page.emulateMedia({ colorScheme: 'light' })
  await follow(base)
  const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const light = await paper()
  await page.getByRole('button', { name: 'Switch to dark colours' }).click()
  expect(await paper()).not.toBe(light)
  await page.reload()
  await page.getByRole('button', { name: 'Switch to light colours' }).click()
  expect(await paper()).toBe(light)
})
