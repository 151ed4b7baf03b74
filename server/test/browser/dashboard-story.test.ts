import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { makeInvitationLink } from '../../src/app/team/invite-member.ts'
import { openBrowser } from '../support/browser/browser.ts'
import {
  type DashboardWindow,
  goByKeys,
  openDashboardWindow,
  takeComplaints,
} from '../support/browser/dashboard-window.ts'
import {
  type Login,
  makePerson,
  originOf,
  SoftwareTotp,
  signedIn,
} from '../support/people/dashboard-client.ts'
import { type HookReceiver, startHookReceiver } from '../support/servers/hook-receiver.ts'
import { newAddress } from '../support/shop/money-out.ts'
import { startTestService, type TestService } from '../support/shop/service.ts'
import { quiet, Shop } from '../support/shop/shop.ts'

/** How a merchant's users work with the dashboard, one story after the other, on the whole service and a real browser. */

let service: TestService
let receiver: HookReceiver
let browser: Browser
let window: DashboardWindow
let page: Page
let owner: Login
let totp: SoftwareTotp
let merchantId: string
let key: string
const complaints: string[] = []

beforeAll(async () => {
  service = await startTestService(quiet)
  receiver = await startHookReceiver()
  merchantId = await service.makeMerchant()
  owner = await makePerson(service, { merchantId, role: 'owner' })
  browser = await openBrowser()
  window = await openDashboardWindow(browser, service, complaints)
  page = window.page
})
afterAll(async () => {
  await browser.close()
  await receiver.close()
  await service.stop()
})
afterEach(() => expect(takeComplaints(service, complaints)).toEqual([]))

const mine = (path: string) => `/${merchantId}/test${path}`
const byCode = { totp: () => totp.code() }

it('the first sign-in sets up an authenticator app, and the next one asks for it', async () => {
  await window.go('')
  await window.signIn({ ...owner, password: 'not this one' })
  await page.getByRole('alert').first().waitFor()
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await window.heading('Protect your account')
  await page.getByRole('button', { name: 'Use an authenticator app' }).click()
  const secret = page.locator('.code .text')
  await window.prove(owner, () => secret.waitFor())
  totp = new SoftwareTotp((await secret.textContent()) ?? '')
  await page.getByLabel('The code it shows now').fill(await totp.code())
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('each of these codes signs you in once').waitFor()
  expect(await page.locator('.codes li').count()).toBeGreaterThanOrEqual(8)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await window.heading('Overview')

  await page.getByRole('button', { name: 'Sign out' }).click()
  await window.heading('Sign in')
  await window.go(mine('/balances'))
  await window.signIn(owner)
  await window.heading('Second factor')
  await page.getByLabel('Code from your authenticator app').fill(await totp.code())
  await page.getByRole('button', { name: 'Continue' }).click()
  await window.heading('Balances')
})

it('the first sign-in sets up a passkey, and from then on the passkey alone is enough', async () => {
  const other = await openDashboardWindow(browser, service, complaints)
  await other.enrolPasskey(await makePerson(service, { merchantId, role: 'finance' }), 'Work laptop')
  await other.go('/account')
  await other.page.getByText('Work laptop').waitFor()
  await other.page.locator('main').getByRole('button', { name: 'Sign out' }).click()
  await other.heading('Sign in')
  await other.button('Sign in with a passkey').click()
  await other.heading('Overview')
  await other.context.close()
})

it('the operator of a service that has just begun is alarmed by nothing', async () => {
  const operator = await makePerson(service, { merchantId, role: 'viewer' }, { isOperator: true })
  const other = await openDashboardWindow(browser, service, complaints)
  await other.enrolPasskey(operator, 'Work laptop')
  // Their passkey is all they have.
  await other.page.getByText('You have no recovery codes.').waitFor()
  await other.follow('/operator/gates')
  await other.page.getByText('Nothing needs your attention').waitFor()
  expect(await other.page.locator('main .sign.over').count()).toBe(0)
  await other.context.close()
})

