/**
 * The one way RFC 8785 writes a JSON value: members sorted by UTF-16 code units, no blanks, numbers and strings as
 * ECMAScript writes them. Takes what JSON.parse gives; texts are well-formed Unicode by then.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}
