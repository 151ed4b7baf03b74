import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../domain/errors.ts'
import type { Logo } from '../../store/merchants/merchant-brands.ts'
import type { Observer } from '../metrics.ts'
import { forEver } from '../page-files.ts'
import type { CheckoutGatekeeper } from './gatekeeper.ts'

const hashPattern = /^[0-9a-f]{64}$/

/** Serves merchants' logos, which payment pages show, at `/checkout-assets/logo/`. */
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
    // Opened on its own, the URL shows a picture and nothing that could run.
    return reply
      .header('Content-Type', logo.mediaType)
      .header('Cache-Control', forEver)
      .header('X-Content-Type-Options', 'nosniff')
      .header('Content-Security-Policy', "default-src 'none'; sandbox")
      .send(logo.bytes)
  })
}
