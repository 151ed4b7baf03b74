import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { invoices, payouts, refund } from '../../../web/dashboard/test/fixtures.ts'
import type { StandIn } from '../../../web/dashboard/test/stand-in-service.ts'
import { invoiceTimeline, refundTimeline } from '../../../web/dashboard/test/timeline-fixtures.ts'
import { axeViolations } from '../support/browser/axe.ts'
import { base, desktop, openStandInWindow, phone } from '../support/browser/stand-in-window.ts'

/** What happened to an invoice, a payout or a refund, as its page tells it. */

const shownIn = openStandInWindow()
const { go } = shownIn
let service: StandIn
let page: Page
beforeAll(() => {
  ;({ service, page } = shownIn)
})

const payoutWith = (wanted: string) => payouts.find(({ status }) => status === wanted)?.id

it('each fact stands once, its webhooks are folded, and one of them is sent again from there', async () => {
  await go(`${base}/invoices/${invoices[0]?.id}`)
  await page.getByText('Web shop created the invoice').waitFor()
  const facts = await page.locator('.timeline > li > p .strong').allInnerTexts()
  expect(facts).toEqual(['Web shop created the invoice', 'Payment seen on the chain', 'Paid'])
  const fold = page.locator('.timeline .fold')
  expect(await fold.locator('summary').innerText()).toBe('1 webhook not delivered yet · 1 webhook delivered')
  expect(await fold.getByText('It answered with a status other than 2xx.').isVisible()).toBe(false)
  await fold.locator('summary').focus()
  await page.keyboard.press('Enter')
  await fold.getByText('It answered with a status other than 2xx.').waitFor()
  await fold.getByText('Failed, will retry').waitFor()
  for (const viewport of [phone, desktop]) {
    await page.setViewportSize(viewport)
    expect(await axeViolations(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  }
  await fold.getByRole('button', { name: 'Resend webhook: invoice.paid' }).click()
  await expect.poll(() => service.asked.some((each) => each.includes('/redeliver'))).toBe(true)
  await fold.getByRole('link', { name: 'invoice.paid' }).click()
  await page.getByRole('heading', { level: 1, name: 'invoice.paid' }).waitFor()
})

it('the page of a payout says who did what, in the language of the page', async () => {
  await go(`${base}/payouts/${payoutWith('completed')}`)
  await page.getByText(/^Finn approved .+ to /).waitFor()
  const facts = await page.locator('.timeline > li > p .strong').allInnerTexts()
  expect([facts[0], ...facts.slice(2)]).toEqual([
    'Mara created the payout',
    'Sent to the network',
    'Payout completed',
  ])
  expect(await axeViolations(page)).toEqual([])
  await go(`${base}/payouts/${payoutWith('cancelled')}`)
  await page.getByText(/^Finn rejected .+ to .+: wrong supplier$/).waitFor()
})

it('a refund and its payout tell the same facts each in its own words, and lead to each other', async () => {
  const sent = { ...refund, payout_id: payoutWith('completed') ?? '', status: 'completed' as const }
  const facts = () => page.locator('.timeline > li > p .strong').allInnerTexts()
  const answer = await answersWith(refundTimeline(sent))
  await page.route(`**/dashboard-api/**/refunds/${refund.id}`, (route) =>
    route.fulfill({ json: { data: sent, meta: {} } }),
  )
  await page.route('**/approval', async (route) => {
    const { data, meta } = await (await route.fetch()).json()
    const of = { id: sent.id, invoice_id: sent.invoice_id, fee_amount: '0' }
    await route.fulfill({ json: { data: { ...data, refund: of }, meta } })
  })
  await go(`${base}/refunds/${refund.id}`)
  await page.getByText('Mara created a refund').waitFor()
  expect(await facts()).toEqual([
    'Mara created a refund',
    'Finn approved the refund',
    'Refund sent to the network',
    'Refund completed',
  ])
  const card = page.locator('section', { has: page.locator('.timeline') })
  expect(await card.innerText()).toContain('A refund and the payout that sends it have the same timeline.')
  for (const viewport of [phone, desktop]) {
    await page.setViewportSize(viewport)
    expect(await axeViolations(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  }
  await card.getByRole('link', { name: 'Go to the payout' }).click()
  await page.getByText('Mara created the payout').waitFor()
  expect(await facts()).toHaveLength(answer.entries.length)
  await card.getByRole('link', { name: 'Go to the refund' }).click()
  await page.getByText('Refund completed').waitFor()
  await page.unroute('**/approval')
  await page.unroute(`**/dashboard-api/**/refunds/${refund.id}`)
})

it('shows dates and times, and on hover how long ago that was', async () => {
  await go(`${base}/invoices/${invoices[0]?.id}`)
  const time = page.locator('.timeline time').first()
  await time.waitFor()
  const at = new Date((await time.getAttribute('datetime')) ?? '')
  const shown = await page.evaluate(
    (ms) => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format(ms),
    at.getTime(),
  )
  expect(await time.innerText()).toContain(shown)
  expect(await time.getAttribute('data-exact')).toMatch(/ ago · .+:\d\d:\d\d/)
})

/** Makes the service answer with a timeline, which the test may change. */
async function answersWith(entries: readonly object[]) {
  const answer = { entries }
  await page.route('**/timeline', (route) => route.fulfill({ json: { data: answer.entries, meta: {} } }))
  return answer
}
afterEach(() => page.unroute('**/timeline'))

it('an answer of the version before, without events and reasons, is shown as far as it goes', async () => {
  const [created, seen] = invoiceTimeline.map(({ events, reason, ...entry }) => entry)
  await answersWith([created ?? {}, seen ?? {}])
  await go(`${base}/invoices/${invoices[0]?.id}`)
  await page.getByText('Payment seen on the chain').waitFor()
  expect(await page.locator('.timeline > li').count()).toBe(2)
})

it('webhooks that were unfolded stay so when something is told before them', async () => {
  const [created, ...others] = invoiceTimeline
  const deliveries = others.flatMap(({ events }) => events).flatMap((each) => each.deliveries)
  const more = {
    ...others[0],
    kind: 'event',
    event: 'invoice.underpaid',
    events: [{ id: 'evt_019a8667-3bd4-7c21-9a6e-000000000009', event: 'invoice.underpaid', deliveries }],
  }
  const answer = await answersWith(invoiceTimeline)
  await go(`${base}/invoices/${invoices[0]?.id}`)
  await page.locator('.timeline .fold summary').click()
  answer.entries = [created ?? {}, more, ...others]
  await page.getByRole('button', { name: 'Resend webhook: invoice.paid' }).click()
  await page.locator('.timeline > li').nth(3).waitFor()
  const open = page.locator('.timeline .fold[open]')
  await expect.poll(() => open.getByRole('link').allInnerTexts()).toEqual(['invoice.paid'])
})

it('events without webhooks stand apart from each other', async () => {
  const [first, ...others] = invoiceTimeline
  const events = ['payout.completed', 'refund.completed'].map((event, n) => ({
    id: `evt_019a8667-3bd4-7c21-9a6e-00000000000${n}`,
    event,
    deliveries: [],
  }))
  await answersWith([{ ...first, events }, ...others])
  await go(`${base}/invoices/${invoices[0]?.id}`)
  await page.getByText('payout.completed · refund.completed').waitFor()
})
