import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * A payment ticket lets a payer's wallet ask for the transaction that pays one invoice, and learn the shop's name. Wallets
 * send it in a URL and often through servers of their own, so it opens nothing else: the page behind the invoice's link shows
 * more. It holds the invoice's id and a signature keyed with that link.
 */

const idBytes = 16
const signatureBytes = 16
const ticketPattern = /^[\w-]{43}$/
// Separates this signature from a checkout token's, which has the same key.
const purpose = 'sluice payment ticket 1\n'

/** The unverified content of a ticket. */
export type ClaimedTicket = { readonly invoiceId: string; readonly bytes: Buffer }

/** The ticket of an invoice, always the same. It is valid as long as the invoice's link. */
export function makePaymentTicket(invoice: { readonly id: string; readonly link: string }): string {
  const id = Buffer.from(invoice.id.replaceAll('-', ''), 'hex')
  return Buffer.concat([id, signatureOf(id, invoice.link)]).toString('base64url')
}

/** Reads a ticket without verifying it; null when the text is not a ticket. */
export function readPaymentTicket(text: string): ClaimedTicket | null {
  if (!ticketPattern.test(text)) return null
  const bytes = Buffer.from(text, 'base64url')
  // The last character has two unused bits. Only one spelling of a ticket is accepted.
  if (bytes.length !== idBytes + signatureBytes || bytes.toString('base64url') !== text) return null
  const id = bytes.toString('hex', 0, idBytes)
  return {
    invoiceId: [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-'),
    bytes,
  }
}

/** Whether the ticket was signed with this link. */
export function isTicketOf({ bytes }: ClaimedTicket, link: string): boolean {
  return timingSafeEqual(bytes.subarray(idBytes), signatureOf(bytes.subarray(0, idBytes), link))
}

function signatureOf(id: Buffer, link: string): Buffer {
  return createHmac('sha256', link).update(purpose).update(id).digest().subarray(0, signatureBytes)
}
