import { createHmac, timingSafeEqual } from 'node:crypto'
import { base32nopad } from '@scure/base'

/** Codes of authenticator apps (RFC 6238): HMAC-SHA-1, steps of 30 seconds, six digits, as all apps support. */
const stepSeconds = 30n
const digits = 6
// Clocks differ and typing takes a moment, so the previous and the next step are accepted too.
const drift = 1n

export const totpSecretBytes = 20

export function stepAt(now: Date): bigint {
  return BigInt(now.getTime()) / 1000n / stepSeconds
}

/** The code of a step. */
export function totpCode(secret: Uint8Array, step: bigint, length: number = digits): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(step)
  const mac = createHmac('sha1', secret).update(counter).digest()
  // Dynamic truncation (RFC 4226 §5.3): the last four bits are the number's offset.
  const at = (mac.at(-1) as number) & 0x0f
  const number = (mac.readUInt32BE(at) & 0x7fffffff) % 10 ** length
  return String(number).padStart(length, '0')
}

/** The step near `now` that has this code; null when none does. Takes constant time. */
export function stepOfCode(secret: Uint8Array, code: string, now: Date): bigint | null {
  const given = Buffer.from(code.padEnd(digits).slice(0, digits))
  const current = stepAt(now)
  let found: bigint | null = null
  for (let step = current - drift; step <= current + drift; step++) {
    if (timingSafeEqual(Buffer.from(totpCode(secret, step)), given)) found = step
  }
  return code.length === digits ? found : null
}

/** The secret as people type it. */
export function totpSecretText(secret: Uint8Array): string {
  return base32nopad.encode(secret)
}

/** What authenticator apps read from a QR code. */
export function totpUri(secret: Uint8Array, issuer: string, email: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  const query = new URLSearchParams({ secret: totpSecretText(secret), issuer })
  return `otpauth://totp/${label}?${query.toString().replaceAll('+', '%20')}`
}
