import type { RateLimiter } from '../../../src/http/rate-limit/rate-limiter.ts'
import { createRollingLog } from '../../../src/http/rate-limit/rolling-log.ts'
import { createSharedLog } from '../../../src/http/rate-limit/shared-log.ts'

export type LimiterSettings = {
  redisUrl: string
  prefix: string
  limit?: number
  windowMs?: number
  timeoutMs?: number
}

/** A limiter as one API process has it, with its own connection, local log and warnings. */
export type TestLimiter = { limiter: RateLimiter; warnings: string[]; infos: string[] }

const open: RateLimiter[] = []

/** Opens a limiter that `closeLimiters` closes. */
export async function openLimiter(settings: LimiterSettings): Promise<TestLimiter> {
  const { redisUrl, prefix, limit = 300, windowMs = 60_000 } = settings
  // On a busy machine Redis may take longer than a request would normally wait for it.
  const { timeoutMs = 60_000 } = settings
  const warnings: string[] = []
  const infos: string[] = []
  const log = {
    warn: (message: string) => warnings.push(message),
    info: (message: string) => infos.push(message),
  }
  const local = createRollingLog({ limit, windowMs, maxSubjects: 1000, now: () => performance.now() })
  const limiter = await createSharedLog({ redisUrl, prefix, limit, windowMs, local, log, timeoutMs })
  open.push(limiter)
  return { limiter, warnings, infos }
}

export async function closeLimiters(): Promise<void> {
  await Promise.all(open.splice(0).map((limiter) => limiter.close()))
}

/** Makes `times` concurrent requests and returns how many were admitted. */
export async function countAdmitted(limiter: RateLimiter, subject: string, times: number): Promise<number> {
  const decisions = await Promise.all(Array.from({ length: times }, () => limiter.admit(subject)))
  return decisions.filter(({ admitted }) => admitted).length
}
