/** Turns Markdown files of the project into the pages that the service shows at `/guides/`. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { Marked, Renderer, type Token, type Tokens } from 'marked'
import { type Guide, guides, listings, sections } from '../web/guides/src/contents.ts'
import type { Part } from '../web/guides/src/search.ts'

const root = join(import.meta.dirname, '..')
const addresses = new Map([
  ...guides.map(({ source, slug }) => [source, `/guides/${slug}`] as const),
  ...Object.entries(listings).map(([slug, source]) => [source, `/guides/${slug}`] as const),
])
/** Where the service serves what the pages load. */
export const assetsPath = '/guides-assets/'
/** Where a quick start says that the service listens. */
const ownOrigin = 'http://127.0.0.1:8080'

/** The addresses of what every page loads. */
export type PageFiles = {
  readonly script: string
  readonly styles: string
  readonly font: string
  readonly index: string
}

/** What readers search, as JSON: the parts of every guide but the changelog, which tells of what was. */
export async function guideIndex(): Promise<string> {
  const searched = guides.filter(({ slug }) => slug !== 'changelog')
  const parts = await Promise.all(searched.map(async (guide) => partsOf(guide, await read(guide.source))))
  return JSON.stringify(parts.flat())
}

/** Writes every page into a folder, as `<slug>.html`. */
export async function writeGuides(folder: string, files: PageFiles): Promise<void> {
  await mkdir(folder, { recursive: true })
  const write = (slug: string, title: string, content: string) =>
    writeFile(join(folder, `${slug}.html`), pageOf({ slug, title, content }, files))
  await Promise.all([
    ...guides.map(async (guide) => {
      const text = await read(guide.source)
      await write(guide.slug, titleOf(text), contentOf(guide.source, text) + neighboursOf(guide))
    }),
    ...Object.entries(listings).map(async ([slug, source]) =>
      write(slug, slug, `<h1><code>${slug}</code></h1>\n${codeOf(await read(source), slug)}`),
    ),
    write('index', 'Guides', indexContent()),
    write('not-found', 'There is no such guide', notFoundContent),
  ])
}

function read(source: string): Promise<string> {
  return readFile(join(root, source), 'utf8')
}

function titleOf(text: string): string {
  return plainOf(new Marked().lexer(text).find(isHeading)?.tokens ?? [])
}

class GuideRenderer extends Renderer {
  readonly #source: string
  readonly #anchors = new Map<string, number>()
  #codes = 0

  constructor(source: string) {
    super()
    this.#source = source
  }

  override heading({ tokens, depth }: Tokens.Heading): string {
    const anchor = anchorOf(plainOf(tokens), this.#anchors)
    return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>\n`
  }

  override link({ href, tokens }: Tokens.Link): string {
    const address = addressOf(this.#source, href)
    const shown = this.parser.parseInline(tokens)
    return address === null ? shown : `<a href="${inHtml(address)}">${shown}</a>`
  }

  override code({ text, lang = '' }: Tokens.Code): string {
    this.#codes++
    return codeOf(text, `Code ${this.#codes}${lang === '' ? '' : ` (${lang})`}`)
  }

  // A wide table scrolls by itself, also by keyboard.
  override table(token: Tokens.Table): string {
    const about = token.header.map(({ tokens }) => plainOf(tokens)).join(', ')
    return `<div class="table" role="group" aria-label="Table: ${inHtml(about)}" tabindex="0">${super.table(token)}</div>\n`
  }

  override image({ text }: Tokens.Image): string {
    return inHtml(text)
  }

  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return inHtml(text)
  }
}

function contentOf(source: string, text: string): string {
  return new Marked().parse(text, { renderer: new GuideRenderer(source), async: false })
}

function codeOf(text: string, label: string): string {
  return `<div class="code"><pre tabindex="0" role="group" aria-label="${inHtml(label)}"><code>${inHtml(text.trimEnd())}</code></pre></div>\n`
}

/** Where a link of a source leads in the guides; null if to a file that they do not hold. */
function addressOf(source: string, href: string): string | null {
  if (href.startsWith(`${ownOrigin}/`)) return href.slice(ownOrigin.length)
  if (/^[a-z]+:/.test(href) || href.startsWith('#')) return href
  const [path = '', anchor] = href.split('#')
  const address = addresses.get(posix.join(posix.dirname(source), path))
  return address === undefined ? null : `${address}${anchor === undefined ? '' : `#${anchor}`}`
}

/** The anchor of a heading, as GitHub makes it, so that links between the sources work in both places. */
function anchorOf(heading: string, taken: Map<string, number>): string {
  const anchor = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
  const count = taken.get(anchor) ?? 0
  taken.set(anchor, count + 1)
  return count === 0 ? anchor : `${anchor}-${count}`
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading'
}

/** A guide, cut at its headings. */
function partsOf({ slug, name, summary, source }: Guide, text: string): Part[] {
  const anchors = new Map<string, number>()
  const parts: { href: string; heading: string; texts: string[] }[] = []
  for (const token of new Marked().lexer(text)) {
    if (isHeading(token)) {
      const heading = plainOf(token.tokens)
      const anchor = anchorOf(heading, anchors)
      const isFirst = parts.length === 0
      const href = isFirst ? `/guides/${slug}` : `/guides/${slug}#${anchor}`
      parts.push({ href, heading: isFirst ? '' : heading, texts: isFirst ? [summary] : [] })
    } else parts.at(-1)?.texts.push(plainOf([token]))
  }
  if (parts.length === 0) throw new Error(`${source} has no heading.`)
  return parts.map(({ href, heading, texts }) => ({
    href,
    guide: name,
    heading,
    text: texts.join(' ').replaceAll(/\s+/g, ' ').trim(),
  }))
}

/** The text of tokens, without their markup. */
function plainOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      const inner = token as Token & {
        tokens?: Token[]
        items?: Tokens.ListItem[]
        header?: Tokens.TableCell[]
        rows?: Tokens.TableCell[][]
      }
      const cells = [...(inner.header ?? []), ...(inner.rows ?? []).flat()]
      if (cells.length > 0) return cells.map((cell) => plainOf(cell.tokens)).join(' ')
      if (inner.items !== undefined) return inner.items.map((item) => plainOf(item.tokens)).join(' ')
      if (inner.tokens !== undefined) return plainOf(inner.tokens)
      return 'text' in token ? withoutEntities(String(token.text)) : ' '
    })
    .join('')
}

