import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { endpoint } from '../../../web/dashboard/test/more-fixtures.ts'
import type { StandIn } from '../../../web/dashboard/test/stand-in-service.ts'
import { axeViolations } from '../support/browser/axe.ts'
import { base, desktop, openStandInWindow, phone } from '../support/browser/stand-in-window.ts'

/** How well endpoints are reached, and the redelivery of a range. */

const shownIn = openStandInWindow()
const { says, go } = shownIn
let service: StandIn
let page: Page
beforeAll(() => {
  ;({ service, page } = shownIn)
})

it('the list says of each endpoint how many deliveries arrived, how fast, and when the next is tried', async () => {
  await go(`${base}/webhooks`)
  const row = page.getByRole('row').filter({ hasText: endpoint.url })
  await row.getByText('97.9%').waitFor()
  for (const text of ['100%', '84 ms', 'p95 912 ms', /in \d+ minutes/])
    expect(await row.innerText()).toMatch(text)
})

it('a range is redelivered after saying what is in it, and says how far that is', async () => {
  await go(`${base}/webhooks/${endpoint.id}`)
  await page.getByRole('button', { name: 'Redeliver a range' }).click()
  const dialog = page.getByRole('dialog', { name: 'Redeliver a range' })
  await dialog.getByRole('button', { name: 'Send 3 events again' }).waitFor()
  await dialog.getByText('40 delivered, 3 failed, 2 waiting, 1 never sent').waitFor()
  await dialog.getByLabel('All, delivered or not').check()
  await dialog.getByRole('button', { name: 'Send 46 events again' }).waitFor()
  await dialog.getByLabel('All that this endpoint gets').uncheck()
  await dialog.getByRole('button', { name: 'Send 0 events again' }).waitFor()
  await dialog.getByLabel('invoice.paid').check()
  await dialog.getByLabel('Only those whose delivery failed').check()
  await dialog.getByLabel('From').fill('2026-03-02T10:00')
  await dialog.getByLabel('To').fill('2026-03-02T09:00')
  await dialog.getByText('The end must be later than the beginning').waitFor()
  await dialog.getByLabel('To').fill('2026-03-03T10:00')
  for (const viewport of [phone, desktop]) {
    await page.setViewportSize(viewport)
    expect(await axeViolations(page)).toEqual([])
  }
  await dialog.getByRole('button', { name: 'Send 3 events again' }).click()
  await dialog.getByText('3 events are on their way again').waitFor()
  await dialog.getByText('All were tried').waitFor()
  expect(await axeViolations(page)).toEqual([])
  const [sent = ''] = service.asked.filter((each) => each.includes('/events/redeliver'))
  expect(JSON.parse(sent.slice(sent.indexOf('{')))).toEqual({
    endpoint_id: endpoint.id,
    created_after: new Date('2026-03-02T10:00').toISOString(),
    created_before: new Date('2026-03-03T10:00').toISOString(),
    only_failed: true,
    events: ['invoice.paid'],
  })
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await says('Rotate the secret')
})
