import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { axeViolations } from '../support/browser/axe.ts'
import { desktop, openStandInWindow, phone } from '../support/browser/stand-in-window.ts'

/** The operator's networks: one table, and what can be done about each. */

const shownIn = openStandInWindow()
const { go } = shownIn
let page: Page
beforeAll(() => {
  ;({ page } = shownIn)
})

it('one table shows each network in both environments, with lag, float, hot and cold', async () => {
  await go('/dashboard/operator/gates')
  const bitcoin = page.getByRole('row').filter({ hasText: 'Bitcoin' })
  for (const text of ['Test · Simulated', 'Online', '812,345', '2 behind', '0.5 BTC', '1.5 BTC'])
    expect((await bitcoin.innerText()).replaceAll('\u00a0', ' ')).toContain(text)
  const ethereum = page.getByRole('row').filter({ hasText: 'Ethereum' })
  expect((await ethereum.innerText()).replaceAll('\u00a0', ' ')).toContain('120 USDT')
  const why = page.getByRole('row').filter({ hasText: 'A reorganisation deeper than 100 blocks.' })
  expect(await why.getByRole('cell').count()).toBe(1)
})

it('an alert names its network and environment in words, also in the language of the page', async () => {
  const { browser, service } = shownIn
  for (const [locale, said, why] of [
    ['en-GB', 'A network is halted · Ethereum · Live', 'A reorganisation deeper than 100 blocks.'],
    [
      'de-DE',
      'Ein Netzwerk ist angehalten · Ethereum · Live',
      'Der Knoten meldet: „A reorganisation deeper than 100 blocks.“',
    ],
  ] as const) {
    const context = await browser.newContext({ viewport: desktop, locale })
    const window = await context.newPage()
    await window.goto(`${service.url}/dashboard/operator/gates`)
    await window.getByText(said, { exact: true }).waitFor()
    await window.getByText(why, { exact: true }).waitFor()
    await context.close()
  }
})

it('what one needs is a keystroke away: where its funds are, and the commands for its state', async () => {
  await go('/dashboard/operator/gates')
  await page.getByRole('button', { name: 'Ethereum' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Ethereum · Live' })
  await dialog.getByText('npx sluice gate resume ethereum-live --from-height HEIGHT').waitFor()
  await dialog.getByText('on 4 addresses').waitFor()
  expect(await dialog.getByText('npx sluice wallet cold').count()).toBe(0)
  for (const viewport of [phone, desktop]) {
    await page.setViewportSize(viewport)
    expect(await axeViolations(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Bitcoin' }).click()
  const other = page.getByRole('dialog', { name: 'Bitcoin · Test' })
  await other.getByText('npx sluice wallet cold --network bitcoin').waitFor()
  await other.getByText('€75,000.00').waitFor()
  // The sandbox's funds have no other wallet that could send them back.
  expect(await other.getByText('npx sluice wallet refill').count()).toBe(0)
})
