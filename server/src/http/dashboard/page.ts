import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding, compress, type Encoding } from '../encoding.ts'
import type { Observer } from '../metrics.ts'

const notBuilt = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Not available</title>
<h1>The dashboard is not available right now</h1>
<p>The operator of this service has to build its pages first: <code>npm run build</code>.</p>
</html>
`

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  // The page's script sends what users type; a form that submits itself would put passwords into URLs.
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  // The browser refuses to turn text into HTML; only the page's own compiled templates may.
  "require-trusted-types-for 'script'",
  'trusted-types svelte-trusted-html',
].join('; ')

const unused = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'usb']
const permissions = [
  'publickey-credentials-create=(self)',
  'publickey-credentials-get=(self)',
  ...unused.map((name) => `${name}=()`),
].join(', ')

/** The dashboard's page: the same HTML at `/dashboard` and every path below it; its script decides what to show. */
export async function serveDashboardPage(
  server: FastifyInstance,
  /** `html` is null if the page is not built. */
  parts: { html: Buffer | null; observer: Observer },
): Promise<void> {
  const observe = parts.observer('dashboard_page')
  const html = parts.html ?? Buffer.from(notBuilt)
  const bodies: Readonly<Record<Encoding, Buffer>> = {
    br: await compress(html, 'br'),
    gzip: await compress(html, 'gzip'),
  }

  const show = (request: FastifyRequest, reply: FastifyReply) => {
    request.operation = 'dashboard_page'
    request.observe = observe
    sayHeaders(reply)
    if (parts.html === null) reply.code(503).header('Retry-After', 60)
    const encoding = acceptedEncoding(request.headers['accept-encoding'])
    if (encoding === null) return reply.send(html)
    return reply.header('Content-Encoding', encoding).send(bodies[encoding])
  }
  server.get('/dashboard', show)
  server.get('/dashboard/*', show)
}

/** The page's headers: cache nothing, send no referrer, load only our own files, allow no framing. */
function sayHeaders(reply: FastifyReply): void {
  reply.headers({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'X-Frame-Options': 'DENY',
    'Cache-Control': 'no-store',
    Vary: 'Accept-Encoding',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': permissions,
    'X-Robots-Tag': 'noindex',
  })
}
