import { languages } from '@sluice/web/checkout'
import { languageNames } from '@sluice/web/ui/languages.ts'
import { expect, it } from 'vitest'
import { languageFor } from '../src/languages.ts'

it('the URL decides, then the browser in its own order, then English', () => {
  expect(languageFor('de', 'fr')).toBe('de')
  expect(languageFor(null, 'fr-CH, fr;q=0.9, en;q=0.8')).toBe('fr')
  expect(languageFor(null, 'en;q=0.5, pt-BR;q=0.9, de;q=0.7')).toBe('pt')
  expect(languageFor(null, 'sv, ja;q=0.2')).toBe('ja')
  expect(languageFor(null, null)).toBe('en')
})

it('unsupported and refused languages are skipped', () => {
  expect(languageFor('xx', 'de')).toBe('de')
  expect(languageFor('../../etc', null)).toBe('en')
  expect(languageFor(null, 'de;q=0, sv')).toBe('en')
  expect(languageFor(null, '*')).toBe('en')
  expect(languageFor(null, `${'sv,'.repeat(100_000)}de`)).toBe('en')
  expect(languageFor(null, 'zh-Hant-TW')).toBe('zh')
})

it('every language has a name in that language', () => {
  expect(Object.keys(languageNames)).toEqual([...languages])
})
