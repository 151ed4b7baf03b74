import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createOtlpExporter, type Exporter } from '../../src/outbound/traces/otlp-exporter.ts'
import type { Tracer } from '../../src/tracing/span.ts'
import { createTracer } from '../../src/tracing/tracer.ts'
import { type OtlpCollector, startOtlpCollector } from '../support/servers/otlp-collector.ts'

let collector: OtlpCollector
let told: string[]
beforeEach(async () => {
  collector = await startOtlpCollector()
  told = []
})
afterEach(() => collector.close())

function exporting(url: string): { tracer: Tracer; exporter: Exporter } {
  const exporter = createOtlpExporter({
    url,
    headers: { authorization: 'Bearer planted' },
    resource: { 'service.name': 'sluice' },
    onTrouble: (reason) => told.push(reason),
    onRecovered: () => told.push('recovered'),
  })
  return { exporter, tracer: createTracer({ share: 1, followsParent: true }, (span) => exporter.add(span)) }
}

function finish(tracer: Tracer, count: number): void {
  for (let n = 0; n < count; n++) tracer.start('work').end()
}

it('spans arrive at the collector with its headers, as OTLP defines them in JSON', async () => {
  const { tracer, exporter } = exporting(collector.url)
  const parent = tracer.start('request', { kind: 'server', attributes: { 'http.response.status_code': 503 } })
  const child = tracer.start('part', { parent: parent.context, links: [parent.context] })
  child.fail('Oops')
  child.end()
  parent.end()
  await exporter.close()
  expect(exporter.counts).toEqual({ exported: 2, dropped: 0, queued: 0 })
  expect(collector.headers[0]).toMatchObject({
    'content-type': 'application/json',
    authorization: 'Bearer planted',
  })
  const [first, second] = JSON.parse(collector.texts[0] ?? '').resourceSpans[0].scopeSpans[0].spans
  expect(second).toMatchObject({
    ...{ traceId: parent.context.traceId, spanId: parent.context.spanId, name: 'request', kind: 2 },
    attributes: [{ key: 'http.response.status_code', value: { intValue: '503' } }],
  })
  expect(second).not.toHaveProperty('parentSpanId')
  expect(first).toMatchObject({
    traceId: parent.context.traceId,
    parentSpanId: parent.context.spanId,
    kind: 1,
    status: { code: 2 },
    links: [{ traceId: parent.context.traceId, spanId: parent.context.spanId }],
  })
  expect(BigInt(first.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(first.startTimeUnixNano))
  expect(Math.abs(Number(BigInt(first.startTimeUnixNano) / 1_000_000n) - Date.now())).toBeLessThan(60_000)
})

it('a collector that refuses loses those spans, is reported once, and gets the next ones', async () => {
  const { tracer, exporter } = exporting(collector.url)
  const { answer } = collector
  collector.answer = (response) => response.writeHead(503).end()
  finish(tracer, 512)
  await expect.poll(() => exporter.counts.dropped).toBe(512)
  finish(tracer, 512)
  await expect.poll(() => exporter.counts.dropped).toBe(1_024)
  collector.answer = answer
  finish(tracer, 512)
  await expect.poll(() => exporter.counts.exported).toBe(512)
  await exporter.close()
  expect(told).toEqual(['It answered 503.', 'recovered'])
})

it('a collector that is not there costs nothing but its spans, and its URL is not repeated', async () => {
  const { port } = new URL(collector.origin)
  await collector.close()
  const { tracer, exporter } = exporting(`http://127.0.0.1:${port}/secret-path`)
  finish(tracer, 10)
  await exporter.close()
  expect(exporter.counts).toEqual({ exported: 0, dropped: 10, queued: 0 })
  expect(told).toEqual(['No answer: ECONNREFUSED.'])
  collector = await startOtlpCollector()
})

it('headers with a password do not follow a redirect', async () => {
  const other = await startOtlpCollector()
  collector.answer = (response) => response.writeHead(307, { location: other.url }).end()
  const { tracer, exporter } = exporting(collector.url)
  finish(tracer, 1)
  await exporter.close()
  expect([exporter.counts.dropped, other.requests]).toEqual([1, 0])
  await other.close()
})

it('a collector that accepts and never answers fills a bounded queue, and holds up no one, not even the end', async () => {
  const sockets = new Set<Socket>()
  const mute: Server = createServer((socket) => sockets.add(socket.resume())).listen(0, '127.0.0.1')
  await once(mute, 'listening')
  const { tracer, exporter } = exporting(`http://127.0.0.1:${(mute.address() as AddressInfo).port}`)
  finish(tracer, 10_000)
  // One batch is on its way, and as many as the queue holds wait; adding never waited for the socket.
  expect(exporter.counts).toEqual({ exported: 0, dropped: 10_000 - 2_048 - 512, queued: 2_048 })
  const started = performance.now()
  await exporter.close()
  expect(performance.now() - started).toBeLessThan(5_000)
  expect(exporter.counts).toEqual({ exported: 0, dropped: 10_000, queued: 0 })
  finish(tracer, 1)
  expect(exporter.counts.dropped).toBe(10_001)
  for (const socket of sockets) socket.destroy()
  mute.close()
  await once(mute, 'close')
})
