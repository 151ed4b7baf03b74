import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * A checkout token lets a payment page read its own invoice and nothing else. It holds the invoice's id, the expiry
 * time, and a signature keyed with the invoice's link: 128 random bits that no other invoice has.
 */

/** How long a token is valid. */
const checkoutTokenMs = 15 * 60 * 1000

const idBytes = 16
const expiryBytes = 6
const signatureBytes = 16
const tokenBytes = idBytes + expiryBytes + signatureBytes
const tokenPattern = /^[\w-]{51}$/
// Separates this signature from anything else that might ever be signed with a link.
const purpose = 'sluice checkout token 1\n'

/** The unverified content of a token. */
export type ClaimedToken = {
  readonly invoiceId: string
  readonly expiresAt: Date
  readonly bytes: Buffer
}

/** A new token for one invoice, and when it expires. */
export function newCheckoutToken(
  invoice: { id: string; link: string },
  now: Date,
): { token: string; expiresAt: Date } {
  const expiresAt = new Date(Math.floor((now.getTime() + checkoutTokenMs) / 1000) * 1000)
  return { token: makeCheckoutToken(invoice, expiresAt), expiresAt }
}

/** A token for one invoice, valid until `expiresAt`, which is cut to whole seconds. */
export function makeCheckoutToken(invoice: { id: string; link: string }, expiresAt: Date): string {
  const claim = Buffer.alloc(idBytes + expiryBytes)
  claim.write(invoice.id.replaceAll('-', ''), 0, 'hex')
  claim.writeUIntBE(Math.floor(expiresAt.getTime() / 1000), idBytes, expiryBytes)
  return Buffer.concat([claim, signatureOf(claim, invoice.link)]).toString('base64url')
}

/** Reads a token without verifying it; null when the text is not a token. */
export function readCheckoutToken(text: string): ClaimedToken | null {
  if (!tokenPattern.test(text)) return null
  const bytes = Buffer.from(text, 'base64url')
  // The last character has two unused bits. Only one spelling of a token is accepted.
  if (bytes.length !== tokenBytes || bytes.toString('base64url') !== text) return null
  const id = bytes.toString('hex', 0, idBytes)
  return {
    invoiceId: [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-'),
    expiresAt: new Date(bytes.readUIntBE(idBytes, expiryBytes) * 1000),
    bytes,
  }
}

/** Whether the token was signed with this link. Does not check its expiry. */
export function isSignedWith({ bytes }: ClaimedToken, link: string): boolean {
  const claim = bytes.subarray(0, idBytes + expiryBytes)
  return timingSafeEqual(bytes.subarray(idBytes + expiryBytes), signatureOf(claim, link))
}

function signatureOf(claim: Buffer, link: string): Buffer {
  return createHmac('sha256', link).update(purpose).update(claim).digest().subarray(0, signatureBytes)
}
