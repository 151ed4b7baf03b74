import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openBrowser } from '../support/browser/browser.ts'
import { openDashboardWindow, takeComplaints } from '../support/browser/dashboard-window.ts'
import { query } from '../support/database/database.ts'
import { makePerson, originOf } from '../support/people/dashboard-client.ts'
import { startTestService, type TestService } from '../support/shop/service.ts'

/** What users have to do before they get on, on the whole service and a real browser. */

let service: TestService
let browser: Browser
let merchantId: string
const complaints: string[] = []
beforeAll(async () => {
  service = await startTestService()
  merchantId = await service.makeMerchant()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await service.stop()
})
afterEach(() => expect(takeComplaints(service, complaints)).toEqual([]))

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

it('script on the page of the API reference reaches neither cookies nor storage, nor the dashboard’s API', async () => {
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
  await page.goto(`${originOf(service)}/docs/`)
  await page.getByText('Create an invoice').first().waitFor()
  expect([await page.evaluate(call), await page.evaluate(stored)]).toEqual(['refused', null])
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
  await page.getByRole('alert').getByText('must differ').waitFor()
  expect(complaints.splice(0)).toEqual([expect.stringContaining('status of 400')])
  await change('a password of their own')
  await window.heading('Protect your account')
  await window.button('Later').click()
  await window.heading('Payouts')
  await window.context.close()
})
