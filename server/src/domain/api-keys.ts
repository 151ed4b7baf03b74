import { createHash } from 'node:crypto'
import type { Environment } from './environment.ts'

const keyPattern = /^sk_(live|test)_[0-9a-f]{64}$/
const keyBytes = 32

/** A new secret key. It is shown once; only its hash is stored. */
export function makeApiKey(environment: Environment, random: (size: number) => Buffer): string {
  return `sk_${environment}_${random(keyBytes).toString('hex')}`
}

export function isApiKey(text: string): boolean {
  return keyPattern.test(text)
}

export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** Enough to tell keys apart, far too little to guess one: `sk_test_…9f3a`. */
export function apiKeyHint(key: string): string {
  return `${key.slice(0, 'sk_test_'.length)}…${key.slice(-4)}`
}
