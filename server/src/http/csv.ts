/** Characters that spreadsheets read as the beginning of a formula, or skip to get to one. */
const formulaStart = /^[=+\-@\t\r]/
const plainNumber = /^-?\d+(\.\d+)?$/
const needsQuotes = /[",\r\n]/

/**
 * One row of CSV (RFC 4180). A text that a spreadsheet would read as a formula gets a leading apostrophe; a number
 * stays a number, with either sign. Null is an empty cell.
 */
export function csvRow(cells: readonly (string | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(text: string | null): string {
  if (text === null) return ''
  const safe = formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
