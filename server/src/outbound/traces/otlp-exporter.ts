import type { SpanKind } from '../../tracing/span.ts'
import type { FinishedSpan } from '../../tracing/tracer.ts'

/** How many finished spans wait for the collector; more are dropped and counted. */
const maxQueued = 2_048
const maxPerRequest = 512
const sendEveryMs = 1_000
const requestTimeoutMs = 10_000
/** What is still queued when the process ends has this long to leave. */
const lastSendMs = 2_000

export type Exporter = {
  /** Queues a span. Never waits and never throws. */
  add(span: FinishedSpan): void
  readonly counts: { readonly exported: number; readonly dropped: number; readonly queued: number }
  /** Sends what is queued, as far as the collector takes it in time. */
  close(): Promise<void>
}

export type ExporterOptions = {
  /** Where the collector takes traces over OTLP/HTTP, usually ending in `/v1/traces`. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** What the spans are about: the service's name, version and the like. */
  readonly resource: Readonly<Record<string, string>>
  /** Told once when the collector begins to fail, and once when it takes spans again. */
  readonly onTrouble: (reason: string) => void
  readonly onRecovered: () => void
}

/**
 * Sends spans to a collector: OTLP 1 over HTTP in its JSON encoding, a batch at a time. A batch that the collector does not
 * take is dropped and counted, for newer spans say more about a problem than old ones.
 */
export function createOtlpExporter(options: ExporterOptions): Exporter {
  const counts = { exported: 0, dropped: 0 }
  let queue: FinishedSpan[] = []
  let timer: NodeJS.Timeout | null = null
  let sending: Promise<void> | null = null
  let isTroubled = false
  const giveUp = new AbortController()

  function soon(): void {
    timer ??= setTimeout(() => {
      timer = null
      send()
    }, sendEveryMs).unref()
  }

  function send(): void {
    if (sending !== null || queue.length === 0) return
    sending = sendAll().finally(() => {
      sending = null
    })
  }

  async function sendAll(): Promise<void> {
    while (queue.length > 0 && !giveUp.signal.aborted) {
      const batch = queue.slice(0, maxPerRequest)
      queue = queue.slice(maxPerRequest)
      const problem = await post(batch)
      if (problem === null) counts.exported += batch.length
      else counts.dropped += batch.length
      if (problem !== null && !isTroubled) options.onTrouble(problem)
      if (problem === null && isTroubled) options.onRecovered()
      isTroubled = problem !== null
    }
  }

  /** Why the collector did not take a batch; null if it did. */
  async function post(batch: readonly FinishedSpan[]): Promise<string | null> {
    const signal = AbortSignal.any([giveUp.signal, AbortSignal.timeout(requestTimeoutMs)])
    try {
      const response = await fetch(options.url, {
        method: 'POST',
        headers: { ...options.headers, 'content-type': 'application/json' },
        body: JSON.stringify(otlp(batch, options.resource)),
        // The headers may hold a password, which must not follow a redirect.
        redirect: 'error',
        signal,
      })
      await response.body?.cancel()
      return response.ok ? null : `It answered ${response.status}.`
    } catch (error) {
      // The message of a failed fetch may repeat the URL, which may hold a password.
      return `No answer: ${codeOf(error)}.`
    }
  }

  return {
    add(span) {
      if (queue.length >= maxQueued || giveUp.signal.aborted) {
        counts.dropped += 1
        return
      }
      queue.push(span)
      if (queue.length >= maxPerRequest) send()
      else soon()
    },
    get counts() {
      return { ...counts, queued: queue.length }
    },
    async close() {
      if (timer !== null) clearTimeout(timer)
      const deadline = setTimeout(() => giveUp.abort(), lastSendMs)
      // A batch that was on its way leaves the rest to the next.
      for (let rounds = 0; rounds < 2; rounds++) {
        send()
        await sending
      }
      clearTimeout(deadline)
      giveUp.abort()
      counts.dropped += queue.length
      queue = []
    },
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = (error.cause ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : error.name
}

const kinds: Record<SpanKind, number> = { internal: 1, server: 2, client: 3 }
const failedStatus = 2

/** Spans as `ExportTraceServiceRequest` of OTLP 1, in JSON: ids in hexadecimal, 64-bit numbers as text. */
function otlp(spans: readonly FinishedSpan[], resource: Readonly<Record<string, string>>): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: keyValues(Object.entries(resource)) },
        scopeSpans: [{ scope: { name: 'sluice' }, spans: spans.map(spanOf) }],
      },
    ],
  }
}

function spanOf({ context, parentId, attributes, links, ...span }: FinishedSpan): object {
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(parentId !== null && { parentSpanId: parentId }),
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: `${span.startedAt}000`,
    endTimeUnixNano: `${span.endedAt}000`,
    attributes: keyValues(attributes),
    links: links.map(({ traceId, spanId }) => ({ traceId, spanId })),
    ...(span.failed && { status: { code: failedStatus } }),
  }
}

function keyValues(entries: Iterable<readonly [string, string | number]>): object[] {
  return [...entries].map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))
}
