/** What the service said about an answer, beside its data. */
export type ResponseInfo = {
  /** The HTTP status. */
  readonly status: number
  /** Quote it to support. */
  readonly requestId: string
  /** True if this repeats what an earlier request with the same idempotency key created. */
  readonly replayed: boolean
}

// Kept apart from the resources, which stay exactly what the service sent: in JSON, in comparisons, in a debugger.
const known = new WeakMap<object, ResponseInfo>()

/** Notes where a value came from. Values that are no objects are passed over. */
export function noteResponse(value: unknown, info: ResponseInfo): void {
  if (typeof value === 'object' && value !== null) known.set(value, info)
}

/**
 * The response that a resource, a list or a whole answer came with; undefined for anything that no call returned, such as a
 * copy or a single row of a list.
 */
export function responseOf(value: object): ResponseInfo | undefined {
  return known.get(value)
}
