import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Language, languages } from '@sluice/web/checkout'
import { type Message, translate } from '@sluice/web/ui/messages.ts'
import { describe, expect, it } from 'vitest'
import type { Messages } from '../src/messages.ts'
import { phases } from './fixtures.ts'

const folder = join(import.meta.dirname, '../messages')
const read = (language: string) =>
  JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8')) as Messages
const english = read('en')

const forms = (message: Message) => (typeof message === 'string' ? [message] : Object.values(message))
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()

it('there is one file for each language, and no other', () => {
  expect(readdirSync(folder).sort()).toEqual(languages.map((language) => `${language}.json`).sort())
})

describe.each(languages.map((language) => ({ language })))('$language', ({ language }) => {
  const messages = read(language)

  it('has exactly the keys of English, in the same order', () => {
    expect(Object.keys(messages)).toEqual(Object.keys(english))
  })

  it('has in every text exactly the placeholders of English', () => {
    const wrong = Object.entries(messages).flatMap(([key, message]) => {
      const wanted = placeholders(forms(english[key as keyof Messages])[0] ?? '')
      return forms(message)
        .filter((text) => text.trim() !== text || text === '' || placeholders(text).join() !== wanted.join())
        .map((text) => `${key}: ${text}`)
    })
    expect(wrong).toEqual([])
  })

  it('has exactly the plural forms of the language', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    for (const [key, message] of Object.entries(english)) {
      const translated = messages[key as keyof Messages]
      expect(typeof translated, key).toBe(typeof message)
      if (typeof translated !== 'string')
        expect(Object.keys(translated).sort(), key).toEqual([...pluralCategories].sort())
    }
  })

  it('differs from English in every long text', () => {
    if (language === 'en') return
    const same = Object.entries(messages).filter(
      ([key, message]) =>
        forms(message).some((text) => text.length > 12) && message === english[key as keyof Messages],
    )
    expect(same).toEqual([])
  })
})

it('every key is used somewhere', () => {
  const source = join(import.meta.dirname, '../src')
  const text = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
  const computed = [
    ...phases.flatMap((phase) => [`${phase}_title`, `${phase}_text`]),
    ...['unknown', 'ended', 'busy', 'unavailable'].flatMap((each) => [`${each}_title`, `${each}_text`]),
    ...['gate_offline', 'rate_unavailable', 'amount_too_small', 'not_done', 'chosen'].map(
      (each) => `notice_${each}`,
    ),
    ...['offline', 'too_small', 'no_rate'].map((each) => `offer_${each}`),
    ...['sent', 'rejected', 'no_network', 'wrong_network', 'changed', 'short', 'not_made', 'failed'].map(
      (each) => `wallet_${each}`,
    ),
    ...['shown', 'not_shown'].map((each) => `wallet_${each}`),
  ]
  const unused = Object.keys(english).filter((key) => !computed.includes(key) && !text.includes(`'${key}'`))
  expect(unused).toEqual([])
})

describe('translating', () => {
  it('inserts values unchanged, whatever they contain', () => {
    expect(translate('en', english, 'back', { shop: '$& {amount} <b>' })).toBe('Back to $& {amount} <b>')
  })

  it('uses the plural form for the count', () => {
    expect(translate('en', english, 'networks', { count: 1 })).toBe('1 network')
    expect(translate('en', english, 'networks', { count: 4 })).toBe('4 networks')
    const polish = read('pl')
    const said = [1, 2, 5, 22].map((count) => translate('pl', polish, 'networks', { count }))
    expect(said).toEqual(['1 sieć', '2 sieci', '5 sieci', '22 sieci'])
  })

  it('isolates values in a text that is written from right to left', () => {
    const arabic = read('ar' satisfies Language)
    expect(translate('ar', arabic, 'estimate', { amount: '0.5', currency: 'BTC' })).toContain(
      '\u20680.5\u2069',
    )
  })
})
