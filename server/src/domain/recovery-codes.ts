import { createHash } from 'node:crypto'

/** How many a person is given. */
const recoveryCodeCount = 10
const letterCount = 16
// 32 of them, so that five bits of every byte choose evenly: 80 bits a code.
const letters = 'abcdefghjkmnpqrstuvwxyz234567890'

/** New codes, in groups of four letters that are hard to mistake. */
export function makeRecoveryCodes(random: (size: number) => Buffer): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const chosen = [...random(letterCount)].map((byte) => letters[byte % letters.length])
    return (chosen.join('').match(/.{4}/g) as string[]).join('-')
  })
}

/** What is kept of a code. With 80 random bits a plain hash cannot be turned round. */
export function recoveryCodeHash(code: string): Buffer {
  return createHash('sha256').update(code.toLowerCase().replaceAll(/[\s-]/g, '')).digest()
}
