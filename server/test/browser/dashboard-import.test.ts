import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { axeViolations } from '../support/browser/axe.ts'
import { openBrowser } from '../support/browser/browser.ts'
import {
  type DashboardWindow,
  openDashboardWindow,
  takeComplaints,
} from '../support/browser/dashboard-window.ts'
import { desktop, phone } from '../support/browser/stand-in-window.ts'
import { makePerson } from '../support/people/dashboard-client.ts'
import { startTestService, type TestService } from '../support/shop/service.ts'
import { quiet, type Row, Shop } from '../support/shop/shop.ts'

/** Payouts from a file, on the whole service: looked at, mended, and created once. */

let service: TestService
let browser: Browser
let window: DashboardWindow
let page: Page
let shop: Shop
const complaints: string[] = []

beforeAll(async () => {
  service = await startTestService(quiet)
  const merchantId = await service.makeMerchant()
  shop = new Shop(service, merchantId, (await service.makeKey(merchantId)).key)
  await shop.fund('1')
  await shop.fund('100', 'XRP', 'xrp')
  browser = await openBrowser()
  window = await openDashboardWindow(browser, service, complaints)
  page = window.page
  await window.go('')
  await window.signIn(await makePerson(service, { merchantId, role: 'owner' }))
  await window.button('Later').click()
  await window.heading('Overview')
})
afterAll(async () => {
  await browser.close()
  await service.stop()
})
afterEach(() => expect(takeComplaints(service, complaints)).toEqual([]))

const anna = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
const ben = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe'
const path = () => `/${shop.merchantId}/test/payouts/import`
const content = () => page.getByLabel('Content of the file')
const row = (line: number) =>
  page.locator('.table.import tbody tr').filter({ has: page.getByText(`${line}`, { exact: true }) })
const create = (name: string | RegExp = /^Create \d/) => page.getByRole('button', { name })
const payouts = async () => (await shop.expect(200, 'listPayouts')).body.data as Row[]

async function choose(text: string | Buffer, name = 'payroll.csv') {
  const buffer = typeof text === 'string' ? Buffer.from(text) : text
  await page.locator('#payout-file').setInputFiles({ name, mimeType: 'text/csv', buffer })
}
/** The service imports, and the page never hears of it. */
async function unheard(act: () => Promise<void>) {
  const isLost = new Promise<void>((resolve) => {
    void page.route(
      '**/payouts/import',
      async (route) => {
        await route.fetch()
        await route.abort()
        resolve()
      },
      { times: 1 },
    )
  })
  await act()
  await isLost
  await page.locator('.toast').getByText('The service cannot be reached').last().waitFor()
  await expect.poll(() => complaints.join()).toContain('ERR_FAILED')
  complaints.splice(0, complaints.length, ...complaints.filter((said) => !said.includes('ERR_FAILED')))
}
async function looksRight() {
  for (const [viewport, colorScheme] of [
    [phone, 'dark'],
    [desktop, 'light'],
  ] as const) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await axeViolations(page)).toEqual([])
    const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    expect(await page.evaluate(wide)).toBe(0)
  }
}

it('is reached from the list of payouts and from the palette', async () => {
  await window.follow(`/${shop.merchantId}/test/payouts`)
  await page.getByRole('link', { name: 'Import payouts' }).click()
  await window.heading('Import payouts')
  await window.follow(`/${shop.merchantId}/test`)
  await window.heading('Overview')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('csv')
  await page.getByRole('dialog').getByRole('option', { name: 'Import payouts' }).click()
  await window.heading('Import payouts')
})

it('a file that cannot be read says why and what to do, and asks the service nothing', async () => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`))
  await choose('currency;Betrag;destination\nBTC;1;x')
  await page.getByRole('alert').getByText('Unknown columns: Betrag').waitFor()
  await page.getByText('Missing columns: amount').waitFor()
  await looksRight()
  await choose(`currency,amount,destination\nBTC,"1,${anna}`)
  await page.getByText('The quotation marks in line 2 do not match.').waitFor()
  await choose('x'.repeat(256 * 1024 + 1))
  await page.getByText('The file is larger than 256 KiB').waitFor()
  const dropped = await page.evaluateHandle(`{
    const data = new DataTransfer()
    data.items.add(new File(['amount'], 'dropped.csv'))
    data
  }`)
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer: dropped })
  await page.getByText('Missing columns: currency, destination').waitFor()
  expect(await content().inputValue()).toBe('amount')
  expect(asked.filter((call) => call.startsWith('POST'))).toEqual([])
  expect(await page.locator('.table.import').count()).toBe(0)
})

