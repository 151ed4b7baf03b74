import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

const folder = new URL('../../../web/home/', import.meta.url)

/** A page at `/` that tells a visitor what this is and where to go next. */
export function serveHome(server: FastifyInstance): void {
  const html = readFileSync(new URL('index.html', folder))
  const icon = readFileSync(new URL('icon.svg', folder))
  server.get('/favicon.ico', (request, reply) => {
    request.operation = 'icon'
    reply.header('Content-Type', 'image/svg+xml').header('Cache-Control', 'public, max-age=86400').send(icon)
  })
  server.get('/', (request, reply) => {
    request.operation = 'home'
    reply
      .header('Content-Type', 'text/html; charset=utf-8')
      .header('X-Content-Type-Options', 'nosniff')
      .header(
        'Content-Security-Policy',
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      )
      .send(html)
  })
}
