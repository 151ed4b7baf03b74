import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { axeViolations } from '../support/browser/axe.ts'
import { base, openStandInWindow, phone } from '../support/browser/stand-in-window.ts'

/** The audit log of the dashboard, against canned answers: who did what, in the language of the page. */

const shownIn = openStandInWindow()
const { says, go } = shownIn
let page: Page
beforeAll(() => {
  ;({ page } = shownIn)
})

const sentences = () => page.locator('tbody .row-link').allTextContents()
const facts = () => page.getByRole('dialog').locator('dl')

const english = [
  'Ada Keller approved a payout to 0x529084…169EE7',
  'session.signed_in',
  'Finn <b>Ott</b> rejected a payout of 1,065 USDC to 0x529084…169EE7: The <i>wrong</i> supplier',
  'Ada Keller changed the payout policy: required approvals, maximum in 24 hours',
  'root added the user Demo owner with the role Owner',
  'An API key deleted the webhook endpoint https://shop.example/hooks',
] as const
const german = [
  'Ada Keller hat eine Auszahlung an 0x529084…169EE7 freigegeben',
  'session.signed_in',
  'Finn <b>Ott</b> hat eine Auszahlung von 1.065 USDC an 0x529084…169EE7 abgelehnt: The <i>wrong</i> supplier',
  'Ada Keller hat die Auszahlungsregeln geändert: nötige Freigaben, Höchstbetrag in 24 Stunden',
  'root hat den Benutzer Demo owner mit der Rolle „Inhaber“ angelegt',
  'Ein API-Schlüssel hat den Webhook-Endpunkt https://shop.example/hooks gelöscht',
] as const

it.each([
  ['en', english],
  ['de', german],
] as const)('says who did what on the page and in the dialog, in %s', async (language, told) => {
  await go(`${base}/audit-log`)
  await page.evaluate(`localStorage.setItem('sluice.language', '${language}')`)
  await page.reload()
  await expect.poll(sentences).toEqual(told)
  expect(await page.getAttribute('html', 'lang')).toBe(language)
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('link', { name: told[2] }).click()
  await page.getByRole('dialog', { name: told[2] }).waitFor()
  expect(await facts().getByRole('link', { name: 'payout.rejected' }).count()).toBe(1)
  // A user may be called like another actor.
  expect(await facts().textContent()).toContain('user:019a8667')
  expect(await facts().textContent()).toContain('The <i>wrong</i> supplier')
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.evaluate(`localStorage.setItem('sluice.language', 'en')`)
})

it('a user whose account has another language than the browser reads the log in it', async () => {
  await go(`${base}/audit-log`)
  await expect.poll(sentences).toEqual(english)
  await page.route('**/dashboard-api/session', async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, language: 'de' } } })
  })
  await page.reload()
  await expect.poll(sentences).toEqual(german)
  await page.unroute('**/dashboard-api/session')
  await page.evaluate(`localStorage.setItem('sluice.language', 'en')`)
})

it('the dialog leads to what else its actor did, and to what else was done like it', async () => {
  await go(`${base}/audit-log`)
  for (const [name, query] of [
    ['More by this actor', 'actor=user%3A'],
    ['payout.rejected', 'action=payout.rejected'],
  ] as const) {
    await page.getByRole('link', { name: english[2] }).click()
    const asked = page.waitForRequest(
      (each) => each.url().includes(`/audit-log?`) && each.url().includes(query),
    )
    await facts().getByRole('link', { name }).click()
    await asked
    expect(page.url()).toContain(query)
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('')
  }
})

it('the log is still read when its words do not arrive: by the codes', async () => {
  await page.route('**/acts-en-*.js', (route) => route.abort())
  await go(`${base}/audit-log`)
  await says('payout.rejected')
  expect(await sentences()).toContain('policy.changed')
  await page.unroute('**/acts-en-*.js')
  shownIn.complaints.length = 0
})

it('on a phone a sentence is there to its end, above environment, address and time', async () => {
  await page.setViewportSize(phone)
  await go(`${base}/audit-log`)
  await expect.poll(sentences).toEqual(english)
  const boxOf = async (at: string) => {
    const box = await page.locator('tbody tr').nth(2).locator(at).boundingBox()
    if (box === null) throw new Error(`A row shows nothing ${at}.`)
    return box
  }
  const [title, status, time] = [await boxOf('.at-title'), await boxOf('.at-status'), await boxOf('.at-time')]
  const cut =
    '[...document.querySelectorAll("td.at-title")].filter((td) => td.scrollWidth > td.clientWidth).length'
  expect(await page.evaluate(cut)).toBe(0)
  expect(title.x + title.width).toBeCloseTo(time.x + time.width, 0)
  expect(title.x).toBeCloseTo(status.x, 0)
  expect(time.y).toBeGreaterThanOrEqual(title.y + title.height)
  expect(await axeViolations(page)).toEqual([])
})
