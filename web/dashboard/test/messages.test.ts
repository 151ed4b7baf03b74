import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Message } from '@sluice/web/ui/messages.ts'
import { describe, expect, it } from 'vitest'
import { languages, type Messages } from '../src/messages.ts'

const folder = join(import.meta.dirname, '../messages')
const read = (language: string) =>
  JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8')) as Messages
const english = read('en')

const forms = (message: Message) => (typeof message === 'string' ? [message] : Object.values(message))
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()

const sources = readdirSync(join(import.meta.dirname, '../src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(ts|svelte)$/.test(entry.name))
  .map((entry) => ({ name: entry.name, text: readFileSync(join(entry.parentPath, entry.name), 'utf8') }))
const everything = sources.map(({ text }) => text).join('\n')

it('there is one file for each language, and no other', () => {
  expect(readdirSync(folder).sort()).toEqual(languages.map((language) => `${language}.json`).sort())
})

describe.each(languages.map((language) => ({ language })))('$language', ({ language }) => {
  const messages = read(language)

  it('lacks no key of English and has no other', () => {
    const [own, wanted] = [Object.keys(messages), Object.keys(english)]
    expect(
      {
        lacking: wanted.filter((key) => !(key in messages)),
        unknown: own.filter((key) => !(key in english)),
      },
      `web/dashboard/messages/${language}.json`,
    ).toEqual({ lacking: [], unknown: [] })
  })

  it('has the keys in the order of English', () => {
    expect(Object.keys(messages)).toEqual(Object.keys(english))
  })

  it('has the placeholders of English in every text, and no blanks at its ends', () => {
    const wrong = Object.entries(messages).flatMap(([key, message]) => {
      const wanted = new Set(forms(english[key as keyof Messages]).flatMap(placeholders))
      return forms(message)
        .filter(
          (text) =>
            text.trim() !== text || text === '' || placeholders(text).some((name) => !wanted.has(name)),
        )
        .map((text) => `${key}: ${text}`)
    })
    expect(wrong).toEqual([])
  })

  it('leaves out no value of English', () => {
    const wrong = Object.entries(messages).flatMap(([key, message]) => {
      const wanted = forms(english[key as keyof Messages]).flatMap(placeholders)
      const had = forms(message).flatMap(placeholders)
      return wanted.some((name) => !had.includes(name)) ? [key] : []
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
        forms(message).some((text) => text.length > 14) && message === english[key as keyof Messages],
    )
    expect(same).toEqual([])
  })
})

it('every key is used somewhere', () => {
  // Keys built from parts: `t(`prove_${method}`)` uses every key that begins like this.
  const beginnings = [...everything.matchAll(/[`]([a-z_]+_)\$\{/g)].map(([, beginning = '']) => beginning)
  const endings = [...everything.matchAll(/[`]\$\{\w+\}(_[a-z_]+)[`]/g)].map(([, ending = '']) => ending)
  const middles = [...everything.matchAll(/[`]\$\{\w+\}(_[a-z_]+_)\$\{/g)].map(([, middle = '']) => middle)
  const unused = Object.keys(english).filter(
    (key) =>
      !everything.includes(`'${key}'`) &&
      !beginnings.some((beginning) => key.startsWith(beginning)) &&
      !endings.some((ending) => key.endsWith(ending)) &&
      !middles.some((middle) => key.includes(middle)),
  )
  expect(unused).toEqual([])
})

it('no page inserts text as HTML, in any way', () => {
  const ways =
    /\{@html|innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc|\beval\(|new Function/
  expect(sources.filter(({ text }) => ways.test(text)).map(({ name }) => name)).toEqual([])
})

it('no page has a style attribute, which the policy would refuse', () => {
  expect(sources.filter(({ text }) => /\sstyle="/.test(text)).map(({ name }) => name)).toEqual([])
})
