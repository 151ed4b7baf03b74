import { createCipheriv, createDecipheriv } from 'node:crypto'

/** Secrets that must be readable again are kept sealed: AES-256-GCM (NIST SP 800-38D), a new nonce for each. */
const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
export const sealKeyBytes = 32

/** The key that an operator has written in hexadecimal or base64; null when it is none. */
export function readSealKey(text: string): Buffer | null {
  const key = Buffer.from(text, /^[0-9a-f]+$/i.test(text) ? 'hex' : 'base64')
  return key.length === sealKeyBytes ? key : null
}

/** `text`, readable only with the key, and only as what it was sealed for: a sealed secret moved elsewhere does not open. */
export function seal(key: Buffer, text: string, purpose: string, random: (size: number) => Buffer): Buffer {
  const nonce = random(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.from(purpose))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** What was sealed, or null when the key is another one, the purpose is, or a bit was changed. */
export function unseal(key: Buffer, sealed: Buffer, purpose: string): string | null {
  if (sealed.length < nonceBytes + tagBytes) return null
  const nonce = sealed.subarray(0, nonceBytes)
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(purpose))
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    return decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    // The only thing `final` can find wrong is the tag.
    return null
  }
}