function indexContent(): string {
  const lists = sections.map(({ name, guides: listed }) => {
    const cards = listed.map(
      ({ slug, name: called, summary }) =>
        `<li><a href="/guides/${slug}"><strong>${inHtml(called)}</strong><span>${inHtml(summary)}</span></a></li>`,
    )
    return `<h2>${inHtml(name)}</h2>\n<ul class="cards">${cards.join('')}</ul>`
  })
  return `<h1>Guides</h1>
<p>From a first test invoice to years of operation. <a href="/docs/">The API reference</a> lists every operation and field.</p>
${lists.join('\n')}`
}

const notFoundContent = `<h1>There is no such guide</h1>
<p>It may have another name now. <a href="/guides/">All guides</a> lists what there is.</p>`

function neighboursOf(guide: Guide): string {
  const at = guides.indexOf(guide)
  const [before, after] = [guides[at - 1], guides[at + 1]]
  const link = (other: Guide | undefined, words: string) =>
    other === undefined
      ? '<span></span>'
      : `<span>${words}: <a href="/guides/${other.slug}">${inHtml(other.name)}</a></span>`
  return `<p class="around">${link(before, 'Before')}${link(after, 'Next')}</p>\n`
}

function navigation(current: string): string {
  return sections
    .map(({ name, guides: listed }) => {
      const items = listed.map(
        ({ slug, name: called }) =>
          `<li><a href="/guides/${slug}"${slug === current ? ' aria-current="page"' : ''}>${inHtml(called)}</a></li>`,
      )
      return `<h2>${inHtml(name)}</h2>\n<ul>${items.join('')}</ul>`
    })
    .join('\n')
}

function pageOf(
  { slug, title, content }: { slug: string; title: string; content: string },
  { script, styles, font, index }: PageFiles,
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${inHtml(slug === 'index' ? 'Guides' : `${title} · Guides`)} · Sluice</title>
<link rel="icon" href="/favicon.ico" type="image/svg+xml">
<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${styles}">
<script type="module" src="${script}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the guide</a>
<header>
<div class="doors">
<a href="/guides/">Sluice guides</a>
<a href="/docs/">API reference</a>
<a href="/dashboard">Dashboard</a>
</div>
<form id="search" class="search" role="search" data-index="${index}" hidden>
<label><span class="unseen">Search the guides</span><input type="search" name="q" placeholder="Search (press /)" autocomplete="off" spellcheck="false"></label>
<ul id="results" class="results" hidden></ul>
<span id="search-status" class="search-status" role="status"></span>
</form>
</header>
<div class="frame">
<main id="content"><article>
${content}</article></main>
<nav class="contents" aria-label="Guides">
${navigation(slug)}
</nav>
</div>
</body>
</html>
`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function inHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => entities[mark] ?? mark)
}

function withoutEntities(text: string): string {
  return Object.entries(entities).reduce((done, [mark, entity]) => done.replaceAll(entity, mark), text)
}
