import { say } from './reasons/reasons.ts'
/**
 * Why a chain cannot be followed. `state`: the node shows blocks, but not the balances after them. `wrong_chain`: the node
 * is on another chain.
 */
export type TroubleKind = 'outage' | 'state' | 'wrong_chain'

/** The progress of a gate's follower. */
export type GateProgress = {
  /** How long ago a pass reached the tip of the node's chain; null when none has yet. */
  readonly sinceEndMs: number | null
  /** How many blocks the last pass left for the next one. */
  readonly behind: bigint
  readonly trouble: {
    readonly kind: TroubleKind
    readonly reason: string
    readonly sinceMs: number
    readonly since: Date
  } | null
}

/** Whether a gate accepts new invoices and payouts, and if not, why. */
export type GateHealth =
  | { readonly online: true }
  | {
      readonly online: false
      /** What is wrong and what to do, for the operator. */
      readonly reason: string
      /** Since when the problem is known; null where that was not recorded. */
      readonly since: Date | null
      readonly isWrongChain: boolean
    }

/** A follower that, for any reason, has not reached the tip of its chain for this long cannot be relied on. */
export const silentAfterMs = 45_000
/** A follower may fail for this long before its gate is offline: connections break, and nodes restart. */
export const failingAfterMs = 10_000
/** Behind a load balancer, one node may briefly lack the state of a block that another one has just shown. */
export const statelessAfterMs = 45_000

const patienceMs: Readonly<Record<TroubleKind, number>> = {
  outage: failingAfterMs,
  state: statelessAfterMs,
  wrong_chain: 0,
}

/**
 * A gate is online if its follower has recently reached the tip of its chain and does not fail now. A gate that is
 * catching up is offline, however fast it is: its payers would not see their payments.
 */
export function healthOf(progress: GateProgress | null): GateHealth {
  const offline = (reason: string, since: Date | null = null, isWrongChain = false): GateHealth => ({
    online: false,
    reason,
    since,
    isWrongChain,
  })
  if (progress === null) return offline(nobodyFollows)
  const { trouble, sinceEndMs, behind } = progress
  const isLate = sinceEndMs === null || sinceEndMs > silentAfterMs
  if (trouble !== null && (isLate || trouble.sinceMs >= patienceMs[trouble.kind]))
    return offline(trouble.reason, trouble.since, trouble.kind === 'wrong_chain')
  if (!isLate) return { online: true }
  if (behind > 0n) return offline(say('gate_catching_up', { count: behind }))
  return offline(nobodyFollows)
}

const nobodyFollows = say('gate_no_worker')
