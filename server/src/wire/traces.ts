import { randomUUID } from 'node:crypto'
import packaged from '../../package.json' with { type: 'json' }
import type { Metrics } from '../http/metrics.ts'
import type { Log } from '../log.ts'
import { createOtlpExporter } from '../outbound/traces/otlp-exporter.ts'
import type { TracingSettings } from '../settings/trace-config.ts'
import type { Tracer } from '../tracing/span.ts'
import { createTracer } from '../tracing/tracer.ts'
import type { Closers } from './closers.ts'

export type Traces = { readonly tracer: Tracer; addMetrics(metrics: Metrics): void }

/** What makes and exports the traces of this process. */
export function assembleTraces(tracing: TracingSettings, role: string, log: Log, closers: Closers): Traces {
  const exporter = createOtlpExporter({
    url: tracing.url,
    headers: tracing.headers,
    resource: {
      'service.name': tracing.serviceName,
      'service.version': packaged.version,
      'service.instance.id': randomUUID(),
      'sluice.role': role,
    },
    onTrouble: (reason) => log.warn({ reason }, 'the collector takes no traces; the service goes on without'),
    onRecovered: () => log.info('the collector takes traces again'),
  })
  closers.add(() => exporter.close())
  return {
    tracer: createTracer(tracing.sampling, (span) => exporter.add(span)),
    addMetrics(metrics) {
      const counted = (name: string, help: string, read: () => number) =>
        metrics.counters(name, help, [], async () => [{ labels: {}, value: read() }])
      counted(
        'sluice_trace_spans_exported_total',
        'Spans that the collector has taken.',
        () => exporter.counts.exported,
      )
      counted(
        'sluice_trace_spans_dropped_total',
        'Spans that were dropped because the collector did not take them in time.',
        () => exporter.counts.dropped,
      )
    },
  }
}
