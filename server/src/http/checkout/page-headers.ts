import type { FastifyReply } from 'fastify'

/** The headers of every payment page: cache nothing, send no referrer, load only our own files. */
export function sayPageHeaders(
  reply: FastifyReply,
  page: { readonly nonce: string; readonly embedOrigins: readonly string[] },
): void {
  const frames = page.embedOrigins.length === 0 ? "'none'" : page.embedOrigins.join(' ')
  reply.headers({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'nonce-${page.nonce}'`,
      "font-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      `frame-ancestors ${frames}`,
    ].join('; '),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'X-Robots-Tag': 'noindex',
  })
}
