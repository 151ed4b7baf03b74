import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import * as shown from '../../../web/dashboard/test/fixtures.ts'
import { axeViolations } from '../support/browser/axe.ts'
import { base, desktop, openStandInWindow, phone } from '../support/browser/stand-in-window.ts'

/** How the dashboard shows amounts and currencies in lists, against canned answers. */

const shownIn = openStandInWindow()
const { says, follow } = shownIn
let page: Page
beforeAll(() => {
  ;({ page } = shownIn)
})

const marksIn = (text: string) => page.getByRole('row').filter({ hasText: text }).locator('svg.mark')

it('a currency is round and a network square, each once in a row and silent to screen readers', async () => {
  for (const [path, row, shape] of [
    ['/balances', 'USDT', 'circle'],
    ['/payouts', '1,200', 'circle'],
    ['/refunds', '0.00016833', 'circle'],
    ['/addresses', 'Donations', 'rect'],
  ] as const) {
    await follow(`${base}${path}`)
    await marksIn(row).waitFor()
    expect(await marksIn(row).locator(shape).count(), path).toBe(1)
    expect(await page.locator('svg.mark:not([aria-hidden="true"] *)').count()).toBe(0)
    expect(await axeViolations(page)).toEqual([])
  }
  await follow('/dashboard/operator/gates')
  await marksIn('Bitcoin').locator('rect').waitFor()
})

it('the overview and the ledger show the currency that they are about; one that is not drawn has its letter', async () => {
  await follow(base)
  await says('Received by currency')
  const demo = page.getByRole('listitem').filter({ hasText: 'DEMO' }).locator('svg.mark')
  expect(await demo.locator('text').textContent()).toBe('D')
  await follow(`${base}/balances/BTC`)
  await page.getByRole('heading', { level: 1 }).locator('svg.mark circle').waitFor()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('BTC ledger')
})

/** Where the decimal separator of each amount of a column stands, or where it would stand. */
const separatorsIn = (nth: number): Promise<number[]> =>
  page.evaluate(`[...document.querySelectorAll('tbody tr')].flatMap((row) => {
    const amount = row.querySelectorAll('td')[${nth}]?.querySelector('.amount')
    if (!amount) return []
    const range = document.createRange()
    const walker = document.createTreeWalker(amount, NodeFilter.SHOW_TEXT)
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const at = text.data.indexOf('.')
      if (at === -1 || text.parentElement.matches('.cut-off')) continue
      range.setStart(text, at)
      range.setEnd(text, at + 1)
      return [range.getBoundingClientRect().left]
    }
    return []
  })`)

it.each([
  ['/balances', 1, 4],
  ['/balances', 4, 5],
  ['/balances/BTC', 4, 6],
  ['/balances/BTC', 5, 6],
  ['/invoices', 4, 8],
] as const)('separators stand under each other: %s, column %i', async (path, column, rows) => {
  await follow(`${base}${path}`)
  await expect.poll(async () => (await separatorsIn(column)).length).toBe(rows)
  const at = await separatorsIn(column)
  expect(Math.max(...at) - Math.min(...at)).toBeLessThan(0.5)
  // What does not fit is cut off by the cell, which would hide digits.
  const cells = `[...document.querySelectorAll('tbody td.end')].map((cell) => cell.scrollWidth - cell.clientWidth)`
  expect(Math.max(...((await page.evaluate(cells)) as number[]))).toBe(0)
})

it('on a phone an amount has the width of its text, because no other is below it', async () => {
  await page.setViewportSize(phone)
  await follow(`${base}/balances`)
  await says('310.5')
  expect(new Set((await separatorsIn(1)).map(Math.round)).size).toBeGreaterThan(1)
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
})

it('a long amount is cut in a list; its title, its text and what is copied are whole', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const whole = '3.141592653589793238'
  for (const [path, row, copied] of [
    ['/payouts', '3.14159', `${whole}\u00a0ETH`],
    ['/balances', 'ETH', whole],
    ['/balances', 'POL', '0.000000000000000042'],
  ] as const) {
    await follow(`${base}${path}`)
    const amount = page.getByRole('row').filter({ hasText: row }).locator('.amount').first()
    await amount.waitFor()
    const exact = copied.replace('\u00a0', ' ')
    expect(await amount.getAttribute('title')).toBe(exact)
    // The tooltip is that of what lies under the pointer.
    await amount.hover()
    expect(
      await page.evaluate(`[...document.querySelectorAll(':hover')].at(-1).closest('[title]')?.title`),
    ).toBe(exact)
    expect((await amount.textContent())?.replace('\u00a0', ' ')).toBe(exact)
    expect(await amount.locator('.cut-off').evaluate((cut) => cut.getBoundingClientRect().width)).toBe(0)
    expect(await page.getByRole('row').filter({ hasText: row }).ariaSnapshot()).toContain(exact)
    await amount.selectText()
    await page.keyboard.press('ControlOrMeta+c')
    const clipboard = () => page.evaluate('navigator.clipboard.readText()') as Promise<string>
    await expect.poll(async () => (await clipboard()).replace('\u00a0', ' ').trim()).toBe(exact)
    expect(await axeViolations(page)).toEqual([])
  }
  const [more, least] = (await page.evaluate(
    `[getComputedStyle(document.querySelector('.more'), '::after').content, [...document.querySelectorAll('.instead')].map((each) => each.dataset.shown).join('')]`,
  )) as [string, string]
  expect(more).toContain('…')
  expect(least).toBe('<0.00000001')
})

