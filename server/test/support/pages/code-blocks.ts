import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Marked } from 'marked'

export const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** A block of code on a page; `language` is empty where none is named. */
export type Block = {
  readonly page: string
  readonly language: string
  readonly text: string
  /** The paragraph before it: "Save this as `invoice.py`". */
  readonly before: string
}
/** Code within a sentence or a table. */
export type Span = { readonly page: string; readonly text: string }

const ignored = new Set(['.git', 'data', 'tmp', 'node_modules', 'dist', 'dist-web', '.next'])

/** Every file with this ending, except what is built or installed. */
function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (ignored.has(entry.name) || entry.name.startsWith('dist-')) return []
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return filesBelow(path, ending)
    return entry.name.endsWith(ending) ? [path] : []
  })
}

/** A page, or a file whose descriptions are Markdown, by the text of each. */
function textsOf(): { page: string; text: string }[] {
  const markdown = filesBelow('', '.md').map((page) => ({
    page,
    text: readFileSync(join(root, page), 'utf8'),
  }))
  const contract = JSON.parse(
    readFileSync(join(root, 'server/src/http/contract.generated.json'), 'utf8'),
  ) as object
  return [...markdown, ...descriptionsIn(contract).map((text) => ({ page: 'contract', text }))]
}

/** What the API reference shows as prose. */
function descriptionsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) =>
    name === 'description' && typeof each === 'string' ? [each] : descriptionsIn(each),
  )
}

/** Every block and span of code of the project's pages and of the API's description, as a reader sees them. */
export function codeOfPages(): { blocks: Block[]; spans: Span[] } {
  const blocks: Block[] = []
  const spans: Span[] = []
  for (const { page, text } of textsOf()) {
    let before = ''
    const marked = new Marked()
    marked.walkTokens(marked.lexer(text), (token) => {
      if (token.type === 'code') {
        blocks.push({ page, language: token.lang ?? '', text: token.text, before })
        before = ''
      } else if (token.type === 'paragraph' || (token.type === 'text' && token.tokens !== undefined))
        before = token.raw
      else if (token.type === 'heading') before = ''
      else if (token.type === 'codespan') spans.push({ page, text: token.text })
    })
  }
  return { blocks, spans }
}
