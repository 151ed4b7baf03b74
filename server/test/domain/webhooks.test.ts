import { execFileSync } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import {
  makeSecret,
  maxAttempts,
  nextAttemptDelayMs,
  signature,
  signedHeaders,
} from '../../src/domain/webhooks.ts'

const secret = makeSecret(randomBytes)
const nowSeconds = Math.floor(Date.now() / 1000)
const message = {
  id: 'evt_0199b6d2-7f5a-7c3e-9a51-0d3f5b8f4c11',
  timestampSeconds: nowSeconds,
  body: JSON.stringify({ id: 'evt_1', event: 'invoice.paid', data: { description: 'Grüße 🎈 \u0000 "x"' } }),
}

type Verifier = (secret: string, headers: Record<string, string>, body: string) => boolean

function byLibrary(key: string, headers: Record<string, string>, body: string): boolean {
  try {
    new Webhook(key).verify(body, headers)
    return true
  } catch {
    return false
  }
}

function byPython(key: string, headers: Record<string, string>, body: string): boolean {
  const program = fileURLToPath(new URL('../outbound/fixtures/verify-webhook.py', import.meta.url))
  const input = JSON.stringify({ secret: key, headers, body, now: nowSeconds })
  const verdict = execFileSync('/usr/bin/python3', ['-I', program], { input, encoding: 'utf8' })
  expect(verdict).toMatch(/^(accepted|refused: .*)\n$/)
  return verdict === 'accepted\n'
}

const verifiers: [string, Verifier][] = [
  ['the published library', byLibrary],
  ['a verifier in Python, written from the published scheme', byPython],
]

describe.each(verifiers)('%s', (_name, verify) => {
  const headers = signedHeaders([secret], message)

  test('accepts what we sign', () => {
    expect(verify(secret, headers, message.body)).toBe(true)
  })

  test('accepts either secret during a rotation, and no third one', () => {
    const next = makeSecret(randomBytes)
    const rotating = signedHeaders([next, secret], message)
    expect(verify(secret, rotating, message.body)).toBe(true)
    expect(verify(next, rotating, message.body)).toBe(true)
    expect(verify(makeSecret(randomBytes), rotating, message.body)).toBe(false)
  })

  test('refuses an altered body, id, timestamp and signature', () => {
    expect(verify(secret, headers, message.body.replace('paid', 'void'))).toBe(false)
    expect(verify(secret, { ...headers, 'webhook-id': 'evt_2' }, message.body)).toBe(false)
    const later = String(nowSeconds + 1)
    expect(verify(secret, { ...headers, 'webhook-timestamp': later }, message.body)).toBe(false)
    const other = signature(secret, 'evt_2', nowSeconds, message.body)
    expect(verify(secret, { ...headers, 'webhook-signature': other }, message.body)).toBe(false)
  })

  test('refuses a replayed old signature, and one from a clock far ahead', () => {
    for (const skewSeconds of [-3600, 3600]) {
      const skewed = signedHeaders([secret], { ...message, timestampSeconds: nowSeconds + skewSeconds })
      expect(verify(secret, skewed, message.body)).toBe(false)
    }
  })
})

describe('a signature', () => {
  test('matches the example that the standard publishes', () => {
    const example = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    expect(signature(example, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}')).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    )
  })

  test('equals that of the published library', () => {
    const theirs = new Webhook(secret).sign(message.id, new Date(nowSeconds * 1000), message.body)
    expect(signature(secret, message.id, nowSeconds, message.body)).toBe(theirs)
  })

  test('is v1 and the HMAC-SHA256 keyed with the decoded secret, not with its text', () => {
    const key = Buffer.alloc(32, 7)
    const mac = createHmac('sha256', key).update('evt_1.1700000000.{}').digest('base64')
    expect(signature(`whsec_${key.toString('base64')}`, 'evt_1', 1_700_000_000, '{}')).toBe(`v1,${mac}`)
  })

  test('is never made with a damaged secret', () => {
    const cut = `whsec_${randomBytes(16).toString('base64')}`
    for (const bad of ['', 'whsec_', secret.slice(6), secret.slice(0, -3), `${secret}\n`, cut]) {
      expect(() => signature(bad, 'evt_1', 1, '{}'), bad).toThrow('24 to 64 bytes')
    }
  })

  test('is never made over an ambiguous id or time', () => {
    expect(() => signature(secret, 'evt.1', 1, '{}')).toThrow('no dot')
    expect(() => signature(secret, 'evt_1', 1.5, '{}')).toThrow('whole seconds')
    expect(() => signedHeaders([], message)).toThrow('at least one secret')
  })

  test('has a secret of 32 random bytes, new each time', () => {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(makeSecret(randomBytes)).not.toBe(secret)
  })
})

describe('the retry schedule', () => {
  const minuteMs = 60_000
  const hourMs = 60 * minuteMs
  const waits = [5000, 5 * minuteMs, 30 * minuteMs, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs)]

  test('is 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h, then no more', () => {
    expect(waits.map((_, index) => nextAttemptDelayMs(index + 1, 0.5))).toEqual(waits)
    expect(maxAttempts).toBe(10)
    expect(nextAttemptDelayMs(maxAttempts, 0.5)).toBeNull()
    expect(nextAttemptDelayMs(maxAttempts, 0.5, 1000)).toBeNull()
  })

  test('is spread by a tenth in either direction', () => {
    waits.forEach((wait, index) => {
      expect(nextAttemptDelayMs(index + 1, 0)).toBe(wait * 0.9)
      expect(nextAttemptDelayMs(index + 1, 1)).toBeCloseTo(wait * 1.1, 0)
    })
  })

  test('grants a receiver the longer wait it asks for, up to a day, but never a shorter one', () => {
    expect(nextAttemptDelayMs(1, 0.5, 60_000)).toBe(60_000)
    expect(nextAttemptDelayMs(1, 0.5, 0)).toBe(5000)
    expect(nextAttemptDelayMs(1, 0.5, Number.MAX_SAFE_INTEGER)).toBe(24 * hourMs)
    expect(nextAttemptDelayMs(9, 1, Number.MAX_SAFE_INTEGER)).toBe(Math.round(24 * hourMs * 1.1))
  })

  test('counts attempts from 1', () => {
    for (const attempt of [0, -1, 1.5, Number.NaN]) {
      expect(() => nextAttemptDelayMs(attempt, 0.5)).toThrow('counted from 1')
    }
  })
})
