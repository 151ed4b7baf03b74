import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openBrowser } from '../support/browser/browser.ts'
import {
  type DashboardWindow,
  openDashboardWindow,
  takeComplaints,
} from '../support/browser/dashboard-window.ts'
import { query } from '../support/database/database.ts'
import { makePerson } from '../support/people/dashboard-client.ts'
import { freePort } from '../support/servers/free-port.ts'
import { expectCleanBooks, until } from '../support/shop/money-out.ts'
import { startTestService, type TestService } from '../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../support/shop/shop.ts'

/** Sending money with passkeys, step by step, on the whole service and a real browser with its own authenticator. */

let service: TestService
let shop: Shop
let browser: Browser
let ann: DashboardWindow
let bob: DashboardWindow
const complaints: string[] = []
const destination = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'

beforeAll(async () => {
  // The signer needs to know the public URL before the service listens.
  service = await startTestService({ ...quiet, env: { ...quiet.env, PORT: String(await freePort()) } })
  shop = await openShop(service)
  await shop.fund('0.1')
  browser = await openBrowser()
  ann = await openDashboardWindow(browser, service, complaints)
  bob = await openDashboardWindow(browser, service, complaints)
})
afterAll(async () => {
  await browser.close()
  await service.stop()
})
afterEach(() => expect(takeComplaints(service, complaints)).toEqual([]))

const mine = (path: string) => `/${shop.merchantId}/test${path}`

/** Makes every proof an hour old, so that every action that needs a fresh one asks for it. */
async function proofsAge(): Promise<void> {
  await query(service.database.url, `update sessions set proved_at = proved_at - interval '1 hour'`)
}

/** Creates a payout with the shop's key and opens it in the window of a user who may approve it. */
async function shown(window: DashboardWindow, amount: string) {
  const payout = await shop.payOut({ currency: 'BTC', amount, destination })
  await window.go(mine(`/payouts/${payout.id}`))
  await window.heading(/^Payout/)
  await window.page.getByText(destination).first().waitFor()
  return payout
}

async function expectCompleted(window: DashboardWindow, payout: { id: string; network: string }) {
  await until(shop, payout, 'completed')
  await window.page.locator('h1 .status').getByText('Completed').waitFor()
}

it('a user approves a payout made with a key by showing their passkey again, and it completes', async () => {
  await ann.enrolPasskey(await makePerson(service, { merchantId: shop.merchantId, role: 'owner' }), 'Laptop')
  const payout = await shown(ann, '0.01')
  await proofsAge()
  await ann.button('Approve').click()
  const dialog = ann.page.getByRole('dialog', { name: 'Confirm your identity' })
  await dialog.getByRole('button', { name: 'Use a passkey' }).click()
  await ann.toast('The payout was approved')
  await expectCompleted(ann, payout)
})

it('a policy that requires passkeys is set with one, and from then on passkeys sign what was shown', async () => {
  await ann.go(mine('/policy'))
  await ann.page.getByText('Trusted', { exact: true }).waitFor()
  await ann.button('Change the policy').click()
  await ann.page.getByLabel('With a passkey that signs what was shown').check()
  await ann.button('Save').click()
  await ann.toast('The policy was saved')
  await ann.page.getByText('Money is sent only with approvals signed by one of these').waitFor()

  const payout = await shown(ann, '0.02')
  await proofsAge()
  await ann.button('Approve').click()
  await ann.toast('The payout was approved')
  await ann.page.getByText('signed by passkey').waitFor()
  const rows = await query(
    service.database.url,
    `select covered_hashes from payout_approvals where payout_id = $1 and signature is not null`,
    [payout.id],
  )
  expect(rows).toMatchObject([{ covered_hashes: [expect.stringMatching(/^[0-9a-f]{64}$/)] }])
  await expectCompleted(ann, payout)
})

it('a new member can approve only after a trusted passkey has vouched for theirs', async () => {
  await bob.enrolPasskey(await makePerson(service, { merchantId: shop.merchantId, role: 'finance' }), 'Phone')
  const payout = await shown(bob, '0.003')
  await bob.button('Approve').click()
  await bob.toast('Ask a member whose passkey it trusts to vouch for it')
  expect((await shop.payout(payout)).status).toBe('pending_approval')

  await ann.go(mine('/policy'))
  await ann.page.getByText('Not trusted', { exact: true }).waitFor()
  await ann.button('Vouch').click()
  const dialog = ann.page.getByRole('dialog', { name: 'Vouch for a passkey' })
  await dialog.getByText(/[0-9a-f]{4}(-[0-9a-f]{4}){7}/).waitFor()
  await dialog.getByRole('button', { name: 'Vouch' }).click()
  await ann.toast('You have vouched for it.')
  await expect
    .poll(async () => {
      await ann.go(mine('/policy'))
      await ann.page.getByText('Passkeys the signer trusts').waitFor()
      return ann.page.getByText('Trusted', { exact: true }).count()
    })
    .toBe(2)

  await bob.button('Approve').click()
  await bob.toast('The payout was approved')
  await expectCompleted(bob, payout)
  await expectCleanBooks(service)
})
