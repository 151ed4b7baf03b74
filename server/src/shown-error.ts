/**
 * The parts of an error that may be shown in a log or on a terminal. Errors of libraries carry the object that failed
 * (a connection, a request, a query with its values), and with it passwords and keys. So only the fields named here are
 * copied.
 */
export type ShownError = {
  readonly type: string
  readonly message: string
  readonly stack?: string
  /** Node's or PostgreSQL's code, and the other short facts that come with it. */
  readonly [fact: string]: unknown
}

// Names only, never values: PostgreSQL's `detail` and `where` repeat the contents of rows.
const facts = ['code', 'errno', 'syscall', 'severity', 'schema', 'table', 'column', 'constraint', 'routine']
const maxFactCharacters = 200
const maxTextCharacters = 8_000
const maxCauses = 5
const maxErrors = 5

/** The error as plain data: its type, message and stack, its codes, and its cause. */
export function shownError(error: unknown, depth = 0): ShownError {
  if (!(error instanceof Error)) return { type: typeof error, message: shownText(describe(error)) }
  const own = error as unknown as Readonly<Record<string, unknown>>
  const shown: Record<string, unknown> = {
    type: error.name || error.constructor.name,
    message: shownText(error.message),
  }
  if (typeof error.stack === 'string') shown.stack = shownText(error.stack)
  for (const fact of facts) {
    const value = own[fact]
    if (typeof value === 'number') shown[fact] = value
    else if (typeof value === 'string') shown[fact] = shownText(value).slice(0, maxFactCharacters)
  }
  if (depth < maxCauses) {
    if (error.cause !== undefined) shown.cause = shownError(error.cause, depth + 1)
    if (error instanceof AggregateError)
      shown.errors = error.errors.slice(0, maxErrors).map((each) => shownError(each, depth + 1))
  }
  return shown as ShownError
}

/** The same in words: the stack, then its causes. */
export function shownInWords(error: unknown): string {
  const lines: string[] = []
  for (let shown: ShownError | undefined = shownError(error); shown !== undefined; ) {
    lines.push(`${lines.length === 0 ? '' : 'Caused by: '}${shown.stack ?? shown.message}`)
    for (const each of (shown.errors ?? []) as ShownError[]) lines.push(`  ${each.stack ?? each.message}`)
    shown = shown.cause as ShownError | undefined
  }
  return lines.join('\n')
}

// A thrown value that is not an Error is shown only if it is a primitive.
function describe(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null
    ? Object.prototype.toString.call(thrown)
    : String(thrown)
}

const secrets: readonly (readonly [RegExp, string])[] = [
  // The password in a URL, as in postgres://user:password@host.
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@]*@/gi, '$1…@'],
  [/\b(sk_(?:test|live)_)[0-9a-f]+/gi, '$1…'],
  [/\b(whsec_)[A-Za-z0-9+/=_-]+/g, '$1…'],
  [
    /\b(password|passphrase|secret|token|authorization|api[-_]?key)(["']?\s*[=:]\s*["']?)[^\s"',;&]+/gi,
    '$1$2…',
  ],
]

/** A text with known kinds of secrets removed. */
export function shownText(text: string): string {
  let shown = text.length > maxTextCharacters ? `${text.slice(0, maxTextCharacters)}…` : text
  for (const [pattern, replacement] of secrets) shown = shown.replace(pattern, replacement)
  return shown
}
