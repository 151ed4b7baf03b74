import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '../../src/domain/roles.ts'
import { openBrowser } from '../support/browser/browser.ts'
import {
  type DashboardWindow,
  openDashboardWindow,
  takeComplaints,
} from '../support/browser/dashboard-window.ts'
import { query } from '../support/database/database.ts'
import { makePerson, originOf } from '../support/people/dashboard-client.ts'
import {
  type LiveTeam,
  lendLiveGates,
  type Member,
  openLiveTeam,
  strictPolicy,
  thief,
} from '../support/people/live-team.ts'
import { freePort } from '../support/servers/free-port.ts'
import { expectCleanBooks, until } from '../support/shop/money-out.ts'
import { startTestService, type TestService } from '../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../support/shop/shop.ts'

/** What users do before they get on, and how several of them decide together, on one whole service and in a real browser. */

let service: TestService
let browser: Browser
const complaints: string[] = []

beforeAll(async () => {
  // The signer needs to know the public URL before the service listens.
  service = await startTestService({ ...quiet, env: { ...quiet.env, PORT: String(await freePort()) } })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await service.stop()
})
afterEach(() => expect(takeComplaints(service, complaints)).toEqual([]))

/** A window with an authenticator, in which a new member of a merchant is signed in and has a passkey. */
async function holder(merchantId: string, role: Role, name: string): Promise<DashboardWindow> {
  const window = await openDashboardWindow(browser, service, complaints)
  await window.enrolPasskey(await makePerson(service, { merchantId, role }), name)
  return window
}

