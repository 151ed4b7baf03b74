import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../domain/errors.ts'
import type { Logo } from '../../store/merchants/merchant-brands.ts'
import type { Observer } from '../metrics.ts'
import { forEver } from '../page-files.ts'
import type { CheckoutGatekeeper } from './gatekeeper.ts'

const hashPattern = /^[0-9a-f]{64}$/

/** A neutral picture for wallets that demand one, where the shop has none that they accept. */
export const neutralIconPath = '/checkout-assets/icon.svg'
const neutralIcon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#1f2937"/>' +
  '<g fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round">' +
  '<rect x="13" y="20" width="38" height="26" rx="5"/><path d="M13 28h38M20 38h8"/></g></svg>'
// Pictures opened on their own must not run anything.
const pictureHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
} as const
const iconSeconds = 86_400

/** Serves merchants' logos, which payment pages show, at `/checkout-assets/logo/`, and the neutral picture. */
export function serveLogos(
  server: FastifyInstance,
  parts: {
    findLogo: (sha256: string) => Promise<Logo | null>
    gatekeeper: CheckoutGatekeeper
    observer: Observer
  },
): void {
  const { findLogo, gatekeeper } = parts
  const observe = parts.observer('checkout_logo')
  server.get('/checkout-assets/logo/:sha256', async (request, reply) => {
    request.operation = 'checkout_logo'
    request.observe = observe
    await gatekeeper.admitVisitor(request, reply)
    const { sha256 } = request.params as { sha256: string }
    const logo = hashPattern.test(sha256) ? await findLogo(sha256) : null
    if (logo === null) throw new ServiceError('not_found', 'There is no such picture.')
    return reply
      .headers(pictureHeaders)
      .header('Content-Type', logo.mediaType)
      .header('Cache-Control', forEver)
      .send(logo.bytes)
  })
  server.get(neutralIconPath, async (request, reply) => {
    request.operation = 'checkout_logo'
    request.observe = observe
    await gatekeeper.admitVisitor(request, reply)
    return reply
      .headers(pictureHeaders)
      .header('Content-Type', 'image/svg+xml')
      .header('Cache-Control', `public, max-age=${iconSeconds}`)
      .send(neutralIcon)
  })
}
