import { createHash } from 'node:crypto'

/** How many codes a person gets. */
const recoveryCodeCount = 10
const letterCount = 16
// 32 characters, so that five bits of each byte choose one evenly: 80 bits per code.
const letters = 'abcdefghjkmnpqrstuvwxyz234567890'

/** New codes, in groups of four characters that are hard to confuse. */
export function makeRecoveryCodes(random: (size: number) => Buffer): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const chosen = [...random(letterCount)].map((byte) => letters[byte % letters.length])
    return (chosen.join('').match(/.{4}/g) as string[]).join('-')
  })
}

/** The stored form of a code. It has 80 random bits, so a plain hash cannot be reversed. */
export function recoveryCodeHash(code: string): Buffer {
  return createHash('sha256').update(code.toLowerCase().replaceAll(/[\s-]/g, '')).digest()
}
