/** What `sluice gate try` checks of each server, in the order of its report. */
export const trialChecks = [
  'reachable',
  'chain',
  'synced',
  'methods',
  'blocks',
  'by_hash',
  'hashes',
  'payments',
  'alone',
  'repeat',
  'unknown',
  'history',
  'fees',
  'rate_limit',
] as const

export type TrialCheck = (typeof trialChecks)[number]

/** An answer that cannot be true: which call gave it, what it said, and what is true. */
export type Lie = { readonly call: string; readonly said: string; readonly truth: string }

/** The result of one check. */
export type TrialFinding = {
  readonly check: TrialCheck | 'agreement'
  readonly state: 'passed' | 'failed' | 'skipped'
  /** What was found, in a sentence. */
  readonly says: string
  /** What to do next; null if there is nothing to do. */
  readonly todo: string | null
  readonly lie: Lie | null
}

/** What was found about one server. It names the server by number and host alone: the rest of a URL may be secret. */
export type TriedServer = {
  readonly number: number
  readonly place: string
  readonly isEncrypted: boolean
  /** As it calls itself; null if it does not. */
  readonly software: string | null
  readonly requests: number
  readonly calls: number
  readonly latencyMs: { readonly median: number; readonly slowest: number } | null
  readonly findings: readonly TrialFinding[]
}

/** What an operator can send us about a server. */
export type TrialReport = {
  readonly network: string
  readonly chain: string
  readonly blocks: number
  readonly startedAt: Date
  readonly tookMs: number
  readonly servers: readonly TriedServer[]
  /** Whether several servers say the same; skipped with one. */
  readonly agreement: TrialFinding
}

/** How many blocks a trial walks through: unless asked otherwise, and at most. */
export const trialBlocks = { usual: 10, most: 200 } as const

/** Whether nothing failed. What was skipped does not count. */
export function hasPassed({ servers, agreement }: TrialReport): boolean {
  return [...servers.flatMap(({ findings }) => findings), agreement].every(({ state }) => state !== 'failed')
}
