import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { auditBooks } from '../../../src/app/audit/audit-books.ts'
import { payer, rippleUsd } from '../../gates/xrp/harness.ts'
import { flagBits } from '../../support/nodes/xrp-ledger.ts'
import { issuerBits } from '../../support/nodes/xrp-lines.ts'
import { openXrpShop, type XrpShop } from '../../support/nodes/xrp-shop.ts'
import { callCheckout, tokenOf } from '../../support/shop/checkout-client.ts'
import type { Row } from '../../support/shop/shop.ts'

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
  expect(await stage.issuedInBooks()).toBe(stage.issuedOnLedger())
})
afterAll(() => stage?.close())

it('an invoice in an issued currency is refused, and no payer is offered it, while our account cannot hold it', async () => {
  const answer = await stage.shop.call('createInvoice', { json: { currency: 'RLUSD', amount: '30' } })
  expect(answer.status).toBe(503)
  expect(answer.body).toMatchObject({
    error: { code: 'gate_offline', message: expect.stringContaining('no trust line') },
  })
  const invoice = await stage.shop.create({ amount_fiat: '10', fiat_currency: 'USD', deferred: true })
  const token = await tokenOf(invoice)
  const { body } = await callCheckout(stage.service.url, 'listCheckoutAssets', { token })
  const statuses = Object.fromEntries(
    body.data
      .filter(({ network }: Row) => network === 'xrp')
      .map(({ currency, status }: Row) => [currency, status]),
  )
  expect(statuses).toMatchObject({ XRP: 'available', RLUSD: 'offline' })
})

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
  // From here on our account holds the reserve, and its trust line is on its way.
  await stage.untilTrusted()
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
    transactions
      .filter(({ tx }) => tx.Account === account && tx.TransactionType === 'Payment')
      .map(({ tx }) => tx),
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

it('our account trusts an issuer by itself once it holds the reserve, and an invoice in the currency is paid in parts', async () => {
  const { shop, payIssued, untilInvoice, ledger, account } = stage
  const sent = ledger.closed
    .flatMap(({ transactions }) => transactions)
    .filter(({ tx }) => tx.Account === account && tx.TransactionType === 'TrustSet')
  expect(sent.map(({ tx }) => tx.LimitAmount)).toEqual([{ ...rippleUsd, value: '1000000000' }])
  const invoice = await shop.create({ currency: 'RLUSD', amount: '30' })
  payIssued(invoice.deposit_address_tag, '20.5')
  await untilInvoice(invoice, { status: 'underpaid', amount_paid: '20.5' })
  payIssued(invoice.deposit_address_tag, '9.5')
  await untilInvoice(invoice, { status: 'paid', amount_paid: '30' })
})

it('a partial payment of an issued currency is credited with what was delivered', async () => {
  const { shop, payIssued, untilInvoice } = stage
  const invoice = await shop.create({ currency: 'RLUSD', amount: '30' })
  payIssued(invoice.deposit_address_tag, '99000', {
    Flags: 0x80020000,
    SendMax: { ...rippleUsd, value: '0.25' },
  })
  await untilInvoice(invoice, { status: 'underpaid', amount_paid: '0.25' })
})

it('the same code of another issuer pays nothing, even if our account could hold it, and a wrong tag goes to suspense', async () => {
  const { shop, ledger, account, payIssued, untilInvoice, untilSuspense, issuedOnLedger } = stage
  const fake = payer(1)
  const strangers = { currency: rippleUsd.currency, issuer: fake.address }
  ledger.trust.trust({ Account: account, LimitAmount: { ...strangers, value: '1000000' } }, true)
  const invoice = await shop.create({ currency: 'RLUSD', amount: '12' })
  const before = issuedOnLedger()
  payIssued(invoice.deposit_address_tag, '12', { Amount: { ...strangers, value: '12' } })
  await expect.poll(() => ledger.trust.held(account, fake.address, rippleUsd.currency)).toBeGreaterThan(0n)
  const wrong = String((Number(invoice.deposit_address_tag) + 1) % 2 ** 31)
  payIssued(wrong, '12')
  await untilSuspense(12_000_000n, 'RLUSD')
  expect(await shop.get(invoice)).toMatchObject({ status: 'pending', amount_paid: '0' })
  expect(issuedOnLedger() - before).toBe(12_000_000n)
  payIssued(invoice.deposit_address_tag, '12')
  await untilInvoice(invoice, { status: 'paid' })
})

it('a payout in an issued currency arrives to the unit, and its fee is paid in XRP', async () => {
  const { payOut, untilPaidOut, issuedOnLedger, receiver, heldOnLedger } = stage
  const [held, xrpHeld] = [issuedOnLedger(receiver), heldOnLedger()]
  await untilPaidOut(await payOut('7.654321', '5', receiver, 'RLUSD'))
  expect(issuedOnLedger(receiver) - held).toBe(7_654_321n)
  expect(xrpHeld - heldOnLedger()).toBeGreaterThan(0n)
})

it('a payout to an account without the trust line waits with the reason, and one that is frozen on its way fails whole', async () => {
  const { payOut, untilWaiting, untilPaidOut, shop, ledger, receiver } = stage
  const lineless = payer(1).address
  const lines = ledger.trust.lines as Map<string, unknown>
  const key = ledger.trust.keyOf(lineless, rippleUsd.issuer, rippleUsd.currency)
  const line = lines.get(key)
  lines.delete(key)
  // The gate looks at validated ledgers.
  await expect.poll(() => ledger.closed.at(-1)?.lines.has(key)).toBe(false)
  const waiting = await payOut('1', '5', lineless, 'RLUSD')
  await untilWaiting(waiting, 'has no trust line')
  expect((await shop.cancelPayout(waiting)).status).toBe(200)
  lines.set(key, line)

  const before = await shop.balance('RLUSD')
  const freeze = (flags: number) => Object.assign(ledger.account(rippleUsd.issuer) ?? {}, { flags })
  let payout = { id: '' }
  await stage.betweenSentAndClosed(
    async () => {
      payout = await payOut('2', '9', receiver, 'RLUSD')
    },
    () => freeze(issuerBits.defaultRipple | issuerBits.globalFreeze),
  )
  await untilPaidOut(payout, 'failed')
  freeze(issuerBits.defaultRipple)
  expect(await shop.balance('RLUSD')).toEqual(before)
})
