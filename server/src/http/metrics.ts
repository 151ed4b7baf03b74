import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'

const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const maxWaiting = 256

/** Counts the answers of one operation, by status. */
export type Observer = (operation: string) => (status: number, seconds: number) => void

/** One number of a metric, and what it is about. */
export type Series = { readonly labels: Readonly<Record<string, string>>; readonly value: number }

type ReadAtScrape = (
  name: string,
  help: string,
  labelNames: readonly string[],
  read: () => Promise<readonly Series[]>,
) => void

export type Metrics = {
  readonly requestObserver: Observer
  /** A number read at each scrape. */
  gauge(name: string, help: string, read: () => number): void
  /** Numbers by label, read at each scrape. */
  readonly gauges: ReadAtScrape
  /** The same for numbers that only grow while the process runs. */
  readonly counters: ReadAtScrape
  text(): Promise<string>
  readonly contentType: string
}

let ofProcess: Registry | null = null

/**
 * Memory, event loop and garbage collection of this process. They are sampled by timers that never end, so a process has one
 * set of them, however many services it starts and stops.
 */
function processMetrics(): Registry {
  if (ofProcess === null) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
    // It would report 0: the process may not read its own /proc/self/fd.
    ofProcess.removeSingleMetric('process_open_fds')
  }
  return ofProcess
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  const durations = new Histogram({
    name: 'sluice_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames: ['operation', 'status'],
    buckets: durationBuckets,
    registers: [registry],
  })
  // Counting in batches costs each request a fraction of counting it alone.
  const counters: (() => void)[] = []
  const countAll = () => {
    for (const count of counters) count()
  }

  return {
    requestObserver(operation) {
      const byStatus = new Map<number, number[]>()
      return (status, seconds) => {
        let waiting = byStatus.get(status)
        if (waiting === undefined) {
          waiting = []
          byStatus.set(status, waiting)
          const series = durations.labels(operation, String(status))
          const observed = waiting
          counters.push(() => {
            for (const each of observed) series.observe(each)
            observed.length = 0
          })
        }
        waiting.push(seconds)
        if (waiting.length >= maxWaiting) countAll()
      }
    },
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read())
        },
      })
    },
    gauges(name, help, labelNames, read) {
      new Gauge({
        name,
        help,
        labelNames: [...labelNames],
        registers: [registry],
        async collect() {
          const found = await read()
          // Series that no longer exist must not be shown forever; a metric without labels would be shown as 0.
          this.reset()
          if (labelNames.length === 0) this.remove({})
          for (const { labels, value } of found) this.set(labels, value)
        },
      })
    },
    counters(name, help, labelNames, read) {
      new Counter({
        name,
        help,
        labelNames: [...labelNames],
        registers: [registry],
        async collect() {
          const found = await read()
          this.reset()
          for (const { labels, value } of found) this.inc(labels, value)
        },
      })
    },
    text() {
      countAll()
      return Registry.merge([processMetrics(), registry]).metrics()
    },
    contentType: registry.contentType,
  }
}

// Prometheus and health checks need one connection each, and send their requests at once.
const maxConnections = 32
const requestTimeoutMs = 10_000

/** Serves `/metrics` for Prometheus and `/healthz` for health checks of any role, on their own port. */
export function createMetricsServer(metrics: Metrics, onError: (error: unknown) => void): Server {
  const server = createServer({ requestTimeout: requestTimeoutMs }, answer)
  server.maxConnections = maxConnections
  return server

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.method === 'GET' || request.method === 'HEAD' ? request.url : undefined
    if (path !== '/metrics') {
      response.writeHead(path === '/healthz' ? 200 : 404).end()
      return
    }
    metrics.text().then(
      (text) =>
        response
          .writeHead(200, {
            'Content-Type': metrics.contentType,
            'Content-Length': Buffer.byteLength(text),
          })
          .end(text),
      (error) => {
        onError(error)
        response.writeHead(500).end()
      },
    )
  }
}
