import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as it was received, with its attributes by name. */
export type ReceivedSpan = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly status?: { readonly code: number }
  readonly attributes: Readonly<Record<string, string>>
}

export type OtlpCollector = {
  readonly origin: string
  readonly url: string
  readonly spans: ReceivedSpan[]
  /** Everything received, to the letter. */
  readonly texts: string[]
  readonly headers: IncomingHttpHeaders[]
  readonly requests: number
  /** How it answers: as a collector does, unless a test decides otherwise. */
  answer: (response: ServerResponse) => void
  close(): Promise<void>
}

type KeyValue = { key: string; value: { stringValue?: string; intValue?: string } }
type Sent = { resourceSpans: { scopeSpans: { spans: (ReceivedSpan & { attributes: KeyValue[] })[] }[] }[] }

/** A collector that takes traces over OTLP/HTTP in JSON, on a real socket. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const server = createServer(async (request, response) => {
    collector.requests += 1
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    collector.texts.push(text)
    collector.headers.push(request.headers)
    const sent = JSON.parse(text) as Sent
    for (const { scopeSpans } of sent.resourceSpans)
      for (const { spans } of scopeSpans) collector.spans.push(...spans.map(readable))
    collector.answer(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const collector = {
    origin,
    url: `${origin}/v1/traces`,
    spans: [] as ReceivedSpan[],
    texts: [] as string[],
    headers: [] as IncomingHttpHeaders[],
    requests: 0,
    answer: (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return collector
}

function readable(span: Omit<ReceivedSpan, 'attributes'> & { attributes: KeyValue[] }): ReceivedSpan {
  const said = span.attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? ''])
  return { ...span, attributes: Object.fromEntries(said) }
}
