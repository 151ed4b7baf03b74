import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import * as shown from '../../../web/dashboard/test/fixtures.ts'
import { destinations } from '../../../web/dashboard/test/more-fixtures.ts'
import type { StandIn } from '../../../web/dashboard/test/stand-in-service.ts'
import { axeViolations } from '../support/browser/axe.ts'
import { base, desktop, openStandInWindow } from '../support/browser/stand-in-window.ts'

/** What people type into the forms of the dashboard, against canned answers. */

const shownIn = openStandInWindow()
const { follow, go } = shownIn
let service: StandIn
let browser: Browser
let context: BrowserContext
let page: Page
beforeAll(() => {
  ;({ service, browser, context, page } = shownIn)
})

it('a refund of an overpaid invoice suggests the excess as its amount', async () => {
  const overpaid = shown.invoices.find(({ status }) => status === 'overpaid')
  service.empty = true
  await follow(`${base}/invoices/${overpaid?.id}`)
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  expect(await page.getByLabel('Amount · LTC').inputValue()).toBe('0.00016833')
  // Litecoin has no tags, so none is asked for.
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByRole('textbox').count()).toBe(3)
  await dialog.getByRole('button', { name: 'Refund all of it' }).click()
  expect(await dialog.getByLabel('Amount · LTC').inputValue()).not.toBe('0.00016833')
  expect(await dialog.getByRole('button', { name: 'Refund all of it' }).count()).toBe(0)
  await dialog.getByRole('button', { name: 'Type in EUR' }).click()
  await dialog.getByLabel('Amount · EUR').fill('1')
  await dialog.getByText(/^= 0\.\d+ LTC\./).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Not now' }).click()
})

/** Opens a page to come back to: before the dashboard has begun, a link loads the whole page anew. */
async function begin(path: string, title: string): Promise<void> {
  await go(`${base}/${path}`)
  await page.getByRole('heading', { name: title, level: 1 }).waitFor()
}

it('a dialog asks before it drops what was typed, and keeps it until then', async () => {
  await begin('keys', 'API keys')
  await follow(`${base}/team`)
  const opener = page.getByRole('button', { name: 'Invite', exact: true })
  const dialogs = page.getByRole('dialog')
  const asked = page.getByRole('dialog', { name: 'Leave without saving?' })
  const field = page.getByLabel('Email address')
  const isBack = (what: Locator) => expect.poll(() => what.and(page.locator(':focus')).count()).toBe(1)
  await opener.click()
  await page.keyboard.press('Escape')
  await dialogs.waitFor({ state: 'detached' })
  await isBack(opener)

  await opener.click()
  await field.fill('dee@example.com')
  // However often: browsers close a dialog on the second Escape, whatever the page says to the first.
  for (let times = 0; times < 3; times++) {
    await page.keyboard.press('Escape')
    await asked.waitFor()
    await page.keyboard.press('Escape')
    await asked.waitFor({ state: 'detached' })
    await isBack(field)
    expect(await field.inputValue()).toBe('dee@example.com')
  }
  await page.goBack()
  await asked.getByRole('button', { name: 'Not now' }).click()
  await asked.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe(`${base}/team`)
  expect(await field.inputValue()).toBe('dee@example.com')
  await page.getByRole('button', { name: 'Close' }).click()
  await asked.getByRole('button', { name: 'Leave and discard' }).click()
  await dialogs.waitFor({ state: 'detached' })
  await isBack(opener)
  // Nothing is left to ask about.
  await follow(`${base}/keys`)
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
})

