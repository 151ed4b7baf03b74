import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** An exchange on a free local port. It answers each request with the answer set last, and records the requests. */
export type Replay = {
  readonly url: string
  readonly asked: string[]
  answer: Answer
  close(): Promise<void>
}

export async function startReplay(): Promise<Replay> {
  const server = createServer((request, response) => {
    replay.asked.push(decodeURIComponent(request.url ?? ''))
    replay.answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const replay: Replay = {
    url: `http://127.0.0.1:${port}`,
    asked: [],
    answer: status(500),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return replay
}

/** Answers with a recorded body. */
export function recorded(name: string, code = 200, headers: Record<string, string> = {}): Answer {
  return text(fixture(name), code, headers)
}

export function text(body: string, code = 200, headers: Record<string, string> = {}): Answer {
  return (_request, response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(body)
  }
}

export function status(code: number, headers: Record<string, string> = {}): Answer {
  return (_request, response) => {
    response.writeHead(code, headers).end()
  }
}

/** Answers with the entry for the first listed part that the URL contains. */
export function byUrl(answers: Record<string, Answer>, otherwise: Answer): Answer {
  return (request, response) => {
    const part = Object.keys(answers).find((key) => request.url?.includes(key))
    const answer = part === undefined ? otherwise : answers[part]
    answer?.(request, response)
  }
}

export function fixture(name: string): string {
  return readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8')
}
