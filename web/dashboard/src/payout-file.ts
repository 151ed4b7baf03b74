import type { NewPayout } from '@sluice/web/contract'
import { type CsvRow, readCsv } from './csv.ts'
import { compareDecimals } from './decimals.ts'
import { decimalPointOf, typedAmount } from './typed-amounts.ts'

/** A file of payouts: one in a row, with the fields of the contract as columns. */

/** As many as one request may have. */
export const mostRows = 100
/** Far more than that many payouts need, and far less than a request may have. */
export const mostBytes = 256 * 1024

/** The columns, and how long their values may be. Those of `metadata` are named `metadata.…`, after its keys. */
export const columns = {
  currency: { required: true, most: 20 },
  network: { required: false, most: 64 },
  amount: { required: true, most: 50 },
  destination: { required: true, most: 256 },
  destination_tag: { required: false, most: 256 },
  description: { required: false, most: 1000 },
  idempotency_key: { required: false, most: 255 },
  allow_program_address: { required: false, most: 5 },
} as const
export type Column = keyof typeof columns
const mostInMetadata = { key: 64, value: 1000 }

// What people call them.
const otherNames: Readonly<Record<string, Column>> = {
  asset: 'currency',
  address: 'destination',
  tag: 'destination_tag',
  memo: 'destination_tag',
  note: 'description',
}

export type FileProblem =
  | { readonly code: 'misquoted'; readonly line: number }
  | { readonly code: 'unknown' | 'missing' | 'double'; readonly names: readonly string[] }
  | { readonly code: 'empty' }
  | { readonly code: 'many'; readonly count: number }

/** What is wrong with one cell. `other` is the line that has the same id already, `most` the longest that a value may be. */
export type RowProblem = { readonly field: string } & (
  | { readonly code: 'missing' | 'unclear' | 'flag' | 'surplus' }
  | { readonly code: 'long'; readonly most: number }
  | { readonly code: 'same_id'; readonly other: number }
)

export type FileRow = {
  readonly line: number
  /** The payout that it asks for; what cannot be read is left out. */
  readonly body: NewPayout
  readonly problems: readonly RowProblem[]
  /** The first line that pays the same amount to the same destination, if one does. */
  readonly sameAs: number | null
}

export type PayoutFile = { readonly problems: readonly FileProblem[] } | { readonly rows: readonly FileRow[] }

/** A template to fill in: the columns. */
export const template = `${Object.keys(columns).join(',')}\r\n`

/**
 * What a text asks for, or what keeps it from being read at all. Cells are text: nothing in them is ever computed. `language` is
 * that of the page.
 */
export function readPayoutFile(text: string, language: string): PayoutFile {
  const csv = readCsv(text)
  if ('misquoted' in csv) return { problems: [{ code: 'misquoted', line: csv.misquoted }] }
  const [head, ...rows] = csv.rows
  if (head === undefined) return { problems: [{ code: 'empty' }] }
  const names = columnNames(head.cells)
  const problems = [...problemsOfHead(head.cells, names), ...problemsOfLength(rows.length)]
  if (problems.length > 0) return { problems }
  const amounts = rows.map(({ cells }) => cells[names.indexOf('amount')]?.trim() ?? '')
  const isStrict = csv.separator !== ',' || decimalPointOf(language) === ',' || amounts.some(hasDecimalComma)
  return { rows: compared(rows.map((row) => readRow(row, names, isStrict))) }
}

/** The column of each cell of the first row; null where it has no name, and undefined where no column has that name. */
type Name = Column | `metadata.${string}` | null | undefined

function columnNames(head: readonly string[]): Name[] {
  return head.map((cell): Name => {
    const typed = cell.trim()
    if (typed === '') return null
    const [, key] = /^metadata\.(.+)$/is.exec(typed) ?? []
    if (key !== undefined) return key.length > mostInMetadata.key ? undefined : `metadata.${key}`
    const name = typed.toLowerCase().replace(/[\s-]+/g, '_')
    return Object.hasOwn(columns, name) ? (name as Column) : ownOf(otherNames, name)
  })
}

function ownOf<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function problemsOfHead(head: readonly string[], names: readonly Name[]): FileProblem[] {
  const unknown = head.filter((_, at) => names[at] === undefined).map((cell) => cell.trim())
  const known = names.filter((name) => name !== null && name !== undefined)
  const seen = new Set<string>()
  const double = known.filter((name) => seen.has(name) || !seen.add(name))
  const missing = Object.entries(columns)
    .filter(([name, { required }]) => required && !known.includes(name as Column))
    .map(([name]) => name)
  const all = [
    { code: 'unknown', names: unknown },
    { code: 'double', names: [...new Set(double)] },
    { code: 'missing', names: missing },
  ] as const
  return all.filter((problem) => problem.names.length > 0)
}

