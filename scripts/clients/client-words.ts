import type { Type } from './client-types.ts'

/** `invoice.payment_detected` and `webhook_endpoints` as the name of a class. */
export function className(name: string): string {
  return name.replace(/(^|[._])([a-z])/g, (_, __, letter: string) => letter.toUpperCase())
}

/** The model that a field holds, one or several of it; null if it holds none. */
export function modelIn(type: Type): string | null {
  if (type.kind === 'model') return type.name
  return type.kind === 'list' ? modelIn(type.of) : null
}

/** The words of a line on as many lines as they need. */
export function wrapped(line: string, longest: number): string[] {
  const rows: string[] = ['']
  for (const word of line.split(' ')) {
    const row = rows.at(-1) ?? ''
    if (row !== '' && row.length + 1 + word.length > longest) rows.push(word)
    else rows[rows.length - 1] = row === '' ? word : `${row} ${word}`
  }
  return rows
}
