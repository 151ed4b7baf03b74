import type { PageState } from '@sluice/web/checkout'
import type { Checkout } from '@sluice/web/contract'
import { expect } from 'vitest'
import { type Answer, readContract } from './contract.ts'
import { startTestService, type TestService } from './service.ts'
import { openShop, quiet, type Shop } from './shop.ts'

const contract = readContract('internal-contract.generated.json')

/** Every operation of the payment page, for tests that must cover them all. */
export const checkoutOperations = contract.operations.filter(({ path }) => path.startsWith('/checkout-api/'))

/** A page that only contains its state, for tests of the code that serves it. */
export const tinyPage = new URL('./tiny-page/', import.meta.url)

/** A shop that shows the tiny page. Its service is behind a proxy, so that visitors can have addresses of their own. */
export async function openShopBehindProxy(): Promise<{ service: TestService; shop: Shop }> {
  const env = { ...quiet.env, SLUICE_TRUSTED_PROXIES: '127.0.0.1' }
  const service = await startTestService({ ...quiet, env, page: tinyPage })
  return { service, shop: await openShop(service) }
}

let visitors = 0
/** The headers of a visitor with an IP address of its own: one visitor's guesses do not count against another. */
export function newVisitor(): Record<string, string> {
  visitors++
  return { 'X-Forwarded-For': `10.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}` }
}

export type OpenedPage = {
  readonly status: number
  readonly headers: Headers
  readonly html: string
  readonly state: PageState
}

/** Opens a payment page, or the page in its place, and reads its state. */
export async function openPage(
  url: string,
  options: { headers?: Record<string, string>; form?: Record<string, string> } = {},
): Promise<OpenedPage> {
  const { form } = options
  const response = await fetch(url, {
    ...(options.headers !== undefined && { headers: options.headers }),
    ...(form !== undefined && { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' }),
  })
  const html = await response.text()
  const text = /id="state">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null'
  const state = JSON.parse(text) as PageState
  if (state?.checkout != null) contract.expectSchema('Checkout', state.checkout)
  for (const offer of state?.offers ?? []) contract.expectSchema('CheckoutOffer', offer)
  if (state?.token != null) contract.expectSchema('CheckoutToken', state.token)
  return { status: response.status, headers: response.headers, html, state }
}

/** The token that a page is opened with. */
export async function tokenOf(invoice: { checkout_url: string }): Promise<string> {
  const { state, html } = await openPage(invoice.checkout_url)
  expect(state?.token, html).not.toBeNull()
  return state.token?.token as string
}

/** Calls an operation as a payment page does, and checks the answer against the contract. */
export async function callCheckout(
  baseUrl: string,
  operationId: string,
  options: { token?: string; json?: object; body?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const operation = contract.find(operationId)
  const body = options.json === undefined ? options.body : JSON.stringify(options.json)
  const response = await fetch(`${baseUrl}${operation.path}`, {
    method: operation.method,
    headers: {
      ...(options.token !== undefined && { Authorization: `Bearer ${options.token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...options.headers,
    },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  const answer = { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
  contract.expect(operation, answer)
  return answer
}

export type StreamEvent = { readonly event: string; readonly data: unknown }

/** An open stream of a payment page, with everything received so far. */
export type OpenStream = {
  readonly events: StreamEvent[]
  /** The newest view; each one was checked against the contract. */
  latest(): Checkout | null
  /** Resolves once the service or the test has ended it. */
  readonly ended: Promise<void>
  close(): void
}

/** Follows a payment page as its script does. */
export async function followPage(
  baseUrl: string,
  token: string,
  headers: Record<string, string> = {},
): Promise<OpenStream> {
  const stop = new AbortController()
  const response = await fetch(`${baseUrl}${contract.find('followCheckout').path}`, {
    headers: { Authorization: `Bearer ${token}`, ...headers },
    signal: stop.signal,
  })
  if (response.status !== 200 || response.body === null)
    throw new Error(`the stream was refused: ${response.status} ${await response.text()}`)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('x-request-id')).toMatch(/^req_/)
  const events: StreamEvent[] = []
  const schemas: Record<string, string> = { checkout: 'Checkout', token: 'CheckoutToken' }
  return {
    events,
    latest: () =>
      (events.findLast(({ event }) => event === 'checkout')?.data as Checkout | undefined) ?? null,
    ended: read(response.body),
    close: () => stop.abort(),
  }

  async function read(body: ReadableStream<Uint8Array>): Promise<void> {
    let text = ''
    try {
      for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
        text += chunk
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) {
          const event = /^event: (.*)$/m.exec(block)?.[1]
          if (event === undefined) continue
          const data: unknown = JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? 'null')
          if (schemas[event] !== undefined) contract.expectSchema(schemas[event], data)
          events.push({ event, data })
        }
      }
    } catch (error) {
      // Cut, by us or by the service: nothing more will come.
      if (!(error instanceof Error)) throw error
    }
  }
}
