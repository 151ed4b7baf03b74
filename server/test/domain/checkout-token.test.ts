import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isSignedWith, makeCheckoutToken, readCheckoutToken } from '../../src/domain/checkout-token.ts'

const invoice = { id: '0190a5f0-0000-7000-8000-0123456789ab', link: 'AAECAwQFBgcICQoLDA0ODw' }
const ends = new Date('2026-11-15T12:00:00.000Z')

describe('a checkout token', () => {
  it('is the id, the end and 16 bytes of HMAC-SHA256 keyed with the link', () => {
    const claim = Buffer.concat([
      Buffer.from(invoice.id.replaceAll('-', ''), 'hex'),
      Buffer.from((ends.getTime() / 1000).toString(16).padStart(12, '0'), 'hex'),
    ])
    const signature = createHmac('sha256', invoice.link).update('sluice checkout token 1\n').update(claim)
    const expected = Buffer.concat([claim, signature.digest().subarray(0, 16)]).toString('base64url')
    expect(makeCheckoutToken(invoice, ends)).toBe(expected)
    expect(expected).toHaveLength(51)
  })

  it('says whose it is and when it ends, to the second', () => {
    const read = readCheckoutToken(makeCheckoutToken(invoice, new Date(ends.getTime() + 999)))
    expect([read?.invoiceId, read?.expiresAt]).toEqual([invoice.id, ends])
  })

  it('is valid with its own link and with no other', () => {
    const read = readCheckoutToken(makeCheckoutToken(invoice, ends))
    if (read === null) throw new Error('a token could not be read')
    expect(isSignedWith(read, invoice.link)).toBe(true)
    for (let n = 0; n < 100; n++)
      expect(isSignedWith(read, randomBytes(16).toString('base64url'))).toBe(false)
  })

  it('is invalid as soon as any bit is changed', () => {
    const bytes = Buffer.from(makeCheckoutToken(invoice, ends), 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
      const read = readCheckoutToken(changed.toString('base64url'))
      if (read !== null) expect(isSignedWith(read, invoice.link)).toBe(false)
    }
  })

  it('has one form: another text that decodes to the same bytes is invalid', () => {
    const token = makeCheckoutToken(invoice, ends)
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const others = [...alphabet].map((last) => token.slice(0, -1) + last).filter((text) => text !== token)
    const sameBytes = others.filter((text) =>
      Buffer.from(text, 'base64url').equals(Buffer.from(token, 'base64url')),
    )
    expect(sameBytes).toHaveLength(3)
    expect(sameBytes.map(readCheckoutToken)).toEqual([null, null, null])
  })

  it.each([
    '',
    'x',
    'A'.repeat(50),
    'A'.repeat(52),
    `${'A'.repeat(50)}=`,
    `${'A'.repeat(50)}\n`,
    randomUUID(),
  ])('is not %j', (text) => {
    expect(readCheckoutToken(text)).toBeNull()
  })
})
