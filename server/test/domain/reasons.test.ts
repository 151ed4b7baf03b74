import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fieldSentences } from '../../src/domain/reasons/fields.ts'
import { nodeSentences } from '../../src/domain/reasons/nodes.ts'
import { nodeCallSentences } from '../../src/domain/reasons/nodes-calls.ts'
import { nodeChainSentences } from '../../src/domain/reasons/nodes-chains.ts'
import { catalogue, type ReasonCode, reasonsIn, say, sayAll } from '../../src/domain/reasons/reasons.ts'
import type { FailureReason } from '../../src/outbound/webhooks/webhook-client.ts'

const codes = Object.keys(catalogue) as ReasonCode[]
const sentences: Readonly<Record<string, string>> = { ...catalogue, ...fieldSentences }
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
  said: 'Block not available. Pruned data: 1.5 of 2, or "x".',
  hosts: 'one.example:8545, two.example',
  others: 'three.example does not answer; four.example gives a different answer',
  called: 'XRP Ledger network',
  right: 'Bitcoin main',
  ranges: '5-7,9 and no others',
  note: 'It answered 410 Gone. Wrong address.',
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
    // A person's own words go on to the end of the text.
    if ('note' in values) {
      expect(reasonsIn(sayAll(first.message, message))).toEqual([first, { code, message, values }])
      return
    }
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
      const wordsIn = (name: string): Readonly<Record<string, string>> =>
        JSON.parse(readFileSync(join(folder, `reasons/${name}-${language}.json`), 'utf8'))
      const ofReasons = { ...wordsIn('reasons'), ...wordsIn('nodes') }
      expect(Object.keys(ofReasons).sort(), language).toEqual([...codes].sort())
      const words = { ...ofReasons, ...wordsIn('fields') }
      expect(Object.keys(words).sort(), language).toEqual(Object.keys(sentences).sort())
      const all = Object.entries(sentences)
      const wrong = all.filter(([code, sentence]) =>
        placeholders(words[code] ?? '').some((name) => !placeholders(sentence).includes(name)),
      )
      expect(wrong, language).toEqual([])
      expect(
        all.filter(([code, sentence]) => words[code] === sentence),
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

describe('a ledger entry', () => {
  // No merchant sees these: they are in accounts of the operator, or what a command of the operator's throws.
  const internal = [
    /^The change of its transaction was spent/,
    /^The hot wallet was used outside Sluice/,
    /^Transaction \S+ (was mined after|paid payouts)/,
    /^A reorganisation removed for good transaction/,
    /the cold wallet/,
  ]

  it('that a merchant sees says nothing in the service’s words that has no code', () => {
    const root = join(import.meta.dirname, '../../src')
    const files = ['domain', 'app'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
        .map((entry) => join(entry.parentPath, entry.name)),
    )
    const posting = files.filter((file) =>
      /LedgerTransaction|ledger\.post\(|Postings\(/.test(readFileSync(file, 'utf8')),
    )
    expect(posting.length).toBeGreaterThan(10)
    const literal = /(?:'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)/.source
    const thrown = String.raw`(?:new \w*Error|super)\(\s*(?:'\w+',\s*)?${literal}(?:\s*\+\s*${literal})*`
    const strange = posting.flatMap((file) => {
      const source = readFileSync(file, 'utf8').replace(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, '')
      return [...source.replace(new RegExp(thrown, 'g'), '').matchAll(new RegExp(literal, 'g'))]
        .map(([text]) => text.slice(1, -1).replace(/\$\{[^}]*\}/g, 'x1'))
        .filter((text) => /^[A-Z]\S* \S/.test(text))
        .filter((text) => !internal.some((pattern) => pattern.test(text)))
        .filter((text) => reasonsIn(text).some(({ code }) => code === 'other'))
        .map((text) => `${file}: ${text}`)
    })
    expect(strange).toEqual([])
  })

  it('keeps what a person typed as it is', () => {
    const note = 'It answered 410 Gone. I know.'
    expect(reasonsIn(say('ledger_rejected_because', { note }))).toMatchObject([
      { code: 'ledger_rejected_because', values: { note } },
    ])
    const by = { actor: 'cli:Alice Example', note: 'Wrong address.' }
    expect(reasonsIn(say('ledger_rejected_by_because', by))).toMatchObject([
      { code: 'ledger_rejected_by_because', values: by },
    ])
    expect(reasonsIn(say('ledger_rejected_by', { actor: 'key:1' }))).toMatchObject([
      { code: 'ledger_rejected_by', values: { actor: 'key:1' } },
    ])
  })
})

it('what the catalogue says of nodes is what the source says', () => {
  const root = join(import.meta.dirname, '../../src')
  const source = ['gates', 'app']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
    // Texts joined by plus are one, and so are a host and what is wrong with it.
    .replace(/['`]\s*\+\s*['`]/g, '')
    .replace(/\$\{[^}]*\}/g, '{}')
    .replaceAll('{} {}', '{}')
  const all = { ...nodeSentences, ...nodeCallSentences, ...nodeChainSentences }
  for (const [code, sentence] of Object.entries<string>(all)) {
    // One text with an ending that may be missing; the other test of nodes reads it.
    if (code.startsWith('node_bad_status')) continue
    const text = sentence.replace(/^The node (of \{network\} )?at \{host\} /, '').replace(/\{\w+\}/g, '{}')
    expect(source, sentence).toContain(text)
  }
})
