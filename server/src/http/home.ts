import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

const page = new URL('../../../web/home/index.html', import.meta.url)

/** A page at `/` that tells whoever opens the address what this is and where to go on. */
export function serveHome(server: FastifyInstance): void {
  const html = readFileSync(page)
  server.get('/', (request, reply) => {
    request.operation = 'home'
    reply
      .header('Content-Type', 'text/html; charset=utf-8')
      .header(
        'Content-Security-Policy',
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      )
      .send(html)
  })
}
