import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { auditBooks } from '../../../src/app/audit/audit-books.ts'
import { flagBits } from '../../support/nodes/xrp-ledger.ts'
import { openXrpShop, type XrpShop } from '../../support/nodes/xrp-shop.ts'

/** Money in and out over a server of the XRP Ledger, of which a ledger of ours plays the part. */

const xrp = 1_000_000n
let stage: XrpShop
beforeAll(async () => {
  stage = await openXrpShop()
})
afterEach(async () => {
  await stage.untilQuiet()
  expect(await auditBooks(stage.service.app)).toEqual({ ok: true, differences: [] })
  expect(await stage.heldInBooks()).toBe(stage.heldOnLedger())
})
afterAll(() => stage?.close())

it('the first payment creates our account, and an invoice is paid by its tag, in parts', async () => {
  const { shop, pay, untilInvoice } = stage
  expect(stage.heldOnLedger()).toBe(0n)
  const invoice = await shop.create({ currency: 'XRP', amount: '30' })
  expect(invoice).toMatchObject({ gate_id: 'xrp-test', required_confirmations: 1 })
  const first = pay(invoice.deposit_address_tag, 20n * xrp)
  await untilInvoice(invoice, { status: 'underpaid', amount_paid: '20' })
  const second = pay(invoice.deposit_address_tag, 10n * xrp)
  const paid = await untilInvoice(invoice, { status: 'paid', amount_paid: '30' })
  const hashes = paid.payments.map(({ tx_hash }: { tx_hash: string }) => tx_hash)
  expect(hashes.toSorted()).toEqual([first, second].toSorted())
})

it('a payment with another tag or none pays no invoice, and is held in suspense', async () => {
  const { shop, pay, untilInvoice, untilSuspense } = stage
  const invoice = await shop.create({ currency: 'XRP', amount: '5' })
  const wrong = String((Number(invoice.deposit_address_tag) + 1) % 2 ** 31)
  pay(wrong, 5n * xrp)
  pay(null, 6n * xrp)
  await untilSuspense(11n * xrp)
  expect(await shop.get(invoice)).toMatchObject({ status: 'pending', amount_paid: '0' })
  pay(invoice.deposit_address_tag, 5n * xrp)
  await untilInvoice(invoice, { status: 'paid' })
})

it('payouts are numbered from the account’s own first sequence number, several at once, and arrive with their tags', async () => {
  const { shop, payOut, untilPaidOut, balanceOf, receiver, ledger, account } = stage
  const before = balanceOf(receiver)
  const payouts = await Promise.all(['1', '2', '3'].map((amount) => payOut(amount, `70${amount}`)))
  for (const payout of payouts) await untilPaidOut(payout)
  expect(balanceOf(receiver) - before).toBe(6n * xrp)
  const sent = ledger.closed.flatMap(({ transactions }) =>
    transactions.filter(({ tx }) => tx.Account === account).map(({ tx }) => tx),
  )
  // The account was created by a ledger far from the first.
  expect(sent[0]?.Sequence).toBeGreaterThan(1_000)
  expect(sent.map((tx) => tx.DestinationTag).toSorted()).toEqual([701, 702, 703])
  expect(await shop.balance('XRP')).toBeDefined()
})

it('a payout below the reserve to an account that does not exist waits with the reason, and costs nothing', async () => {
  const { payOut, untilWaiting, shop, nobody } = stage
  const payout = await payOut('0.5', '1', nobody)
  await untilWaiting(payout, 'does not exist')
  expect((await shop.cancelPayout(payout)).status).toBe(200)
})

it('a payout that the ledger executes without effect fails, the whole amount comes back, and the books hold the fee', async () => {
  const { payOut, untilPaidOut, shop, ledger, receiver } = stage
  const before = await shop.balance('XRP')
  let payout = { id: '' }
  await stage.betweenSentAndClosed(
    async () => {
      payout = await payOut('4', '9')
    },
    () => Object.assign(ledger.account(receiver) ?? {}, { flags: flagBits.depositAuth }),
  )
  const failed = await untilPaidOut(payout, 'failed')
  Object.assign(ledger.account(receiver) ?? {}, { flags: 0 })
  expect(failed.failure_reason).toMatch(/\w/)
  expect(await shop.balance('XRP')).toEqual(before)
})
