import type { KeptStatement } from '../../src/domain/passkey-statements.ts'
import type { PayoutPolicy } from '../../src/domain/payout-policy.ts'
import type { OperatorSettings } from '../../src/signer/operator-settings.ts'
import type { Place } from '../../src/signer/pin-book.ts'
import type { Holder } from '../support/people/passkey-desk.ts'

/** A statement of trusted people, and what can have become of it at the signer. */
type Said = {
  readonly statement: KeptStatement
  readonly people: readonly Holder[]
  /** When the signer may have accepted it, and from when on it may count. */
  possible: { readonly atMs: number; readonly countsMs: number } | null
  /** When the signer has heard it for sure. */
  sureMs: number | null
}

type Configured = { readonly atMs: number; readonly fromMs: number; readonly settings: OperatorSettings }

export type Beginning = {
  readonly startMs: number
  /** The passkeys that the signer trusts from the start. */
  readonly trusted: readonly Holder[]
  /** One of them whose passkey the attacker has. */
  readonly insider: Holder | null
  /** What the signer has recorded from the start. */
  readonly policy: PayoutPolicy
  readonly listed: readonly Place[]
  readonly settings: OperatorSettings
}

/**
 * What the signer must hold to, from what trusted people and the operator have said and when. An attacker can keep statements
 * from the signer, so what strengthens counts only once the signer has heard it for sure, and what weakens counts as soon
 * as it may: a delay after enough people have said it.
 */
export function createBelief(begun: Beginning) {
  const { startMs, trusted, insider } = begun
  const said: Said[] = []
  const configured: Configured[] = [{ atMs: startMs, fromMs: startMs, settings: begun.settings }]

  /** The newest settings that have waited long enough, and all later ones. */
  function settingsAt(ms: number): readonly OperatorSettings[] {
    const first = configured.findLastIndex(({ fromMs }) => fromMs <= ms)
    return configured.slice(first).map(({ settings }) => settings)
  }

  function delayAt(ms: number): number {
    return Math.max(...settingsAt(ms).map(({ weakeningDelayMs }) => weakeningDelayMs))
  }

  /** The policies that stand for sure: heard, and not replaced by any later one. */
  function policiesAt(ms: number): readonly PayoutPolicy[] {
    const all = said.flatMap((each) =>
      each.statement.kind === 'policy'
        ? [{ ...each, policy: each.statement.policy, statedMs: each.statement.at.getTime() }]
        : [],
    )
    const isReplaced = (statedMs: number) =>
      all.some((later) => later.statedMs > statedMs && (later.possible?.countsMs ?? ms + 1) <= ms)
    const standing = all.filter(
      ({ sureMs, statedMs }) => sureMs !== null && sureMs <= ms && !isReplaced(statedMs),
    )
    const first = isReplaced(Number.NEGATIVE_INFINITY) ? [] : [begun.policy]
    return [...first, ...standing.map(({ policy }) => policy)]
  }

  function requiredAt(ms: number): number {
    return Math.max(1, ...policiesAt(ms).map(({ approvalsRequired }) => approvalsRequired))
  }

  /** Whether the signer may trust a person's passkey. */
  function mayTrust({ userId, passkey }: Holder, ms: number): boolean {
    const isRevoked = said.some(
      ({ statement, sureMs }) =>
        statement.kind === 'distrust_passkey' &&
        statement.credentialId.equals(passkey.credentialId) &&
        sureMs !== null &&
        sureMs <= ms,
    )
    const isVouchedFor = said.some(
      ({ statement, possible }) =>
        statement.kind === 'trust_passkey' &&
        statement.userId === userId &&
        possible !== null &&
        possible.countsMs <= ms,
    )
    return !isRevoked && (trusted.some((each) => each.userId === userId) || isVouchedFor)
  }

  /** How many trusted people are behind something. The attacker signs everything with a passkey that it has. */
  function peopleAt(people: readonly Holder[], ms: number): number {
    const all = new Set([...people, ...(insider === null ? [] : [insider])])
    return [...all].filter((each) => mayTrust(each, ms)).length
  }

  /** Whether a destination may be on the signer's list. */
  function mayPay(place: Place, ms: number): boolean {
    const about = said.flatMap((each) =>
      each.statement.kind === 'destination' && placeName(each.statement) === placeName(place)
        ? [{ ...each, isAllowed: each.statement.isAllowed, statedMs: each.statement.at.getTime() }]
        : [],
    )
    const listedMs = begun.listed.some((each) => placeName(each) === placeName(place))
      ? [Number.NEGATIVE_INFINITY]
      : []
    const allowed = about.filter(
      ({ isAllowed, possible }) => isAllowed && possible !== null && possible.countsMs <= ms,
    )
    return [...listedMs, ...allowed.map(({ statedMs }) => statedMs)].some(
      (allowedMs) =>
        !about.some(
          ({ isAllowed, statedMs, sureMs }) =>
            !isAllowed && statedMs > allowedMs && sureMs !== null && sureMs <= ms,
        ),
    )
  }

  function mayAccept({ statement, people }: Said, ms: number): boolean {
    const behind = peopleAt(people, ms)
    if (behind === 0) return false
    switch (statement.kind) {
      case 'distrust_passkey':
        return true
      case 'trust_passkey':
        return behind >= requiredAt(ms)
      case 'destination':
        return !statement.isAllowed || behind >= requiredAt(ms)
      case 'policy':
        return behind >= requiredAt(ms) || policiesAt(ms).every((each) => !isWeaker(each, statement.policy))
    }
  }

  return {
    settingsAt,
    policiesAt,
    requiredAt,
    mayTrust,
    mayPay,
    insider,

    configure(settings: OperatorSettings, ms: number): void {
      configured.push({ atMs: ms, fromMs: ms + delayAt(ms), settings })
    },

    /** Takes note of what people say. Returns how to say that the signer has heard it for sure. */
    say(statement: KeptStatement, people: readonly Holder[]): { sure(ms: number): void } {
      const entry: Said = { statement, people, possible: null, sureMs: null }
      said.push(entry)
      return {
        sure(ms) {
          entry.sureMs = ms
        },
      }
    },

    /** The signer looks at what was said. */
    listen(ms: number): void {
      for (const each of said)
        if (each.possible === null && mayAccept(each, ms))
          each.possible = { atMs: ms, countsMs: ms + delayAt(ms) }
    },

    /** The strictest of all that was ever said, so that it never weakens what the signer has heard. */
    strictest(): PayoutPolicy {
      const all = said.flatMap(({ statement }) => (statement.kind === 'policy' ? [statement.policy] : []))
      return all.reduce(stricter, begun.policy)
    },
  }
}

export type Belief = ReturnType<typeof createBelief>

/** Whether a policy allows what another one does not. Limits by value are not played: the value is the database's word. */
function isWeaker(before: PayoutPolicy, after: PayoutPolicy): boolean {
  return (
    after.approvalsRequired < before.approvalsRequired ||
    after.coolingOffSeconds < before.coolingOffSeconds ||
    (before.onlyKnownDestinations && !after.onlyKnownDestinations)
  )
}

function stricter(one: PayoutPolicy, other: PayoutPolicy): PayoutPolicy {
  return {
    ...one,
    approvalsRequired: Math.max(one.approvalsRequired, other.approvalsRequired),
    coolingOffSeconds: Math.max(one.coolingOffSeconds, other.coolingOffSeconds),
    onlyKnownDestinations: one.onlyKnownDestinations || other.onlyKnownDestinations,
  }
}

function placeName({ network, address }: Place): string {
  return `${network} ${address}`
}
