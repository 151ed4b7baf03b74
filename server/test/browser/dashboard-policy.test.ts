import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
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
import { startTestService, type TestService } from '../support/shop/service.ts'
import { quiet } from '../support/shop/shop.ts'

/** Relaxing the live payout policy, as two people see it on the whole service. */

let service: TestService
let browser: Browser
let team: LiveTeam
let ann: DashboardWindow
let bob: DashboardWindow
const complaints: string[] = []

beforeAll(async () => {
  service = await startTestService(quiet)
  lendLiveGates(service)
  team = await openLiveTeam(service)
  browser = await openBrowser()
  ann = await windowOf(await team.member('owner'))
  bob = await windowOf(await team.member('finance'))
})
afterAll(async () => {
  await browser.close()
  await service.stop()
})
afterEach(() => expect(takeComplaints(service, complaints)).toEqual([]))

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
  const holder = async (role: Role, name: string) => {
    const window = await openDashboardWindow(browser, service, complaints)
    const login = await makePerson(service, { merchantId: signing.merchantId, role })
    await window.enrolPasskey(login, name)
    return window
  }
  const cay = await holder('owner', 'Laptop')
  const dan = await holder('finance', 'Phone')
  // There is no live signer in this test; this is what one would report.
  await query(
    service.database.url,
    `insert into passkey_pins (environment, merchant_id, credential_id, pinned_at)
     select 'live', merchant_id, credential_id, now() from passkey_enrolments where merchant_id = $1`,
    [signing.merchantId],
  )
  await cay.go(page)
  await cay.button('Change the policy').click()
  await cay.page.getByLabel('Hours between approval and sending').fill('0')
  await cay.button('Save').click()
  await cay.toast('The change was proposed')

  await dan.go(page)
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
