import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding } from './encoding.ts'
import type { Observer } from './metrics.ts'
import { type PageFile, servePageFiles } from './page-files.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  // The search index.
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const notBuilt = 'The guides are not built. The operator of this service has to run: npm run build'

/** The guides at `/guides/`, and the files that they load. */
export function serveGuides(
  server: FastifyInstance,
  /** By name; empty if they are not built. */
  parts: {
    readonly pages: ReadonlyMap<string, PageFile>
    readonly files: ReadonlyMap<string, PageFile>
    readonly observer: Observer
  },
): void {
  const { pages, files, observer } = parts
  const observe = observer('guide')

  const show = (request: FastifyRequest, reply: FastifyReply, slug: string) => {
    request.operation = 'guide'
    request.observe = observe
    const page = pages.get(`${slug}.html`)
    const shown = page ?? pages.get('not-found.html')
    reply.headers({
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
      // An upgrade changes them.
      'Cache-Control': 'no-cache',
      Vary: 'Accept-Encoding',
    })
    if (shown === undefined)
      return reply
        .code(503)
        .headers({ 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': 60 })
        .send(notBuilt)
    if (page === undefined || slug === 'not-found') reply.code(404)
    const encoding = acceptedEncoding(request.headers['accept-encoding'])
    const bytes = shown.bytes[encoding ?? 'plain']
    if (encoding !== null && bytes !== shown.bytes.plain) reply.header('Content-Encoding', encoding)
    return reply.header('Content-Type', shown.mediaType).send(bytes)
  }

  server.get('/guides', (request, reply) => {
    request.operation = 'guide'
    return reply.redirect('/guides/', 301)
  })
  server.get('/guides/', (request, reply) => show(request, reply, 'index'))
  server.get('/guides/:slug', (request, reply) =>
    show(request, reply, (request.params as { slug: string }).slug),
  )
  servePageFiles(server, { path: '/guides-assets/', operation: 'guide_file', files, observer })
}
