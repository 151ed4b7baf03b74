import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { catalogue, type ReasonCode, reasonsIn, say, sayAll } from '../../src/domain/reasons/reasons.ts'
import type { FailureReason } from '../../src/outbound/webhooks/webhook-client.ts'

const codes = Object.keys(catalogue) as ReasonCode[]
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()

// What each value looks like, with the blanks and points that it may hold.
const samples: Readonly<Record<string, string>> = {
  network: 'BNB Smart Chain',
  amount: '-0.5 BTC',
  approved: '600.00 USD',
  refunded: '0 BTC',
  seen: '1.2 USDT',
  limit: '2.5 USDT per day on ethereum',
  detail: 'insufficient funds: have 1.5, want 2',
  coins: 'ab12:0, cd34:1',
  actor: 'cli:Alice Example',
  setting: 'limits: BTC on bitcoin, per_day: 1 BTC → no limit',
  currencies: 'BTC or LTC',
  merchant: 'Alpenglühen Coffee & Co.',
  place: 'rTag1 tag 7 on xrp',
  permissions: 'keys:write, invoices:read',
  there: 'are 0',
}
const valuesOf = (code: ReasonCode) =>
  Object.fromEntries(placeholders(catalogue[code]).map((name = '') => [name, samples[name] ?? `${name}-1`]))
const sentenceOf = say as (code: ReasonCode, values: Readonly<Record<string, string>>) => string

describe('a sentence of the catalogue', () => {
  it.each(codes)('%s is read back with its values, alone and among others', (code) => {
    const values = valuesOf(code)
    const message = sentenceOf(code, values)
    expect(message).not.toMatch(/[{}]/)
    expect(reasonsIn(message)).toEqual([{ code, message, values }])
    const last = { code: 'signed_later', message: say('signed_later'), values: {} }
    const first = { code: 'never_mined', message: say('never_mined'), values: {} }
    expect(reasonsIn(sayAll(first.message, message, last.message))).toEqual([
      first,
      { code, message, values },
      last,
    ])
  })

  it('has words in every other language of the dashboard, with the same values', () => {
    const folder = join(import.meta.dirname, '../../../web/dashboard')
    const languages = readdirSync(join(folder, 'messages')).map((name) => name.replace('.json', ''))
    const others = languages.filter((language) => language !== 'en')
    expect(others.length).toBeGreaterThan(0)
    for (const language of others) {
      const file = join(folder, `reasons/reasons-${language}.json`)
      const words = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
      expect(Object.keys(words).sort(), language).toEqual([...codes].sort())
      const wrong = codes.filter((code) =>
        placeholders(words[code] ?? '').some((name) => !placeholders(catalogue[code]).includes(name)),
      )
      expect(wrong, language).toEqual([])
      expect(
        codes.filter((code) => words[code] === catalogue[code]),
        language,
      ).toEqual([])
    }
  })
})

it('every way in which a delivery finds no answer has a sentence of its own, with and without the system’s code', () => {
  // The type names each of them.
  const codes: Record<FailureReason, string | null> = {
    'name not found': 'no_answer_name_not_found',
    'name lookup failed': 'no_answer_name_lookup_failed',
    'forbidden address': 'no_answer_forbidden_address',
    'connection refused': 'no_answer_connection_refused',
    unreachable: 'no_answer_unreachable',
    'timed out': 'no_answer_timed_out',
    'connection broken': 'no_answer_connection_broken',
    'TLS failed': 'no_answer_tls_failed',
    'bad address': 'no_answer_bad_address',
    'bad answer': 'no_answer_bad_answer',
    // Never called, so it is no attempt.
    busy: null,
  }
  for (const [reason, code] of Object.entries(codes).filter(([, each]) => each !== null)) {
    expect(reasonsIn(`No answer: ${reason}.`)).toMatchObject([{ code, values: {} }])
    if (`${code}_code` in catalogue)
      expect(reasonsIn(`No answer: ${reason} (E_CODE).`)).toMatchObject([
        { code: `${code}_code`, values: { error: 'E_CODE' } },
      ])
  }
  expect(reasonsIn('No answer: of an older version.')).toMatchObject([{ code: 'endpoint_no_answer' }])
})

describe('words of others', () => {
  it('stay as they are, before, between and after ours', () => {
    expect(reasonsIn(null)).toEqual([])
    expect(reasonsIn('Written by an older version. At length.')).toEqual([
      { code: 'other', message: 'Written by an older version. At length.', values: {} },
    ])
    const text = 'https://shop.example: It answered 410 Gone. And then nothing.'
    expect(reasonsIn(text).map(({ code, message }) => [code, message])).toEqual([
      ['other', 'https://shop.example:'],
      ['endpoint_gone', 'It answered 410 Gone.'],
      ['other', 'And then nothing.'],
    ])
  })

  it('are joined to the whole text again', () => {
    const text = sayAll(say('signer_refuses'), 'The plan does not add up.', say('being_cancelled'))
    expect(
      reasonsIn(text)
        .map(({ message }) => message)
        .join(' '),
    ).toBe(text)
  })
})

it('a text far longer than anything the service says is taken as it is, however it begins', () => {
  const long = `${say('no_signer')} ${'the node says this '.repeat(300)}`
  expect(reasonsIn(long)).toEqual([{ code: 'other', message: long, values: {} }])
})
