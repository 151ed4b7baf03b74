import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { languages } from '@sluice/web/checkout'
import { describe, expect, it } from 'vitest'
import { pages } from './fixtures.ts'
import { builtRenderer } from './stand-in-service.ts'

// The first flight of TCP is about 14 kB: what fits into it arrives after one round trip.
const mostFirstBytes = 14_000
// Without the font, which nothing waits for.
const mostBytes = 60_000
const mostFontBytes = 60_000
// Those whose letters the font has.
const inFont = ['en', 'de', 'es', 'fr', 'pt', 'it', 'nl']

const client = join(import.meta.dirname, '../dist/client')
const { render } = await builtRenderer()
const isFont = (name: string) => name.endsWith('.woff2')
const compressed = (content: string | Buffer) => gzipSync(content).length

describe.each(Object.entries(pages).map(([name, state]) => ({ name, state })))('$name', ({ state }) => {
  it('the first HTML fits into one flight in every language, and everything together is small', () => {
    for (const language of languages) {
      const html = render({ ...state, language }, 'a-nonce')
      const named = [...new Set(html.match(/(?<="\/checkout-assets\/)[^"]+/g))]
      const [fonts, files] = [named.filter(isFont), named.filter((name) => !isFont(name))]
      expect(fonts, language).toHaveLength(inFont.includes(language) ? 1 : 0)
      expect(files).toHaveLength(2)
      const rest = files.reduce((sum, file) => sum + compressed(readFileSync(join(client, file))), 0)
      expect(compressed(html)).toBeLessThanOrEqual(mostFirstBytes)
      expect(compressed(html) + rest).toBeLessThanOrEqual(mostBytes)
    }
  })
})

it('every file for browsers has a hash of its content in its name, and there are no other files', () => {
  const names = readdirSync(client).filter((name) => !isFont(name))
  // Each uncompressed, and compressed in two ways.
  expect(names).toHaveLength((languages.length + 1) * 3)
  for (const name of names) expect(name).toMatch(/^[a-z]+-[\w-]{8}\.js(\.br|\.gz)?$/)
})

it('there is one small font, with its licence', () => {
  const [font = '', ...others] = readdirSync(client).filter(isFont)
  expect(others).toEqual([])
  expect(font).toMatch(/^inter-[\w-]{8}\.woff2$/)
  expect(readFileSync(join(client, font)).length).toBeLessThanOrEqual(mostFontBytes)
  expect(readFileSync(join(client, '../inter-LICENSE.txt'), 'utf8')).toContain('SIL Open Font License')
})

it('the renderer needs nothing but Node', () => {
  const source = readFileSync(join(client, '../server/render.js'), 'utf8')
  const imported = [...source.matchAll(/^import .*?from ?"([^"]+)"|\bimport\("([^"]+)"\)/gm)]
  expect(
    imported.map(([, first, second]) => first ?? second).filter((name) => !name?.startsWith('node:')),
  ).toEqual([])
})
