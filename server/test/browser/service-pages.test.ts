import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../support/browser/browser.ts'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import { type SluiceProcess, startSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { call, contractOperations } from '../support/shop/contract-client.ts'

/** The pages of a fully started service: payments from the first HTML to the receipt, the front page and the reference. */

const phone = { viewport: { width: 390, height: 844 } }

let folder: TemporaryFolder
let service: SluiceProcess
let browser: Browser
let windows: BrowserContext[] = []
let complaints: string[] = []
let asked: { url: string; headers: Record<string, string> }[] = []

beforeAll(async () => {
  folder = await makeTemporaryFolder()
  await makeDataFolder(folder.path)
  service = await startSluice({ SLUICE_DATA_DIR: folder.path, SLUICE_SANDBOX_BLOCK_SECONDS: '0' })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await service.end('SIGTERM')
  await folder.remove()
})
afterEach(async () => {
  for (const window of windows) await window.close()
  const heard = complaints
  windows = []
  complaints = []
  asked = []
  expect(heard).toEqual([])
})

// biome-ignore lint/suspicious/noExplicitAny: every answer was checked against the contract; tests read only the fields they need
type Row = any

async function api(operation: string, json?: object, path?: Record<string, string>): Promise<Row> {
  const answer = await call(service.ready.url, operation, {
    key: service.ready.test_key as string,
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(path !== undefined && { path }),
  })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body.data
}

const create = (json: object) => api('createInvoice', json)
const get = ({ id }: Row) => api('getInvoice', undefined, { invoiceID: id })
const pay = ({ deposit_address: address, currency, network }: Row, amount: string) =>
  api('createTestDeposit', { address, currency, network, amount })
const mine = (count: number, network = 'bitcoin') => api('mineTestBlocks', { network, count })

// The browser itself reports every refusal, including those that a page expects and explains.
const refusals = { ofPayment: /status of 40[49]/, ofVisitor: /status of 401/ }

async function open(
  url: string,
  options: BrowserContextOptions = phone,
  expected = refusals.ofPayment,
): Promise<Page> {
  const window = await browser.newContext(options)
  windows.push(window)
  const page = await window.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => asked.push({ url: request.url(), headers: request.headers() }))
  await page.goto(url)
  return page
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name }).first().waitFor()
const says = (page: Page, text: string) => page.getByText(text).first().waitFor()
const addressOn = async (page: Page) =>
  ((await page.locator('.code').first().textContent()) ?? '').replaceAll(/\s/g, '')

it('an underpaid invoice is topped up: every window follows the chain to the receipt, which links back to the shop', async () => {
  const invoice = await create({
    currency: 'BTC',
    amount: '0.01',
    description: 'Two mugs',
    redirect_url: 'https://shop.example/thanks?order=1',
  })
  const first = await open(invoice.checkout_url)
  const second = await open(invoice.checkout_url, { ...phone, locale: 'de-DE' })
  for (const page of [first, second]) expect(await addressOn(page)).toBe(invoice.deposit_address)
  await heading(second, 'Warten auf Ihre Zahlung')

  await first.getByRole('button', { name: 'Pay half' }).click()
  await says(first, 'The payment seen so far is too small')
  await mine(2)
  await heading(first, '0.005 BTC is still missing')
  await heading(second, '0.005 BTC fehlen noch')
  expect(await addressOn(first)).toBe(invoice.deposit_address)

  await pay(invoice, '0.005')
  await heading(first, 'Payment seen')
  await mine(1)
  await says(first, '1 of 2 confirmations')
  await first.getByRole('button', { name: 'Mine a block' }).click()
  await heading(first, 'Receipt')
  await heading(second, 'Bezahlt')
  const back = first.getByRole('link', { name: 'Back to Demo shop' })
  expect(await back.getAttribute('href')).toBe('https://shop.example/thanks?order=1')
  await says(first, 'not a proof of payment')
  expect((await get(invoice)).status).toBe('paid')
})

it('two windows that choose different currencies at once show the same one, and it is the one that counts', async () => {
  const invoice = await create({ amount_fiat: '49.90', fiat_currency: 'EUR' })
  const pages = [await open(invoice.checkout_url), await open(invoice.checkout_url)]
  const choices = ['BTC@bitcoin', 'LTC@litecoin']
  for (const [n, page] of pages.entries()) await page.locator(`input[value="${choices[n]}"]`).check()
  await Promise.all(pages.map((page) => page.getByRole('button', { name: /^Continue with/ }).click()))
  for (const page of pages) await heading(page, 'Waiting for your payment')
  const { deposit_address, currency, amount } = await get(invoice)
  for (const page of pages) {
    expect(await addressOn(page)).toBe(deposit_address)
    await says(page, `Send ${currency} on`)
    await says(page, amount)
  }
})

it('a payer without script can choose, see what to send, pay and see the result, with forms alone', async () => {
  const invoice = await create({ amount_fiat: '20.00', fiat_currency: 'USD', description: 'No script' })
  const page = await open(invoice.checkout_url, { ...phone, javaScriptEnabled: false })
  await page.locator('input[value="LTC@litecoin"]').check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await heading(page, 'Send LTC on Litecoin only')
  const live = await get(invoice)
  expect(await addressOn(page)).toBe(live.deposit_address)
  await says(page, live.amount)
  expect(await page.locator('svg path').count()).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Pay exactly' }).click()
  await heading(page, 'Payment seen')
  await mine(6, 'litecoin')
  await page.reload()
  await heading(page, 'Receipt')
  expect((await get(invoice)).status).toBe('paid')
})

