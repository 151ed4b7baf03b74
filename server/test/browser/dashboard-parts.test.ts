import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { invoices, payouts, review, staticAddress } from '../../../web/dashboard/test/fixtures.ts'
import type { StandIn } from '../../../web/dashboard/test/stand-in-service.ts'
import { axeViolations } from '../support/browser/axe.ts'
import { base, openStandInWindow } from '../support/browser/stand-in-window.ts'

/** Parts of pages that are loaded on demand, and words that the service gives as codes. */

const shownIn = openStandInWindow()
let service: StandIn
let context: BrowserContext
beforeAll(() => {
  ;({ service, context } = shownIn)
})

const away = 'This part did not load'
const still = 'This part still does not load'
const overpaid = invoices.find(({ status }) => status === 'overpaid')

/** A new window whose page is there, and from then on lacks the code whose file has a name like this. */
async function windowWithout(path: string, says: string, file: string): Promise<Page> {
  const window = await context.newPage()
  await window.route(`**/dashboard-assets/${file}-*.js`, (route) => route.abort())
  await window.goto(`${service.url}${path}`)
  await window.getByText(says).locator('visible=true').first().waitFor()
  return window
}

it('a dialog whose code did not arrive says so in its place, and opens once the code is there', async () => {
  const window = await windowWithout(`${base}/invoices/${overpaid?.id}`, 'Timeline', 'refund-dialog')
  await window.getByRole('button', { name: 'Refund', exact: true }).click()
  const dialog = window.getByRole('dialog', { name: 'Refund' })
  await dialog.getByText(away).waitFor()
  expect(await axeViolations(window)).toEqual([])
  await window.unroute('**/dashboard-assets/refund-dialog-*.js')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByLabel('Amount · LTC').waitFor()
  await window.close()
})

it('a part that never arrives offers a reload, and does not reload by itself', async () => {
  const window = await windowWithout(`${base}/policy`, 'Passkeys the signer trusts', 'policy-form')
  await window.evaluate('window.isSame = true')
  await window.getByRole('button', { name: 'Change the policy' }).click()
  await window.getByText(away).waitFor()
  await window.getByRole('button', { name: 'Try again' }).click()
  await window.getByText(still).waitFor()
  expect(await axeViolations(window)).toEqual([])
  expect(await window.evaluate('window.isSame')).toBe(true)
  await window.getByRole('button', { name: 'Reload the page' }).click()
  await expect.poll(() => window.evaluate('window.isSame ?? null')).toBeNull()
  await window.close()
})

it('a code to scan that did not arrive leaves the page as it is, and appears once it is there', async () => {
  const window = await windowWithout(`${base}/addresses/${staticAddress.id}`, away, 'qr-coder')
  await window.getByText('The tag must be given with the address').waitFor()
  await window.unroute('**/dashboard-assets/qr-coder-*.js')
  await window.getByRole('button', { name: 'Try again' }).click()
  await window.getByRole('img', { name: 'QR code' }).waitFor()
  await window.close()
})

it('a language whose words do not arrive is not chosen, and what was typed stays', async () => {
  service.signedOut = true
  const window = await windowWithout('/dashboard/sign-in', 'Sign in with a passkey', 'de')
  await window.getByLabel('Email').fill('ada@alpengluehen.example')
  const select = window.getByLabel('Language')
  await select.selectOption('de')
  await window.getByText('The service cannot be reached').waitFor()
  await expect.poll(() => select.inputValue()).toBe('en')
  expect(await window.getByLabel('Email').inputValue()).toBe('ada@alpengluehen.example')
  await window.close()
})

it('a German page says why a payout waits in German, and leaves words that it does not know as they are', async () => {
  const [first] = payouts as [(typeof payouts)[0]]
  const window = await context.newPage()
  await window.addInitScript(`localStorage.setItem('sluice.language', 'de')`)
  const shown = review({
    ...first,
    waiting_reason: 'It is worth … The node says no.',
    waiting_reasons: [
      {
        code: 'policy_max_payout',
        message: 'It is worth …',
        values: { amount: '1600.50 USD', limit: '599.99 USD' },
      },
      { code: 'other', message: 'The node says no.', values: {} },
    ],
  })
  await window.route(`**/payouts/${first.id}/approval`, (route) =>
    route.fulfill({ json: { data: shown, meta: {} } }),
  )
  await window.goto(`${service.url}${base}/payouts/${first.id}`)
  await window.getByText('mehr als das Limit von 599,99 USD je Auszahlung. The node says no.').waitFor()
  await window.getByText('Höchstens je Auszahlung').waitFor()
  await window.close()
})