describe('what users have to do before they get on', () => {
  let merchantId: string
  beforeAll(async () => {
    merchantId = await service.makeMerchant()
  })

  it('live asks a member without a second factor for one, offers the test environment meanwhile, and then opens', async () => {
    const login = await makePerson(service, { merchantId, role: 'finance' })
    const window = await openDashboardWindow(browser, service, complaints)
    const { page } = window
    await page.setViewportSize({ width: 390, height: 844 })
    await window.addAuthenticator()
    await window.go(`/${merchantId}/live/payouts`)
    await window.signIn(login)
    await window.heading('Protect your account')
    await window.button('Later').click()
    await window.heading('Live needs a second factor')
    await page.getByRole('link', { name: 'Work in the test environment' }).click()
    await page.waitForURL(`**/${merchantId}/test`)
    await window.heading('Overview')

    await window.go(`/${merchantId}/live/payouts`)
    await window.heading('Live needs a second factor')
    await window.button('Add a passkey').click()
    await page.getByLabel('Name of the passkey').fill('Phone')
    await window.button('Add the passkey').click()
    await window.prove(login, () => window.heading('Payouts'))
    await page.waitForURL(`**/${merchantId}/live/payouts`)
    await window.context.close()
  })

  it('the API reference takes a test key and no live one; script there reaches neither session nor storage', async () => {
    const login = await makePerson(service, { merchantId, role: 'viewer' })
    const window = await openDashboardWindow(browser, service, complaints)
    const { page } = window
    await window.go('')
    await window.signIn(login)
    await window.heading('Protect your account')
    const call = `fetch('/dashboard-api/session', { credentials: 'include' })
      .then((answer) => answer.status, () => 'refused')`
    const stored = `localStorage.getItem('sluice.test')`
    await page.evaluate(`localStorage.setItem('sluice.test', 'secret')`)
    expect([await page.evaluate(call), await page.evaluate(stored)]).toEqual([200, 'secret'])
    // What the reference shows in its sandbox is tested with the service's pages; it takes seconds to do so.
    await page.route('**/docs/js/scalar.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: '' }),
    )
    const settings = `document.getElementById('api-reference').dataset.configuration`
    const end = 'ab12'.repeat(16)
    const live = `sk_live_${end}`
    for (const refused of [`key=${live}`, `x&key=${live}`, live, `key=sk_test_${end}x`]) {
      await page.goto('about:blank')
      await page.goto(`${originOf(service)}/docs/#${refused}`)
      expect(page.url()).toBe(`${originOf(service)}/docs/`)
      expect(await page.evaluate(settings)).not.toContain(end)
    }
    await page.goto('about:blank')
    await page.goto(`${originOf(service)}/docs/#key=sk_test_${end}`)
    expect(await page.evaluate(settings)).toContain(`"value":"sk_test_${end}"`)
    await page.reload()
    expect(await page.evaluate(settings)).not.toContain(end)
    // Without the page's own scripts too, one of which stands in for the storage.
    await page.route('**/docs/js/*', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
    await page.goto(`${originOf(service)}/docs/`)
    expect(await page.evaluate(call)).toBe('refused')
    await expect(page.evaluate(stored)).rejects.toThrow('sandboxed')
    expect(await page.evaluate('self.origin')).toBe('null')
    await expect(page.evaluate('document.cookie')).rejects.toThrow('sandboxed')
    // The refused call is what the test is about; the browser reports it.
    expect(
      complaints
        .splice(0)
        .filter((each) => !each.includes('/dashboard-api/session') && !each.includes('Failed to load')),
    ).toEqual([])
    await page.goto(window.at('/account'))
    await window.heading('Your account')
    await window.context.close()
  })

  it('a printed password is replaced at the first sign-in, before anything else', async () => {
    const login = await makePerson(service, { merchantId, role: 'owner' })
    await query(service.database.url, 'update users set must_change_password = true where id = $1', [
      login.userId,
    ])
    const window = await openDashboardWindow(browser, service, complaints)
    const { page } = window
    await page.setViewportSize({ width: 390, height: 844 })
    await window.go(`/${merchantId}/test/balances`)
    await window.signIn(login)
    await window.heading('Choose your own password')
    await window.go(`/${merchantId}/test/payouts`)
    await window.heading('Choose your own password')
    const change = async (password: string) => {
      await page.getByLabel('Current password').fill(login.password)
      await page.getByLabel('New password').fill(password)
      await window.button('Change password').click()
    }
    await change(login.password)
    await page.getByRole('alert').getByText('nor the password that you have').waitFor()
    expect(complaints.splice(0)).toEqual([expect.stringContaining('status of 400')])
    await change('a password of their own')
    await window.heading('Protect your account')
    await window.button('Later').click()
    await window.heading('Payouts')
    await window.context.close()
  })
})

describe('sending money with passkeys, step by step, with the browser’s own authenticator', () => {
  let shop: Shop
  let ann: DashboardWindow
  let bob: DashboardWindow
  const destination = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
  beforeAll(async () => {
    shop = await openShop(service)
    await shop.fund('0.1')
  })
  afterAll(async () => {
    for (const { context } of [ann, bob]) await context.close()
  })

  const mine = (path: string) => `/${shop.merchantId}/test${path}`

  /** Makes every proof an hour old, so that every action that needs a fresh one asks for it. */
  async function proofsAge(): Promise<void> {
    await query(service.database.url, `update sessions set proved_at = proved_at - interval '1 hour'`)
  }

  /** Creates a payout with the shop's key and opens it in the window of a user who may approve it. */
  async function shown(window: DashboardWindow, amount: string) {
    const payout = await shop.payOut({ currency: 'BTC', amount, destination })
    await window.follow(mine(`/payouts/${payout.id}`))
    await window.heading(/^Payout/)
    await window.page.getByText(destination).first().waitFor()
    return payout
  }

  async function expectCompleted(window: DashboardWindow, payout: { id: string; network: string }) {
    await until(shop, payout, 'completed')
    await window.page.locator('h1 .status').getByText('Completed').waitFor()
  }

  it('a user approves a payout made with a key by showing their passkey again, and it completes', async () => {
    ann = await holder(shop.merchantId, 'owner', 'Laptop')
    const payout = await shown(ann, '0.01')
    await proofsAge()
    await ann.button('Approve to an unknown destination').click()
    const dialog = ann.page.getByRole('dialog', { name: 'Approve to an unknown destination' })
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await ann.toast('The payout was approved')
    await expectCompleted(ann, payout)
  })

  it('a policy that requires passkeys is set with one, and from then on passkeys sign what was shown', async () => {
    await ann.follow(mine('/policy'))
    await ann.page.getByText('Trusted', { exact: true }).waitFor()
    await ann.button('Change the policy').click()
    await ann.page.getByLabel('With a passkey that signs what was shown').check()
    await ann.button('Save').click()
    await ann.toast('The policy was saved')
    await ann.page.getByText('Money is sent only with approvals signed by one of these').waitFor()

    const payout = await shown(ann, '0.02')
    await proofsAge()
    await ann.button('Approve').click()
    await ann.toast('The payout was approved')
    await ann.page.getByText('signed by passkey').waitFor()
    const rows = await query(
      service.database.url,
      `select covered_hashes from payout_approvals where payout_id = $1 and signature is not null`,
      [payout.id],
    )
    expect(rows).toMatchObject([{ covered_hashes: [expect.stringMatching(/^[0-9a-f]{64}$/)] }])
    await expectCompleted(ann, payout)
  })

  it('a new member can approve only after a trusted passkey has vouched for theirs', async () => {
    bob = await holder(shop.merchantId, 'finance', 'Phone')
    const payout = await shown(bob, '0.003')
    await bob.button('Approve').click()
    await bob.toast('Ask a member whose passkey it trusts to vouch for it')
    expect((await shop.payout(payout)).status).toBe('pending_approval')

    await ann.follow(mine('/policy'))
    await ann.page.getByText('Not trusted', { exact: true }).waitFor()
    await ann.button('Vouch').click()
    const dialog = ann.page.getByRole('dialog', { name: 'Vouch for a passkey' })
    await dialog.getByText(/[0-9a-f]{4}(-[0-9a-f]{4}){7}/).waitFor()
    await dialog.getByRole('button', { name: 'Vouch' }).click()
    await ann.toast('You have vouched for it.')
    // The signer trusts it when it has looked, and the page says so from then on.
    const pins = 'select from passkey_pins where merchant_id = $1'
    await expect.poll(() => query(service.database.url, pins, [shop.merchantId])).toHaveLength(2)
    await ann.go(mine('/policy'))
    await expect.poll(() => ann.page.getByText('Trusted', { exact: true }).count()).toBe(2)

    await bob.button('Approve').click()
    await bob.toast('The payout was approved')
    await expectCompleted(bob, payout)
    await expectCleanBooks(service)
  })
})

describe('relaxing the live payout policy, as two people see it', () => {
  let team: LiveTeam
  let ann: DashboardWindow
  let bob: DashboardWindow
  beforeAll(async () => {
    lendLiveGates(service)
    team = await openLiveTeam(service)
    ann = await windowOf(await team.member('owner'))
    bob = await windowOf(await team.member('finance'))
  })

  /** A window in which the member is signed in already. */
  async function windowOf({ client }: Member): Promise<DashboardWindow> {
    const window = await openDashboardWindow(browser, service, complaints)
    const [name = '', value = ''] = (client.cookie ?? '').split('=')
    await window.context.addCookies([{ name, value, url: originOf(service) }])
    return window
  }

  const live = (path: string) => `/${team.merchantId}/live${path}`
  const pending = (window: DashboardWindow) =>
    window.page
      .locator('section')
      .filter({ has: window.page.getByRole('heading', { name: 'Pending changes' }) })

  it('the form says that relaxing waits, and the change is proposed instead of saved', async () => {
    await ann.go(live('/policy'))
    await ann.button('Change the policy').click()
    const warning = ann.page.getByRole('status').filter({ hasText: 'This relaxes:' })
    expect(await warning.count()).toBe(0)
    await ann.page.getByLabel('Required approvals').selectOption('1')
    await ann.page.getByLabel('Hours between approval and sending').fill('0')
    await warning.getByText('a second person has to approve it, and then it waits 24 hours').waitFor()
    expect(await warning.getByRole('listitem').allTextContents()).toEqual([
      'Required approvals',
      'Hours between approval and sending',
    ])
    await ann.button('Save').click()
    await ann.toast('The change was proposed. It is not in force yet.')
    await pending(ann).getByText('1 approval is missing').waitFor()
    expect(
      await pending(ann)
        .getByRole('button', { name: /^Approve/ })
        .count(),
    ).toBe(0)
  })

  it('every member sees it on the overview, with a link to it', async () => {
    const viewer = await windowOf(await team.member('viewer'))
    await viewer.go(live(''))
    await viewer.page.getByText('A change that relaxes the payout policy is pending').first().waitFor()
    await viewer.page.getByText('Approvals are missing.').waitFor()
    await viewer.page.getByRole('link', { name: /relaxes the payout policy/ }).click()
    await pending(viewer).waitFor()
    expect(await pending(viewer).getByRole('button').count()).toBe(0)
    await viewer.context.close()
  })

  it('a second person approves it with the keyboard, and then sees when it applies', async () => {
    await bob.go(live('/policy'))
    const approve = pending(bob).getByRole('button', { name: /^Approve/ })
    await approve.focus()
    await bob.page.keyboard.press('Enter')
    const dialog = bob.page.getByRole('dialog', { name: 'Approve the change' })
    await dialog.getByText('Required approvals: Two different people → One person').waitFor()
    await dialog.getByRole('button', { name: 'Approve' }).focus()
    await bob.page.keyboard.press('Enter')
    await bob.toast('The change was approved.')
    await pending(bob)
      .getByText(/^Applies/)
      .waitFor()
    expect(
      await pending(bob)
        .getByText(/in 23 hours|tomorrow/)
        .count(),
    ).toBe(1)
  })

  it('it is withdrawn with one click and a confirmation, and the policy stays', async () => {
    await bob.go(live('/policy'))
    await pending(bob)
      .getByRole('button', { name: /^Withdraw/ })
      .click()
    const dialog = bob.page.getByRole('dialog', { name: 'Withdraw the change' })
    await dialog.getByRole('button', { name: 'Withdraw' }).click()
    await bob.toast('The change was withdrawn.')
    await pending(bob).waitFor({ state: 'detached' })
    expect(await team.inForce()).toMatchObject({ approvalsRequired: 2, coolingOffSeconds: 3600 })
  })

  it('a new destination is proposed as well, and says so before', async () => {
    await ann.go(live('/policy'))
    await ann.button('Add a destination').click()
    const dialog = ann.page.getByRole('dialog', { name: 'Add a destination' })
    await dialog.getByText('a second person has to approve it').waitFor()
    // There is no live node in a test, so the list of networks is empty.
    await dialog.getByRole('combobox').evaluate(`select => select.add(new Option('Bitcoin', 'bitcoin'))`)
    await dialog.getByRole('combobox').selectOption('bitcoin')
    await dialog.getByLabel('Address').fill(thief.address)
    await dialog.getByRole('button', { name: 'Add a destination' }).click()
    await ann.toast('The destination was proposed. It is not allowed yet.')
    await pending(ann).getByText('Would be allowed on bitcoin:').waitFor()
    expect(await team.known()).toEqual([])
  })

  it('where passkeys are in force, proposing, approving and withdrawing are signed with one', async () => {
    const signing = await openLiveTeam(service, { ...strictPolicy, approval: 'passkey' })
    const page = `/${signing.merchantId}/live/policy`
    const cay = await holder(signing.merchantId, 'owner', 'Laptop')
    const dan = await holder(signing.merchantId, 'finance', 'Phone')
    // There is no live signer in this test; this is what one would report.
    await query(
      service.database.url,
      `insert into passkey_pins (environment, merchant_id, credential_id, pinned_at)
       select 'live', merchant_id, credential_id, now() from passkey_enrolments where merchant_id = $1`,
      [signing.merchantId],
    )
    await cay.follow(page)
    await cay.button('Change the policy').click()
    await cay.page.getByLabel('Hours between approval and sending').fill('0')
    await cay.button('Save').click()
    await cay.toast('The change was proposed')

    await dan.follow(page)
    await pending(dan)
      .getByRole('button', { name: /^Approve/ })
      .click()
    await dan.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await dan.toast('The change was approved.')
    await pending(dan)
      .getByRole('button', { name: /^Withdraw/ })
      .click()
    await dan.page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
    await dan.toast('The change was withdrawn.')
    const told = await query<{ said: string }>(
      service.database.url,
      'select said from passkey_statements where merchant_id = $1 order by position',
      [signing.merchantId],
    )
    const hours = told.map(({ said }) => JSON.parse(said).cooling_off_seconds / 3600)
    expect(hours).toEqual([0, 0, 1])
  })
})
