import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpoint, savedViews } from '../../../web/dashboard/test/more-fixtures.ts'
import type { StandIn } from '../../../web/dashboard/test/stand-in-service.ts'
import { readViewQuery } from '../../src/domain/saved-views.ts'
import { axeViolations } from '../support/browser/axe.ts'
import { openDashboardWindow, takeComplaints } from '../support/browser/dashboard-window.ts'
import { base, openStandInWindow, phone } from '../support/browser/stand-in-window.ts'
import { makePerson } from '../support/people/dashboard-client.ts'
import { startTestService, type TestService } from '../support/shop/service.ts'

/** Saved views of lists: what is saved, what is marked, and how the menu works, against canned answers and a whole service. */

const shownIn = openStandInWindow()
const { says, go, follow } = shownIn
let service: StandIn
let page: Page
beforeAll(() => {
  ;({ service, page } = shownIn)
})

const [lately] = savedViews as [(typeof savedViews)[0]]
const within = (at: Page) => ({
  button: at.getByRole('button', { name: 'Views', exact: true }),
  menu: at.getByRole('group', { name: 'Saved views' }),
  view: (name: string) => at.getByRole('group', { name: 'Saved views' }).getByRole('link', { name }),
  save: at.getByRole('button', { name: 'Save this view…' }),
  dialog: at.getByRole('dialog'),
})
const search = (at: Page) => new URL(at.url()).search
const focused = (at: Page) =>
  at.evaluate<string>(
    'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent.trim()',
  )
const sent = () => service.asked.filter((each) => /^(POST|PATCH|DELETE) .*\/views/.test(each))
const body = () =>
  JSON.parse(
    sent()
      .at(-1)
      ?.replace(/^\S+ \S+ /, '') ?? '{}',
  )

