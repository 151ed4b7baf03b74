/**
 * Why a chain cannot be followed. `state`: blocks can be read, but not what addresses have after them. `wrong_chain`: the node
 * is on another chain.
 */
export type TroubleKind = 'outage' | 'state' | 'wrong_chain'

/** How the follower of a gate gets on. */
export type GateProgress = {
  /** How long ago a look reached the end of the node's chain; null when none has yet. */
  readonly sinceEndMs: number | null
  /** How many blocks the last look has left to the next one. */
  readonly behind: bigint
  readonly trouble: {
    readonly kind: TroubleKind
    readonly reason: string
    readonly sinceMs: number
    readonly since: Date
  } | null
}

/** Whether new business can be taken on a gate, and if not, why. */
export type GateHealth =
  | { readonly online: true }
  | {
      readonly online: false
      /** What is wrong and what to do, for the operator. */
      readonly reason: string
      /** Since when it is known to be wrong; null where nobody has noted it. */
      readonly since: Date | null
      readonly isWrongChain: boolean
    }

/** A follower that has not reached the end of its chain for this long cannot be relied on, whatever the reason. */
export const silentAfterMs = 45_000
/** One that fails every time is given this long: connections break, and nodes are restarted. */
export const failingAfterMs = 10_000
/** Behind a load balancer one node may lack the state of a block that another has just shown; several blocks in a row may not. */
export const statelessAfterMs = 45_000

const patienceMs: Readonly<Record<TroubleKind, number>> = {
  outage: failingAfterMs,
  state: statelessAfterMs,
  wrong_chain: 0,
}

/**
 * A gate is online if its follower has reached the end of its chain lately and does not fail now. One that catches up is
 * offline however well it gets on: whoever pays meanwhile would not see it.
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
  if (behind > 0n)
    return offline(
      `It is catching up: ${behind} blocks are left. It comes back by itself; nothing has to be done.`,
    )
  return offline(nobodyFollows)
}

const nobodyFollows =
  'Nobody has followed its chain to the end lately. See that a worker is running (sluice start), and what it logs about this gate.'
