import { randomFillSync } from 'node:crypto'
import { maySay } from './attributes.ts'
import type { Span, SpanKind, SpanOptions, Tracer } from './span.ts'
import type { SpanContext } from './traceparent.ts'

const maxLinks = 32
const maxNameLength = 128
const traceIdBytes = 16
const spanIdBytes = 8

export type FinishedSpan = {
  readonly context: SpanContext
  readonly parentId: string | null
  readonly name: string
  readonly kind: SpanKind
  /** In microseconds since 1970. */
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: ReadonlyMap<string, string | number>
  readonly links: readonly SpanContext[]
  readonly failed: boolean
}

/** Which traces to export: a share of those that begin here, and if `followsParent`, what a parent decided. */
export type Sampling = { readonly share: number; readonly followsParent: boolean }

/** The tracer of a process that exports nothing. It costs nothing either. */
export const noTracing: Tracer = { isOn: false, start: () => noSpan }

const noSpan: Span = {
  context: { traceId: '0'.repeat(32), spanId: '0'.repeat(16), isSampled: false },
  isEnded: true,
  set() {},
  fail() {},
  end() {},
}

/** Makes spans, and hands those that are sampled to `take` once they have ended. */
export function createTracer(sampling: Sampling, take: (span: FinishedSpan) => void): Tracer {
  return {
    isOn: true,
    start(name, { kind = 'internal', parent = null, links = [], attributes = {}, from, to } = {}) {
      const traceId = parent?.traceId ?? randomHex(traceIdBytes)
      const isSampled =
        parent !== null && sampling.followsParent ? parent.isSampled : isInShare(traceId, sampling.share)
      const context = { traceId, spanId: randomHex(spanIdBytes), isSampled }
      const startedAt = from === undefined ? microsecondsNow() : from.getTime() * 1000
      const startedTick = performance.now()
      const said = new Map<string, string | number>()
      let failed = false
      let isEnded = false
      const span: Span = {
        context,
        get isEnded() {
          return isEnded
        },
        set(key, value) {
          if (maySay(key, value)) said.set(key, value)
        },
        fail(type) {
          failed = true
          span.set('error.type', type)
        },
        end() {
          if (isEnded) return
          isEnded = true
          if (!isSampled) return
          // The clock may have been set meanwhile; the time that passed is measured by one that cannot be.
          const passed = to === undefined ? (performance.now() - startedTick) * 1000 : 0
          take({
            context,
            parentId: parent?.spanId ?? null,
            name: name.slice(0, maxNameLength),
            kind,
            startedAt,
            endedAt: to === undefined ? startedAt + Math.round(passed) : to.getTime() * 1000,
            attributes: said,
            links: links.slice(0, maxLinks),
            failed,
          })
        },
      }
      for (const [key, value] of Object.entries(attributes)) span.set(key as never, value)
      if (to !== undefined) span.end()
      return span
    },
  }
}

/** Runs `work` in a new span, which fails if `work` does. */
export async function inSpan<T>(
  tracer: Tracer,
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = tracer.start(name, options)
  try {
    return await work(span)
  } catch (error) {
    span.fail(errorType(error))
    throw error
  } finally {
    span.end()
  }
}

/** The kind of an error, without its message. */
export function errorType(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

// Asking for a few random bytes costs nearly as much as asking for thousands.
const drawn = Buffer.alloc(8_192)
let used = drawn.length

function randomHex(bytes: number): string {
  if (used + bytes > drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  used += bytes
  return drawn.toString('hex', used - bytes, used)
}

// The clock by which time passes evenly, brought to the time of day whenever that was set.
const maxDriftMs = 5
let originMs = performance.timeOrigin

function microsecondsNow(): number {
  const tick = performance.now()
  const today = Date.now()
  if (Math.abs(originMs + tick - today) > maxDriftMs) originMs = today - tick
  return Math.round((originMs + tick) * 1000)
}

// 52 of the 56 random bits that W3C Trace Context asks for at the end of a trace id: as many as a number holds exactly.
const drawnDigits = 13

function isInShare(traceId: string, share: number): boolean {
  return Number.parseInt(traceId.slice(-drawnDigits), 16) < share * 16 ** drawnDigits
}
