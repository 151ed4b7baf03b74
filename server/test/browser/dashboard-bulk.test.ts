import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import * as shown from '../../../web/dashboard/test/fixtures.ts'
import type { StandIn } from '../../../web/dashboard/test/stand-in-service.ts'
import { axeViolations } from '../support/browser/axe.ts'
import { base, openStandInWindow, phone } from '../support/browser/stand-in-window.ts'

/** What is done with several rows of a list together, against canned answers. */

const shownIn = openStandInWindow()
const { says, follow } = shownIn
let service: StandIn
let page: Page
beforeAll(() => {
  ;({ service, page } = shownIn)
})
const [first, second] = shown.payouts as [(typeof shown.payouts)[0], (typeof shown.payouts)[0]]
const bar = () => page.getByRole('region', { name: 'Selected rows' })
const box = (name: string) => page.getByRole('checkbox', { name })
const changes = () => service.asked.filter((call) => call.startsWith('POST'))

it('rows are selected one by one, with those between, or all; the bar counts them and adds up each currency', async () => {
  await follow(`${base}/invoices`)
  await box('Select: order-1099').click()
  await expect.poll(() => bar().textContent()).toContain('1 selected 0.00083167 BTC')
  await box('Select: order-1095').click({ modifiers: ['Shift'] })
  await expect.poll(() => bar().textContent()).toContain('5 selected')
  // The payer has yet to choose the coin of one: its price counts.
  expect(await bar().textContent()).toContain('0.00249501 BTC · €49.90 · 0.00083167 LTC')
  const all = box('Select all on this page')
  expect(await page.evaluate("document.querySelector('th input').indeterminate")).toBe(true)
  await all.click()
  await expect.poll(() => bar().textContent()).toContain(`${shown.invoices.length} selected`)
  expect(await axeViolations(page)).toEqual([])
  const link = new URL(
    (await bar().getByRole('link', { name: 'Export selected' }).getAttribute('href')) ?? '',
    page.url(),
  )
  expect(link.pathname).toBe(`/dashboard-api/merchants/${shown.merchant}/test/invoices/export`)
  expect(link.searchParams.get('ids')?.split(',')).toEqual(shown.invoices.map(({ id }) => id))
  await bar().getByRole('button', { name: 'Clear the selection' }).click()
  await bar().waitFor({ state: 'detached' })
})

it('only open invoices are cancelled, and each row says whether it was, or why not', async () => {
  await follow(`${base}/invoices`)
  await box('Select all on this page').click()
  await bar().getByRole('button', { name: 'Cancel 2 invoices' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel 2 invoices' })
  service.refuseOnce = { status: 409, code: 'conflict' }
  await dialog.getByRole('button', { name: 'Cancel 2 invoices' }).click()
  await says('1 of 2 done. 1 failed.')
  expect(await dialog.getByRole('listitem').allTextContents()).toEqual([
    expect.stringMatching(/order-1099.+Failed$/),
    expect.stringMatching(/order-1096.*Done$/),
  ])
  expect(
    changes()
      .map((call) => call.split('/').at(-2))
      .sort(),
  ).toEqual([shown.invoices[0]?.id, shown.invoices[3]?.id])
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await bar().waitFor({ state: 'detached' })
})

it('payouts are rejected together with one reason, and approved only on the page that shows each and its risks', async () => {
  await follow(`${base}/payouts`)
  await box(`Select: 0.25 BTC, ${first.destination}`).first().click()
  await box(`Select: 1,200 USDT, ${second.destination}`).click()
  await expect.poll(() => bar().textContent()).toContain('2 selected 0.25 BTC · 1,200 USDT')
  const review = await bar().getByRole('link', { name: 'Review 2 payouts' }).getAttribute('href')
  expect(review).toBe(`${base}/payouts/approve?ids=${first.id},${second.id}`)
  await bar().getByRole('button', { name: 'Reject 2 payouts' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reject 2 payouts' })
  await dialog.getByRole('button', { name: 'Reject 2 payouts' }).click()
  expect(changes()).toEqual([])
  await dialog.getByLabel('Reason').fill('The wrong supplier')
  await dialog.getByRole('button', { name: 'Reject 2 payouts' }).click()
  await says('2 of 2 done.')
  const body = JSON.stringify({ reason: 'The wrong supplier' })
  const below = `POST /merchants/${shown.merchant}/test/payouts`
  expect(changes().sort()).toEqual([first, second].map(({ id }) => `${below}/${id}/reject ${body}`).sort())
  await dialog.getByRole('button', { name: 'Close' }).last().click()
})

it('a user who gives no proof is told which rows were not done', async () => {
  await follow(`${base}/payouts`)
  await box('Select all on this page').click()
  await bar().getByRole('button', { name: 'Reject 2 payouts' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reject 2 payouts' })
  await dialog.getByLabel('Reason').fill('No')
  service.refuseOnce = { status: 403, code: 'step_up_required', details: ['/: password'] }
  await dialog.getByRole('button', { name: 'Reject 2 payouts' }).click()
  await page.getByRole('dialog', { name: 'Confirm your identity' }).waitFor()
  await page.keyboard.press('Escape')
  await says('1 of 2 done. 1 failed.')
  expect(await page.getByRole('dialog').count()).toBe(1)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
})

it('on a phone rows have checkboxes too, and the bar is above the menu', async () => {
  await page.setViewportSize(phone)
  await follow(`${base}/payouts?status=pending_approval`)
  await box(`Select: 1,200 USDT, ${second.destination}`).click()
  await bar().getByRole('button', { name: 'Reject 1 payout' }).click({ trial: true })
  expect(await axeViolations(page, 'all but colours')).toEqual([])
  expect(
    await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
  ).toBe(0)
  await bar().getByRole('button', { name: 'Clear the selection' }).click()
})
