/** A file of values in rows: RFC 4180, and what spreadsheets write in its place. */

const separators = [',', ';', '\t'] as const
export type Separator = (typeof separators)[number]

/** A row that is not blank, and the line of the file in which it begins. */
export type CsvRow = { readonly line: number; readonly cells: readonly string[] }

/** `misquoted` is the line of the first quotation mark that has no partner, or that text follows. */
export type Csv =
  | { readonly separator: Separator; readonly rows: readonly CsvRow[] }
  | { readonly misquoted: number }

/** The text of a file: in UTF-8, in UTF-16 with its mark, or as older spreadsheets on Windows write it. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The rows of a text. The first one tells what separates cells: whichever of comma, semicolon and tab it has most of. */
export function readCsv(text: string): Csv {
  const bare = text.startsWith('\ufeff') ? text.slice(1) : text
  const separator = separatorOf(bare)
  const rows: CsvRow[] = []
  let cells: string[] = []
  let [line, startedIn] = [1, 1]
  let at = 0

  const endRow = () => {
    if (cells.some((cell) => cell.trim() !== '')) rows.push({ line: startedIn, cells })
    cells = []
    startedIn = line
  }

  while (at < bare.length || cells.length > 0) {
    const quoted = bare[at] === '"' ? quotedCell(bare, at) : null
    const end = quoted?.end ?? plainEnd(bare, at, separator)
    const next = bare[end]
    const isCellOver = next === undefined || next === separator || next === '\n' || next === '\r'
    if (quoted !== null && (!quoted.isClosed || !isCellOver)) return { misquoted: line }
    cells.push(quoted?.value ?? bare.slice(at, end))
    line += quoted?.lines ?? 0
    at = end + 1
    if (next === separator) {
      // An empty cell at the very end of the text.
      if (at === bare.length) cells.push('')
      else continue
    }
    if (next === '\r' && bare[at] === '\n') at++
    line++
    endRow()
  }
  return { separator, rows }
}

/** A cell in quotation marks that begins here; two of them in it stand for one. */
function quotedCell(text: string, start: number) {
  let value = ''
  let at = start + 1
  for (;;) {
    const mark = text.indexOf('"', at)
    const isClosed = mark !== -1
    value += text.slice(at, isClosed ? mark : text.length)
    if (isClosed && text[mark + 1] === '"') {
      value += '"'
      at = mark + 2
      continue
    }
    const lines = value.split(/\r\n|\r|\n/).length - 1
    return { value, lines, isClosed, end: isClosed ? mark + 1 : text.length }
  }
}

function plainEnd(text: string, start: number, separator: Separator): number {
  let at = start
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at++
  return at
}

function separatorOf(text: string): Separator {
  const counts = new Map<string, number>(separators.map((each) => [each, 0]))
  let isQuoted = false
  for (const sign of text.trimStart()) {
    if (sign === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (sign === '\n' || sign === '\r') break
    else if (counts.has(sign)) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  }
  const count = (each: Separator) => counts.get(each) ?? 0
  return separators.reduce((best, each) => (count(each) > count(best) ? each : best))
}