describe('the menu', () => {
  it('lists the views of this list alone, marks the one that is shown, and keeps what others wrote as text', async () => {
    await go(`${base}/invoices?period=7_days&status=paid&page=2`)
    const { button, menu, view } = within(page)
    await button.click()
    await view(lately.name).waitFor()
    expect(await menu.getByRole('link').count()).toBe(2)
    expect(await view(lately.name).getAttribute('aria-current')).toBe('true')
    expect(await view('To be refunded').getAttribute('aria-current')).toBeNull()
    await says('Shared by Finn <b>Ott</b>')
    // Only the views that the member may change offer it.
    expect(await menu.getByRole('button', { name: 'Change “' }).count()).toBe(1)
    expect(await axeViolations(page)).toEqual([])
  })

  it('opens with the keyboard, and Escape, a click elsewhere or the next field close it', async () => {
    await follow(`${base}/invoices`)
    const { button, menu } = within(page)
    await button.focus()
    await page.keyboard.press('Enter')
    await menu.waitFor()
    expect(await button.getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe(lately.name)
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    expect([await focused(page), await button.getAttribute('aria-expanded')]).toEqual(['Views', 'false'])
    await button.click()
    await page.getByRole('heading', { level: 1 }).click()
    await menu.waitFor({ state: 'detached' })
    await button.click()
    await page.getByLabel('Period').focus()
    await menu.waitFor({ state: 'detached' })
  })

  it('says why nothing can be saved while nothing is chosen', async () => {
    await follow(`${base}/events`)
    const { button, save, dialog } = within(page)
    await button.click()
    await says('No view of this list is saved yet.')
    expect(await save.getAttribute('aria-disabled')).toBe('true')
    const why = await save.getAttribute('aria-describedby')
    expect(await page.locator(`[id="${why}"]`).textContent()).toContain(
      'Choose filters, days or an order first',
    )
    // Playwright waits for a button that is not disabled; a person need not.
    await save.click({ force: true })
    expect([await dialog.count(), sent()]).toEqual([0, []])
  })

  it('saves changes to the view that was opened, and not to one that may not be changed', async () => {
    await follow(`${base}/invoices`)
    const { button, view } = within(page)
    const update = page.getByRole('button', { name: 'Save changes to' })
    await button.click()
    await view(lately.name).click()
    await expect.poll(() => search(page)).toBe(`?status=paid&period=7_days&view=${lately.id}`)
    await button.click()
    await view(lately.name).waitFor()
    expect(await update.count()).toBe(0)
    await page.getByLabel('Period').selectOption('30_days')
    await button.click()
    await update.click()
    await expect.poll(body).toEqual({ query: 'status=paid&period=30_days' })
    expect(sent()).toEqual([expect.stringContaining('PATCH')])
    await says('The view was changed.')
    await button.click()
    await view('To be refunded').click()
    await page.getByLabel('Period').selectOption('today')
    await button.click()
    await view('To be refunded').waitFor()
    expect(await update.count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await expect.poll(() => search(page)).toBe('')
  })

  it('fits a phone, without scrolling sideways, and so does its dialog', async () => {
    await page.setViewportSize(phone)
    await follow(`${base}/invoices?status=overpaid`)
    const { button, view, save, dialog } = within(page)
    await button.click()
    await view('To be refunded').waitFor()
    const width = () => page.evaluate('document.documentElement.scrollWidth')
    const { x, width: wide } = (await within(page).menu.boundingBox()) as { x: number; width: number }
    expect([await width(), x >= 0, x + wide <= phone.width]).toEqual([phone.width, true, true])
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      expect([colorScheme, await axeViolations(page)]).toEqual([colorScheme, []])
    }
    await save.click()
    await dialog.waitFor()
    expect([await width(), await axeViolations(page)]).toEqual([phone.width, []])
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toBe('Views')
  })
})

it.each([
  [
    'invoices',
    `${base}/invoices`,
    'status=paid&currency=BTC&search=two+mugs&period=today&order=oldest_first',
  ],
  ['payouts', `${base}/payouts`, 'status=failed&currency=BTC&search=x&period=this_month&order=oldest_first'],
  ['refunds', `${base}/refunds`, 'currency=BTC&search=x&period=last_month&order=oldest_first'],
  ['addresses', `${base}/addresses`, 'currency=BTC&search=x&period=7_days&order=oldest_first'],
  ['events', `${base}/events`, 'event=invoice.paid&period=custom&from=2026-03-01&to=2026-03-02'],
  ['deliveries', `${base}/webhooks/${endpoint.id}`, 'status=failed&period=30_days'],
  ['ledger', `${base}/balances/BTC`, 'entry_type=fee&period=today'],
  ['audit_log', `${base}/audit-log`, 'actor=user%3A1&action=view.saved&period=today'],
] as const)(
  '%s saves all that its URL names, and nothing else, as the service takes it',
  async (list, path, query) => {
    await follow(`${path}?${query}&page=2&rows=50&other=1`)
    const { button, save, dialog } = within(page)
    await button.click()
    await save.click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill(' Mine ')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect.poll(body).toEqual({ list, name: 'Mine', query, is_shared: false })
    await expect.poll(() => new URL(page.url()).searchParams.has('view')).toBe(true)
    expect(readViewQuery(list, body().query)).toEqual({ query })
  },
)

it('saving a view does not lead back a user who has gone on meanwhile', async () => {
  await follow(`${base}/invoices?status=paid`)
  const { button, save, dialog } = within(page)
  await button.click()
  await save.click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Slow')
  const late = Promise.withResolvers<void>()
  service.held = late.promise
  await dialog.getByRole('button', { name: 'Save' }).click()
  await follow(`${base}/refunds`)
  service.held = null
  late.resolve()
  await says('The view was saved.')
  expect(new URL(page.url()).pathname).toBe(`${base}/refunds`)
  expect(search(page)).toBe('')
})

it('a list of the operator, which belongs to no merchant, has no saved views', async () => {
  await follow('/dashboard/operator/suspense')
  await says('Wrong currency')
  expect(await within(page).button.count()).toBe(0)
})

it('the command palette finds views by name or list, and those of a currency only at one', async () => {
  const palette = page.getByRole('dialog', { name: 'Search and commands' })
  const options = () => palette.getByRole('option').allTextContents()
  const typed = async (text: string) => {
    await page.keyboard.press('Control+k')
    await palette.getByRole('combobox').fill(text)
  }
  await follow(`${base}/events`)
  await typed('lately')
  await expect.poll(options).toContainEqual(expect.stringContaining('Paid latelyInvoices'))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Invoices', level: 1 }).waitFor()
  expect(search(page)).toBe(`?status=paid&period=7_days&view=${lately.id}`)
  await typed('payouts failed')
  await expect.poll(options).toContainEqual(expect.stringContaining('FailedPayouts'))
  await palette.getByRole('combobox').fill('fees of')
  await expect.poll(options).not.toContainEqual(expect.stringContaining('FailedPayouts'))
  expect(await options()).not.toContainEqual(expect.stringContaining('Fees of last month'))
  await page.keyboard.press('Escape')
  await follow(`${base}/balances/BTC`)
  await typed('fees of')
  await expect.poll(options).toContainEqual(expect.stringContaining('Fees of last monthBalances'))
  await page.keyboard.press('Enter')
  await expect.poll(() => search(page)).toContain('?entry_type=fee&period=last_month&view=')
  expect(new URL(page.url()).pathname).toBe(`${base}/balances/BTC`)
})

describe('on a whole service', () => {
  let whole: TestService
  beforeAll(async () => {
    whole = await startTestService()
  })
  afterAll(() => whole.stop())

  it('a view is saved, opened on another device, changed, renamed, refused a name that is taken, and deleted', async () => {
    const complaints: string[] = []
    const merchantId = await whole.makeMerchant()
    const login = await makePerson(whole, { merchantId, role: 'viewer' })
    const open = async () => {
      const window = await openDashboardWindow(shownIn.browser, whole, complaints)
      await window.go(`/${merchantId}/test/payouts`)
      await window.signIn(login)
      await window.heading('Protect your account')
      await window.button('Later').click()
      await window.heading('Payouts')
      return window
    }
    const first = await open()
    const here = within(first.page)
    const saveAs = async (name: string) => {
      await here.button.click()
      await here.save.click()
      await here.dialog.getByRole('textbox', { name: 'Name' }).fill(name)
      await first.page.keyboard.press('Enter')
    }
    await first.page.getByLabel('Period').selectOption('7_days')
    await saveAs('This week')
    await first.toast('The view was saved.')
    await expect.poll(() => search(first.page)).toMatch(/^\?period=7_days&view=[\w-]{36}$/)
    await first.page.reload()
    await here.button.click()
    await expect.poll(() => here.view('This week').getAttribute('aria-current')).toBe('true')
    await first.page.keyboard.press('Escape')

    const second = await open()
    const there = within(second.page)
    await there.button.click()
    await there.view('This week').click()
    await expect.poll(() => second.page.getByLabel('Period').inputValue()).toBe('7_days')
    await second.page
      .getByRole('navigation', { name: 'Status' })
      .getByRole('link', { name: 'Failed' })
      .click()
    await there.button.click()
    await second.button('Save changes to “This week”').click()
    await second.toast('The view was changed.')
    await there.button.click()
    await second.button('Change “This week”').click()
    await there.dialog.getByRole('textbox', { name: 'Name' }).fill('Failed this week')
    await there.dialog.getByLabel('Share with the team').check()
    await second.page.keyboard.press('Enter')
    await there.dialog.waitFor({ state: 'detached' })

    await saveAs('failed THIS week')
    await here.dialog.getByRole('alert').getByText('name of another view').waitFor()
    await first.page.keyboard.press('Escape')
    await first.button('Leave and discard').click()
    await here.dialog.waitFor({ state: 'detached' })
    await first.page.reload()
    await here.button.click()
    await here.menu.getByText('Shared with the team').waitFor()
    await here.view('Failed this week').click()
    await expect.poll(() => search(first.page)).toMatch(/^\?status=failed&period=7_days&view=/)

    await here.button.click()
    await first.button('Change “Failed this week”').click()
    await here.dialog.getByRole('button', { name: 'Delete' }).click()
    await first.page.getByText('Your team will no longer see it either.').waitFor()
    await here.dialog.getByRole('button', { name: 'Delete' }).click()
    await first.toast('The view was deleted.')
    await expect.poll(() => search(first.page)).toBe('?status=failed&period=7_days')
    await here.button.click()
    await here.menu.getByText('No view of this list is saved yet.').waitFor()
    expect(takeComplaints(whole, complaints)).toEqual([])
    await first.context.close()
    await second.context.close()
  })
})
