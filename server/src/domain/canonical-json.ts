/**
 * A JSON value in canonical form (RFC 8785): members sorted by UTF-16 code units, no whitespace, numbers and strings
 * as ECMAScript writes them. Takes the output of JSON.parse, whose strings must be well-formed Unicode.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}
