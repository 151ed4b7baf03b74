/**
 * What of an error may be shown, in a log or on a terminal. Errors of libraries carry the object that failed, and with it
 * passwords and keys: a connection, a request, a query with its values. So nothing is taken over but the fields named here.
 */
export type ShownError = {
  readonly type: string
  readonly message: string
  readonly stack?: string
  /** Node's or PostgreSQL's code, and the other short facts that come with one. */
  readonly [fact: string]: unknown
}

// Names of things, never values: PostgreSQL's `detail` and `where` repeat what a row holds.
const facts = ['code', 'errno', 'syscall', 'severity', 'schema', 'table', 'column', 'constraint', 'routine']
const maxFactCharacters = 200
const maxTextCharacters = 8_000
const maxCauses = 5
const maxErrors = 5

/** The error as plain data: its kind, message and stack, its codes, and what caused it. */
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

/** The same for a person: the stack, then what caused it. */
export function shownInWords(error: unknown): string {
  const lines: string[] = []
  for (let shown: ShownError | undefined = shownError(error); shown !== undefined; ) {
    lines.push(`${lines.length === 0 ? '' : 'Caused by: '}${shown.stack ?? shown.message}`)
    for (const each of (shown.errors ?? []) as ShownError[]) lines.push(`  ${each.stack ?? each.message}`)
    shown = shown.cause as ShownError | undefined
  }
  return lines.join('\n')
}

// What was thrown without being an error is shown only if it is plain.
function describe(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null
    ? Object.prototype.toString.call(thrown)
    : String(thrown)
}

const secrets: readonly (readonly [RegExp, string])[] = [
  // The password of an address, as in postgres://user:password@host.
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@]*@/gi, '$1…@'],
  [/\b(sk_(?:test|live)_)[0-9a-f]+/gi, '$1…'],
  [/\b(whsec_)[A-Za-z0-9+/=_-]+/g, '$1…'],
  [
    /\b(password|passphrase|secret|token|authorization|api[-_]?key)(["']?\s*[=:]\s*["']?)[^\s"',;&]+/gi,
    '$1$2…',
  ],
]

/** A text without the secrets that a message may have taken in. */
export function shownText(text: string): string {
  let shown = text.length > maxTextCharacters ? `${text.slice(0, maxTextCharacters)}…` : text
  for (const [pattern, replacement] of secrets) shown = shown.replace(pattern, replacement)
  return shown
}