it('a member gets another role, and is removed', async () => {
  const login = await makePerson(service, { merchantId, role: 'viewer' })
  const { email } = login
  const member = await signedIn(service, login)
  const roleNow = async () => (await member.call('getSession')).body.data.memberships[0]?.role
  const seesTheTeam = async () => (await member.call('getTeam', { path: { merchantID: merchantId } })).status
  expect([await roleNow(), await seesTheTeam()]).toEqual(['viewer', 200])
  await window.follow(mine('/team'))
  await page.getByLabel(`Role of ${email}`).selectOption('finance')
  await window.prove(byCode, () => window.toast('The role was changed'))
  expect(await roleNow()).toBe('finance')
  await page.getByRole('button', { name: `Remove: ${email}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await window.prove(byCode, () => window.toast('Removed from the team'))
  expect([await roleNow(), await seesTheTeam()]).toEqual([undefined, 404])
  await page.getByText(email).first().waitFor({ state: 'detached' })
})

it('without a mail server an invitation’s link is shown once, kept by Escape, and followed in another browser', async () => {
  const email = 'dora@example.com'
  const shown = () => page.getByRole('dialog').locator('.secret .text')
  await window.follow(mine('/team'))
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Email address').fill(email)
  await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click()
  await window.prove(byCode, () => shown().waitFor())
  const first = (await shown().textContent()) ?? ''
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  expect(await shown().textContent()).toBe(first)
  await page.getByRole('button', { name: 'I have stored it' }).click()

  await page.getByRole('button', { name: `New link: ${email}` }).click()
  await window.prove(byCode, () => shown().waitFor())
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy: Invitation link' }).click()
  const link = (await page.evaluate('navigator.clipboard.readText()')) as string
  expect([link === first, link === (await shown().textContent())]).toEqual([false, true])
  await page.getByRole('button', { name: 'I have stored it' }).click()

  const other = await openDashboardWindow(browser, service, complaints)
  await other.go(link.slice(link.indexOf('/dashboard') + '/dashboard'.length))
  await other.page.getByLabel('Your name').fill('Dora')
  await other.page.getByLabel('Password').fill('correct horse battery staple')
  await other.page.getByRole('button', { name: 'Join' }).click()
  await other.heading('Protect your account')
  await other.context.close()
  await window.follow(mine(''))
  await window.follow(mine('/team'))
  await page.getByRole('listitem').filter({ hasText: 'Dora' }).getByText(email).waitFor()
})

it('an account joins another merchant once it has signed in on the invitation’s page', async () => {
  const there = await service.makeMerchant()
  const login = await makePerson(service, { merchantId: there, role: 'viewer' })
  const by = { actor: 'cli:test', name: 'test', ip: null, userAgent: null }
  const request = { merchantId, email: login.email, role: 'viewer', appointer: null } as const
  const { link } = await makeInvitationLink(service.app, by, request)
  const other = await openDashboardWindow(browser, service, complaints)
  await other.go(link.slice(link.indexOf('/dashboard') + '/dashboard'.length))
  await other.page.getByLabel('Your name').fill('Another')
  await other.page.getByLabel('Password').fill('correct horse battery staple')
  await other.page.getByRole('button', { name: 'Join' }).click()
  await other.page.getByText('There is an account with this e-mail address already').waitFor()
  await other.page.getByLabel('Password').fill(login.password)
  await other.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await other.page.getByRole('button', { name: 'Join' }).click()
  await other.heading('Protect your account')
  await other.context.close()
  const session = await (await signedIn(service, login)).call('getSession')
  expect(session.body.data.memberships).toHaveLength(2)
})

it('a key is created, shown once, and accepted by the API', async () => {
  await window.follow(mine('/keys'))
  await page.getByRole('button', { name: 'New key' }).first().click()
  await page.getByLabel('Name').fill('Web shop')
  await page.getByLabel('payouts:write').check()
  await page.getByLabel('payouts:read').check()
  await page.getByLabel('test:write').check()
  await page.getByRole('button', { name: 'Create key' }).click()
  const shown = page.locator('.secret .text')
  await window.prove(byCode, () => shown.waitFor())
  key = (await shown.textContent()) ?? ''
  expect(key).toMatch(/^sk_test_[0-9a-f]{64}$/)
  // What the reference shows is tested with the service's pages; it takes seconds to do so.
  await page
    .context()
    .route('**/docs/js/scalar.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
  const opening = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Open the API reference with this key' }).click()
  const reference = await opening
  await reference.waitForURL('**/docs/')
  await reference.waitForLoadState()
  expect(await reference.evaluate('[self.origin, opener]')).toEqual(['null', null])
  expect(await reference.content()).toContain(key)
  await reference.close()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  const answer = await fetch(`${service.url}/api/v1/invoices`, { headers: { 'X-API-Key': key } })
  expect(answer.status).toBe(200)
  await page.locator('td .mono').getByText(key.slice(-4)).waitFor()
  expect(await page.content()).not.toContain(key)
})

it('a webhook is registered and tested, and its delivery is shown with request and answer', async () => {
  await window.follow(mine('/webhooks'))
  await page.getByRole('button', { name: 'New endpoint' }).first().click()
  await page.getByLabel('URL').fill(`${receiver.url}/hooks`)
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  const secret = page.locator('.secret .text')
  await window.prove(byCode, () => secret.waitFor())
  expect(await secret.textContent()).toMatch(/^whsec_/)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await window.heading(/^Webhook endpoint/)
  await page.getByRole('button', { name: 'Send a test' }).click()
  await receiver.received(1)
  await page.locator('td .status').getByText('Delivered').waitFor()
  await page.getByRole('link', { name: 'webhook.test' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('204', { exact: true }).waitFor()
  await dialog.getByText('"webhook.test"').waitFor()
  await page.keyboard.press('Escape')
})

it('an invoice is created, paid in the sandbox, followed to completion, and found by its transaction', async () => {
  await window.follow(mine('/invoices/new'))
  await page.getByLabel('Price in cryptocurrency').check()
  await page.getByLabel('Amount').fill('0.01')
  await page.getByLabel('Paid in').selectOption('BTC')
  await page.getByLabel('Order number').fill('order <b>77</b>')
  await page.getByRole('button', { name: 'Create invoice' }).click()
  await page.getByText('The invoice is ready').waitFor()
  await page.getByRole('img', { name: 'QR code of the payment link' }).waitFor()
  await page.getByRole('link', { name: 'Go to the invoice' }).click()
  await window.heading(/^order <b>77<\/b>/)
  await page.getByRole('button', { name: 'Pay the amount due' }).click()
  await window.toast('The payment was sent')
  await page.getByRole('button', { name: /^Mine/ }).click()
  await page.locator('h1').getByText('Paid', { exact: true }).waitFor()
  await page.getByText('Payment credited').waitFor()
  const list = await fetch(`${service.url}/api/v1/invoices`, { headers: { 'X-API-Key': key } })
  const [newest] = ((await list.json()) as { data: [{ id: string }] }).data
  const one = await fetch(`${service.url}/api/v1/invoices/${newest.id}`, { headers: { 'X-API-Key': key } })
  const { payments } = ((await one.json()) as { data: { payments: [{ tx_hash: string }] } }).data
  await page.keyboard.press('/')
  await page.keyboard.type(payments[0].tx_hash)
  await page.keyboard.press('Enter')
  await page
    .locator('main')
    .getByRole('link', { name: /^Invoice/ })
    .click()
  await window.heading(/^order <b>77<\/b>/)
})

it('a refund created on the invoice’s page is approved with a code of its own, sent and completed', async () => {
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await page.getByLabel('Amount · BTC').fill('0.004')
  await page
    .getByLabel('Customer’s address')
    .or(page.getByLabel("Customer's address"))
    .fill('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx')
  await page.getByRole('button', { name: 'Create refund' }).click()
  await window.heading(/^Refund/)
  await page.getByRole('link', { name: 'Go to the payout' }).first().click()
  await window.heading(/^Payout/)
  await page.getByText('Nothing has ever been paid to this destination').waitFor()
  const risky = 'Approve to an unknown destination'
  await page.getByRole('button', { name: risky }).click()
  await window.prove(byCode, () => window.toast('The payout was approved'), {
    title: risky,
    action: 'Approve',
  })
  const mine3 = { method: 'POST', body: JSON.stringify({ network: 'bitcoin', count: 3 }) }
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' }
  // The page shows each change by itself.
  await expect
    .poll(async () => {
      await fetch(`${service.url}/api/v1/test/blocks`, { ...mine3, headers })
      return page.locator('h1 .status').textContent()
    })
    .toBe('Completed')
  // What to look at before approving it says nothing any more.
  expect(await page.locator('main .warnings').count()).toBe(0)
  expect(await page.getByText('Nothing has ever been paid to this destination').count()).toBe(0)
})

it('an address that a program controls is paid once the person allows it, by keyboard alone, for that address only', async () => {
  const shop = new Shop(service, merchantId, (await service.makeKey(merchantId)).key)
  await shop.fund('5', 'SOL', 'solana')
  const invoice = await shop.create({ currency: 'SOL', network: 'solana', amount: '1' })
  await shop.pay(invoice, '1')
  await shop.mine(32, 'solana')
  const [vault, other] = ['3gF2KMe9KiC6FNVBmfg9i267aMPvK37FewCip4eGBFcT', await newAddress('solana')]
  await window.follow(mine('/payouts/new'))
  await page.getByLabel('Currency').selectOption('SOL')
  await page.getByLabel('The recipient gets').fill('1')
  const address = page.getByLabel('Destination')
  await address.fill(vault)
  await address.press('Enter')
  const consent = page.getByRole('checkbox', { name: 'The recipient controls this address' })
  await consent.waitFor()
  await address.fill(other)
  expect(await consent.count()).toBe(0)
  await address.fill(vault)
  // Not yet allowed. While it is asked, a form takes no other Enter.
  const refusedAgain = page.waitForResponse((answer) => answer.request().method() === 'POST')
  await address.press('Enter')
  expect((await refusedAgain).status()).toBe(422)
  await page.locator('button[type=submit][aria-disabled=false]').last().waitFor()
  await page.getByText('it has no private key').waitFor()
  await address.focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  expect(await consent.isChecked()).toBe(true)
  await page.keyboard.press('Enter')
  await window.heading(/^Payout/)
  await page.getByText('A program controls this destination').waitFor()

  await window.follow(mine(`/invoices/${invoice.id}`))
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await page.getByLabel('Customer’s address').or(page.getByLabel("Customer's address")).fill(vault)
  await page.getByRole('button', { name: 'Create refund' }).click()
  await consent.check()
  await page.getByRole('button', { name: 'Create refund' }).click()
  await window.heading(/^Refund/)
})

it('a debt is shown and links to the ledger that explains it, and the page of a payout that waits for it opens', async () => {
  const shop = new Shop(service, merchantId, (await service.makeKey(merchantId)).key)
  const invoice = await shop.create({ currency: 'LTC', amount: '1' })
  const hash = await shop.pay(invoice, '1')
  await shop.mine(6, 'litecoin')
  const payout = await shop.payOut({
    currency: 'LTC',
    amount: '0.7',
    destination: await newAddress('litecoin'),
  })
  await shop.reorganise(6, [hash], 'litecoin')
  await window.follow(mine(''))
  await page.getByRole('link', { name: /^View.*LTC/ }).click()
  await window.heading('LTC ledger')
  await page.getByText(/^0\.70\d* LTC are missing on Litecoin/).waitFor()
  await page.getByRole('link', { name: 'To approve' }).click()
  await page.locator('main').getByRole('link', { name: '0.7 LTC' }).click()
  await window.heading(/^Payout/)
  await page.getByText(/^0\.70\d* LTC are missing from the balance/).waitFor()
  await window.go(mine(`/payouts/${payout.id}`))
  await page.getByText('0.7 LTC').first().waitFor()
})

it('a user whose session ended elsewhere lands on the sign-in page, and then where they were going', async () => {
  await window.follow(mine('/payouts?status=completed'))
  await page.locator('td .status').getByText('Completed').waitFor()
  await window.context.clearCookies()
  await goByKeys(page, 'i', 'Sign in')
  await window.signIn(owner)
  await page.getByLabel('Code from your authenticator app').fill(await totp.code())
  await page.getByRole('button', { name: 'Continue' }).click()
  await window.heading('Invoices')
})

it('the page cannot be framed, runs no foreign script, and is not cached', async () => {
  const answer = await fetch(window.at('/anything/at/all'))
  expect(answer.status).toBe(200)
  const header = (name: string) => answer.headers.get(name) ?? ''
  expect(header('x-frame-options')).toBe('DENY')
  expect(header('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(header('content-security-policy')).toContain("script-src 'self';")
  expect(header('content-security-policy')).not.toContain('unsafe')
  expect(header('cache-control')).toBe('no-store')
  expect(header('referrer-policy')).toBe('no-referrer')
  expect(header('permissions-policy')).toContain('publickey-credentials-get=(self)')
  expect(header('permissions-policy')).toContain('camera=()')
  const [script] = /\/dashboard-assets\/main-[\w-]+\.js/.exec(await answer.text()) ?? ['']
  const file = await fetch(`${originOf(service)}${script}`, { headers: { 'accept-encoding': 'br' } })
  expect(file.headers.get('cache-control')).toContain('immutable')
  expect(file.headers.get('content-encoding')).toBe('br')
  expect((await fetch(`${originOf(service)}/dashboard-assets/..%2fpage.html`)).status).toBe(404)
})
