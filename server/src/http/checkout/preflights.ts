import type { FastifyInstance } from 'fastify'
import type { Observer } from '../metrics.ts'
import { type CheckoutGatekeeper, sayAnyOrigin } from './gatekeeper.ts'

const daySeconds = 86_400

/** Lets pages of any origin call this path (the CORS protocol of the Fetch standard). It reads nothing of the path itself. */
export function answerPreflights(
  server: FastifyInstance,
  parts: { path: string; gatekeeper: CheckoutGatekeeper; observer: Observer },
): void {
  const observe = parts.observer('preflight')
  server.options(parts.path, async (request, reply) => {
    request.operation = 'preflight'
    request.observe = observe
    sayAnyOrigin(reply)
    await parts.gatekeeper.admitVisitor(request, reply)
    return reply
      .code(204)
      .headers({
        'X-Request-Id': request.id,
        'Access-Control-Allow-Methods': 'GET, HEAD, POST',
        'Access-Control-Allow-Headers': 'Content-Type',
        'Access-Control-Max-Age': String(daySeconds),
      })
      .send()
  })
}