it('a file with errors is mended, and created once although the first answer is lost', async () => {
  await choose(
    Buffer.from(
      [
        'Currency;Network;Amount;Destination;Destination Tag;Description',
        `BTC;bitcoin;0,01;${anna};;Müller`,
        `BTC;bitcoin;1.234;${anna};;`,
        'BTC;bitcoin;0,02;nowhere;;',
        `XRP;;25;${ben};7;`,
        'NOPE;;1;x;;',
      ].join('\r\n'),
      'latin1',
    ),
  )
  await row(3).getByText('This amount is unclear').waitFor()
  await row(4).getByText('destination: Is not an address on Bitcoin').waitFor()
  await row(6).getByText('currency: This currency cannot be used here.').waitFor()
  await row(2).getByText('Ready').waitFor()
  await row(5).getByText('Ready').waitFor()
  await page.getByText('Nothing was created. Correct the rows with errors').waitFor()
  await looksRight()
  await page.getByLabel('Only rows with errors').check()
  expect(await page.locator('.table.import tbody tr').count()).toBe(3)
  expect(await create().count()).toBe(0)

  const mended = `currency,amount,destination,destination_tag,description\nBTC,0.01,${anna},,Müller\nXRP,25,${ben},7,\nBTC,0.010,${anna},,twice`
  await content().fill(mended)
  // What was said is about another text.
  expect(await page.locator('.table.import').count()).toBe(0)
  await window.button('Check').click()
  await row(4).getByText('Same amount and destination as in line 2.').waitFor()
  await looksRight()
  expect(await create().getAttribute('aria-disabled')).toBe('true')
  await create().focus()
  await page.keyboard.press('Enter')
  expect(await payouts()).toEqual([])
  await page.getByLabel('I have checked the duplicates').check()
  await unheard(() => create('Create 3 payouts').click())
  expect(await payouts()).toHaveLength(3)

  // A double click on what is still there, then a reload and the same file: each finds what exists.
  await create('Create 3 payouts').dblclick()
  await page.getByText('3 payouts were created and wait for approval.').waitFor()
  expect(await payouts()).toHaveLength(3)
  await looksRight()
  const [first] = await payouts()
  await page.locator(`.table.import a[href$="/payouts/${first?.id}"]`).click()
  await window.heading(/^Payout/)
})

it('after a reload the same file finds the payouts of an import whose answer was lost, until they are wanted once more', async () => {
  const before = (await payouts()).length
  await window.follow(path())
  const file = `currency,amount,destination\nBTC,0.03,${anna}\nBTC,0.04,${anna}`
  await choose(file)
  await unheard(() => create('Create 2 payouts').click())
  // The browser asks in its own words whether to leave what is loaded.
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await window.heading('Import payouts')
  await choose(file)
  await page.getByText('Some payouts of this file already exist').waitFor()
  await row(2).getByText('Already exists').waitFor()
  expect(await create().count()).toBe(0)
  await looksRight()
  await window.button('Create them once more').click()
  await create('Create 2 payouts').click()
  await page.getByText('2 payouts were created').waitFor()
  expect(await payouts()).toHaveLength(before + 4)
})

it('rows whose answer was lost are found in a file that was edited since, and only the others are created', async () => {
  const before = (await payouts()).length
  await window.button('Import another file').click()
  const rows = [`BTC,0.0051,${anna}`, `BTC,0.0052,${anna}`]
  await choose(['currency,amount,destination', ...rows].join('\n'))
  await unheard(() => create('Create 2 payouts').click())
  await content().fill(['currency,amount,destination', `BTC,0.0053,${anna}`, rows[1], rows[0]].join('\n'))
  await window.button('Check').click()
  await row(2).getByText('Ready').waitFor()
  await row(3).getByText('Already exists').waitFor()
  await row(4).getByText('Already exists').waitFor()
  await create('Create 1 payout').click()
  await page.getByText('1 payout was created and waits for approval.').waitFor()
  expect(await payouts()).toHaveLength(before + 3)
})

