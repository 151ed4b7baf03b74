import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { type ApiClient, createApiClient } from '../../src/cli/developer/client.ts'
import type { Told } from '../../src/cli/developer/follow-events.ts'
import { watchEvents } from '../../src/cli/developer/watch.ts'

const ends: (() => Promise<unknown> | undefined)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** Follows a server that answers like this, as the commands do. */
async function follow(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(async () => server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const key = `sk_test_${'ab'.repeat(32)}`
  const api = createApiClient({ url, key, environment: 'test', isDemo: false })
  const stop = new AbortController()
  const told = api.follow({ after: null, events: null, signal: stop.signal })
  ends.push(async () => stop.abort())
  return told
}

it('a page that something else answers with is no stream, and is not asked for again and again', async () => {
  const told = await follow((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello'),
  )
  await expect(told.next()).rejects.toMatchObject({ code: 'unexpected_answer', status: 200 })
})

it('after a cut it comes back no earlier than the service asks', async () => {
  let isFirst = true
  const told = await follow((_, response) => {
    if (isFirst) response.writeHead(200, { 'content-type': 'text/event-stream' }).end(':\n\n')
    else response.writeHead(429, { 'retry-after': '2' }).end('{}')
    isFirst = false
  })
  const cuts: Told[] = []
  for await (const each of told) {
    if (each.kind === 'cut') cuts.push(each)
    if (cuts.length === 2) break
  }
  expect(cuts).toMatchObject([{ waitMs: expect.any(Number) }, { waitMs: 2_000 }])
})

it('a story that fails leaves nothing that keeps the command from ending', async () => {
  vi.useFakeTimers()
  ends.push(async () => vi.useRealTimers())
  const api = {
    async *follow({ signal }) {
      yield { kind: 'connected', cutMs: null }
      await once(signal, 'abort')
    },
  } as Pick<ApiClient, 'follow'> as ApiClient
  const watch = await watchEvents(api, () => {})
  void watch.seen('invoice.paid', () => true)
  await watch.end()
  expect(vi.getTimerCount()).toBe(0)
})
