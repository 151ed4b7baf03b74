import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fieldSentences } from '../../src/domain/reasons/fields.ts'
import { catalogue, reasonsIn, say, sayAll } from '../../src/domain/reasons/reasons.ts'

const root = join(import.meta.dirname, '../../src')
const languages = ['de', 'es', 'fr', 'pt']
/** The parts of sentences that have words in a language, by their English words. */
const partsIn = (language: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(join(root, `../../web/dashboard/reasons/parts-${language}.json`), 'utf8'))
const parts = partsIn('de')

// A trial of a node is a command of the operator's: no page shows what it says.
const elsewhere = /^gates\/trial\/|\/(?:tried-node|trial-answers)\.ts$/
const sources = ['gates', 'app/chain', 'app/gates'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ file: relative(root, path), source: sourceOf(path) }))
    .filter(({ file }) => !elsewhere.test(file)),
)

function sourceOf(path: string): string {
  return readFileSync(path, 'utf8').replace(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, '')
}

const filled = /\$\{(?:[^{}`]|`(?:[^`$]|\$\{[^}]*\})*`)*\}/
const literal = new RegExp(`'(?:[^'\\\\\\n]|\\\\.)*'|\`(?:${filled.source}|[^\`\\\\])*\``)
const joined = `(?:${literal.source})(?:\\s*\\+\\s*(?:${literal.source}))*`

/** Texts joined by plus as one, with `{}` for what is filled in. */
function textOf(expression: string): string {
  return [...expression.matchAll(new RegExp(literal, 'g'))]
    .map(([each]) => each.slice(1, -1).replace(/\\(.)/g, '$1'))
    .join('')
    .replace(new RegExp(filled, 'g'), '{}')
}

describe('a trouble of a node', () => {
  const thrown = new RegExp(
    `(new (?:\\w*Outage|WrongChain|StillReading|Pruned)Error|new Kind|\\boutage)\\(\\s*(${joined}|[^\\s)]+)`,
    'g',
  )
  // These put together what others say.
  const composed = ['The node at {} {}', 'None of the {} nodes of {} is usable. {}']

  it('has words in every language, wherever it is thrown', () => {
    const all = sources.flatMap(({ file, source }) =>
      [...source.matchAll(thrown)].map(([, call, text = '']) => ({ file, call, text })),
    )
    expect(all.length).toBeGreaterThan(60)
    const isText = ({ text }: { text: string }) => /^['`]/.test(text)
    // Where the words are a parameter.
    expect(all.filter((each) => !isText(each)).map(({ file, text }) => `${file}: ${text}`)).toEqual([
      'gates/json-rpc.ts: what:',
      'gates/node-connections.ts: what:',
    ])
    const said = all.filter(isText).map(({ file, call, text }) => {
      const words = textOf(text)
      return { file, text: call === 'outage' ? `The node at {} ${words}` : words }
    })
    const strange = said.filter(({ text }) => !composed.includes(text) && !isKnown(text))
    expect(strange.map(({ file, text }) => `${file}: ${text}`)).toEqual([])
  })

  function isKnown(text: string): boolean {
    // What is glued to a word may be missing.
    const whole = text.replace(/^\{\} is on/, 'The node of x1 at x2 is on').replace(/(\w)\{\}/g, '$1')
    return ['x1', ''].some((value) =>
      reasonsIn(whole.replaceAll('{}', value)).every(({ code }) => code !== 'other'),
    )
  }

  it('is told apart from what follows the words of a node', () => {
    const text = sayAll(
      say('node_none_usable', { count: 2, network: 'Ethereum' }),
      say('node_refused', { host: 'one.example', said: 'no. Not today' }),
      say('node_bad_status_text', { host: 'two.example', status: 502, said: 'Bad. Gateway.' }),
      say('alert_offline'),
    )
    expect(reasonsIn(text).map(({ code, values }) => [code, values.said])).toEqual([
      ['node_none_usable', undefined],
      ['node_refused', 'no. Not today'],
      ['node_bad_status_text', 'Bad. Gateway.'],
      ['alert_offline', undefined],
    ])
  })
})

describe('a part of a sentence', () => {
  const hasWords = (text: string) => text.replace(/\S*\{\}\S*/g, '{}') in parts || text in parts
  // They name what a contract or an account of ours holds, so each is quoted as it is.
  const quoted = [
    '{} has {} decimals, not {}',
    'a payment delivered {} of {}, but our balance says otherwise',
  ]

  it('that tells why an answer is not trusted has words in every language', () => {
    const reading = new RegExp(`\\b(unbelievable|read[A-Z]\\w*)\\(([^;]{0,160}?,\\s*)?(${joined})\\)`, 'g')
    // Readers that complete what they are given.
    const endings: Readonly<Record<string, string>> = {
      readNumber: ' is not a number',
      readDrops: ' is not an amount of XRP',
      readAddress: ' is not an address',
    }
    const readerOf = (call: string) => [...call.matchAll(/\bread[A-Z]\w*(?=\()/g)].at(-1)?.[0] ?? ''
    const told = sources.flatMap(({ file, source }) =>
      [...source.matchAll(reading)]
        .map(([whole, , , text = '']) => ({ reader: readerOf(whole), text: textOf(text) }))
        .filter(({ text }) => / /.test(text) && !/^\{\} is not an? /.test(text))
        .map(({ reader, text }) => ({
          file,
          text: file.startsWith('gates/xrp/') ? `${text}${endings[reader] ?? ''}` : text,
        })),
    )
    expect(told.length).toBeGreaterThan(150)
    const strange = told.filter(({ text }) => !quoted.includes(text) && !hasWords(text))
    expect(strange.map(({ file, text }) => `${file}: ${text}`)).toEqual([])
  })

  it('that tells why an approval with a passkey does not count has words in every language', () => {
    const said = ['signer/passkey-trust.ts', 'signer/check-payout.ts', 'domain/webauthn.ts'].flatMap((file) =>
      [
        ...sourceOf(join(root, file)).matchAll(
          new RegExp(`(?:return|push\\(|[?:])\\s*(${literal.source})`, 'g'),
        ),
      ]
        .map(([, text = '']) => textOf(text))
        .filter((text) => /^(?:its?|this|the|no) /.test(text)),
    )
    expect(said.length).toBeGreaterThan(15)
    expect(said.filter((text) => !hasWords(text.replace(/: \{\}$/, '')))).toEqual([])
  })

  it('that names a setting of a signer or what nodes answered has words in every language', () => {
    const settings = sourceOf(join(root, 'signer/settings-rules.ts'))
    const values = [...settings.matchAll(/, \['([^']*)', '([^']*)'\]\)/g)].flatMap(
      ([, one = '', two = '']) => [one, two],
    )
    expect(values.length).toBeGreaterThanOrEqual(6)
    expect(settings).toContain("'no limit'")
    const answers = [
      ...sourceOf(join(root, 'gates/endpoints.ts')).matchAll(/others\.push\(`\$\{other\.place\} ([^`]*)`/g),
    ]
    expect(answers).toHaveLength(3)
    const all = [...values, 'no limit', ...answers.map(([, text]) => `… ${text}`)]
    expect(all.filter((text) => !(text in parts))).toEqual([])
  })

  it('has the same values in every language, and is no code', () => {
    const count = (text = '') => text.split('{}').length
    for (const language of languages) {
      const words = partsIn(language)
      expect(Object.keys(words)).toEqual(Object.keys(parts))
      expect(
        Object.entries(words).filter(([part, text]) => text === part || count(text) !== count(part)),
      ).toEqual([])
    }
    expect(Object.keys(parts).filter((part) => part in catalogue || part in fieldSentences)).toEqual([])
  })
})
