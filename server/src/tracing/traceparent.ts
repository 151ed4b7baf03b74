/** Which span of which trace something belongs to, as W3C Trace Context carries it from process to process. */
export type SpanContext = {
  /** 32 and 16 hexadecimal digits in lower case, never all zeros. */
  readonly traceId: string
  readonly spanId: string
  /** Whether the spans of this trace are exported. */
  readonly isSampled: boolean
}

// A later version may append fields, which are ignored; version ff is invalid. https://www.w3.org/TR/trace-context/
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const nothing = /^0+$/
const maxLength = 512

/** Reads a `traceparent`; null for anything that the standard tells us to ignore. */
export function readTraceparent(text: unknown): SpanContext | null {
  if (typeof text !== 'string' || text.length > maxLength) return null
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(text) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null
  if (nothing.test(traceId) || nothing.test(spanId)) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function writeTraceparent({ traceId, spanId, isSampled }: SpanContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}
