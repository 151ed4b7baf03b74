import type { IncomingMessage, ServerResponse } from 'node:http'

/** Ours are a few kilobytes. */
const mostBytes = 1_000_000

/** Keeps the body of a webhook as the bytes that were signed; Vendure's parser would make an object of it. */
export function keepRawBody(
  request: IncomingMessage & { body?: unknown },
  response: ServerResponse,
  next: (error?: unknown) => void,
): void {
  const chunks: Buffer[] = []
  let bytes = 0
  request.on('error', next)
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= mostBytes) chunks.push(chunk)
  })
  request.on('end', () => {
    if (bytes > mostBytes) {
      response.writeHead(413).end()
      return
    }
    request.body = Buffer.concat(chunks)
    next()
  })
}
