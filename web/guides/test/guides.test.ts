import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guideIndex, writeGuides } from '../../../scripts/build-guides.ts'
import { guides, listings } from '../src/contents.ts'
import { type Part, search } from '../src/search.ts'

const files = {
  script: '/guides-assets/main.js',
  styles: '/guides-assets/guides.css',
  font: '/guides-assets/inter.woff2',
  index: '/index.json',
}

let folder: string
let pages: ReadonlyMap<string, string>
let parts: Part[]
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-guides-'))
  await writeGuides(folder, files)
  pages = new Map(
    readdirSync(folder).map((name) => [
      name.slice(0, -'.html'.length),
      readFileSync(join(folder, name), 'utf8'),
    ]),
  )
  parts = JSON.parse(await guideIndex())
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const idsOf = (page: string) => new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
/** Paths of the service that are no guides. */
const elsewhere = /^\/(docs\/?|dashboard|favicon\.ico|guides-assets\/|guides\/$)/

/** Why a link leads nowhere; null if it leads somewhere. */
function fault(slug: string, href: string): string | null {
  if (/^https?:/.test(href) || elsewhere.test(href)) return null
  const [path = '', anchor] = href.split('#')
  const target = path === '' ? slug : (/^\/guides\/([a-z.-]+)$/.exec(path)?.[1] ?? '')
  const page = pages.get(target)
  if (page === undefined) return 'there is no such page'
  return anchor === undefined || idsOf(page).has(anchor) ? null : 'there is no such heading'
}

describe('the guides', () => {
  it('have a page each, with one heading of the first level and a title', () => {
    const slugs = [...guides.map(({ slug }) => slug), ...Object.keys(listings), 'index', 'not-found']
    expect([...pages.keys()].sort()).toEqual(slugs.sort())
    for (const [slug, page] of pages) {
      expect(page.match(/<h1/g), slug).toHaveLength(1)
      expect(/<title>(.+) · Sluice<\/title>/.exec(page)?.[1], slug).toMatch(/^\S.+/)
    }
  })

  it('link only to pages and headings that exist', () => {
    const broken = [...pages].flatMap(([slug, page]) =>
      [...page.matchAll(/ href="([^"]+)"/g)].flatMap(([, href = '']) => {
        const why = fault(slug, href)
        return why === null ? [] : [`${slug}: ${href}: ${why}`]
      }),
    )
    expect(broken).toEqual([])
    expect(fault('concepts', '/guides/nowhere')).not.toBeNull()
    expect(fault('concepts', '/guides/payouts#nothing')).not.toBeNull()
    expect(fault('concepts', '../invoices.md')).not.toBeNull()
  })

  it('link from one to another where their sources do, and to the running service', () => {
    expect(pages.get('concepts')).toContain('<a href="/guides/invoices">Invoices</a>')
    expect(pages.get('going-live')).toContain('<a href="/guides/wallets#the-cold-wallet">')
    expect(pages.get('webhooks')).toContain('href="/guides/receiver.py"')
    expect(pages.get('concepts')).toContain('href="/docs/"')
    // A file that only a clone has is named and not linked.
    expect(pages.get('payouts')).not.toContain('decisions/')
  })

  it('load nothing from elsewhere, and have no script or style of their own', () => {
    for (const [slug, page] of pages) {
      expect(page, slug).not.toMatch(
        /<script(?! type="module" src="\/guides-assets\/)|<style|<img|<iframe| style="| on\w+="/,
      )
      expect(page.match(/<(?:link|script)[^>]+(?:href|src)="(?!\/)/g), slug).toBeNull()
    }
  })

  it('show markup in their sources as text', () => {
    expect(pages.get('checkout')).toMatch(/&lt;iframe|&lt;a href/)
    expect(pages.get('receiver.php')).toContain('&lt;?php')
  })

  it('mark the page that is open in the list of all', () => {
    expect(pages.get('errors')?.match(/aria-current="page"/g)).toHaveLength(1)
    expect(pages.get('errors')).toContain('<a href="/guides/errors" aria-current="page">')
  })
})

describe('the search', () => {
  it.each([
    ['late deposit', '/guides/invoices#what-counts'],
    ['insufficient_balance', '/guides/errors#insufficient_balance'],
    ['cold wallet', '/guides/wallets#the-cold-wallet'],
    ['SLUICE_BACKUP_S3_REGION', '/guides/settings#environment'],
    ['nowpayments', '/guides/moving#from-nowpayments'],
    ['quick start go', '/guides/quickstart-go'],
  ])('finds "%s"', (query, href) => {
    const found = search(parts, query).map(({ part }) => part.href)
    expect(found.slice(0, 5)).toContain(href)
  })

  it('needs every word, and finds nothing for nothing', () => {
    expect(search(parts, 'payout xyzzy')).toEqual([])
    expect(search(parts, '   ')).toEqual([])
    expect(search(parts, 'the').length).toBeLessThanOrEqual(12)
  })

  it('leads only to headings that exist, and knows every guide but the changelog', () => {
    const broken = parts.filter(({ href }) => fault('index', href) !== null).map(({ href }) => href)
    expect(broken).toEqual([])
    expect(new Set(parts.map(({ guide }) => guide)).size).toBe(guides.length - 1)
  })

  it('shows the words in their place, without markup', () => {
    const [first] = search(parts, 'max_reorganisation_depth')
    expect(first?.excerpt).toContain('max_reorganisation_depth')
    expect(first?.excerpt.length).toBeLessThan(160)
    expect(parts.filter(({ text }) => /&(amp|lt|gt|quot|#39);/.test(text)).map(({ href }) => href)).toEqual(
      [],
    )
  })
})
