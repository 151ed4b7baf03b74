import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Seen = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export type Reply = (response: ServerResponse, seen: Seen) => void

/** A server that answers each request with the next of its replies, and repeats the last one. */
export type ScriptedServer = {
  readonly url: string
  readonly seen: Seen[]
  /** Forgets what was seen, and answers with these from now on. */
  script(...replies: readonly Reply[]): void
  close(): Promise<void>
}

export async function startScriptedServer(): Promise<ScriptedServer> {
  const seen: Seen[] = []
  let replies: readonly Reply[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url = '', headers } = request
    const one = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') }
    seen.push(one)
    const reply = replies[seen.length - 1] ?? replies.at(-1)
    reply?.(response, one)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    seen,
    script(...given) {
      seen.length = 0
      replies = given
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Answers with a status and JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

const meta = { request_id: 'req_00000000000000000000000001' }
export const one = (data: object = { id: 'a' }, headers: Record<string, string> = {}) =>
  json(200, { data, meta }, headers)
export const rows = (data: readonly object[]) => json(200, { data, meta })
export const page = (data: readonly object[], hasMore: boolean) =>
  json(200, { data, meta: { ...meta, pagination: { total: 3, limit: 100, offset: 0, has_more: hasMore } } })
export const refusal = (
  status: number,
  code: string,
  { message = 'No.', details = [] as readonly string[], headers = {} as Record<string, string> } = {},
) => json(status, { error: { code, message, details }, meta }, headers)

/** Sends these bytes and closes the connection, even if they promised more. */
export const cut =
  (bytes: string): Reply =>
  (response) => {
    response.socket?.write(bytes, () => response.socket?.destroy())
  }

/** Never ends: a byte of its headers now and then. */
export const drip: Reply = (response) => {
  const { socket } = response
  socket?.write('HTTP/1.1 200 OK\r\nX-Slow: ')
  const timer = setInterval(() => socket?.write('a'), 20)
  socket?.once('close', () => clearInterval(timer))
}
