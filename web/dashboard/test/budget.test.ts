import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { languages } from '../src/messages.ts'

// The required limit; we stay far below it.
const mostBytes = 200_000
const aimedBytes = 110_000
const mostPageBytes = 15_000
// It does not compress, and nothing waits for it.
const mostFontBytes = 60_000
// All sentences of a language.
const mostMessagesBytes = 26_000

const dist = join(import.meta.dirname, '../dist')
const client = join(dist, 'client')
// Each also exists compressed, in two ways.
const names = readdirSync(client).filter((name) => !/\.(br|gz)$/.test(name))
const html = readFileSync(join(dist, 'page.html'), 'utf8')
const read = (name: string) => readFileSync(join(client, name), 'utf8')
const compressed = (content: string) => gzipSync(content).length

/** A file and everything that it imports statically. */
function withImports(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  for (const [, imported = ''] of read(name).matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g))
    withImports(imported, seen)
  return seen
}

const isMessages = (name: string) => languages.some((language) => name.startsWith(`${language}-`))

const isFont = (name: string) => name.endsWith('.woff2')
const named = [...html.matchAll(/\/dashboard-assets\/([\w.-]+)/g)].map(([, name = '']) => name)
const first = named.filter((name) => !isFont(name))
const start = first.flatMap((name) => (name.endsWith('.js') ? [...withImports(name)] : [name]))

it('the first load is small in any language and on any page', () => {
  const pages = names.filter((name) => name.endsWith('.js') && !start.includes(name) && !isMessages(name))
  expect(pages.length).toBeGreaterThan(20)
  for (const language of languages) {
    const messages = names.find((name) => name.startsWith(`${language}-`)) as string
    for (const page of pages) {
      const loaded = new Set([...start, messages, ...withImports(page)])
      const bytes = compressed(html) + [...loaded].reduce((sum, name) => sum + compressed(read(name)), 0)
      expect(bytes, page).toBeLessThanOrEqual(aimedBytes)
      expect(aimedBytes).toBeLessThan(mostBytes)
    }
  }
})

it('each page is a file of its own that is loaded when the user goes there', () => {
  for (const name of names.filter((each) => !start.includes(each) && !isFont(each)))
    expect(compressed(read(name)), name).toBeLessThanOrEqual(
      isMessages(name) ? mostMessagesBytes : mostPageBytes,
    )
})

it('every file has a hash of its content in its name', () => {
  for (const name of names) expect(name).toMatch(/^[a-z0-9.-]+-[\w-]{8}\.(js|css|woff2)$/)
})

it('the page asks for the one small font before its styles are read', () => {
  expect(names.filter(isFont)).toEqual(named.filter(isFont))
  expect(named.filter(isFont)).toHaveLength(1)
  for (const name of names.filter(isFont))
    expect(readFileSync(join(client, name)).length).toBeLessThanOrEqual(mostFontBytes)
})

it('the page has no inline script and no inline style, and contacts no other host', () => {
  expect(html).not.toMatch(/<style|style=|<script>/)
  expect(html).not.toMatch(/https?:\/\//)
})
