import pg from 'pg'
import { expect, it } from 'vitest'
import { createLog } from '../src/log.ts'
import { shownError, shownInWords, shownText } from '../src/shown-error.ts'

const secret = 'planted-secret-7f3a'

/** Errors as libraries raise them, each with the secret somewhere. */
const loaded: readonly (readonly [string, () => unknown])[] = [
  [
    'a database connection',
    () => Object.assign(new Error('Connection terminated'), { client: new pg.Client({ password: secret }) }),
  ],
  [
    'a query with its values',
    () => Object.assign(new Error('bad'), { query: `select '${secret}'`, parameters: [secret] }),
  ],
  [
    'a row in a detail',
    () => Object.assign(new Error('duplicate key'), { code: '23505', detail: `Key (key)=(${secret})` }),
  ],
  ['a request', () => Object.assign(new Error('fetch failed'), { request: { headers: { cookie: secret } } })],
  ['a URL in the message', () => new Error(`connect postgres://sluice:${secret}@db/sluice failed`)],
  ['a URL without a user', () => new Error(`refused: redis://:${secret}@cache:6379`)],
  ['a key in the message', () => new Error(`no such key sk_live_${'0f'.repeat(32)}`)],
  ['a cause', () => new Error('outer', { cause: Object.assign(new Error('inner'), { password: secret }) })],
  [
    'several at once',
    () => new AggregateError([Object.assign(new Error('one'), { token: secret })], 'all failed'),
  ],
  ['a passphrase', () => new Error(`passphrase=${secret} does not open it`)],
  ['no error at all', () => ({ password: secret })],
  ['a code that is an object', () => Object.assign(new Error('odd'), { code: { secret } })],
]

it.each(loaded)('an error with %s is shown without it, in the log and in messages', (_, make) => {
  const error = make()
  const lines: string[] = []
  createLog('info', { write: (line) => lines.push(line) }).error({ err: error }, 'failed')
  for (const text of [JSON.stringify(shownError(error)), shownInWords(error), ...lines]) {
    expect(text).not.toContain(secret)
    expect(text).not.toContain('0f0f0f')
    expect(text.length).toBeLessThan(20_000)
  }
})

it('everything that helps to find the cause is shown: type, message, stack, codes and cause', () => {
  const error = new TypeError('outer', { cause: Object.assign(new Error('inner'), { code: 'ECONNREFUSED' }) })
  expect(shownError(error)).toMatchObject({
    type: 'TypeError',
    message: 'outer',
    stack: expect.stringContaining('shown-error.test'),
    cause: { type: 'Error', message: 'inner', code: 'ECONNREFUSED' },
  })
  expect(shownInWords(error)).toMatch(/^TypeError: outer\n.*\nCaused by: Error: inner\n/s)
  expect(shownInWords('only words')).toBe('only words')
})

it('an error that causes itself and an endless message are shown within bounds', () => {
  const circle = new Error('circle')
  circle.cause = circle
  expect(shownInWords(circle).split('Caused by').length).toBeLessThan(10)
  expect(shownText('x'.repeat(1_000_000)).length).toBeLessThan(10_000)
})
