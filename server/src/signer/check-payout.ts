import type { PayoutPolicy } from '../domain/payout-policy.ts'
import { approvalHash, type Payout } from '../domain/payouts.ts'
import { say, sayAll } from '../domain/reasons/reasons.ts'
import type { Refusal } from '../domain/spends.ts'
import type { PayoutToSign } from '../store/spends/signing.ts'
import type { UnsignedTransaction } from '../store/spends/spends.ts'
import type { FirstSights } from './first-sights.ts'
import type { Journal } from './journal.ts'
import { demandFor, type PasskeyTrust, passkeyApprover } from './passkey-trust.ts'
import { isAllowedDestination, type PinnedPolicy } from './pin-book.ts'
import { standingAt, waitingAt } from './standing.ts'

const secondMs = 1_000

/** What tells the signer whether a payout has cooled off. */
export type CoolingOff = { readonly sights: FirstSights; readonly journal: Pick<Journal, 'ofPayout'> }

/** Why this spend may not pay a payout at this moment; null when it may. */
export function payoutObjection(
  payout: PayoutToSign,
  { spendId, gateId }: Pick<UnsignedTransaction, 'spendId' | 'gateId'>,
  trust: PasskeyTrust,
  cooling: CoolingOff,
  now: Date,
): Refusal | null {
  if (payout.status !== 'processing' || payout.spendId !== spendId || payout.gateId !== gateId)
    return { reason: `Payout ${payout.id} is not being processed by this spend.`, isForGood: false }
  if (gateId !== `${payout.network}-${payout.environment}`)
    return { reason: `Payout ${payout.id} belongs to another network or environment.`, isForGood: false }
  // The operator of the signer can fix that, so the payout must not fail because of it.
  if (trust.relyingParty === null && demandFor(trust, payout).isRequired)
    return {
      reason: say('url_unknown', { payout: payout.id }),
      isForGood: false,
    }
  const approved = approvedAt(payout, trust)
  if (typeof approved === 'string') return { reason: approved, isForGood: true }
  const reason = overPolicy(payout)
  if (reason !== null) return { reason, isForGood: true }
  const pinned = overPinnedPolicies(payout, trust)
  if (pinned !== null) return pinned
  return coolsOff(payout, approved, now) || coolsOffHere(payout, trust, cooling)
    ? { reason: say('cooling_off', { payout: payout.id }), isForGood: false }
    : null
}

function coolsOff(
  { environment, aheadMs, executableAt, policy }: PayoutToSign,
  approved: Date,
  now: Date,
): boolean {
  // Only test environments have a clock that can be moved, even if the database claims one for live.
  const merchantNowMs = now.getTime() + (environment === 'test' ? aheadMs : 0)
  const free = Math.max(
    executableAt?.getTime() ?? Number.POSITIVE_INFINITY,
    approved.getTime() + policy.coolingOffSeconds * secondMs,
  )
  return free > merchantNowMs
}

/** The same by what the signer has pinned and by its own clock: when an approval was given is the database's word. */
function coolsOffHere(payout: PayoutToSign, trust: PasskeyTrust, { sights, journal }: CoolingOff): boolean {
  // What was signed before has cooled off.
  if (journal.ofPayout(payout.id).some(({ cancels }) => !cancels)) return false
  const seconds = Math.max(0, ...pinnedFor(payout, trust).map(({ policy }) => policy.coolingOffSeconds))
  if (seconds === 0) return false
  const seen = sights.see(sightOf(payout, trust), trust.ownNow)
  return seen.getTime() + seconds * secondMs > trust.ownNow.getTime()
}

/** Whether enough people have approved a payout, as far as the signer can see. */
export function isApproved(payout: PayoutToSign, trust: PasskeyTrust): boolean {
  return typeof approvedAt(payout, trust) !== 'string'
}

/** What cooling-off begins with: this payout as it is, with this many approvals. */
export function sightOf(payout: PayoutToSign, trust: PasskeyTrust): { payoutId: string; approved: string } {
  const { approvalsRequired } = demandFor(trust, payout)
  return { payoutId: payout.id, approved: `${approvalHash(payout)} ${approvalsRequired}` }
}

/** The policies that the signer itself holds to. */
function pinnedFor({ merchantId, environment }: PayoutToSign, trust: PasskeyTrust): readonly PinnedPolicy[] {
  return environment === 'live' ? standingAt(trust.pins.policiesOf(merchantId), trust.ownNow) : []
}

