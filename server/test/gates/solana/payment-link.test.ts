import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import { qrCodeOf } from '@sluice/web/ui/qr-coder.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PaymentNote } from '../../../src/gates/family.ts'
import { solanaFamily } from '../../../src/gates/solana/family.ts'
import { paymentReference } from '../../../src/gates/solana/payment-link.ts'
import { sol, tokenAt } from './spending.ts'

const to = { address: '5vftMkHL72JaJG6ExQfGAsT2uGVHpRR7oTNUPMs68Y2N', tag: null }
const usdc = tokenAt('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
const invoiceId = '019a8667-3bd4-7c21-9a6e-5d0c7f0f1b52'
const family = solanaFamily()
/** The most that a QR code of version 12 holds, at the error correction of the payment page (ISO/IEC 18004). */
const mostBytes = 287
const linkOf = (note: Partial<PaymentNote>, asset = sol) =>
  family.paymentUri(to, asset, 10_500_000n, { invoiceId, label: null, message: null, ...note })
/** The fields of a link as a wallet reads them. */
const fieldsOf = (link: string) => Object.fromEntries(new URL(link).searchParams)

describe('the reference of an invoice', () => {
  it('is the SHA-256 that the contract describes', () => {
    const expected = createHash('sha256').update(`sluice payment reference 1\n${invoiceId}`).digest()
    expect(paymentReference(invoiceId)).toBe(base58.encode(expected))
    expect(family.paymentReference?.(invoiceId)).toBe(paymentReference(invoiceId))
    // It is on the chain for good: another one for the same invoice would no longer find old payments.
    expect(paymentReference(invoiceId)).toBe('3m4tewSsdu7wwwc3RD3DPvzbHPLMni5KjKPJM4xj8Dgz')
  })

  it('is in the link, and another one for every invoice', () => {
    expect(fieldsOf(linkOf({}))).toEqual({ amount: '0.0105', reference: paymentReference(invoiceId) })
    expect(fieldsOf(linkOf({ invoiceId: invoiceId.replace('0', '1') })).reference).not.toBe(
      paymentReference(invoiceId),
    )
  })
})

describe('label and message', () => {
  it('are percent-encoded, and every wallet reads them back', () => {
    const link = linkOf({ label: 'Alpenglühen & Söhne', message: '#82: 100% + a=b?' }, usdc)
    expect(link).toMatch(/^[\w:?=&%.~!*'()-]+$/)
    expect(link).not.toContain('+')
    expect(fieldsOf(link)).toEqual({
      amount: '10.5',
      'spl-token': usdc.contractAddress,
      reference: paymentReference(invoiceId),
      label: 'Alpenglühen & Söhne',
      message: '#82: 100% + a=b?',
    })
  })

  it('are on one line, and left out where there is nothing to say', () => {
    expect(fieldsOf(linkOf({ message: '  two\r\n\tbags\u0000 \u2028 of\u00a0beans ' })).message).toBe(
      'two bags of beans',
    )
    for (const nothing of ['', ' \n', '\u0007'])
      expect(fieldsOf(linkOf({ label: nothing, message: nothing }))).not.toHaveProperty('label')
  })

  it('are cut between characters when they are long', () => {
    expect(fieldsOf(linkOf({ label: 'x'.repeat(48) })).label).toBe('x'.repeat(48))
    expect(fieldsOf(linkOf({ label: 'x'.repeat(49) })).label).toBe(`${'x'.repeat(39)}…`)
    expect(fieldsOf(linkOf({ label: '東京コーヒー焙煎所' })).label).toBe('東京コー…')
    const joined = '👨‍👩‍👧‍👦'
    expect(fieldsOf(linkOf({ message: `ab ${joined}` })).message).toBe('ab …')
    // Not a single character has room.
    expect(fieldsOf(linkOf({ message: joined }))).not.toHaveProperty('message')
  })

  it('cannot add fields, break the link or make its QR code unreadable, whatever they are', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 1_000 })
    fc.assert(
      fc.property(texts, texts, (label, message) => {
        const link = linkOf({ label: `${label}\ud800`, message }, usdc)
        const names = [...new URL(link).searchParams.keys()]
        expect(names).toEqual(
          ['amount', 'spl-token', 'reference', 'label', 'message'].filter((name) => names.includes(name)),
        )
        expect(link.slice(0, link.indexOf('?'))).toBe(`solana:${to.address}`)
        expect(link.length).toBeLessThanOrEqual(mostBytes)
      }),
    )
    expect(qrCodeOf('x'.repeat(mostBytes)).size).toBe(65)
  })
})

it('without a note the link says only where and how much', () => {
  expect(family.paymentUri(to, sol, 1n)).toBe(`solana:${to.address}?amount=0.000000001`)
})