it('a row whose note was changed after its answer was lost is not paid again, until it is wanted once more', async () => {
  const before = (await payouts()).length
  await window.button('Import another file').click()
  const file = (note: string, amount: string) =>
    `currency,amount,destination,description\nBTC,${amount},${anna},${note}`
  await choose(file('Rent', '0.0055'))
  await unheard(() => create('Create 1 payout').click())
  const changed = `${file('Rent for May', '0.00550')}\nBTC,0.0056,${anna},Power`
  await content().fill(changed)
  await window.button('Check').click()
  await page.getByText('Some payouts of this file already exist').waitFor()
  await row(2).getByText('Already exists').waitFor()
  await looksRight()
  await create('Create 1 payout').click()
  await page.getByText('1 payout was created and waits for approval.').waitFor()
  expect(await payouts()).toHaveLength(before + 2)
  await window.button('Import another file').click()
  await choose(changed)
  await row(3).getByText('Already exists').waitFor()
  expect(await create().count()).toBe(0)
  await window.button('Create them once more').click()
  await create('Create 2 payouts').click()
  await page.getByText('2 payouts were created').waitFor()
  expect(await payouts()).toHaveLength(before + 4)
})

it('the same file is not paid again after it has succeeded, in another tab or here', async () => {
  const before = (await payouts()).length
  const file = `currency,amount,destination\nBTC,0.0061,${anna}\nBTC,0.0061,${anna}`
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByRole('heading', { name: 'Import payouts' }).waitFor()
  const buffer = Buffer.from(file)
  await other.locator('#payout-file').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer })
  await other.getByLabel('I have checked the duplicates').check()
  await window.button('Import another file').click()
  await choose(file)
  await page.getByLabel('I have checked the duplicates').check()
  await create('Create 2 payouts').click()
  await page.getByText('2 payouts were created').waitFor()
  await other.getByRole('button', { name: 'Create 2 payouts' }).click()
  await other.getByText('2 payouts were created').waitFor()
  await other.close()
  await window.button('Import another file').click()
  await choose(file)
  await row(3).getByText('Already exists').waitFor()
  expect(await create().count()).toBe(0)
  expect(await payouts()).toHaveLength(before + 2)
  await content().fill('')
})

it('by keyboard alone: pasted, checked and created', async () => {
  await content().focus()
  await page.keyboard.insertText(`asset\tamount\taddress\tidempotency_key\nBTC\t0,05\t${anna}\tmay-anna`)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await row(2).getByText('Ready').waitFor()
  await create('Create 1 payout').focus()
  await page.keyboard.press('Enter')
  await page.getByText('1 payout was created and waits for approval.').waitFor()
  const [made] = await payouts()
  expect(made).toMatchObject({ amount: '0.05', idempotency_key: 'may-anna', status: 'pending_approval' })
})

it('what is refused on creation leaves nothing, says so by row, and the file asks before it is left', async () => {
  const before = (await payouts()).length
  await window.follow(path())
  await choose(`currency,amount,destination\nBTC,0.3,${anna}\nBTC,0.31,${anna}`)
  await row(3).getByText('Ready').waitFor()
  // Another payout takes the money meanwhile.
  const taken = { currency: 'BTC', amount: '0.4', destination: anna }
  await shop.expect(201, 'createPayout', { json: taken })
  await create('Create 2 payouts').click()
  await row(3).getByText('amount: Needs 0.31').waitFor()
  await page.getByText('Nothing was created.').waitFor()
  expect(await payouts()).toHaveLength(before + 1)
  await page.getByRole('link', { name: 'Balances' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  await dialog.getByRole('button', { name: 'Not now' }).click()
  expect(await content().inputValue()).toContain('0.31')
})
