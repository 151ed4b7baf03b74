import { argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { RateLimitedError } from '../../domain/errors.ts'

// Argon2id (RFC 9106) with the costs that OWASP recommends: 19 MiB, two passes, one lane.
const costs = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
const saltBytes = 16
const derive = atMost(2, 50, promisify(argon2))

/** The hash of a password, in the PHC string format. */
export async function hashPassword(password: string, random: (size: number) => Buffer): Promise<string> {
  const salt = random(saltBytes)
  const tag = await derive('argon2id', { message: normal(password), nonce: salt, ...costs })
  return `$argon2id$v=19$m=${costs.memory},t=${costs.passes},p=${costs.parallelism}$${text(salt)}$${text(tag)}`
}

/** Whether the password matches. Takes as long without a hash, so that timing does not reveal whether an account exists. */
export async function isPassword(password: string, kept: string | null): Promise<boolean> {
  const read = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(kept ?? nobodys)
  if (read === null) throw new Error('A password hash is stored in an unknown format.')
  const [, memory, passes, parallelism, salt, tag] = read as unknown as string[]
  const expected = Buffer.from(tag as string, 'base64')
  const derived = await derive('argon2id', {
    message: normal(password),
    nonce: Buffer.from(salt as string, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  })
  return timingSafeEqual(derived, expected) && kept !== null
}

/** A random password: 100 bits, in characters that are hard to confuse. */
export function makePassword(random: (size: number) => Buffer): string {
  // 32 characters, so that every byte chooses evenly.
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789A'
  const chosen = [...random(20)].map((byte) => letters[byte % letters.length])
  return (chosen.join('').match(/.{5}/g) as string[]).join('-')
}

const nobodys = `$argon2id$v=19$m=${costs.memory},t=${costs.passes},p=${costs.parallelism}$${text(Buffer.alloc(saltBytes))}$${text(Buffer.alloc(costs.tagLength))}`

/**
 * Runs a slow function only so often at once: each run takes a thread of four that files and names need too, and memory. The
 * others wait their turn, and with too many waiting they are refused.
 */
export function atMost<A extends unknown[], R>(
  running: number,
  waiting: number,
  work: (...args: A) => Promise<R>,
): (...args: A) => Promise<R> {
  let free = running
  const queue: (() => void)[] = []
  return async (...args) => {
    if (free > 0) free--
    else {
      if (queue.length >= waiting) throw new RateLimitedError(1, 'Too many passwords are being checked.')
      // A run that ends passes its place on.
      await new Promise<void>((resolve) => queue.push(resolve))
    }
    try {
      return await work(...args)
    } finally {
      const next = queue.shift()
      if (next === undefined) free++
      else next()
    }
  }
}

// Keyboards may send an accented letter as one code point or as two (RFC 8265).
function normal(password: string): Buffer {
  return Buffer.from(password.normalize('NFC'))
}

function text(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
