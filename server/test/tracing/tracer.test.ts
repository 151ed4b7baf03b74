import { expect, it } from 'vitest'
import { batch } from '../../src/app/batch.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { summaryOf } from '../../src/store/traced-db.ts'
import { currentSpan, traceparentOf, within } from '../../src/tracing/span.ts'
import { readTraceparent, writeTraceparent } from '../../src/tracing/traceparent.ts'
import { createTracer, type FinishedSpan, noTracing } from '../../src/tracing/tracer.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const everything = { share: 1, followsParent: true }

it('a traceparent is read as W3C Trace Context defines it, and written as it was', () => {
  const sampled = `00-${traceId}-${spanId}-01`
  expect(readTraceparent(sampled)).toEqual({ traceId, spanId, isSampled: true })
  expect(readTraceparent(`00-${traceId}-${spanId}-00`)?.isSampled).toBe(false)
  expect(readTraceparent(`00-${traceId}-${spanId}-03`)?.isSampled).toBe(true)
  // A later version may say more.
  expect(readTraceparent(`01-${traceId}-${spanId}-01-what-comes`)).toEqual({
    traceId,
    spanId,
    isSampled: true,
  })
  expect(writeTraceparent({ traceId, spanId, isSampled: true })).toBe(sampled)
})

it.each([
  undefined,
  '',
  traceId,
  `00-${traceId}-${spanId}-01-more`,
  `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
  `ff-${traceId}-${spanId}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId}-${spanId}-1`,
  `01-${traceId}-${spanId}-01-${'x'.repeat(10_000)}`,
])('a malformed traceparent is ignored: %s', (text) => {
  expect(readTraceparent(text)).toBeNull()
})

it('a span says only what the list allows, in the form that it demands', () => {
  const taken: FinishedSpan[] = []
  const span = createTracer(everything, (each) => taken.push(each)).start('work')
  span.set('http.route', '/api/v1/invoices/{invoiceID}')
  span.set('sluice.event', 'invoice.paid')
  const planted: [string, string | number][] = [
    ['sluice.amount', 5],
    ['url.full', 'https://shop.example/?key=sk_live_secret'],
    ['sluice.invoice_id', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
    ['http.request.method', 'sk_live_secret'],
    ['db.query.summary', "select 'secret'"],
    ['toString', 'secret'],
  ]
  for (const [name, value] of planted) span.set(name as never, value)
  span.fail('Error: the password is "secret"')
  span.end()
  expect(Object.fromEntries(taken[0]?.attributes ?? [])).toEqual({
    'http.route': '/api/v1/invoices/{invoiceID}',
    'sluice.event': 'invoice.paid',
  })
  expect(taken[0]?.failed).toBe(true)
})

it('a statement is named by a table of ours, never by its text', () => {
  expect(summaryOf('with added as (insert into invoices (id) select 1) select id from added')).toBe(
    'insert invoices',
  )
  expect(summaryOf('select * from unnest($1) join invoices using (id)')).toBe('select invoices')
  expect(summaryOf("select 'from secret_word'")).toBe('statement')
})

it('the share of traces is kept, and a parent decides if it is to be followed', () => {
  const taken: FinishedSpan[] = []
  const count = (sampling: typeof everything, parent: string | null, runs: number) => {
    taken.length = 0
    const tracer = createTracer(sampling, (each) => taken.push(each))
    for (let run = 0; run < runs; run++) tracer.start('work', { parent: readTraceparent(parent) }).end()
    return taken.length
  }
  const sampled = `00-${traceId}-${spanId}-01`
  const unsampled = `00-${traceId}-${spanId}-00`
  expect(count({ share: 0.25, followsParent: true }, null, 4_000)).toSatisfy(
    (n: number) => n > 800 && n < 1_200,
  )
  expect(count({ share: 0, followsParent: true }, sampled, 1)).toBe(1)
  expect(count({ share: 1, followsParent: true }, unsampled, 1)).toBe(0)
  expect(count({ share: 0, followsParent: false }, sampled, 1)).toBe(0)
  expect(count({ share: 1, followsParent: false }, unsampled, 1)).toBe(1)
})

it('calls that share a statement keep their traces apart, and none inherits that of another', async () => {
  const tracer = createTracer(everything, () => {})
  const rows: [string, string | null][] = []
  const gate = Promise.withResolvers<void>()
  const insert = batch(
    async (ids: readonly string[]) => {
      await gate.promise
      for (const id of ids) rows.push([id, traceparentOf(id)])
      return ids
    },
    { maxBatch: 10, maxRunning: 1, subjectOf: (id: string) => id },
  )
  const spans = new Map(['a', 'b', 'c'].map((id) => [id, tracer.start(id)]))
  // The first runs alone; the others meet in the second batch, which the first starts when it ends.
  const calls = [...spans].map(([id, span]) => within(span, () => insert(id)))
  const untraced = insert('d')
  gate.resolve()
  await Promise.all([...calls, untraced])
  expect(rows).toEqual([
    ...[...spans].map(([id, { context }]) => [id, writeTraceparent(context)]),
    ['d', null],
  ])
  await within(spans.get('a') ?? null, async () => {
    expect(currentSpan()?.context).toEqual(spans.get('a')?.context)
    spans.get('a')?.end()
    expect(currentSpan()).toBeNull()
  })
})

it('without a collector nothing is traced', () => {
  expect(readSettings({}).tracing).toBeNull()
  expect(noTracing.isOn).toBe(false)
  expect(traceparentOf('a')).toBeNull()
})

it('the standard settings of OpenTelemetry name the collector, its headers and the sampler', () => {
  const read = (env: Record<string, string>) => readSettings(env).tracing
  expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' })).toEqual({
    url: 'http://collector:4318/v1/traces',
    headers: {},
    serviceName: 'sluice',
    sampling: { share: 1, followsParent: true },
  })
  expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c.example/otlp/' })?.url).toBe(
    'https://c.example/otlp/v1/traces',
  )
  expect(
    read({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://other:4318',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c.example/exactly',
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20c2VjcmV0, x-scope=shop',
      OTEL_SERVICE_NAME: 'payments',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
    }),
  ).toEqual({
    url: 'https://c.example/exactly',
    headers: { authorization: 'Basic c2VjcmV0', 'x-scope': 'shop' },
    serviceName: 'payments',
    sampling: { share: 0.1, followsParent: false },
  })
})

it.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'http://user:secret-word@collector:4318'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'secret-word'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a=secret-word%0d%0ahost: b'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
])('an invalid %s is refused, and no secret is repeated: %s', (name, value) => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_TRACES_SAMPLER: 'traceidratio' }
  const refusal = () => readSettings({ ...env, [name]: value })
  expect(refusal).toThrow(`${name} must`)
  expect(refusal).not.toThrow('secret-word')
})