/** Why a pinned policy does not allow the payout. While one that would allow it waits, so does the payout. */
function overPinnedPolicies(payout: PayoutToSign, trust: PasskeyTrust): Refusal | null {
  const { merchantId } = payout
  const standing = pinnedFor(payout, trust)
  const reason = standing.map((each) => overPinned(payout, each, trust)).find((each) => each !== null)
  if (reason == null) return null
  const waiting = waitingAt(trust.pins.policiesOf(merchantId), trust.ownNow)
  const place = { network: payout.network, address: payout.destination, tag: payout.destinationTag }
  const listed = waitingAt(trust.pins.destinationOf(merchantId, place), trust.ownNow)
  const from = Math.max(Number(waiting?.from ?? 0), Number(listed?.from ?? 0))
  const later = { ...trust, ownNow: new Date(from) }
  const allowsLater =
    from > 0 && pinnedFor(payout, later).every((each) => overPinned(payout, each, later) === null)
  return allowsLater
    ? {
        reason: sayAll(reason, say('allowed_from', { at: later.ownNow.toISOString() })),
        isForGood: false,
      }
    : { reason, isForGood: true }
}

function overPinned(
  payout: PayoutToSign,
  { policy, baseCurrency }: PinnedPolicy,
  { pins, ownNow }: PasskeyTrust,
): string | null {
  const place = { network: payout.network, address: payout.destination, tag: payout.destinationTag }
  if (policy.onlyKnownDestinations && !isAllowedDestination(pins, payout.merchantId, place, ownNow))
    return say('not_on_signers_list', { payout: payout.id })
  if (policy.maxPayout !== null && payout.baseCurrency !== baseCurrency)
    return say('value_in_other_currency', {
      payout: payout.id,
      currency: payout.baseCurrency,
      base: baseCurrency ?? '',
    })
  return overLimit(payout, policy)
}

/** Why the merchant's policy in the database does not allow the payout; null when it does. */
function overPolicy(payout: PayoutToSign): string | null {
  if (payout.policy.onlyKnownDestinations && !payout.destinationIsKnown)
    return say('not_on_merchants_list', { payout: payout.id })
  return overLimit(payout, payout.policy)
}

function overLimit(payout: PayoutToSign, { maxPayout }: Pick<PayoutPolicy, 'maxPayout'>): string | null {
  if (maxPayout === null) return null
  if (payout.amountInBaseCurrency === null) return say('value_unknown', { payout: payout.id })
  return payout.amountInBaseCurrency > maxPayout ? say('over_merchants_limit', { payout: payout.id }) : null
}

/** When the last required approval was given; or, in words, what is missing. */
function approvedAt(payout: PayoutToSign, trust: PasskeyTrust): Date | string {
  const { isRequired, approvalsRequired } = demandFor(trust, payout)
  if (isRequired) return approvedByPasskeysAt(payout, trust, approvalsRequired)
  const expected = approvalHash(payout)
  const given = payout.approvals.filter(
    (approval) =>
      approval.approvalHash === expected && mayApprove(payout, approvalsRequired, approval.approver),
  )
  const last = given[approvalsRequired - 1]
  if (last !== undefined) return last.createdAt
  const other = payout.approvals.some((approval) => approval.approvalHash !== expected)
  return other
    ? say('approval_differs', { payout: payout.id })
    : say('approvals_lacking', { payout: payout.id, given: given.length, required: approvalsRequired })
}

/** The same for approvals with passkeys. The signer knows by itself whose each passkey is. */
function approvedByPasskeysAt(payout: PayoutToSign, trust: PasskeyTrust, required: number): Date | string {
  const hash = approvalHash(payout)
  const given = new Map<string, Date>()
  const problems: string[] = []
  for (const approval of payout.approvals) {
    const approver = passkeyApprover(trust, payout, hash, approval)
    if (typeof approver === 'string') problems.push(approver)
    else if (!mayApprove(payout, required, `user:${approver.userId}`))
      problems.push('it was given by the creator of the payout')
    else if (!given.has(approver.userId)) given.set(approver.userId, approval.createdAt)
  }
  const last = [...given.values()][required - 1]
  if (last !== undefined) return last
  const lacks = say('passkeys_lacking', { payout: payout.id, given: given.size, required })
  if (problems.length === 0) return lacks
  return sayAll(lacks, say('passkeys_not_counted', { detail: [...new Set(problems)].join('; ') }))
}

/**
 * Whether this approver counts. Where two approvals are required, the creator may not be one of the approvers. The test
 * environment's helper never approves a live payout.
 */
function mayApprove(
  payout: Pick<Payout, 'environment' | 'createdBy'>,
  approvalsRequired: number,
  approver: string,
): boolean {
  if (payout.environment === 'live' && approver.startsWith('test:')) return false
  return approvalsRequired === 1 || personOf(approver) !== personOf(payout.createdBy)
}

// The test helper acts for the API key that calls it.
function personOf(name: string): string {
  return name.replace(/^test:/, 'key:')
}
