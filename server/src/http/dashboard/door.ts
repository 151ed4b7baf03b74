import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app/app.ts'
import { type Arrival, maxUserAgent } from '../../app/people/arrival.ts'
import { hashOfToken } from '../../app/people/tokens.ts'
import type { Caller } from '../../domain/caller.ts'
import { type Environment, environments } from '../../domain/environment.ts'
import { RateLimitedError, ServiceError } from '../../domain/errors.ts'
import { isUuid } from '../../domain/ids.ts'
import {
  actorIn,
  actorOf,
  demandOwnPassword,
  demandProof,
  demandSecondFactor,
  type Person,
} from '../../domain/people.ts'
import { permissionsOf, powersOf } from '../../domain/roles.ts'
import type { OpenSession } from '../../store/people/sessions.ts'
import type { Admission } from '../bind-contract.ts'
import type { Access } from '../contract.ts'
import { clientOf } from '../rate-limit/client.ts'
import { enter, sayLimit } from '../rate-limit/enter.ts'
import type { RateLimiter } from '../rate-limit/rate-limiter.ts'
import type { RollingLog } from '../rate-limit/rolling-log.ts'
import type { DashboardCookies } from './cookies.ts'
import { refuseForeign } from './same-origin.ts'

/** How many calls without a session an IPv4 address or an IPv6 network may make in a minute. */
export const callsPerStranger = 120
/** How many calls a session may make in a minute. */
export const callsPerSession = 600

type SessionAccess = Extract<Access, { kind: 'session' }>
type Scope = { readonly merchantID?: string; readonly environment?: string }

/**
 * Admission to the dashboard's operations: 401, 429, 403 for requests from another site or with a printed password, 404 for a merchant of which
 * the user is not a member, 403 if the user's role lacks the power, 403 if a second factor has to be set up or shown first.
 */
export function dashboardDoor(options: {
  app: App
  cookies: DashboardCookies
  sessionLimiter: RateLimiter
  ipLimiter: RateLimiter
  /** Calls without a session. With the limit `callsPerStranger + 1`: the first over the limit is the first one refused. */
  strangers: RollingLog
}): (access: Access) => Admission {
  const { app, cookies, sessionLimiter, ipLimiter, strangers } = options

  return (access) => {
    if (access.kind === 'anyone')
      return async (request, reply) => {
        await enter(reply, ipLimiter, clientOf(request))
        refuseForeign(request)
        request.from = arrivalOf(request)
      }
    if (access.kind !== 'session')
      throw new Error('An operation of the dashboard must require its session, or nothing.')
    return (request, reply) => admit(request, reply, access)
  }

  async function admit(request: FastifyRequest, reply: FastifyReply, access: SessionAccess): Promise<void> {
    const session = await findSession(request, reply)
    await enter(reply, sessionLimiter, session.sessionId)
    refuseForeign(request)
    if (!access.withPrintedPassword) demandOwnPassword(session)
    const scope = request.params as Scope
    // The operator acts for all merchants.
    const isScoped = scope.merchantID !== undefined && access.demand !== 'operator'
    const place = isScoped ? await placeOf(session, scope.merchantID as string) : null
    const environment = environmentOf(scope, access)
    const from = arrivalOf(request)
    const { ip, userAgent } = from
    const person: Person = { ...session, ip, userAgent, role: place?.role ?? null }
    permit(person, access)
    if (concernsLive(environment, access)) demandSecondFactor(person)
    if (access.stepUp && access.proofs.length === 0) demandProof(person, app.now())
    if (access.stepUp && access.proofs.length > 0)
      request.demandProof = (body) => {
        if (!bringsOneOf(access.proofs, body)) demandProof(person, app.now())
      }
    request.from = from
    request.person = person
    if (place !== null && environment !== null)
      request.caller = callerOf(person, scope.merchantID as string, environment, place.merchant)
  }

  // What belongs to no environment, such as the team, decides about live too. People's own accounts stay open: there they
  // set up their second factor.
  function concernsLive(environment: Environment | null, { demand }: SessionAccess): boolean {
    return environment === 'live' || (environment === null && demand !== null && app.people.handlesMoney)
  }

  function arrivalOf({ ip, headers }: FastifyRequest): Arrival {
    const userAgent = (headers['user-agent'] ?? '').slice(0, maxUserAgent)
    const { token, devices } = cookies.read(headers.cookie)
    return { ip, userAgent, host: headers.host ?? '', token, devices }
  }

  async function findSession(request: FastifyRequest, reply: FastifyReply): Promise<OpenSession> {
    const client = clientOf(request)
    // Before the database is asked: anyone can invent cookies.
    const standing = strangers.peek(client)
    if (!standing.admitted) {
      sayLimit(reply, { ...standing, limit: callsPerStranger, remaining: 0 })
      throw new RateLimitedError(standing.retryAfterSeconds, 'Too many requests.')
    }
    const { token } = cookies.read(request.headers.cookie)
    const session = token === null ? null : await app.store.sessions.find(hashOfToken(token))
    if (session?.isComplete) {
      await app.store.sessions.see(session.sessionId)
      return session
    }
    strangers.record(client)
    await enter(reply, ipLimiter, client)
    throw new ServiceError('unauthorized', 'You are not signed in, or your session has ended. Sign in.')
  }

  async function placeOf({ userId }: OpenSession, merchantId: string) {
    const place = isUuid(merchantId) ? await app.store.users.roleAt(userId, merchantId) : null
    if (place === null)
      throw new ServiceError('not_found', 'There is no such merchant, or you are not a member.')
    return place
  }
}

// The handler verifies what is brought before anything else.
function bringsOneOf(proofs: readonly string[], body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  const members = new Map(Object.entries(body))
  return proofs.some((name) => members.get(name) != null)
}

function permit(person: Person, { demand }: SessionAccess): void {
  if (demand === null) return
  const may =
    demand === 'operator' ? person.isOperator : person.role !== null && powersOf[person.role].has(demand)
  if (may) return
  throw new ServiceError(
    'forbidden',
    demand === 'operator'
      ? 'Only an operator of the service may do this.'
      : 'Your role may not do this. Ask an owner or administrator of the merchant.',
  )
}

/**
 * The environment that the request names; null if it names none. An environment that the operation lacks counts as
 * unknown.
 */
function environmentOf({ environment: named }: Scope, access: SessionAccess): Environment | null {
  if (named === undefined) return null
  const environment = environments.find((known) => known === named)
  if (environment === undefined || (access.environment !== null && access.environment !== environment))
    throw new ServiceError('not_found', 'There is nothing at this address in this environment.')
  return environment
}

function callerOf(
  person: Person,
  merchantId: string,
  environment: Environment,
  merchant: Caller['merchant'],
): Caller {
  const actor = actorOf(person)
  return {
    actor,
    merchantId: merchantId.toLowerCase(),
    environment,
    merchant,
    person: actorIn(person),
    permissions: person.role === null ? new Set() : permissionsOf(person.role),
  }
}
