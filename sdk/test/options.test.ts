import { expect, it } from 'vitest'
import { createSluice, type SluiceOptions } from '../src/client.ts'
import { retryAfterSeconds } from '../src/retry.ts'

const client = (options: Partial<SluiceOptions>) => createSluice({ baseUrl: 'http://x/api', ...options })

it.each(['', '/api', 'ftp://x/api', 'http://user:hunter2@x/api', 'http://x/api?a=1'])(
  'the base address "%s" is rejected at once and not shown',
  (baseUrl) => {
    expect(() => client({ baseUrl })).toThrow(/^baseUrl must be an http or https URL/)
    expect(() => client({ baseUrl })).not.toThrow('hunter2')
  },
)

it.each(['', 'sk_test_1\n', 'sk_test_1 ', 'sk_test_é'])(
  'a malformed key is rejected and not shown',
  (apiKey) => {
    expect(() => client({ apiKey })).toThrow(/^apiKey is empty or contains characters/)
    expect(() => client({ apiKey })).not.toThrow('sk_test')
  },
)

it.each([{ maxRetries: 11 }, { maxRetries: 0.5 }, { timeoutMs: 0 }, { timeoutMs: 2 ** 31 }])(
  'options out of bounds are rejected at once: %o',
  (options) => {
    expect(() => client(options)).toThrow(/must be an integer from/)
  },
)

it('Retry-After may be a date, and a malformed value is ignored', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  expect(retryAfterSeconds('Thu, 01 Jan 2026 00:00:05 GMT', now)).toBe(5)
  expect(retryAfterSeconds('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0)
  expect(retryAfterSeconds('soon', now)).toBeNull()
})
