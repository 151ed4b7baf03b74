import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// biome-ignore lint/suspicious/noExplicitAny: any request to a node and any answer
type Json = any

/** What becomes of a request: the node's answer or another one in its place, a cut connection, or nothing at all. */
export type Fault = (
  exchange: {
    /** One call, or several. */
    readonly body: Json
    /** The methods called. */
    readonly methods: readonly string[]
    /** The node's own answer, as text. */
    ask(): Promise<string>
  },
  response: ServerResponse,
) => Promise<string | 'cut' | 'hang' | undefined>

export type FaultProxy = {
  /** The node's URL, with its user and password. */
  readonly url: string
  /** What happens to every request from now on; null for nothing. */
  fault: Fault | null
  /** How often each method was called. */
  readonly calls: Map<string, number>
  /** How many requests arrived, of any content. */
  requests: number
  close(): Promise<void>
}

/** Takes a node away behind its proxy, and gives it back. */
export function plugOf(proxy: FaultProxy) {
  return {
    async stop() {
      proxy.fault = async () => 'cut' as const
    },
    async start() {
      proxy.fault = null
    },
  }
}

/** A proxy between a gate and its node that can make things go wrong. */
export async function startFaultProxy(nodeUrl: string): Promise<FaultProxy> {
  const node = new URL(nodeUrl)
  const login = `${decodeURIComponent(node.username)}:${decodeURIComponent(node.password)}`
  const target = `http://${node.host}/`

  const server = createServer(async (request, response) => {
    proxy.requests++
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    const body = JSON.parse(text)
    const methods = [body].flat().map(({ method }) => method)
    for (const method of methods) proxy.calls.set(method, (proxy.calls.get(method) ?? 0) + 1)
    let status = 200
    const ask = async () => {
      const authorization = `Basic ${Buffer.from(login).toString('base64')}`
      // A node closes idle connections, and may close a kept one just as it is used.
      const headers = { authorization, 'content-type': 'application/json', connection: 'close' }
      const answer = await fetch(target, { method: 'POST', body: text, headers })
      status = answer.status
      return answer.text()
    }
    try {
      const answer = proxy.fault === null ? await ask() : await proxy.fault({ body, methods, ask }, response)
      if (answer === 'cut') response.destroy()
      else if (answer !== 'hang' && answer !== undefined) response.writeHead(status).end(answer)
    } catch {
      // The node is unreachable.
      response.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(nodeUrl)
  url.port = String((server.address() as AddressInfo).port)
  const proxy: FaultProxy = {
    url: url.href,
    fault: null,
    calls: new Map(),
    requests: 0,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}

/** Changes the result of one method wherever it is called. */
export function changing(method: string, change: (result: Json, params: Json) => Json): Fault {
  return async ({ body, ask }) => {
    const answer = JSON.parse(await ask())
    const asked: Json[] = [body].flat()
    const answered: Json[] = [answer].flat()
    for (const [at, { method: called, params }] of asked.entries())
      if (called === method && answered[at].error == null)
        answered[at].result = change(answered[at].result, params)
    return JSON.stringify(answer)
  }
}

/** Refuses one method wherever it is called, like a node that does not support it or lacks the data. */
export function refusing(
  method: string,
  code: number,
  message: string,
  isMeant: (params: Json) => boolean = () => true,
): Fault {
  return async ({ body, ask }) => {
    const answer = JSON.parse(await ask())
    const asked: Json[] = [body].flat()
    const answered: Json[] = [answer].flat()
    for (const [at, { method: called, params, id }] of asked.entries())
      if (called === method && isMeant(params))
        answered[at] = { jsonrpc: '2.0', id, error: { code, message } }
    return JSON.stringify(Array.isArray(answer) ? answered : answered[0])
  }
}

/** Answers this many requests per second and refuses the others, as hosted providers do; counts both. */
export function limiting(
  perSecond: number,
): Fault & { readonly served: () => number; readonly refused: () => number } {
  let [served, refused] = [0, 0]
  let lately: number[] = []
  const fault: Fault = async ({ ask }, response) => {
    const nowMs = performance.now()
    lately = lately.filter((atMs) => nowMs - atMs < 1_000)
    if (lately.length >= perSecond) {
      refused++
      response.writeHead(429, { 'Retry-After': '1' }).end('Too Many Requests')
      return undefined
    }
    lately.push(nowMs)
    served++
    return ask()
  }
  return Object.assign(fault, { served: () => served, refused: () => refused })
}
