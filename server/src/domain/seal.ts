import { createCipheriv, createDecipheriv } from 'node:crypto'

/** Secrets that must be readable again are stored sealed: AES-256-GCM (NIST SP 800-38D), with a new nonce each time. */
const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
export const sealKeyBytes = 32

/** The operator's key, from hexadecimal or base64; null when the text is not a key. */
export function readSealKey(text: string): Buffer | null {
  const key = Buffer.from(text, /^[0-9a-f]+$/i.test(text) ? 'hex' : 'base64')
  return key.length === sealKeyBytes ? key : null
}

/** Seals `text` with the key, for one purpose: a sealed secret that was copied to another place does not open there. */
export function seal(key: Buffer, text: string, purpose: string, random: (size: number) => Buffer): Buffer {
  const nonce = random(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.from(purpose))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** The sealed text, or null when the key or the purpose is a different one, or a bit was changed. */
export function unseal(key: Buffer, sealed: Buffer, purpose: string): string | null {
  if (sealed.length < nonceBytes + tagBytes) return null
  const nonce = sealed.subarray(0, nonceBytes)
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(purpose))
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    return decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    // `final` fails only when the authentication tag is wrong.
    return null
  }
}
