import type { FastifyRequest } from 'fastify'
import { actorOf } from '../domain/people.ts'

/**
 * The log line of one answered request, in the format of the rest of the log. It is built by hand because every request
 * pays for it. Ids and numbers need no escaping; an IP address forwarded by a proxy may. It never contains the URL, a
 * header or a body: each may hold a secret, and a payment page's link and token are secrets.
 */
export function accessLine(request: FastifyRequest, status: number, elapsedMs: number, now: Date): string {
  const { caller, visit, person } = request
  const who =
    caller !== null
      ? `,"actor":"${caller.actor}","merchant_id":"${caller.merchantId}"`
      : visit !== null
        ? `,"invoice_id":"${visit.invoice.id}"`
        : person !== null
          ? `,"actor":"${actorOf(person)}"`
          : ''
  const trace = request.span === null ? '' : `,"trace_id":"${request.span.context.traceId}"`
  const ms = Math.round(elapsedMs * 1000) / 1000
  return (
    `{"level":30,"time":"${now.toISOString()}","request_id":"${request.id}","operation":"${request.operation}",` +
    `"status":${status},"ms":${ms},"ip":${JSON.stringify(request.ip)}${who}${trace},"msg":"request"}\n`
  )
}
