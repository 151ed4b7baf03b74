import type { FastifyReply } from 'fastify'
import { RateLimitedError } from '../../domain/errors.ts'
import type { RateDecision, RateLimiter } from './rate-limiter.ts'

/** Tells the caller in the headers how much of the limit is left. */
export function sayLimit(reply: FastifyReply, decision: RateDecision): void {
  reply.header('RateLimit-Limit', decision.limit)
  reply.header('RateLimit-Remaining', decision.remaining)
  reply.header('RateLimit-Reset', decision.resetSeconds)
}

/**
 * Counts a request of a subject, and refuses it when it exceeds the limit. Synchronous when nothing has to be looked
 * up.
 */
export function enter(reply: FastifyReply, limiter: RateLimiter, subject: string): void | Promise<void> {
  const decision = limiter.admit(subject)
  return decision instanceof Promise ? decision.then((late) => judge(reply, late)) : judge(reply, decision)
}

function judge(reply: FastifyReply, decision: RateDecision): void {
  sayLimit(reply, decision)
  if (!decision.admitted) throw new RateLimitedError(decision.retryAfterSeconds, 'Too many requests.')
}
