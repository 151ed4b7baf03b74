import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../domain/caller.ts'
import type { Environment } from '../domain/environment.ts'
import { RateLimitedError, ServiceError } from '../domain/errors.ts'
import type { Permission } from '../domain/permissions.ts'
import type { Admission } from './bind-contract.ts'
import type { Access } from './contract.ts'
import { clientOf } from './rate-limit/client.ts'
import { enter, sayLimit } from './rate-limit/enter.ts'
import type { RateDecision, RateLimiter } from './rate-limit/rate-limiter.ts'
import type { RollingLog } from './rate-limit/rolling-log.ts'

/** An IP address with more failed authentications than this in the last minute is refused. */
export const maxFailedAuthentications = 600

/** What an operation requires of a key: a permission and, for some, an environment. */
export type Entry = { readonly permission: Permission; readonly environment: Environment | null }

/** Admission to the public contract's operations: open to anyone, or with a key. */
export function keyAdmission(gatekeeper: Gatekeeper): (access: Access) => Admission {
  return (access) => {
    if (access.kind === 'anyone') return gatekeeper.admitAnyone
    if (access.kind !== 'key')
      throw new Error('An operation of the public contract must require a key, or nothing.')
    return (request, reply) => {
      const admitted = gatekeeper.admitCaller(request, reply, access)
      if (!(admitted instanceof Promise)) {
        request.caller = admitted
        return
      }
      return admitted.then((caller) => {
        request.caller = caller
      })
    }
  }
}

export type Gatekeeper = {
  /** Admits a request to a public operation, counted by IP address. */
  admitAnyone(request: FastifyRequest, reply: FastifyReply): void | Promise<void>
  /**
   * Finds the caller and checks their permission: 429 for a guesser, then 401, 429, 403, in this order. If the
   * operation names an environment, a key of the other one counts as unknown.
   */
  admitCaller(request: FastifyRequest, reply: FastifyReply, entry: Entry): Caller | Promise<Caller>
}

/** Everything that can refuse a request before its body is read. Synchronous when nothing has to be looked up. */
export function createGatekeeper(options: {
  /** The caller with this key at this address; null if the key is not accepted there. */
  findCaller: (key: string, ip: string) => Caller | null | Promise<Caller | null>
  keyLimiter: RateLimiter
  ipLimiter: RateLimiter
  /** With the limit `maxFailedAuthentications + 1`: the first failure over the limit is the first one refused. */
  failures: RollingLog
}): Gatekeeper {
  const { findCaller, keyLimiter, ipLimiter, failures } = options

  function refuseGuesser(request: FastifyRequest, reply: FastifyReply): void {
    const standing = failures.peek(clientOf(request))
    if (standing.admitted) return
    sayFailures(reply, standing)
    throw new RateLimitedError(standing.retryAfterSeconds, 'Too many requests with a wrong key.')
  }

  function recognise(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller | null,
    environment: Environment | null,
  ): Caller {
    if (caller !== null && (environment === null || caller.environment === environment)) return caller
    failures.record(clientOf(request))
    sayFailures(reply, failures.peek(clientOf(request)))
    throw new ServiceError('unauthorized', 'Send a valid API key in the header X-API-Key.')
  }

  function permit(caller: Caller, permission: Permission): Caller {
    if (caller.permissions.has(permission)) return caller
    throw new ServiceError('forbidden', `This key lacks the permission ${permission}. Use a key that has it.`)
  }

  return {
    admitAnyone: (request, reply) => enter(reply, ipLimiter, clientOf(request)),

    admitCaller(request, reply, { permission, environment }) {
      refuseGuesser(request, reply)
      const key = request.headers['x-api-key']
      const found = typeof key === 'string' ? findCaller(key, request.ip) : null
      const admit = (caller: Caller): Caller | Promise<Caller> => {
        const entering = enter(reply, keyLimiter, caller.actor)
        return entering instanceof Promise
          ? entering.then(() => permit(caller, permission))
          : permit(caller, permission)
      }
      return found instanceof Promise
        ? found.then((caller) => admit(recognise(request, reply, caller, environment)))
        : admit(recognise(request, reply, found, environment))
    },
  }
}

function sayFailures(reply: FastifyReply, standing: RateDecision): void {
  sayLimit(reply, {
    ...standing,
    limit: maxFailedAuthentications,
    remaining: Math.max(0, standing.remaining - 1),
  })
}
