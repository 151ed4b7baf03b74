import { base64 } from '@scure/base'
import {
  generateKeyPairSigner,
  getTransactionDecoder,
  getTransactionEncoder,
  signTransaction,
} from '@solana/kit'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { auditBooks } from '../../../src/app/audit/audit-books.ts'
import { describeOnSolana } from '../../support/nodes/solana-node.ts'
import { openSolanaShop, type SolanaShop } from '../../support/nodes/solana-shop.ts'
import { newVisitor, openPage } from '../../support/shop/checkout-client.ts'
import { callAsWallet, publicOrigin, ticketIn } from '../../support/shop/wallet-client.ts'

const sol = 10n ** 9n
const usdc = 10n ** 6n
const stranger = async () => (await generateKeyPairSigner()).address as string

describeOnSolana(() => {
  let stage: SolanaShop
  beforeAll(async () => {
    stage = await openSolanaShop()
  })
  afterEach(async () => {
    await stage.untilQuiet()
    expect(await auditBooks(stage.service.app)).toEqual({ ok: true, differences: [] })
    for (const currency of ['SOL', 'USDC'] as const)
      expect(await stage.heldInBooks(currency), currency).toBe(await stage.heldOnChain(currency))
  })
  afterAll(() => stage?.close())

  // Waiting for blocks takes most of the time: the currencies wait together.
  const inEach = (run: (currency: 'SOL' | 'USDC') => Promise<void>) =>
    Promise.all((['SOL', 'USDC'] as const).map(run))

  it('an invoice in SOL or USDC is paid in two parts, and overpaid', async () => {
    const { shop, pay, untilInvoice } = stage
    await inEach(async (currency) => {
      const whole = currency === 'SOL' ? sol : usdc
      const invoice = await shop.create({ currency, network: 'solana', amount: '3' })
      expect(invoice).toMatchObject({ gate_id: 'solana-test', required_confirmations: 1 })
      const first = await pay(currency, invoice.deposit_address, 2n * whole)
      await untilInvoice(invoice, { status: 'underpaid', amount_paid: '2' })
      const second = await pay(currency, invoice.deposit_address, whole)
      const paid = await untilInvoice(invoice, { status: 'paid', amount_paid: '3', amount_overpaid: '0' })
      expect(paid.payments.map(({ tx_hash }: { tx_hash: string }) => tx_hash).toSorted()).toEqual(
        [first, second].toSorted(),
      )
      await pay(currency, invoice.deposit_address, whole / 2n)
      await untilInvoice(invoice, { status: 'overpaid', amount_overpaid: '0.5' })
    })
  })

  it('a wallet pays SOL or USDC by the transaction that the page gives it', async () => {
    const { shop, service, payer, executor, untilInvoice } = stage
    await inEach(async (currency) => {
      const invoice = await shop.create({ currency, network: 'solana', amount: '1.25' })
      const page = await openPage(invoice.checkout_url.replace(publicOrigin, service.url), {
        headers: newVisitor(),
      })
      const ticket = ticketIn(page.state.checkout?.asset?.transaction_request?.uri ?? '')
      const answer = await callAsWallet(service.url, 'makePaymentTransaction', ticket, {
        account: payer.address,
        headers: newVisitor(),
      })
      expect(answer.status, answer.text).toBe(200)
      const unsigned = getTransactionDecoder().decode(base64.decode(answer.body.transaction))
      const signed = await signTransaction([payer.keyPair], unsigned)
      const outcome = await executor.send(Uint8Array.from(getTransactionEncoder().encode(signed)))
      expect(outcome).toEqual({ kind: 'done' })
      const paid = await untilInvoice(invoice, { status: 'paid', amount_paid: '1.25' })
      const found = await stage.node.ask('getSignaturesForAddress', invoice.payment_reference)
      expect(found).toMatchObject([{ signature: paid.payments[0].tx_hash }])
    })
  })

  it('a payment that comes late is credited to the merchant, and can be refunded to its payer', async () => {
    const { shop, pay, untilInvoice, untilPaidOut, heldAt, service, fillFloat } = stage
    await fillFloat(sol)
    const invoice = await shop.create({ currency: 'USDC', network: 'solana', amount: '20' })
    await service.app.transaction((tx) => tx.invoices.endWindow(invoice.id))
    await untilInvoice(invoice, { status: 'expired' })
    await pay('USDC', invoice.deposit_address, 20n * usdc)
    await untilInvoice(invoice, { amount_paid: '20' })
    const back = await stranger()
    const refund = await shop.refund({
      invoice_id: invoice.id,
      currency: 'USDC',
      network: 'solana',
      amount: '15',
      destination: back,
    })
    expect(refund.status, refund.text).toBe(201)
    const { payout_id } = refund.body.data
    expect((await shop.approve({ id: payout_id })).status).toBe(200)
    await untilPaidOut({ id: payout_id })
    expect(await heldAt(back, 'USDC')).toBe(15n * usdc)
    expect(await shop.get(invoice)).toMatchObject({ amount_refunded: '15' })
  })

  it('a permanent address takes SOL or USDC as often as it comes', async () => {
    const { shop, pay } = stage
    await inEach(async (currency) => {
      const whole = currency === 'SOL' ? sol : usdc
      const made = await shop.createAddress({ currency, network: 'solana' })
      for (const units of [whole, 2n * whole]) await pay(currency, made.address, units)
      await expect.poll(() => shop.address(made)).toMatchObject({ total_received: '3' })
    })
  })

  it('a payout of SOL and one of USDC empty the deposit addresses and arrive, to the unit', async () => {
    const { shop, pay, untilInvoice, untilPaidOut, untilQuiet, heldAt } = stage
    await inEach(async (currency) => {
      const [amount, units] = currency === 'SOL' ? ['5', 5n * sol] : ['500', 500n * usdc]
      const invoice = await shop.create({ currency, network: 'solana', amount })
      await pay(currency, invoice.deposit_address, units)
      await untilInvoice(invoice, { status: 'paid' })
      const before = await shop.balance(currency)
      const destination = await stranger()
      const payout = await shop.payOut({ currency, network: 'solana', amount, destination })
      expect((await shop.approve(payout)).status).toBe(200)
      const done = await untilPaidOut(payout)
      expect(await heldAt(destination, currency)).toBe(units)
      expect(done.tx_hash).toMatch(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/)
      await untilQuiet()
      const after = await shop.balance(currency)
      expect(Number(before.available) - Number(after.available)).toBeGreaterThanOrEqual(Number(amount))
    })
  })
})
