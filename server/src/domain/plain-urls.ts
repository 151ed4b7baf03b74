export const maxUrlLength = 2048

/** What keeps a URL from meaning the same web address to all software that reads it, in words; null when nothing does. */
export function plainUrlProblem(text: string): string | null {
  if (text.length > maxUrlLength) return `must have at most ${maxUrlLength} characters`
  // The URL parser silently drops or repairs these; other software may read them differently.
  if (/[\p{Cc}\s\\]/u.test(text)) return 'must not contain spaces, control characters or backslashes'
  if (!URL.canParse(text)) return 'must be an https URL'
  const { protocol, username, password, port } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return 'must be an https URL'
  if (username !== '' || password !== '') return 'must not contain a user name or password'
  if (text.includes('#')) return 'must not contain a fragment'
  return port === '0' ? 'must have a port from 1 to 65535' : null
}
