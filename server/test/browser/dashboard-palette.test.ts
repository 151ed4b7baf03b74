import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import * as shown from '../../../web/dashboard/test/fixtures.ts'
import { savedViews } from '../../../web/dashboard/test/more-fixtures.ts'
import type { StandIn } from '../../../web/dashboard/test/stand-in-service.ts'
import { axeViolations } from '../support/browser/axe.ts'
import { base, openStandInWindow, phone } from '../support/browser/stand-in-window.ts'

/** The command palette, against canned answers: pages, actions, what the search finds, and what was viewed recently. */

const shownIn = openStandInWindow()
const { says, go, follow } = shownIn
let service: StandIn
let context: BrowserContext
let page: Page
beforeAll(() => {
  ;({ service, context, page } = shownIn)
})

const palette = () => page.getByRole('dialog', { name: 'Search and commands' })
const field = () => palette().getByRole('combobox')
const options = async () => (await palette().getByRole('option').allTextContents()).map((text) => text.trim())
const chosen = () => palette().getByRole('option', { selected: true })
const closed = () => palette().waitFor({ state: 'detached' })
const opener = () => page.getByRole('button', { name: 'Search or go to' })
const hasFocus = "document.activeElement.closest('.palette-button') !== null"

it('opens with Ctrl+K from anywhere, even from a field, and Escape gives the focus back', async () => {
  await go(`${base}/invoices`)
  await says('order-1099')
  const search = page.getByLabel('Order, description, metadata')
  await search.press('Control+k')
  await field().waitFor()
  expect(await page.evaluate('document.activeElement.role')).toBe('combobox')
  await page.keyboard.press('Escape')
  await closed()
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Order, description, metadata')
  await opener().press('Enter')
  await field().waitFor()
  await page.keyboard.press('Control+k')
  await closed()
  await expect.poll(() => page.evaluate(hasFocus)).toBe(true)
})

it('a key that is pressed as soon as the palette is closed counts', async () => {
  await go(`${base}/invoices`)
  await says('order-1099')
  await opener().click()
  await field().waitFor()
  await page.evaluate(`
    document.querySelector('dialog.palette').close()
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }))
  `)
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
})

it('many saved views do not push the pages out of sight, and each is found by its name', async () => {
  const views = Array.from({ length: 30 }, (_, n) => ({
    ...savedViews[0],
    id: `01890000-0000-7000-8000-0000000001${String(n).padStart(2, '0')}`,
    name: `View ${n}`,
  }))
  await page.route('**/lists/views', (route) => route.fulfill({ json: { data: views, meta: {} } }))
  await go(`${base}/invoices`)
  await says('order-1099')
  await page.keyboard.press('Control+k')
  await field().waitFor()
  const shownViews = async () => (await options()).filter((text) => /^View \d+/.test(text)).length
  await expect.poll(shownViews).toBe(5)
  await page.keyboard.type('View 29')
  await expect.poll(shownViews).toBe(1)
  await page.keyboard.press('Escape')
  await page.unroute('**/lists/views')
})

it('goes to pages and starts actions by keyboard alone; the screen reader hears each line', async () => {
  await follow(`${base}/invoices`)
  await page.keyboard.press('Control+k')
  await expect.poll(options).toContain('New payout')
  const named = () => field().getAttribute('aria-activedescendant')
  const first = await named()
  await page.keyboard.press('ArrowDown')
  await expect.poll(named).not.toBe(first)
  expect(await chosen().getAttribute('id')).toBe(await named())
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  expect(await chosen().textContent()).toContain('Your account')
  await page.keyboard.type('pay pol')
  await page.keyboard.press('Backspace')
  await expect.poll(() => chosen().textContent()).toContain('Payout policy')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Payout policy', level: 1 }).waitFor()
  await closed()
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('page-title')
  await page.keyboard.press('Control+k')
  await field().fill('new inv')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/invoices/new')
})

it('finds resources through the service, asks once for what was typed in one go, and leads to all results', async () => {
  await follow(base)
  await page.keyboard.press('Control+k')
  await field().fill('order-10')
  await expect.poll(options).toContainEqual(expect.stringContaining('Order number: order-1098'))
  expect(service.asked.filter((call) => call.includes('/search'))).toHaveLength(1)
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('option', { name: 'order-1098' }).click()
  await page.getByRole('heading', { name: 'order-1098' }).waitFor()
  await page.keyboard.press('Control+k')
  await field().fill('tx?gp')
  await page.getByRole('option', { name: 'Search everything for “tx?gp”' }).click()
  await page.waitForURL('**/search?q=tx%3Fgp')
})

it('what is typed while the code of the palette is still loading is in its field, and Enter and Escape count', async () => {
  const fresh = await shownIn.browser.newContext({ viewport: shownIn.page.viewportSize(), locale: 'en-GB' })
  const window = await fresh.newPage()
  const isPalette = /command-palette[^/]*\.js/
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
  await window.route(isPalette, async (route) => {
    ask()
    await allowed
    await route.continue()
  })
  await window.goto(`${service.url}${base}/invoices`)
  await window.getByText('order-1099').first().waitFor()
  await window.keyboard.press('Control+k')
  await asked
  await window.keyboard.type('gone')
  await window.keyboard.press('Escape')
  await window.keyboard.press('/')
  // Neither `g p` nor `?` is a shortcut by now.
  await window.keyboard.type('g p?x')
  await window.keyboard.press('Backspace')
  await window.keyboard.press('Enter')
  expect(window.url()).toContain('/invoices')
  allow()
  await window.waitForURL('**/search?q=g%20p%3F')
  expect(await window.getByRole('dialog').count()).toBe(0)
  await fresh.close()
})

it('what was viewed is remembered here, for this person, merchant and environment', async () => {
  await follow(`${base}/invoices/${shown.invoices[0]?.id}`)
  await page.getByRole('heading', { name: 'order-1099' }).waitFor()
  await follow(`${base}/payouts/${shown.payouts[0]?.id}`)
  await says('Compare every character')
  await follow(`${base}/invoices`)
  await page.keyboard.press('Control+k')
  const recent = palette().getByRole('group', { name: 'Viewed recently' }).getByRole('option')
  await expect
    .poll(async () => (await recent.allTextContents()).slice(0, 2))
    .toEqual([expect.stringContaining('Payout ·'), expect.stringContaining('order-1099')])
  await page.keyboard.press('Escape')
  await follow(`/dashboard/${shown.merchant}/live/invoices`)
  await page.keyboard.press('Control+k')
  await expect.poll(options).toContain('New invoice')
  expect(await recent.count()).toBe(0)
  await page.keyboard.press('Escape')
  await closed()
})

it('fits a phone, where a button opens it, and says so when nothing matches or the service refuses', async () => {
  await page.setViewportSize(phone)
  await follow(`${base}/invoices`)
  await opener().click()
  await field().waitFor()
  const box = await palette().boundingBox()
  expect(box?.width).toBeLessThanOrEqual(phone.width)
  expect(await axeViolations(page)).toEqual([])
  await field().fill('q')
  await says('Nothing matches.')
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await axeViolations(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  await palette().getByRole('button', { name: 'Close' }).click()
  await closed()
  // What is typed here is not lost with a page, so there is no question about it.
  service.signedOut = true
  await follow(`${base}/payouts`)
  await page.waitForURL('**/sign-in?**')
  await page.keyboard.press('Control+k')
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(context.pages()).toHaveLength(1)
})
