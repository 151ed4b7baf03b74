import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { axeViolations } from '../support/browser/axe.ts'
import { base, openStandInWindow } from '../support/browser/stand-in-window.ts'

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
