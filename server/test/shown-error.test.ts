import { createTransport } from 'nodemailer'
import pg from 'pg'
import { request } from 'undici'
import { expect, it } from 'vitest'
import { createLog, type Log } from '../src/log.ts'
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
  ['a password with a slash', () => new Error(`cannot use postgres://sluice:a/${secret}@db/sluice`)],
  ['a password with an at sign', () => new Error(`cannot use postgres://sluice:a@${secret}@db/sluice`)],
  ['a key in the path of a node’s URL', () => new Error(`fetch https://mainnet.example/v3/${secret} failed`)],
  ['a key in the query of a node’s URL', () => new Error(`wss://rpc.example/?apikey=${secret}: closed`)],
  [
    'a refusal of a node with its URL',
    () => Object.assign(new Error('-32000'), { url: `https://rpc.example/${secret}`, data: { key: secret } }),
  ],
  ['a header', () => new Error(`401 for Authorization: Bearer ${secret}`)],
  ['another header', () => new Error(`401 for {"X-Api-Key": "${secret} and more"}`)],
  ['a webhook secret', () => new Error(`bad signature with whsec_${secret}`)],
  ['a cookie', () => new Error(`cookie: session=${secret}`)],
  ['a passphrase with spaces', () => new Error(`passphrase: correct horse ${secret} staple`)],
  [
    'a mail server’s login',
    () => new Error(`smtps://ada:${secret}@mail.example:465?from=a@b.example refused`),
  ],
  [
    'what nodemailer attaches',
    () =>
      Object.assign(new Error('Invalid login'), {
        code: 'EAUTH',
        command: `AUTH PLAIN ${secret}`,
        response: secret,
      }),
  ],
  ['bytes', () => Object.assign(new Error('odd'), { bytes: Buffer.from(secret), body: secret })],
  [
    'causes of causes, several at once',
    () =>
      new AggregateError(
        [
          new Error('one', {
            cause: new AggregateError([new Error(`token=${secret}`)], `secret: ${secret}`),
          }),
        ],
        'all failed',
      ),
  ],
  ['a thrown text', () => `password=${secret}`],
  ['a thrown function', () => Object.assign(() => {}, { secret })],
  ['a name of its own', () => Object.assign(new Error('odd'), { name: `token=${secret}` })],
  ['a code that is an object', () => Object.assign(new Error('odd'), { code: { secret } })],
]

/** Every way in which an error can reach a log. */
const ways: readonly ((log: Log, error: unknown) => void)[] = [
  (log, error) => log.error({ err: error }, 'failed'),
  (log, error) => log.error(error),
  (log, error) => log.error({ error }, 'failed'),
  (log, error) => log.warn({ details: { nested: [error] } }, 'failed'),
  (log, error) => log.fatal({ reason: error instanceof Error ? error.message : String(error) }, 'failed'),
  (log, error) => log.info(error instanceof Error ? error.message : String(error)),
]

it.each(loaded)('an error with %s is shown without it, in the log and in messages', (_, make) => {
  const error = make()
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  for (const write of ways) write(log, error)
  for (const line of lines) JSON.parse(line)
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

const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

it('the words of a seed and private keys are never shown', () => {
  const key = `xprv9s21ZrQH143K3${'QTDL4LXw2F7HEK3'.repeat(6)}`
  expect(shownText(`bad words: ${words}.`)).toBe('bad words: ….')
  expect(shownText(`mnemonic = ${words}`)).not.toMatch(/legal|yellow/)
  expect(shownText(`key ${key} is wrong`)).toBe('key xprv… is wrong')
})

it('what libraries really throw is shown without the password that they were given', async () => {
  const url = `postgres://sluice:${secret}@127.0.0.1:1/sluice`
  const errors = [
    await new pg.Client(url).connect().catch((error: unknown) => error),
    await request(`http://127.0.0.1:1/v3/${secret}`, {
      headers: { authorization: `Bearer ${secret}` },
    }).catch((error: unknown) => error),
    await createTransport({ host: '127.0.0.1', port: 1, auth: { user: 'ada', pass: secret } })
      .verify()
      .catch((error: unknown) => error),
    await fetch(`http://ada:${secret}@127.0.0.1:1/`).catch((error: unknown) => error),
  ]
  for (const error of errors) {
    expect(error).toBeInstanceOf(Error)
    const lines: string[] = []
    const log = createLog('info', { write: (line) => lines.push(line) })
    for (const write of ways) write(log, error)
    for (const text of [shownInWords(error), ...lines]) expect(text).not.toContain(secret)
  }
})

it('of an address only the host is shown, and other words stay as they are', () => {
  expect(shownText('at https://user:pass@rpc.example:8545/v3/abc?x=1.')).toBe(
    'at https://…@rpc.example:8545/….',
  )
  expect(shownText('see https://pay.example.com, please')).toBe('see https://pay.example.com, please')
  expect(shownText('at run (file:///srv/sluice/server/src/log.ts:12:3)')).toContain('server/src/log.ts:12:3')
  const plain = 'The node at rpc.example:8545 did not answer within 4000 ms. It is asked again by itself.'
  expect(shownText(plain)).toBe(plain)
})

it('a client, a socket or bytes in a field are named, not printed, and figures stay', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  log.info(
    {
      client: new pg.Client({ password: secret }),
      headers: { Cookie: secret },
      key: Buffer.from(secret),
      port: 9464,
      ids: ['a'],
    },
    'odd',
  )
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    client: '[object Object]',
    headers: { Cookie: '…' },
    key: '[object Uint8Array]',
    port: 9464,
    ids: ['a'],
  })
})

it('an error whose properties cannot be read is still shown', () => {
  const error = new Error('odd')
  Object.defineProperty(error, 'code', {
    get() {
      throw new Error('no')
    },
  })
  expect(shownError(error)).toMatchObject({ message: 'odd' })
})
