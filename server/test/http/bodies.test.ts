import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { survivesReading } from '../../src/http/strict-json.ts'
import { type EchoServer, goodKey, startEchoServer } from '../support/servers/echo-server.ts'

let server: EchoServer
beforeAll(async () => {
  server = await startEchoServer()
})
afterAll(() => server.close())
beforeEach(() => {
  server.received.length = 0
})

async function post(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/api/v1/things`, {
    method: 'POST',
    headers: { 'X-API-Key': goodKey, 'Content-Type': 'application/json', ...headers },
    body,
  })
  // biome-ignore lint/suspicious/noExplicitAny: both success and error bodies are read below
  return { status: response.status, body: (await response.json()) as any }
}

const good = { currency: 'BTC', amount: '0.01' }

describe('a body is refused with 400, naming the problem, when', () => {
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  it.each([
    ['it is not JSON', '{', '/: must be valid JSON'],
    ['it is empty', '', '/: a JSON body is required'],
    ['it is a list', '[]', '/: must be an object'],
    ['it is null', 'null', '/: must be an object'],
    ['a field is missing', '{"currency":"BTC"}', '/amount: is required'],
    ['a required field is null', '{"currency":"BTC","amount":null}', '/amount: must be a string'],
    ['a field is unknown', JSON.stringify({ ...good, amout: '1' }), '/amout: is not a field of this request'],
    [
      'an unknown field is null',
      JSON.stringify({ ...good, amout: null }),
      '/amout: is not a field of this request',
    ],
    ['an amount is a number', '{"currency":"BTC","amount":1}', '/amount: must be a string'],
    ['a flag is text', JSON.stringify({ ...good, deferred: 'true' }), '/deferred: must be a boolean'],
    ['a count is text', JSON.stringify({ ...good, count: '1' }), '/count: must be an integer'],
    ['a key is repeated', '{"currency":"BTC","amount":"1","amount":"2"}', '/amount: is a duplicate key'],
    [
      'a key is repeated, once escaped',
      '{"currency":"BTC","amount":"1","\\u0061mount":"2"}',
      '/amount: is a duplicate key',
    ],
    [
      'a nested key is repeated',
      '{"metadata":{"a":1,"b":{"c":1,"c":2}}}',
      '/metadata/b/c: is a duplicate key',
    ],
    [
      'it contains __proto__',
      '{"currency":"BTC","amount":"1","__proto__":{}}',
      '/__proto__: is not an allowed name',
    ],
    [
      'metadata contains __proto__',
      JSON.stringify({ ...good, metadata: 0 }).replace('0}', '{"__proto__":1}}'),
      '/metadata/__proto__: is not an allowed name',
    ],
    [
      'text contains NUL',
      JSON.stringify({ ...good, description: 'a\0b' }),
      '/description: must not contain NUL',
    ],
    [
      'text contains a lone surrogate',
      JSON.stringify({ ...good, description: '\ud800' }),
      '/description: must not contain lone surrogates',
    ],
    ['a key contains a lone surrogate', '{"metadata":{"\\udc00":1}}', 'must not contain lone surrogates'],
    ['it is nested too deeply', deep(20), 'is nested deeper than 16 levels'],
    [
      'it is nested absurdly deeply',
      `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
      'is nested deeper than 16 levels',
    ],
    [
      'it has 51 metadata keys',
      JSON.stringify({
        ...good,
        metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i])),
      }),
      '/metadata: must have at most 50 properties',
    ],
    [
      'metadata nests',
      JSON.stringify({ ...good, metadata: { a: { b: 1 } } }),
      '/metadata/a: must be a string or a number or a boolean or null',
    ],
    [
      'a metadata key is empty',
      JSON.stringify({ ...good, metadata: { '': 1 } }),
      '/metadata/: its name must not be empty',
    ],
    [
      'a metadata key is too long',
      JSON.stringify({ ...good, metadata: { ['k'.repeat(65)]: 1 } }),
      `/metadata/${'k'.repeat(65)}: its name must have at most 64 characters`,
    ],
    ...[
      '9007199254740993',
      '1e400',
      '-1e400',
      '1e-400',
      '0.1000000000000000055511151231257827',
      '123456789012345678',
    ].map((number): [string, string, string] => [
      `a number would be changed: ${number}`,
      `{"currency":"BTC","amount":"1","metadata":{"kept":1,"order":${number}}}`,
      '/metadata/order: is a number that cannot be kept exactly; send it as a string',
    ]),
    [
      'a number in a list would be changed',
      '{"a":[1,9007199254740993]}',
      '/a/1: is a number that cannot be kept',
    ],
    ['it begins with a byte order mark', `\ufeff${JSON.stringify(good)}`, '/: must be valid JSON'],
  ])('%s', async (_, body, problem) => {
    const answer = await post(body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('validation_error')
    expect(answer.body.error.details.join('\n')).toContain(problem)
    expect(server.received).toEqual([])
  })

  it.each([
    '1e3',
    '-0',
    '+1',
    '.5',
    '1.',
    '01',
    'NaN',
    'Infinity',
    '0x1',
    '',
    ' 1',
    '1 ',
    '1,5',
    '１',
    '1'.repeat(51),
  ])('an amount is %j', async (amount) => {
    const answer = await post(JSON.stringify({ ...good, amount }))
    expect(answer.status).toBe(400)
    expect(answer.body.error.details[0]).toMatch(/^\/amount: /)
    expect(server.received).toEqual([])
  })

  it('it is not UTF-8', async () => {
    const answer = await post(Uint8Array.of(0x22, 0xff, 0x22))
    expect(answer.status).toBe(400)
    expect(answer.body.error.details).toEqual(['/: must be valid UTF-8'])
  })
})

