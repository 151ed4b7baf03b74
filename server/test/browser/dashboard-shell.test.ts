import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import * as shown from '../../../web/dashboard/test/fixtures.ts'
import type { StandIn } from '../../../web/dashboard/test/stand-in-service.ts'
import { axeViolations } from '../support/browser/axe.ts'
import { base, desktop, openStandInWindow, phone } from '../support/browser/stand-in-window.ts'

/** What surrounds every page: the menu with the merchant in view, the bottom bar, the drawer, and the way out. */

const shownIn = openStandInWindow()
const { follow } = shownIn
let service: StandIn
beforeAll(() => {
  ;({ service } = shownIn)
})

const live = `/dashboard/${shown.merchant}/live`
const noMerchants = ['/dashboard/account', '/dashboard/operator/gates', '/dashboard/operator/merchants']

type Opening = {
  readonly viewport?: typeof phone
  readonly locale?: string
  readonly session?: object
  /** What the browser remembers as the place last viewed. */
  readonly place?: string
}

/** A window of its own, whose browser remembers nothing but what it is told. */
async function open(path: string, { viewport = desktop, locale = 'en-GB', session, place }: Opening = {}) {
  const context = await shownIn.browser.newContext({ viewport, locale, reducedMotion: 'reduce' })
  const window = await context.newPage()
  if (place !== undefined)
    await window.addInitScript(
      `if (!localStorage.getItem('sluice.place')) localStorage.setItem('sluice.place', ${JSON.stringify(place)})`,
    )
  if (session !== undefined)
    await window.route('**/dashboard-api/session', (route) =>
      route.fulfill({ json: { data: { ...shown.session, ...session }, meta: {} } }),
    )
  await window.goto(`${service.url}${path}`)
  await window.locator('#page-title').waitFor()
  return window
}

const menu = (window: Page) => window.locator('aside.sidebar')
const placed = (window: Page, name: string) => menu(window).getByRole('link', { name, exact: true })
const close = (window: Page) => window.context().close()

it('the merchant last viewed stays in view on pages of no merchant, with its menu and what waits for approval', async () => {
  const window = await open(`${live}/invoices`)
  for (const path of noMerchants) {
    await follow(path, window)
    await window.waitForURL(`**${path}`)
    expect(await menu(window).locator('.switcher summary').textContent()).toContain('Alpenglühen Coffee')
    expect(await placed(window, 'Live').getAttribute('aria-current')).toBe('true')
    expect(await placed(window, 'Invoices').getAttribute('href')).toBe(`${live}/invoices`)
    await menu(window)
      .getByRole('link', { name: /^Payouts waiting for approval: 2/ })
      .waitFor()
    // They are neither of the test environment nor of live.
    expect(await window.locator('.frame.test, .frame.live').count()).toBe(0)
    expect(await axeViolations(window)).toEqual([])
  }
  await placed(window, 'Invoices').click()
  await window.waitForURL(`**${live}/invoices`)
  await close(window)
})

it('another merchant or environment, chosen on a page of no merchant, opens its overview', async () => {
  const window = await open('/dashboard/account', { place: `${shown.merchant}/live` })
  await menu(window).locator('.switcher summary').click()
  await menu(window).getByRole('link', { name: '<img src=x onerror=alert(1)>' }).click()
  await window.waitForURL(`**/dashboard/${shown.other}/live`)
  await follow('/dashboard/account', window)
  await placed(window, 'Test').click()
  await window.waitForURL(`**/dashboard/${shown.other}/test`)
  await follow('/dashboard/operator/gates', window)
  await expect.poll(() => placed(window, 'Test').getAttribute('aria-current')).toBe('true')
  await close(window)
})

it('a remembered place of someone else is ignored, and the first merchant is in view', async () => {
  for (const place of [undefined, `${shown.invoices[0]?.id}/live`, 'nonsense']) {
    const window = await open('/dashboard/account', place === undefined ? {} : { place })
    expect(await placed(window, 'Invoices').getAttribute('href')).toBe(`${base}/invoices`)
    await close(window)
  }
})

it('an operator who belongs to no merchant sees no switcher, no environment and no bottom bar', async () => {
  for (const viewport of [desktop, phone]) {
    const window = await open('/dashboard/operator/gates', {
      viewport,
      session: { memberships: [] },
      place: `${shown.merchant}/live`,
    })
    for (const part of ['.switcher', '.environment', '.bottom-bar', 'a[href$="/invoices"]'])
      expect(await window.locator(`#app ${part}`).count(), part).toBe(0)
    expect(service.asked.filter((call) => call.includes('/merchants/'))).toEqual([])
    await close(window)
  }
})

it('on a phone the bottom bar and the switch of environments stay on the page of the account', async () => {
  const window = await open('/dashboard/account', { viewport: phone, place: `${shown.merchant}/live` })
  const bar = window.locator('#app .bottom-bar')
  await bar.getByRole('link', { name: /^2 Payouts/ }).waitFor()
  expect(await bar.getByRole('link', { name: 'Invoices' }).getAttribute('href')).toBe(`${live}/invoices`)
  expect(await window.locator('.narrow-environment [aria-current]').textContent()).toContain('Live')
  expect(await axeViolations(window)).toEqual([])
  await close(window)
})

it('from the page of the account, keys and palette lead to the merchant in view', async () => {
  const window = await open('/dashboard/account', { place: `${shown.merchant}/live` })
  await window.keyboard.press('Control+k')
  const palette = window.getByRole('dialog', { name: 'Search and commands' })
  await palette.getByRole('combobox').fill('order-10')
  await palette.getByRole('option', { name: 'order-1098' }).waitFor()
  expect(service.asked.some((call) => call.includes(`/merchants/${shown.merchant}/live/search`))).toBe(true)
  await palette.getByRole('combobox').fill('new inv')
  await window.keyboard.press('Enter')
  await window.waitForURL(`**${live}/invoices/new`)
  await close(window)
})

it('live, refused for want of a second factor, leads nobody away from the page of the account', async () => {
  const context = await shownIn.browser.newContext({ viewport: desktop, locale: 'en-GB' })
  const window = await context.newPage()
  await window.addInitScript(`localStorage.setItem('sluice.place', '${shown.merchant}/live')`)
  await window.route('**/live/payouts?*', async (route) => {
    const error = { code: 'second_factor_required', message: 'Set up a second factor.' }
    await route.fulfill({ status: 403, json: { error, meta: {} } })
  })
  const refused = window.waitForResponse((answer) => answer.status() === 403)
  await window.goto(`${service.url}/dashboard/account`)
  await refused
  await window.getByText('Safari on iPhone').waitFor()
  expect(new URL(window.url()).pathname).toBe('/dashboard/account')
  await context.close()
})
