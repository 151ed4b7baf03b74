/** What people type as an amount, in the decimals of the contract. */

/** Stands for an amount while what is typed is not one. The service always refuses it. */
export const unclearAmount = '?'

/** The decimal point of a language. */
export function decimalPointOf(language: string): '.' | ',' {
  const parts = new Intl.NumberFormat(language).formatToParts(1.5)
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.'
}

// Where people group digits by blanks.
const groupedByBlanks: ReadonlySet<string> = new Set(['es', 'fr', 'pt'])

/** Without the blanks between groups of digits: `1 234 567,8`. Any other blank stays, and makes the text no amount. */
function withoutBlanks(text: string): string {
  const [grouped] = /^[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3})+(?=$|[.,])/.exec(text) ?? []
  return grouped === undefined ? text : grouped.replace(/\D/g, '') + text.slice(grouped.length)
}

/** An amount for a field, with the point of the reader's language and without grouping. */
export function amountForField(language: string, amount: string): string {
  return amount.replace('.', decimalPointOf(language))
}

/**
 * A typed amount as a decimal of the contract: with a point or a comma, and with or without grouping. Null if it is no amount, or
 * if it could be two: `1.234` is a thousand and more to one reader and little more than one to another.
 */
export function typedAmount(language: string, typed: string): string | null {
  const text = groupedByBlanks.has(language) ? withoutBlanks(typed.trim()) : typed.trim()
  if (/^\d+$/.test(text)) return text
  const own = decimalPointOf(language)
  const other = own === '.' ? ',' : '.'
  for (const point of [own, other]) {
    const [whole = '', fraction, ...more] = text.split(point)
    if (fraction === undefined || more.length > 0 || !/^\d+$/.test(fraction)) continue
    const ungrouped = withoutGroups(whole, point === '.' ? ',' : '.')
    if (ungrouped === null) continue
    const isGroup = point === other && /^[1-9]\d{0,2}$/.test(whole) && fraction.length === 3
    return isGroup ? null : `${ungrouped}.${fraction}`
  }
  // Grouped, without a fraction: with the other sign once it could be one.
  const groups = withoutGroups(text, other) ?? withoutGroups(text, own)
  return groups !== null && text.split(/[.,]/).length > 2 ? groups : null
}

function withoutGroups(text: string, group: '.' | ','): string | null {
  if (/^\d+$/.test(text)) return text
  const isGrouped = /^[1-9]\d{0,2}([.,]\d{3})+$/.test(text) && !text.includes(group === '.' ? ',' : '.')
  return isGrouped ? text.replaceAll(group, '') : null
}
