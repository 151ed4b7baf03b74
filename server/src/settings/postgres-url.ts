/** A URL of a database, as the driver reads it; null when it is none. A host may be missing: `?host=` names it then. */
export function postgresUrl(text: string): URL | null {
  return URL.parse(text) ?? URL.parse(text.replace('@/', '@localhost/'))
}

/** What is wrong with the URL of a database. It holds a password, so the problem does not repeat it. */
export function postgresUrlProblem(text: string): string | null {
  if (!/^postgres(ql)?:\/\//.test(text)) return 'must start with postgres:// or postgresql://'
  if (!isDecodable(text))
    return 'has a percent sign that encodes no character. Write %25 for a percent sign in a password or name, and %2F for a slash'
  if (postgresUrl(text) === null) return 'must look like postgres://user:password@db.example.com:5432/sluice'
  return null
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
