import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSignedWith, makeCheckoutToken, readCheckoutToken } from '../../src/domain/checkout-token.ts'
import { isTicketOf, makePaymentTicket, readPaymentTicket } from '../../src/domain/payment-ticket.ts'

const invoice = { id: '019a8667-3bd4-7c21-9a6e-5d0c7f0f1b52', link: 'q8Zr0bJ2mK4nq8Zr0bJ2mK' }
const ticket = makePaymentTicket(invoice)

describe('a payment ticket', () => {
  it('names its invoice, and is valid for its link alone', () => {
    const read = readPaymentTicket(ticket)
    if (read === null) throw new Error('It cannot be read.')
    expect(read.invoiceId).toBe(invoice.id)
    expect(isTicketOf(read, invoice.link)).toBe(true)
    expect(isTicketOf(read, `${invoice.link.slice(0, -1)}L`)).toBe(false)
    expect(makePaymentTicket(invoice)).toBe(ticket)
    expect(ticket).not.toContain(invoice.link)
  })

  it('has one spelling, and a change of any character makes it invalid', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (let at = 0; at < ticket.length; at++)
      for (const character of alphabet) {
        if (character === ticket[at]) continue
        const read = readPaymentTicket(`${ticket.slice(0, at)}${character}${ticket.slice(at + 1)}`)
        // With another id, it is another invoice's link that counts, which the payer does not know.
        expect(read !== null && read.invoiceId === invoice.id && isTicketOf(read, invoice.link)).toBe(false)
      }
    for (const wrong of [
      '',
      ticket.slice(1),
      `${ticket}A`,
      `${ticket}=`,
      ` ${ticket}`,
      ticket.replace(/.$/, '+'),
    ])
      expect(readPaymentTicket(wrong)).toBeNull()
  })

  it('is no token of the payment page, and a token is no ticket, though both have the same key', () => {
    expect(readCheckoutToken(ticket)).toBeNull()
    const token = makeCheckoutToken(invoice, new Date(0))
    expect(readPaymentTicket(token)).toBeNull()
    // Even if both were as long as each other, the signatures would differ.
    const bytes = Buffer.concat([
      Buffer.from(token, 'base64url').subarray(0, 16),
      Buffer.from(token, 'base64url').subarray(22),
    ])
    const forged = readPaymentTicket(bytes.toString('base64url'))
    expect(forged !== null && isTicketOf(forged, invoice.link)).toBe(false)
    const read = readCheckoutToken(token)
    expect(read !== null && isSignedWith(read, invoice.link)).toBe(true)
  })

  it('is read from any text without an error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\w-]{43}$/)), (text) => {
        const read = readPaymentTicket(text)
        if (read !== null) expect(isTicketOf(read, invoice.link)).toBe(false)
      }),
    )
  })
})
