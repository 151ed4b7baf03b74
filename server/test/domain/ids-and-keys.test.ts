import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { apiKeyHint, hashApiKey, isApiKey, makeApiKey } from '../../src/domain/api-keys.ts'
import { isUuid, uuidv7 } from '../../src/domain/ids.ts'

describe('uuidv7', () => {
  it('yields the example of RFC 9562, appendix A.6', () => {
    const random = () => Buffer.from('00000000000000000cc318c4dc0c0c07398f', 'hex').subarray(2)
    const id = uuidv7(new Date(0x017f22e279b0), (bytes) => {
      bytes.set(random())
      return bytes
    })
    expect(id).toBe('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')
  })

  it('sorts by time and never repeats', () => {
    const ids = Array.from({ length: 1000 }, (_, n) => uuidv7(new Date(1_700_000_000_000 + n)))
    expect([...ids].sort()).toEqual(ids)
    expect(new Set(Array.from({ length: 1000 }, () => uuidv7(new Date(0)))).size).toBe(1000)
    expect(ids.every(isUuid)).toBe(true)
  })
})

describe('API keys', () => {
  it('are a prefix and 32 random bytes, and the hint reveals 4 characters', () => {
    const key = makeApiKey('live', randomBytes)
    expect(key).toMatch(/^sk_live_[0-9a-f]{64}$/)
    expect(isApiKey(key)).toBe(true)
    expect(apiKeyHint(key)).toBe(`sk_live_…${key.slice(-4)}`)
    expect(hashApiKey(key)).toHaveLength(32)
  })

  it.each([
    '',
    'sk_test_',
    `sk_prod_${'a'.repeat(64)}`,
    `sk_test_${'A'.repeat(64)}`,
    `sk_test_${'a'.repeat(65)}`,
    `sk_test_${'a'.repeat(64)}\n`,
  ])('are not %j', (text) => expect(isApiKey(text)).toBe(false))
})
