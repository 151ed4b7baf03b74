import { AsyncLocalStorage } from 'node:async_hooks'
import type { AttributeName, Attributes } from './attributes.ts'
import { type SpanContext, writeTraceparent } from './traceparent.ts'

export type SpanKind = 'internal' | 'server' | 'client'

/** A piece of work that is under way. */
export type Span = {
  readonly context: SpanContext
  readonly isEnded: boolean
  /** Says more about it. What the list of attributes does not allow is left out. */
  set(name: AttributeName, value: string | number): void
  /** Marks it as failed, by the kind of error; its message may hold anything, so it is not told. */
  fail(type: string): void
  /** Ends it, and hands it over for export. */
  end(): void
}

export type SpanOptions = {
  readonly kind?: SpanKind
  /** What caused it. Without a parent, it begins a trace. */
  readonly parent?: SpanContext | null
  readonly links?: readonly SpanContext[]
  readonly attributes?: Attributes
  /** When it began and ended, if that is in the past; it is then handed over at once. */
  readonly from?: Date
  readonly to?: Date
}

export type Tracer = {
  readonly isOn: boolean
  start(name: string, options?: SpanOptions): Span
}

type Ambient = {
  readonly span: Span
  /** Spans of other traces that the same work belongs to. */
  readonly others: readonly Span[]
  /** Whose rows are whose, when several share the work. */
  readonly bySubject: ReadonlyMap<string, Span> | null
}

const ambient = new AsyncLocalStorage<Ambient | undefined>()

/** Runs `work` as part of a span; null: as it is. */
export function within<T>(span: Span | null, work: () => T): T {
  return span === null ? work() : ambient.run({ span, others: [], bySubject: null }, work)
}

/**
 * Runs `work` that several spans share, such as a transaction of many requests. A span with a subject, the id of a row, is
 * the one that this row belongs to.
 */
export function withinAll<T>(
  spans: readonly { readonly span: Span | null; readonly subject: string | null }[],
  work: () => T,
): T {
  const given = spans.flatMap(({ span }) => span ?? [])
  const [first, ...others] = given
  // Never in the spans of the caller that happened to start this batch.
  if (first === undefined) return ambient.getStore() === undefined ? work() : ambient.run(undefined, work)
  if (spans.length === 1) return within(first, work)
  const bySubject = new Map(
    spans.flatMap(({ span, subject }) => (span === null || subject === null ? [] : [[subject, span]])),
  )
  return ambient.run({ span: first, others, bySubject }, work)
}

/** The span that the running code is part of, if any; one that has ended does not count. */
export function currentSpan(): Span | null {
  const span = ambient.getStore()?.span
  return span === undefined || span.isEnded ? null : span
}

/** The further spans that share the running work. */
export function sharingSpans(): readonly Span[] {
  return ambient.getStore()?.others ?? []
}

/** The `traceparent` to store with a row: of the span that the row belongs to. Null if it belongs to none. */
export function traceparentOf(subject: string | null): string | null {
  const store = ambient.getStore()
  if (store === undefined) return null
  const span = store.bySubject === null ? store.span : store.bySubject.get(subject ?? '')
  return span === undefined ? null : writeTraceparent(span.context)
}
