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
const maxDepth = 4
const maxItems = 100

/** The error as plain data: its type, message and stack, its codes, and its cause. */
export function shownError(error: unknown, depth = 0): ShownError {
  if (!(error instanceof Error)) return { type: typeof error, message: shownText(describe(error)) }
  const shown: Record<string, unknown> = {
    type: shownText(String(read(error, 'name') || error.constructor.name)).slice(0, maxFactCharacters),
    message: shownText(String(read(error, 'message'))),
  }
  const stack = read(error, 'stack')
  if (typeof stack === 'string') shown.stack = shownText(stack)
  for (const fact of facts) {
    const value = read(error, fact)
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

// A property may be anything, even a getter that throws, and to show an error must never fail.
function read(error: Error, name: string): unknown {
  try {
    return (error as unknown as Readonly<Record<string, unknown>>)[name]
  } catch {
    return undefined
  }
}

/**
 * The fields of a log line as they may be shown: texts without secrets, errors as `shownError` shows them, and of an object
 * of a class, such as a client or a socket, only its kind.
 */
export function shownFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map((field) => shownField(field, 0)))
}

const secretName =
  /^(x[-_])?(pass(word|phrase|wd)?|secret([-_]?key)?|token|authorization|cookie|api[-_]?key|mnemonic|seed|private[-_]?key)$/i

function shownField([name, value]: [string, unknown], depth: number): [string, unknown] {
  return [name, secretName.test(name) && value !== null ? '…' : shownValue(value, depth)]
}

function shownValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return shownText(value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Error) return shownError(value)
  if (value instanceof Date) return value
  const prototype = Object.getPrototypeOf(value)
  const isPlain = prototype === Object.prototype || prototype === null
  if (depth >= maxDepth || !(isPlain || Array.isArray(value))) return describe(value)
  if (Array.isArray(value)) return value.slice(0, maxItems).map((each) => shownValue(each, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, maxItems)
      .map((field) => shownField(field, depth + 1)),
  )
}

// A thrown value that is not an Error is shown only if it is a primitive.
function describe(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null
    ? Object.prototype.toString.call(thrown)
    : String(thrown)
}

// The schemes of addresses that we are given with passwords or keys in them. Not file:, which stack traces need.
const address = /\b(?:https?|wss?|postgres(?:ql)?|rediss?|smtps?|unix):\/\/[^\s"'<>`]+/gi

const secrets: readonly (readonly [RegExp, string])[] = [
  // The password in a URL of another kind.
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@]*@/gi, '$1…@'],
  [/\b(sk_(?:test|live)_)[0-9a-f]+/gi, '$1…'],
  [/\b(whsec_)[A-Za-z0-9+/=_-]+/g, '$1…'],
  [/\b(bearer|basic)\s+[A-Za-z0-9+/=_.~-]{6,}/gi, '$1 …'],
  // BIP-32 private keys.
  [/\b([a-z]prv)[1-9A-HJ-NP-Za-km-z]{20,}/gi, '$1…'],
  // The words of a seed (BIP-39), which are 3 to 8 letters long. Few sentences have so many of these in a row.
  [/\b[a-z]{3,8}(?:[ ,]+[a-z]{3,8}){11,}\b/g, '…'],
  // These may have spaces in them.
  [/\b(\w*(?:passphrase|mnemonic|seed)["']?\s*[=:]\s*).+/gi, '$1…'],
  [
    /\b(\w*(?:password|passwd|secret|token|authorization|cookie|x?-?api[-_]?key)["']?\s*[=:]\s*)(?:"[^"]*"|'[^']*'|[^\s"',;&]+)/gi,
    '$1…',
  ],
]

/** An address with nothing but its host, since keys are anywhere else: in the user, the path and the query. */
function hostOnly(text: string): string {
  const scheme = text.slice(0, text.indexOf('://') + 3)
  const end = /[).,;:]*$/.exec(text)?.[0] ?? ''
  if (scheme.toLowerCase() === 'unix://' || !URL.canParse(text)) return `${scheme}…${end}`
  const { host, username, password, pathname, search, hash } = new URL(
    text.slice(0, text.length - end.length),
  )
  const isMore = pathname.length > 1 || search !== '' || hash !== ''
  return `${scheme}${username + password === '' ? '' : '…@'}${host}${isMore ? '/…' : ''}${end}`
}

/** A text with known kinds of secrets removed. */
export function shownText(text: string): string {
  let shown = text.length > maxTextCharacters ? `${text.slice(0, maxTextCharacters)}…` : text
  shown = shown.replace(address, hostOnly)
  for (const [pattern, replacement] of secrets) shown = shown.replace(pattern, replacement)
  return shown
}
