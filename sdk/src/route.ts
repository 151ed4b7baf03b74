/** The route of an operation and its requirements. */
export type Route = {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH'
  /** Below the base URL, with `{name}` for each path parameter. */
  readonly path: string
  readonly needsKey: boolean
  /** Where the operation takes an idempotency key, `each`: in each item of its list; null if it takes none. */
  readonly idempotency: 'body' | 'header' | 'each' | null
}

/** The values of a call. Unset query values and headers are left out. */
export type RouteInput = {
  readonly path?: Readonly<Record<string, unknown>> | undefined
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly headers?: Readonly<Record<string, unknown>> | undefined
  readonly body?: unknown
}

/** The base URL without trailing slashes; throws a `TypeError` unless it is a plain http(s) URL. */
export function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const plain = url !== null && url.username === '' && url.password === '' && !/[?#]/.test(text)
  // The text itself stays out of the message: it may contain a password.
  if (url === null || !plain || !['http:', 'https:'].includes(url.protocol)) {
    throw new TypeError(
      'baseUrl must be an http or https URL such as https://pay.example.com/api, without user, query or fragment.',
    )
  }
  return url.href.replace(/\/+$/, '')
}

/** The full URL of a call. No value can escape its place in the path or the query. */
export function addressOf(baseUrl: string, route: Route, input: RouteInput): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, input.path?.[name]))
  const query = Object.entries(input.query ?? {})
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
  return `${baseUrl}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`
}

function segment(name: string, value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value)
  // URL parsers resolve dot segments, even percent-encoded ones, so the call would address another resource.
  if (['', '.', '..'].includes(text))
    throw new TypeError(`The path parameter ${name} must not be empty or consist of dots.`)
  return encodeURIComponent(text)
}

/** Whether sending the call twice has the effect of sending it once. */
export function isRepeatable(route: Route, input: RouteInput): boolean {
  if (route.method === 'GET') return true
  // A key where the operation does not look for it protects from nothing.
  if (route.idempotency === null) return false
  if (route.idempotency === 'body') return hasText(keyInBody(input.body))
  if (route.idempotency === 'each') return itemsOf(input.body).every((item) => hasText(keyInBody(item)))
  return hasText(keyInHeaders(input.headers))
}

/**
 * The call with its idempotency key where the operation takes it. Throws a `TypeError` if it takes none, or if the
 * request names another.
 */
export function withIdempotencyKey(route: Route, input: RouteInput, key: string): RouteInput {
  if (route.idempotency === null)
    throw new TypeError(`${route.method} ${route.path} takes no idempotency key.`)
  if (route.idempotency === 'each')
    throw new TypeError(`${route.method} ${route.path} takes an idempotency key in each item.`)
  const inHeader = route.idempotency === 'header'
  // Null counts as left out, as the API has it.
  const given = (inHeader ? keyInHeaders(input.headers) : keyInBody(input.body)) ?? key
  if (given !== key)
    throw new TypeError('The option idempotencyKey and the request name different keys. Pass only one.')
  if (inHeader) return { ...input, headers: { ...input.headers, 'Idempotency-Key': key } }
  return { ...input, body: { ...(input.body as object), idempotency_key: key } }
}

/** The idempotency key among the headers of a call. */
export function keyInHeaders(headers: RouteInput['headers']): string | undefined {
  const found = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'idempotency-key')
  return found?.[1] === undefined || found[1] === null ? undefined : String(found[1])
}

function keyInBody(body: unknown): unknown {
  return (body as { idempotency_key?: unknown } | null | undefined)?.idempotency_key
}

function itemsOf(body: unknown): readonly unknown[] {
  return Object.values(body ?? {}).flatMap((field) => (Array.isArray(field) ? field : []))
}

function hasText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