it('a dialog that is declined by its own button, or was sent, does not ask', async () => {
  await go(`${base}/addresses`)
  const fill = async () => {
    await page.getByRole('button', { name: 'New address' }).click()
    await page.getByRole('dialog').getByLabel('Currency').selectOption('LTC')
  }
  await fill()
  await page.getByRole('button', { name: 'Not now' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await fill()
  await page.getByRole('button', { name: 'Create address' }).click()
  await page.waitForURL(`**${base}/addresses/*`)
  expect(await page.getByRole('dialog').count()).toBe(0)
})

it('a reason that was typed for a question is kept as well, and is dropped with its page', async () => {
  await begin('payouts', 'Payouts')
  await follow(`${base}/payouts/${shown.payouts[1]?.id}`)
  await page.getByRole('button', { name: 'Reject', exact: true }).click()
  const reason = page.getByLabel('Reason')
  await reason.fill('The wrong supplier')
  await page.keyboard.press('Escape')
  const asked = page.getByRole('dialog', { name: 'Leave without saving?' })
  await asked.getByRole('button', { name: 'Not now' }).click()
  expect(await reason.inputValue()).toBe('The wrong supplier')
  await page.goBack()
  await asked.getByRole('button', { name: 'Leave and discard' }).click()
  await page.getByRole('heading', { name: 'Payouts', level: 1 }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

it('a form behind a dialog still asks after the dialog has closed', async () => {
  await go(`${base}/policy`)
  await page.getByRole('button', { name: 'Change the policy' }).click()
  await page.getByLabel('Hours between approval').fill('7')
  await page.getByRole('button', { name: 'Add a destination' }).click()
  await page.getByRole('dialog').getByLabel('Address').fill('tb1q')
  await page.getByRole('button', { name: 'Not now' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await follow(`${base}/keys`)
  await page.getByRole('button', { name: 'Leave and discard' }).click()
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
})

it('a refund goes to a saved recipient of its network, or to someone else', async () => {
  const overpaid = shown.invoices.find(({ status }) => status === 'overpaid')
  const [roastery] = destinations
  const ada = { ...roastery, network: 'litecoin', address: 'tltc1qsaved', label: 'Ada' }
  const data = [roastery, ada, { ...ada, address: 'tltc1qnameless', label: null }]
  await page.route('**/destinations', (route) => route.fulfill({ json: { data, meta: {} } }))
  await go(`${base}/invoices/${overpaid?.id}`)
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const choice = dialog.getByLabel('Saved recipient')
  await choice.waitFor()
  const offered = await choice.locator('option').allInnerTexts()
  expect(offered).toEqual(['Someone else', 'Ada · Litecoin · tltc1qsaved'])
  // The address that the payment came from is not proposed.
  const address = dialog.getByLabel("Customer's address")
  expect(await address.inputValue()).toBe('')
  await choice.selectOption({ index: 1 })
  expect(await address.inputValue()).toBe('tltc1qsaved')
  await address.fill('tltc1qother')
  expect(await choice.inputValue()).toBe('')
  await choice.selectOption({ index: 1 })
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Create refund' }).click()
  const sent = () => service.asked.find((call) => call.startsWith('POST') && call.includes('/refunds'))
  await expect.poll(sent).toContain('"destination":"tltc1qsaved"')
  await page.unroute('**/destinations')
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

it('what is wrong with a field is said beside it, in the language of the page', async () => {
  for (const [locale, fields, wrong] of [
    ['en-GB', ['Current password', 'New password'], 'This password is wrong.'],
    ['de-DE', ['Aktuelles Passwort', 'Neues Passwort'], 'Dieses Passwort ist falsch.'],
  ] as const) {
    const spoken = await browser.newContext({ viewport: desktop, locale })
    const window = await spoken.newPage()
    await window.goto(`${service.url}/dashboard/account`)
    for (const label of fields) await window.getByLabel(label).fill('correct horse battery')
    const details = ['/current_password: is wrong']
    service.refuseOnce = { status: 400, code: 'validation_error', details }
    await window.getByLabel(fields[1]).press('Enter')
    await window.getByRole('alert').getByText(wrong).waitFor()
    const described = await window.getByLabel(fields[0]).getAttribute('aria-describedby')
    expect(await window.locator(`[id="${described}"]`).textContent()).toBe(wrong)
    expect(await window.getByLabel(fields[1]).getAttribute('aria-invalid')).toBeNull()
    await spoken.close()
  }
})

it('an amount that could be two is not sent either once its field was away and is back', async () => {
  const german = await browser.newContext({ viewport: desktop, locale: 'de-DE' })
  const window = await german.newPage()
  await window.goto(`${service.url}${base}/invoices/new`)
  await window.getByPlaceholder('49,90').fill('1.234')
  for (const kind of ['coin', 'fiat']) await window.locator(`input[type=radio][value=${kind}]`).check()
  expect(await window.getByPlaceholder('49,90').inputValue()).toBe('')
  await window.locator('button[type=submit]').last().click()
  expect(service.asked.filter((call) => call.startsWith('POST'))).toEqual([])
  await german.close()
})

it('a payout whose answer was lost is asked for again under the same key, and a changed one under another', async () => {
  await go(`${base}/payouts/new`)
  await page.getByLabel('Currency').selectOption('BTC')
  await page.getByLabel('The recipient gets').fill('0.5')
  await page.getByLabel('Destination').fill('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx')
  const keys: string[] = []
  await page.route('**/payouts', (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    keys.push(route.request().postDataJSON().idempotency_key)
    return route.abort()
  })
  const create = async () => {
    const before = keys.length
    await page.getByRole('button', { name: 'Create payout' }).click()
    await expect.poll(() => keys.length).toBe(before + 1)
    await page.locator('button[type=submit][aria-disabled=false]').last().waitFor()
  }
  await create()
  await create()
  await page.getByLabel('The recipient gets').fill('0.6')
  await create()
  expect(keys[1]).toBe(keys[0])
  expect(keys[2]).not.toBe(keys[0])
  await page.unroute('**/payouts')
  shownIn.complaints = shownIn.complaints.filter((said) => !said.includes('ERR_FAILED'))
})

it('a refund asks for the tag of a network that has one, and may have one while that is not known', async () => {
  const window = await context.newPage()
  const tag = { name: 'Memo of Litecoin', required: true }
  const [, litecoin] = shown.currencies
  const networks = litecoin?.networks.map((each) => ({ ...each, tag }))
  let listed: object | null = { data: [{ ...litecoin, networks }], meta: {} }
  await window.route('**/api/v1/currencies*', (route) =>
    listed === null ? route.abort() : route.fulfill({ json: listed }),
  )
  const overpaid = shown.invoices.find(({ status }) => status === 'overpaid')
  await window.goto(`${service.url}${base}/invoices/${overpaid?.id}`)
  await window.getByRole('button', { name: 'Refund', exact: true }).click()
  await window.locator('input[required]').and(window.getByLabel(tag.name)).waitFor()
  listed = null
  await window.reload()
  await window.getByRole('button', { name: 'Refund', exact: true }).click()
  await window.getByLabel('Tag or memo').fill('4711')
  await window.getByLabel('Customer’s address').or(window.getByLabel("Customer's address")).fill('somewhere')
  service.refuseOnce = { status: 422, code: 'invalid_destination', details: ['/destination_tag: not a tag'] }
  await window.getByRole('button', { name: 'Create refund' }).click()
  await window.locator('[aria-invalid=true]').and(window.getByLabel('Tag or memo')).waitFor()
  expect(service.asked.join('\n')).toContain('"destination_tag":"4711"')
  await window.close()
})