function problemsOfLength(count: number): FileProblem[] {
  if (count === 0) return [{ code: 'empty' }]
  return count > mostRows ? [{ code: 'many', count }] : []
}

function readRow({ line, cells }: CsvRow, names: readonly Name[], isStrict: boolean): FileRow {
  const problems: RowProblem[] = []
  const of = (column: Column) => {
    const value = cells[names.indexOf(column)]?.trim() ?? ''
    const { required, most } = columns[column]
    if (value === '' && required) problems.push({ field: column, code: 'missing' })
    if (lengthOf(value) > most) problems.push({ field: column, code: 'long', most })
    return value
  }
  const optional = (column: Column) => {
    const value = of(column)
    return value === '' ? {} : { [column]: value }
  }
  const typed = of('amount')
  const amount = typed === '' ? '' : amountIn(typed, isStrict)
  if (amount === null) problems.push({ field: 'amount', code: 'unclear' })
  const flag = of('allow_program_address').toLowerCase()
  if (!['', 'true', 'false'].includes(flag)) problems.push({ field: 'allow_program_address', code: 'flag' })
  const metadata = metadataOf(cells, names, problems)
  // Probably a separator in text without quotation marks, so that the other values may be out of place.
  const hasSurplus =
    cells.length > names.length || cells.some((cell, at) => cell.trim() !== '' && names[at] === null)
  if (hasSurplus) problems.push({ field: '', code: 'surplus' })
  const body: NewPayout = {
    currency: of('currency'),
    ...optional('network'),
    amount: amount ?? typed,
    destination: of('destination'),
    ...optional('destination_tag'),
    ...optional('description'),
    ...(flag === 'true' && { allow_program_address: true }),
    ...(metadata !== null && { metadata }),
    ...optional('idempotency_key'),
  }
  return { line, body, problems, sameAs: null }
}

function metadataOf(cells: readonly string[], names: readonly Name[], problems: RowProblem[]) {
  const entries = names.flatMap((name, at): [string, string][] => {
    const value = cells[at]?.trim() ?? ''
    if (!name?.startsWith('metadata.') || value === '') return []
    if (lengthOf(value) > mostInMetadata.value)
      problems.push({ field: name, code: 'long', most: mostInMetadata.value })
    return [[name.slice('metadata.'.length), value]]
  })
  return entries.length === 0 ? null : Object.fromEntries(entries)
}

/**
 * An amount as a decimal of the contract; null if it is none or could be two. A point is a point in files of programs, which
 * separate cells by commas. Others come from spreadsheets of any language, and so do those in which an amount has a decimal
 * comma: there it must be the same amount to readers of points and of commas.
 */
function amountIn(typed: string, isStrict: boolean): string | null {
  const amount = typedAmount('en', typed)
  if (amount === null || (isStrict && typedAmount('de', typed) !== amount)) return null
  return amount.replace(/^0+(?=\d)/, '')
}

/** Whether a text can only be an amount whose decimals follow a comma. */
function hasDecimalComma(typed: string): boolean {
  return typedAmount('en', typed) !== null && /,\d+$/.test(typed) && !/^\d{1,3}(,\d{3}){2,}$/.test(typed)
}

/** As the contract counts: characters, not halves of them. */
function lengthOf(value: string): number {
  return [...value].length
}

/** The rows, each knowing whether an earlier one has its id, or pays the same amount to the same destination. */
function compared(rows: readonly FileRow[]): FileRow[] {
  return rows.map((row, at) => {
    const { idempotency_key: id } = row.body
    const earlier = rows.slice(0, at)
    const withId = id === undefined ? undefined : earlier.find(({ body }) => body.idempotency_key === id)
    const problems: RowProblem[] =
      withId === undefined ? [] : [{ field: 'idempotency_key', code: 'same_id', other: withId.line }]
    const same = row.problems.length > 0 ? undefined : earlier.find((each) => isSame(each, row))
    return { ...row, problems: [...row.problems, ...problems], sameAs: same?.line ?? null }
  })
}

function isSame(one: FileRow, other: FileRow): boolean {
  if (one.problems.some(({ field }) => field === 'amount')) return false
  // Some addresses mean the same in capitals; of no two people's is that the only difference.
  const place = ({ body }: FileRow) =>
    JSON.stringify([body.currency.toUpperCase(), body.destination.toLowerCase(), body.destination_tag])
  // Without a network it is that of the other, or the page asks once too often.
  const networks = new Set([one, other].flatMap(({ body }) => body.network?.toLowerCase() ?? []))
  return (
    place(one) === place(other) &&
    networks.size <= 1 &&
    compareDecimals(one.body.amount, other.body.amount) === 0
  )
}
