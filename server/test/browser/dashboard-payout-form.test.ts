import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { payouts } from '../../../web/dashboard/test/fixtures.ts'
import { destinations, payoutQuote } from '../../../web/dashboard/test/more-fixtures.ts'
import type { StandIn } from '../../../web/dashboard/test/stand-in-service.ts'
import { axeViolations } from '../support/browser/axe.ts'
import { base, desktop, openStandInWindow, phone } from '../support/browser/stand-in-window.ts'

/** The form of a payout: the most that can be sent, coin or fiat, and changes that are not lost by a click. */

const shownIn = openStandInWindow()
const { says, go } = shownIn
let service: StandIn
let page: Page
beforeAll(() => {
  ;({ service, page } = shownIn)
})

const amount = () => page.getByLabel('The recipient gets')
const sent = () => service.asked.filter((call) => call.startsWith('POST') && call.includes('/payouts'))
async function fill() {
  await go(`${base}/payouts/new`)
  await page.getByLabel('Currency').selectOption('BTC')
  await page.getByLabel('Destination').fill('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx')
  await page.getByRole('button', { name: 'Send max' }).waitFor()
}

it('the most is the balance less both fees, says what it leaves, and is asked for again before it is created', async () => {
  await fill()
  await page.getByRole('button', { name: 'Send max' }).click()
  expect(await amount().inputValue()).toBe('0.49740149')
  await says('Leaves 0.0001 BTC for the network fee and 0.00249851 BTC for ours')
  for (const viewport of [phone, desktop]) {
    await page.setViewportSize(viewport)
    expect(await axeViolations(page)).toEqual([])
  }
  const changed = { ...payoutQuote, network_fee: '0.0002', most: '0.49730199' }
  await page.route('**/payouts/quote?*', (route) => route.fulfill({ json: { data: changed, meta: {} } }))
  await page.getByRole('button', { name: 'Create payout' }).click()
  await says('The network fee has changed meanwhile')
  expect(await amount().inputValue()).toBe('0.49730199')
  expect(sent()).toEqual([])
  await page.getByRole('button', { name: 'Create payout' }).click()
  await expect.poll(sent).toHaveLength(1)
  expect(sent()[0]).toContain('"amount":"0.49730199"')
  await page.unroute('**/payouts/quote?*')
})

it('an amount is typed in coin or in fiat, and the other is shown with the rate and its age', async () => {
  await fill()
  await amount().fill('0.5')
  await says('≈ €30,000.00')
  await says(/Rate: 1 BTC = €60,000\.00, \d+ minutes ago/)
  await page.getByRole('button', { name: 'Type in EUR' }).click()
  expect(await amount().inputValue()).toBe('30000')
  await amount().fill('100')
  await says('= 0.00166666 BTC')
  await page.getByRole('button', { name: 'Create payout' }).click()
  await expect.poll(sent).toHaveLength(1)
  expect(sent()[0]).toContain('"amount":"0.00166666"')
})

it('a filled form asks before it is left, by a link and by the back button, and stays when told to', async () => {
  await go(`${base}/payouts`)
  await page.getByRole('link', { name: 'New payout' }).click()
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  await page.getByLabel('Note').fill('rent')
  await page.getByRole('link', { name: 'Balances' }).first().click()
  await dialog.waitFor()
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Not now' }).click()
  expect(await page.getByLabel('Note').inputValue()).toBe('rent')
  await page.goBack()
  await dialog.getByRole('button', { name: 'Not now' }).click()
  expect(page.url()).toContain('/payouts/new')
  expect(await page.getByLabel('Note').inputValue()).toBe('rent')
  await page.goBack()
  await dialog.getByRole('button', { name: 'Leave and discard' }).click()
  await page.waitForURL(`**${base}/payouts`)
  await says('1,200 USDT')
})

it('a filled form makes the browser ask before the window is closed, and an empty one does not', async () => {
  await go(`${base}/payouts/new`)
  const asks = () => page.evaluate('dispatchEvent(new Event("beforeunload", { cancelable: true }))')
  expect(await asks()).toBe(true)
  await page.getByLabel('Note').fill('rent')
  await expect.poll(asks).toBe(false)
  await page.getByLabel('Note').fill('')
  await expect.poll(asks).toBe(true)
})

it('a field that was left out says so beside it, in the language of the page and without the browser’s bubble', async () => {
  await go(`${base}/payouts/new`)
  await page.getByRole('button', { name: 'Create payout' }).click()
  await says('Choose one.')
  await says('Fill this in.')
  expect(await page.evaluate('document.activeElement.tagName')).toBe('SELECT')
  await page.getByLabel('Currency').selectOption('BTC')
  expect(await page.getByText('Choose one.').count()).toBe(0)
})

it('a saved recipient is picked by name, and a new one is saved under a name once the payout is created', async () => {
  await go(`${base}/payouts/new`)
  await page.getByLabel('Currency').selectOption('BTC')
  const saved = page.getByLabel('Saved recipient')
  expect(await saved.locator('option').nth(1).innerText()).toContain('Roastery · Bitcoin')
  await saved.selectOption({ index: 1 })
  expect(await page.getByLabel('Destination').inputValue()).toBe(destinations[0]?.address)
  expect(await page.getByLabel('Save this recipient as').count()).toBe(0)
  const address = 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7'
  await page.getByLabel('Destination').fill(address)
  expect(await saved.inputValue()).toBe('')
  await amount().fill('0.1')
  await page.getByLabel('Save this recipient as').fill('Landlord')
  expect(await axeViolations(page)).toEqual([])
  const made = { ...payouts[0], network: 'bitcoin', destination: address, destination_tag: null }
  await page.route('**/payouts', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 201, json: { data: made, meta: {} } })
      : route.continue(),
  )
  await page.getByRole('button', { name: 'Create payout' }).click()
  const calls = () =>
    service.asked.filter((call) => call.startsWith('POST') && call.includes('/destinations'))
  await expect.poll(calls).toHaveLength(1)
  expect(calls()[0]).toContain(`{"network":"bitcoin","address":"${address}","label":"Landlord"}`)
  await page.waitForURL(`**/payouts/${made.id}`)
  await page.unroute('**/payouts')
})

it('a saved recipient is renamed where destinations are managed', async () => {
  await go(`${base}/policy`)
  await page.getByRole('button', { name: 'Rename: Roastery' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename' })
  await dialog.getByLabel('Label').fill('The roastery')
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await says('The recipient has a new name')
  expect(service.asked.find((call) => call.startsWith('POST') && call.includes('/destinations'))).toContain(
    '"label":"The roastery"',
  )
})
