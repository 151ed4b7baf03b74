import { challengeOf, type PasskeyStatement, statementText } from '../domain/passkey-statements.ts'
import { type Assertion, assertionProblem, type RelyingParty } from '../domain/webauthn.ts'
import type { ApprovalToCheck, PayoutToSign } from '../store/spends/signing.ts'
import { type Pin, type PinBook, policyInForce } from './pin-book.ts'

/** The signer's own settings for passkeys. */
export type PasskeySettings = {
  /** Whose pages may request them; null when the service's public URL is not set. */
  readonly relyingParty: RelyingParty | null
  /** Whether every live payout needs them, and no merchant's first passkey is trusted on first sight. */
  readonly requireAll: boolean
}

/** What the signer uses to check approvals with passkeys. */
export type PasskeyTrust = PasskeySettings & {
  readonly pins: PinBook
  /** The time by the signer's own clock. */
  readonly ownNow: Date
}

/** Whether passkeys are required, and how many people must approve. */
export type PasskeyDemand = { readonly isRequired: boolean; readonly approvalsRequired: number }

const mostCovered = 100

/** What the signer itself requires of a merchant in the live environment, independent of the database. */
export function ownDemand(
  { pins, requireAll, ownNow }: Pick<PasskeyTrust, 'pins' | 'requireAll' | 'ownNow'>,
  merchantId: string,
): PasskeyDemand {
  const { approval, approvalsRequired } = policyInForce(pins, merchantId, ownNow)
  return { isRequired: requireAll || approval === 'passkey', approvalsRequired }
}

/** What a payout needs to be signed: what the merchant's policy requires, and never less than the signer itself does. */
export function demandFor(
  trust: PasskeyTrust,
  { merchantId, environment, policy }: PayoutToSign,
): PasskeyDemand {
  const own =
    environment === 'live' ? ownDemand(trust, merchantId) : { isRequired: false, approvalsRequired: 1 }
  return {
    isRequired: own.isRequired || policy.approval === 'passkey',
    approvalsRequired: Math.max(own.approvalsRequired, policy.approvalsRequired),
  }
}

/** The trusted passkey that signed a statement; or, in words, why none did. */
export function signerOf(
  trust: PasskeyTrust,
  statement: PasskeyStatement,
  assertion: Assertion,
): Pin | string {
  const pin = knownSignerOf(trust, statement, assertion)
  if (typeof pin === 'string' || pin.from <= trust.ownNow) return pin
  return `this signer trusts its passkey only from ${pin.from.toISOString()} on`
}

/** The same, or one that the signer will trust when its time has come. */
export function knownSignerOf(
  { pins, relyingParty }: Pick<PasskeyTrust, 'pins' | 'relyingParty'>,
  statement: PasskeyStatement,
  assertion: Assertion,
): Pin | string {
  if (relyingParty === null)
    return 'this signer does not know the public URL of the service: set SLUICE_PUBLIC_URL for it'
  const pin = pins.find(statement.merchantId, assertion.credentialId)
  if (pin === null) return 'this signer does not trust its passkey for the merchant'
  const challenge = challengeOf(statementText(statement))
  return assertionProblem(assertion, pin.publicKey, { challenge, relyingParty }) ?? pin
}

/** The trusted passkey that approved exactly this payout; or, in words, why the approval does not count. */
export function passkeyApprover(
  trust: PasskeyTrust,
  { merchantId, environment }: PayoutToSign,
  hash: string,
  { approvalHash, assertion, coveredHashes }: ApprovalToCheck,
): Pin | string {
  if (approvalHash !== hash) return 'it does not match this payout'
  if (assertion === null) return 'it was given without a passkey'
  if (coveredHashes.length > mostCovered || !coveredHashes.includes(hash))
    return 'the statement that the passkey signed does not cover this payout'
  return signerOf(
    trust,
    { kind: 'approve', environment, merchantId, approvalHashes: coveredHashes },
    assertion,
  )
}