describe('no payer is left without an answer', () => {
  it('a payer who is too late is told not to send, and one who sent anyway sees that it arrived', async () => {
    const invoice = await create({ currency: 'LTC', amount: '1' })
    const page = await open(invoice.checkout_url)
    await heading(page, 'Waiting for your payment')
    await api('expireTestInvoice', undefined, { invoiceID: invoice.id })
    await says(page, 'Do not send anything now')
    expect(await page.locator('.code').count()).toBe(0)
    await pay(invoice, '1')
    await heading(page, 'A payment arrived too late')
  })

  it('a payer who sent too much is told what happens with the excess', async () => {
    const invoice = await create({ currency: 'BTC', amount: '0.02' })
    const page = await open(invoice.checkout_url)
    await page.getByRole('button', { name: 'Pay 10 % more' }).click()
    await heading(page, 'Payment seen')
    await mine(2)
    await says(page, '0.002 BTC more than was due')
    await says(page, invoice.id)
  })

  it('the page says so if an invoice is cancelled, a link is unknown or a network is offline', async () => {
    const invoice = await create({ currency: 'BTC', amount: '0.03' })
    const page = await open(invoice.checkout_url)
    await api('setTestGate', { network: 'bitcoin', status: 'offline' })
    await page.reload()
    await says(page, 'Bitcoin cannot be followed at the moment')
    await api('setTestGate', { network: 'bitcoin', status: 'online' })
    await api('cancelInvoice', undefined, { invoiceID: invoice.id })
    await heading(page, 'This payment was cancelled')
    const unknown = await open(`${service.ready.url}/pay/AAAAAAAAAAAAAAAAAAAAAA`)
    await heading(unknown, 'There is no payment here')
  })
})

it('the shop’s text stays text, no other host is contacted, and no secret is in a URL', async () => {
  const nasty = '<script>document.title="owned"</script><img src=x onerror="document.title=\'owned\'">'
  const invoice = await create({
    currency: 'XRP',
    amount: '25',
    description: nasty,
    redirect_url: 'https://shop.example/?"><script>1</script>',
  })
  const page = await open(invoice.checkout_url)
  await says(page, nasty)
  await says(page, invoice.deposit_address_tag)
  await page.getByRole('button', { name: 'Pay exactly' }).click()
  await heading(page, 'Payment seen')
  expect(await page.title()).not.toContain('owned')
  const { origin } = new URL(service.ready.url)
  for (const { url, headers } of asked) {
    expect(url.startsWith(`${origin}/`) || url.startsWith('data:'), url).toBe(true)
    expect(headers.referer ?? '').toBe('')
    expect(JSON.stringify(headers)).not.toContain('sk_test_')
    if (url.includes('/checkout-api/')) expect(headers.authorization).toMatch(/^Bearer [\w-]{20,}$/)
    const token = headers.authorization?.slice('Bearer '.length)
    if (token !== undefined) expect(url).not.toContain(token)
  }
  expect(asked.some(({ url }) => url.endsWith('/checkout-api/invoice/stream'))).toBe(true)
  expect(service.stderr()).not.toContain(invoice.checkout_url.split('/').at(-1))
})

it('the reference shows every operation of the contract, loads nothing from other hosts and fills in a test key', async () => {
  const desktop = { viewport: { width: 1280, height: 900 } }
  const key = `sk_test_${'ab12'.repeat(16)}`
  const page = await open(`${service.ready.url}/docs#key=${key}`, desktop, refusals.ofVisitor)
  expect(page.url()).toBe(`${service.ready.url}/docs/`)
  const missing = async () => {
    const text = (await page.locator('body').innerText()).toLowerCase()
    return contractOperations.filter(({ summary }) => !text.includes(summary.toLowerCase()))
  }
  await expect.poll(missing, { interval: 500 }).toEqual([])
  const { origin } = new URL(service.ready.url)
  const foreign = asked.filter(({ url }) => !url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url))
  expect(foreign).toEqual([])
  await page
    .getByRole('link', { name: /^Create an invoice/ })
    .first()
    .click()
  const sample = page.locator('pre', { hasText: `X-API-Key: ${key}` })
  await sample.first().waitFor({ state: 'attached' })
  expect(page.url()).not.toContain(key)
  expect(asked.filter((each) => JSON.stringify(each).includes(key))).toEqual([])
})

it('the front page links to the dashboard, the guides and the reference, fits a phone and works with the keyboard', async () => {
  // The dashboard asks who is signed in, and no one is.
  const page = await open(service.ready.url, phone, refusals.ofVisitor)
  // What the reference shows is tested above; it takes seconds to do so.
  await page.route('**/docs/js/*', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect(overflow).toBe(0)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard/sign-in**')
  for (const [nth, place] of ['guides', 'docs'].entries()) {
    await page.goto(service.ready.url)
    for (let link = 0; link < nth + 2; link++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/${place}/**`)
  }
})
