import type { FastifyReply } from 'fastify'
import { RateLimitedError } from '../../domain/errors.ts'
import type { RateDecision, RateLimiter } from './rate-limiter.ts'

/** Says in the answer's headers where its caller stands. */
export function sayLimit(reply: FastifyReply, decision: RateDecision): void {
  reply.header('RateLimit-Limit', decision.limit)
  reply.header('RateLimit-Remaining', decision.remaining)
  reply.header('RateLimit-Reset', decision.resetSeconds)
}

/** Counts a request of a subject, and refuses it when it is one too many. Answers at once where nothing is looked up. */
export function enter(reply: FastifyReply, limiter: RateLimiter, subject: string): void | Promise<void> {
  const decision = limiter.admit(subject)
  return decision instanceof Promise ? decision.then((late) => judge(reply, late)) : judge(reply, decision)
}

function judge(reply: FastifyReply, decision: RateDecision): void {
  sayLimit(reply, decision)
  if (!decision.admitted) throw new RateLimitedError(decision.retryAfterSeconds, 'Too many requests.')
}
