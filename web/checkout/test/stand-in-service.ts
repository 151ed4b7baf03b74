import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { PageRenderer, PageState } from '@sluice/web/checkout'
import type { Checkout } from '@sluice/web/contract'
import { offers } from './fixtures.ts'

const dist = join(import.meta.dirname, '../dist')

/** The built page's renderer. The page must be built first. */
export async function builtRenderer(): Promise<PageRenderer> {
  return (await import(join(dist, 'server/render.js'))) as PageRenderer
}

/** A call of the page to the service. */
export type Asked = { readonly call: string; readonly authorization: string; readonly body: string }

/** What the stand-in answers, and the calls it received. */
export type StandIn = {
  readonly url: string
  readonly asked: Asked[]
  /** How many pages follow the stream now. */
  followers(): number
  /** A time this many seconds from now, by its clock. */
  inSeconds(seconds: number): string
  /** Shows a page, at once to all that follow. */
  show(state: PageState): void
  say(event: string, data: unknown): void
  /** The status and code that all calls, or only one of them, answer until this is null again. */
  refuse: { readonly status: number; readonly code: string; readonly only?: string } | null
  /** The transaction for wallets on Solana, in base64. */
  transaction: string
  /** What the next answer to a choice or a simulation shows. */
  answer: Checkout | null
  /** No stream is opened while this is false. */
  streams: boolean
  /** Ends all streams, as a proxy or a restart does. */
  cut(): void
  close(): Promise<void>
}

/**
 * The service's side of the page, on a real socket and under the service's content security policy, with canned states. Its
 * clock stands still at the time of the state, or runs from there.
 */
export async function startStandIn(first: PageState, clock: 'still' | 'running' = 'still'): Promise<StandIn> {
  const startedAtMs = Date.now()
  const { render, languageFor } = await builtRenderer()
  const streams = new Set<ServerResponse>()
  let state = first

  const checkout = (): Checkout | null => {
    if (state.checkout === null || clock === 'still') return state.checkout
    return { ...state.checkout, now: inSeconds(0) }
  }
  const inSeconds = (seconds: number) => {
    const passedMs = clock === 'still' ? 0 : Date.now() - startedAtMs
    return new Date(Date.parse(state.checkout?.now ?? '') + passedMs + seconds * 1_000).toISOString()
  }
  const write = (stream: ServerResponse, event: string, data: unknown) =>
    stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)

  const page = (request: IncomingMessage, response: ServerResponse, query: URLSearchParams) => {
    const language = languageFor(
      query.get('lang') ?? state.language,
      request.headers['accept-language'] ?? null,
    )
    const embedded = query.get('embed') === '1' || state.embedded
    const csp = `default-src 'none'; script-src 'self'; style-src 'nonce-n'; font-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors *`
    response.setHeader('content-security-policy', csp)
    response.setHeader('cache-control', 'no-store')
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(render({ ...state, checkout: checkout(), language, embedded }, 'n'))
  }

  const api = async (request: IncomingMessage, response: ServerResponse, call: string) => {
    const authorization = request.headers.authorization ?? ''
    standIn.asked.push({ call: `${request.method} ${call}`, authorization, body: await text(request) })
    if (standIn.refuse !== null && (standIn.refuse.only ?? call) === call) {
      response.writeHead(standIn.refuse.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { code: standIn.refuse.code, message: '' }, meta: {} }))
    } else if (call === 'invoice/stream') {
      if (!standIn.streams) return void response.writeHead(503).end()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      streams.add(response)
      response.once('close', () => streams.delete(response))
      write(response, 'checkout', checkout())
    } else {
      const answers: Record<string, unknown> = {
        invoice: checkout(),
        assets: state.offers ?? offers,
        token: { token: 'a-newer-token', expires_at: '2036-11-15T09:45:00.000Z' },
        asset: standIn.answer ?? checkout(),
        simulation: standIn.answer ?? checkout(),
      }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ data: answers[call], meta: { request_id: '' } }))
    }
  }

  const wallet = async (request: IncomingMessage, response: ServerResponse, pathname: string) => {
    const { authorization = '' } = request.headers
    standIn.asked.push({ call: `${request.method} ${pathname}`, authorization, body: await text(request) })
    response.writeHead(standIn.refuse?.status ?? 200, { 'content-type': 'application/json' })
    const answer =
      standIn.refuse === null
        ? { transaction: standIn.transaction, message: 'A payment' }
        : { error: { code: standIn.refuse.code, message: '' } }
    response.end(JSON.stringify({ ...answer, meta: { request_id: '' } }))
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in')
    const call = /^\/checkout-api\/(.+)$/.exec(pathname)?.[1]
    if (call !== undefined) void api(request, response, call)
    else if (pathname.startsWith('/solana-pay/')) void wallet(request, response, pathname)
    else if (pathname.startsWith('/checkout-assets/')) void asset(response, basename(pathname))
    else if (pathname.startsWith('/pay/') && request.method === 'POST') {
      void text(request).then((body) => {
        standIn.asked.push({ call: 'POST page', authorization: '', body })
        response.writeHead(303, { location: request.url ?? '' }).end()
      })
    } else if (pathname === '/shop')
      response.setHeader('content-type', 'text/html').end('<title>A shop</title>')
    else page(request, response, searchParams)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))

  const standIn: StandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    refuse: null,
    transaction: 'AQID',
    answer: null,
    streams: true,
    followers: () => streams.size,
    inSeconds,
    show(next) {
      state = next
      for (const stream of streams) write(stream, 'checkout', checkout())
    },
    say(event, data) {
      for (const stream of streams) write(stream, event, data)
    },
    cut() {
      for (const stream of streams) stream.destroy()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return standIn
}

async function asset(response: ServerResponse, name: string): Promise<void> {
  const content = await readFile(join(dist, 'client', name)).catch(() => null)
  if (content === null) return void response.writeHead(404).end()
  const type = name.endsWith('.woff2') ? 'font/woff2' : 'text/javascript'
  response.writeHead(200, { 'content-type': type }).end(content)
}