it('reports every problem of a body at once, up to a limit', async () => {
  const few = await post('{"a":1,"b":2}')
  expect(few.body.error.details.sort()).toEqual([
    '/a: is not a field of this request',
    '/amount: is required',
    '/b: is not a field of this request',
    '/currency: is required',
  ])
  const many = await post(
    JSON.stringify(Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`f${i}`, i]))),
  )
  expect(many.body.error.details).toHaveLength(21)
})

it('treats null in an optional field as absent', async () => {
  const answer = await post(JSON.stringify({ ...good, description: null, metadata: { kept: null } }))
  expect(answer.status).toBe(201)
  expect(server.received).toEqual([{ ...good, metadata: { kept: null } }])
})

it.each([
  '9007199254740992',
  '-9007199254740991',
  '0.1',
  '1e21',
  '1.50',
  '-0',
  '1E+2',
  '5e-324',
  '0.30000000000000004',
])('accepts the number %s, whose value survives parsing', async (number) => {
  const answer = await post(`{"currency":"BTC","amount":"0.01","metadata":{"a":${number}}}`)
  expect(answer.status).toBe(201)
  expect(server.received).toEqual([{ ...good, metadata: { a: Number(number) } }])
})

it('a number is accepted exactly if its value survives parsing', () => {
  const written = fc.tuple(
    fc.stringMatching(/^-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,25})?$/),
    fc.integer({ min: -30, max: 30 }),
  )
  fc.assert(
    fc.property(written, ([mantissa, exponent]) => {
      const number = `${mantissa}e${exponent}`
      // Both as integers of the same tiny unit.
      const scaled = (text: string) => {
        const [digits = '', power = '0'] = text.split('e')
        const [whole = '', fraction = ''] = digits.split('.')
        return BigInt(whole + fraction) * 10n ** BigInt(120 + Number(power) - fraction.length)
      }
      expect(survivesReading(number)).toBe(scaled(number) === scaled(String(Number(number))))
    }),
  )
})

it('passes text on unchanged: spaces, emoji, right-to-left marks, HTML', async () => {
  const description = '  <b>\u202e💧 =1+1\n\t'
  await post(JSON.stringify({ ...good, description }))
  expect(server.received).toEqual([{ ...good, description }])
})

it('answers 413 to more than 64 KiB, declared or streamed', async () => {
  const body = JSON.stringify({ ...good, description: 'x'.repeat(65 * 1024) })
  const declared = await post(body)
  expect([declared.status, declared.body.error.code]).toEqual([413, 'validation_error'])
  const response = await fetch(`${server.url}/api/v1/things`, {
    method: 'POST',
    headers: { 'X-API-Key': goodKey, 'Content-Type': 'application/json' },
    body: new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(body))
        controller.close()
      },
    }),
    duplex: 'half',
  } as RequestInit)
  expect(response.status).toBe(413)
})

it.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'multipart/form-data; boundary=x',
  'nonsense',
])('answers 415 to %s', async (type) => {
  const answer = await post(JSON.stringify(good), { 'Content-Type': type })
  expect([answer.status, answer.body.error.code]).toEqual([415, 'validation_error'])
  expect(answer.body.error.details[0]).toContain('application/json')
})

it('authenticates the caller before it reads the body', async () => {
  const answer = await post('{', { 'X-API-Key': 'wrong' })
  expect(answer.status).toBe(401)
})

it.each([
  ['nothing', undefined, 201],
  ['an empty object', '{}', 201],
  ['a field', '{"a":1}', 400],
  ['a list', '[]', 400],
])('an action without a body accepts %s: %s → %i', async (_, body, status) => {
  const response = await fetch(`${server.url}/api/v1/things/1/cancel`, {
    method: 'POST',
    headers: { 'X-API-Key': goodKey, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body }),
  })
  expect(response.status).toBe(status)
})

it('never answers 5xx and never accepts a body that the schema refuses, for any input', async () => {
  const anything = fc.oneof(
    fc.json({ maxDepth: 4 }),
    fc
      .record(
        {
          currency: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
          amount: fc.oneof(fc.string(), fc.double().map(String), fc.bigInt().map(String), fc.jsonValue()),
          deferred: fc.jsonValue(),
          count: fc.oneof(fc.integer(), fc.double(), fc.jsonValue()),
          description: fc.oneof(fc.string({ unit: 'binary', maxLength: 1100 }), fc.jsonValue()),
          metadata: fc.oneof(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), fc.jsonValue()),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
  )
  await fc.assert(
    fc.asyncProperty(anything, async (body) => {
      server.received.length = 0
      const answer = await post(body)
      expect([201, 400, 413]).toContain(answer.status)
      if (answer.status === 201) {
        expect(server.received).toHaveLength(1)
        expect(answer.body.data.amount).toMatch(/^(0|[1-9][0-9]*)(\.[0-9]+)?$/)
      } else {
        expect(server.received).toEqual([])
        expect(answer.body.error.details.length).toBeGreaterThan(0)
      }
    }),
    { numRuns: Number(process.env.SLUICE_FUZZ_RUNS ?? 300) },
  )
})
