import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../domain/errors.ts'

const reading = new Set(['GET', 'HEAD'])

/**
 * Refuses a request that another site made the browser send. Browsers say where a request comes from (`Sec-Fetch-Site`,
 * or `Origin` in older ones), and no page can forge that. A client that sends neither may read but not change.
 */
export function refuseForeign({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): void {
  const site = headers['sec-fetch-site']
  const isOurs = site === undefined ? originIsOurs(headers.origin, headers.host) : site === 'same-origin'
  if (
    isOurs ||
    (reading.has(method) && (site === 'none' || (site === undefined && headers.origin === undefined)))
  )
    return
  throw new ServiceError(
    'forbidden',
    'This request does not come from the dashboard. Open /dashboard and do it there.',
  )
}

// A proxy in front may speak https where we do not, so only the hosts are compared.
function originIsOurs(origin: string | undefined, host: string | undefined): boolean {
  return origin !== undefined && host !== undefined && URL.canParse(origin) && new URL(origin).host === host
}
