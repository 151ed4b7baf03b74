import type { PayoutPolicy } from './payout-policy.ts'

/** Changes to an account that its user is notified of by mail, so that a stranger's change does not go unnoticed. */
const notices = [
  'password_changed',
  'password_reset',
  'totp_added',
  'totp_removed',
  'passkey_added',
  'passkey_removed',
  'recovery_codes_made',
  'recovery_code_used',
  'sign_in_slowed',
] as const
export type Notice = (typeof notices)[number]

/** A sign-in from a new device, as its user is told of it. */
export type NewDevice = {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly browser: string
  readonly ip: string
}

/** What became of a change that relaxes a payout policy, as approvers are told of it. */
export type PolicyNotice = {
  readonly stage: 'proposed' | 'agreed' | 'applied' | 'withdrawn' | 'superseded'
  readonly merchant: string
  /** The name of the person who did it; null for the service itself. */
  readonly by: string | null
  /** Each rule that changes, as values without words; null for no limit. */
  readonly rules: readonly {
    readonly rule: keyof PayoutPolicy
    readonly before: RuleValue
    readonly after: RuleValue
  }[]
  /** The destination to allow; null when the change is about rules. */
  readonly destination: string | null
  /** ISO 8601, UTC; null while approvals are missing. */
  readonly appliesAt: string | null
  readonly approvalsMissing: number
  /** The page on which the change can be stopped, without the origin. */
  readonly page: string
}

/** A limit with its currency, seconds, a number of people, a state or a kind. */
export type RuleValue = string | number | boolean | null

/** A passkey that the signer will trust, as the people of its merchant are told of it. */
export type WaitingPasskey = {
  readonly merchant: string
  /** Whose it is. */
  readonly person: string
  readonly name: string
  readonly fingerprint: string
  /** ISO 8601, UTC. */
  readonly from: string
}
