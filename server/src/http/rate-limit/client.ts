import type { FastifyRequest } from 'fastify'
import { networkOfIp } from '../../domain/throttling.ts'

/** The client that a limit counts a request for: an IPv4 address, or the whole /64 of an IPv6 address, since one customer has all of it. */
export function clientOf({ ip }: Pick<FastifyRequest, 'ip'>): string {
  return networkOfIp(ip)
}
