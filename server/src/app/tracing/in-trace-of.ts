import type { Store } from '../../store/store.ts'
import type { AttributeName } from '../../tracing/attributes.ts'
import { type Span, withinAll } from '../../tracing/span.ts'
import type { SpanContext } from '../../tracing/traceparent.ts'
import { errorType } from '../../tracing/tracer.ts'
import type { App } from '../app.ts'

type Tools = Pick<App, 'tracer'>

/**
 * Does something to a payout in the trace of the request that created it, inside the caller's transaction: events about the
 * payout then belong to that trace.
 */
export async function inTraceOfPayout<T>(
  app: Tools,
  tx: Store,
  payoutId: string,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (!app.tracer.isOn) return work()
  const contexts = await tx.traces.ofPayouts([payoutId])
  return inTraces(app, [payoutId], contexts, 'sluice.payout_id', name, work)
}

/** Does something to invoices, each in the trace of the request that created it. */
export async function inTracesOfInvoices<T>(
  app: Tools & Pick<App, 'store'>,
  ids: readonly string[],
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (!app.tracer.isOn) return work()
  const contexts = await app.store.traces.ofInvoices(ids)
  return inTraces(app, ids, contexts, 'sluice.invoice_id', name, work)
}

async function inTraces<T>(
  { tracer }: Tools,
  subjects: readonly string[],
  contexts: ReadonlyMap<string, SpanContext>,
  attribute: AttributeName,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const spans = subjects.map((subject): { subject: string; span: Span | null } => {
    const parent = contexts.get(subject)
    const span =
      parent === undefined ? null : tracer.start(name, { parent, attributes: { [attribute]: subject } })
    return { subject, span }
  })
  try {
    return await withinAll(spans, work)
  } catch (error) {
    for (const { span } of spans) span?.fail(errorType(error))
    throw error
  } finally {
    for (const { span } of spans) span?.end()
  }
}