it('a whole row that is copied has every digit, and the cells apart', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await follow(`${base}/balances`)
  const row = page.getByRole('row').filter({ hasText: 'ETH' })
  await row.selectText()
  await page.keyboard.press('ControlOrMeta+c')
  const clipboard = () => page.evaluate('navigator.clipboard.readText()') as Promise<string>
  await expect
    .poll(async () => (await clipboard()).trim().split('\t'))
    .toEqual(['ETH', '3.141592653589793238', '€8,796.45', '–', '0.25001', '12.75', '2.5'])
})

it('the page of one payout is exact', async () => {
  const [payout] = shown.payouts.filter(({ currency }) => currency === 'ETH')
  await follow(`${base}/payouts/${payout?.id}`)
  await says('3.141592653589793238')
  expect(await page.locator('.cut-off').count()).toBe(0)
})

it('balances have every digit on the overview and above the ledger of their currency, at any width', async () => {
  const whole = '3.141592653589793238 ETH'
  for (const width of [desktop, phone]) {
    await page.setViewportSize(width)
    await follow(base)
    await says('Received by currency')
    const listed = page.getByRole('listitem').filter({ hasText: 'ETH' }).locator('.amount').last()
    expect((await listed.textContent())?.replace('\u00a0', ' ')).toBe(whole)
    expect(await page.locator('.cut-off').count()).toBe(0)
    await follow(`${base}/balances/ETH`)
    const figures = page.getByRole('definition')
    const texts = async () => (await figures.allTextContents()).map((text) => text.replace('\u00a0', ' '))
    await expect.poll(texts).toEqual([whole, '0 ETH', '0.25001 ETH', '12.75 ETH', '2.5 ETH'])
    expect(await figures.locator('.cut-off').count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    expect(await axeViolations(page)).toEqual([])
  }
})

it('payouts and refunds say what they were worth, in the currency in which it was recorded', async () => {
  await follow(`${base}/payouts`)
  const worth = (row: string) => page.getByRole('row').filter({ hasText: row }).locator('.worth')
  await worth('3.14159').waitFor()
  expect(await worth('3.14159').textContent()).toBe('≈\u00a0$12,566.37')
  expect(await worth('USDT').textContent()).toBe('≈\u00a0€15,000.00')
  await page.getByRole('checkbox', { name: /^Select:? .*ETH/ }).check()
  await page.getByRole('checkbox', { name: /^Select:? .*USDT/ }).check()
  await says('1,200 USDT · 3.141592653589793238 ETH (≈ €15,000.00 + $12,566.37)')
  await follow(`${base}/refunds`)
  await worth('0.00016833').waitFor()
  expect(await worth('0.00016833').textContent()).toBe('≈\u00a0€10.09')
})

it('the ledger, addresses and payments in suspense say what amounts are worth, and at which rate', async () => {
  const worth = (row: string) => page.locator('tr, li').filter({ hasText: row }).locator('.worth')
  for (const width of [phone, desktop]) {
    await page.setViewportSize(width)
    await follow(`${base}/balances/BTC`)
    await worth('Deposit').waitFor()
    expect(await worth('Deposit').textContent()).toBe('≈\u00a0€100.00')
    // What an operator put right has no rate.
    expect(await worth('Adjustment').count()).toBe(0)
    await says('at the rate recorded with the invoice, payout or refund')
    await follow(`${base}/addresses`)
    await worth('Donations').waitFor()
    expect(await worth('Donations').textContent()).toBe('≈\u00a0€60.24')
    await says("Values with ≈ are at today's rate.")
    await page.getByRole('link', { name: 'Donations' }).click()
    await says("≈ €60.24 at today's rate")
    await follow(`${base}/balances`)
    await worth('25 USDT').waitFor()
    expect(await worth('25 USDT').textContent()).toBe('≈\u00a0€23.10')
    await says("Values with ≈ are at today's rate.")
    await follow('/dashboard/operator/suspense')
    await worth('25 USDT').waitFor()
    expect(await axeViolations(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  }
})

it('the balances have their values and their sum, which names what it leaves out', async () => {
  await follow(`${base}/balances`)
  await says('Total value: €123,244.67')
  await says('Not included, because no rate is known: POL')
  expect(await page.getByRole('row').filter({ hasText: 'USDT' }).textContent()).toContain('€17,338.21')
})
