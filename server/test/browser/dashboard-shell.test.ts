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

it('live, refused for want of a second factor, does not lead away from the page of the account', async () => {
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

const signOut = 'POST /sign-out'
const leaving = (window: Page) => window.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
const signsOut = (window: Page) => window.getByRole('button', { name: 'Sign out' }).first()

it('the menu says who is signed in, and signs out; nothing of what was shown stays', async () => {
  const window = await open(`${base}/invoices`)
  await menu(window)
    .getByRole('link', { name: `Ada Keller ${shown.session.email}` })
    .waitFor()
  await follow(`${base}/invoices/${shown.invoices[0]?.id}`, window)
  await window.getByRole('heading', { name: 'order-1099' }).waitFor()
  await signsOut(window).focus()
  await window.keyboard.press('Enter')
  await leaving(window)
  expect(service.asked).toContain(signOut)
  await expect.poll(() => window.evaluate('document.activeElement.id')).toBe('page-title')
  expect(await window.evaluate("localStorage.getItem('sluice.recent')")).toBeNull()
  expect(new URL(window.url()).search).toBe('')
  await close(window)
})

it('someone without a name is called by their address alone', async () => {
  const window = await open(`${base}/invoices`, { session: { name: '' } })
  await menu(window).getByRole('link', { name: shown.session.email, exact: true }).waitFor()
  await close(window)
})

it('on a phone the drawer signs out; a message is in front of it, and can be dismissed there', async () => {
  const window = await open(`${base}/invoices`, { viewport: phone })
  await window.getByRole('button', { name: 'Menu' }).click()
  const drawer = window.getByRole('dialog', { name: 'Menu' })
  await window.route('**/dashboard-api/sign-out', (route) => route.abort())
  await drawer.getByRole('button', { name: 'Sign out' }).click()
  const toast = drawer.locator('.toast')
  await toast.getByText('The service cannot be reached').waitFor()
  expect(await axeViolations(window)).toEqual([])
  await toast.getByRole('button', { name: 'Close' }).click()
  await toast.waitFor({ state: 'detached' })
  // Once it is closed, messages are on the page again.
  await drawer.getByRole('button', { name: 'Sign out' }).click()
  await toast.waitFor()
  await window.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })
  await window.locator('.toast').getByText('The service cannot be reached').waitFor()
  expect(await window.locator('dialog .toasts').count()).toBe(0)
  await window.unroute('**/dashboard-api/sign-out')
  await window.getByRole('button', { name: 'Menu' }).click()
  await drawer.getByRole('button', { name: 'Sign out' }).click()
  await leaving(window)
  // The drawer is gone, so messages have their place on this page.
  await window.locator('.toasts').waitFor({ state: 'attached' })
  await close(window)
})

it('the command palette signs out, also by another word for it', async () => {
  const window = await open(`${base}/invoices`)
  await window.keyboard.press('Control+k')
  const palette = window.getByRole('dialog', { name: 'Search and commands' })
  await palette.getByRole('combobox').fill('log out')
  await palette.getByRole('option', { name: 'Sign out', selected: true }).waitFor()
  await window.keyboard.press('Enter')
  await leaving(window)
  await close(window)
})

it.each([
  ['/dashboard/new-password', ''],
  ['/dashboard/welcome?needed=', ''],
  [`${base}/connect?app=woocommerce&name=Laden`, '/dashboard/connect?app=woocommerce&name=Laden'],
])('%s says who is signed in, and lets them leave', async (path, back) => {
  for (const viewport of [desktop, phone]) {
    const window = await open(path, { viewport })
    await window.getByText(`Signed in as ${shown.session.email}`).waitFor()
    expect(await axeViolations(window)).toEqual([])
    await signsOut(window).click()
    await leaving(window)
    expect(new URL(window.url()).searchParams.get('back') ?? '').toBe(back)
    await close(window)
  }
})

it('signing out asks before unsaved changes are lost, and asks still if the service was away', async () => {
  const window = await open(`${base}/invoices/new`)
  await window.getByLabel('Order number').fill('order 77')
  const dialog = window.getByRole('dialog')
  await signsOut(window).click()
  await dialog.getByRole('button', { name: 'Not now' }).click()
  expect(service.asked).not.toContain(signOut)
  expect(await window.getByLabel('Order number').inputValue()).toBe('order 77')
  await window.route('**/dashboard-api/sign-out', (route) => route.abort())
  await signsOut(window).click()
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await window.locator('.toast').getByText('The service cannot be reached').waitFor()
  await window.unroute('**/dashboard-api/sign-out')
  await signsOut(window).click()
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await leaving(window)
  expect(service.asked).toContain(signOut)
  await close(window)
})

it('a session that has ended already is no obstacle to leaving', async () => {
  const window = await open('/dashboard/account')
  // Ended in the very moment: before it, any read of the page may find out first, and lead away by itself.
  await window.route('**/dashboard-api/sign-out', (route) => {
    service.signedOut = true
    return route.continue()
  })
  await signsOut(window).click()
  await leaving(window)
  expect(await window.locator('.toast, dialog[open]').count()).toBe(0)
  await close(window)
})
