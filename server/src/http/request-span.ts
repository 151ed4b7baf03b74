import type { FastifyRequest } from 'fastify'
import type { Span, Tracer } from '../tracing/span.ts'
import { readTraceparent } from '../tracing/traceparent.ts'

const firstServerError = 500

/**
 * Begins the span of a request, in the trace of the caller that sent a `traceparent` (W3C Trace Context). A malformed one is
 * ignored. It knows the path's template, never the path: that of a payment page is a secret.
 */
export function startRequestSpan(tracer: Tracer, request: FastifyRequest, route: string): Span {
  return tracer.start(`${request.method} ${route}`, {
    kind: 'server',
    parent: readTraceparent(request.headers.traceparent),
    attributes: {
      'http.request.method': request.method,
      'http.route': route,
      'sluice.operation': request.operation,
      'sluice.request_id': request.id,
    },
  })
}

export function endRequestSpan(span: Span, { caller }: FastifyRequest, status: number): void {
  if (caller !== null) {
    span.set('sluice.merchant_id', caller.merchantId)
    span.set('sluice.environment', caller.environment)
  }
  span.set('http.response.status_code', status)
  if (status >= firstServerError) span.fail(String(status))
  span.end()
}
