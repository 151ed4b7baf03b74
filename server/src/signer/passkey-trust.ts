import { challengeOf, type PasskeyStatement, statementText } from '../domain/passkey-statements.ts'
import { type Assertion, assertionProblem, type RelyingParty } from '../domain/webauthn.ts'
import type { ApprovalToCheck, PayoutToSign } from '../store/spends/signing.ts'
import type { Pin, PinBook } from './passkey-pins.ts'

/** What the signer itself is told about passkeys. */
export type PasskeySettings = {
  /** Whose pages may ask for them; null when nobody has said where people reach the service. */
  readonly relyingParty: RelyingParty | null
  /** Whether every live payout needs them, and no merchant's first one is taken on sight. */
  readonly requireAll: boolean
}

/** What the signer goes by where passkeys approve. */
export type PasskeyTrust = PasskeySettings & { readonly pins: PinBook }

/** What has to be approved with passkeys, and by how many people. */
export type PasskeyDemand = { readonly isRequired: boolean; readonly approvalsRequired: number }

const mostCovered = 100

/** What the signer asks of a merchant in the live environment by itself, whatever the database says. */
export function ownDemand({ pins, requireAll }: PasskeyTrust, merchantId: string): PasskeyDemand {
  const said = pins.demandOf(merchantId)
  const isRequired = requireAll || (said === null ? pins.hasEver(merchantId) : said.approval === 'passkey')
  return { isRequired, approvalsRequired: isRequired ? (said?.approvalsRequired ?? 1) : 1 }
}

/** What it takes to let a payout out: what the merchant's people agreed on, and never less than the signer asks for. */
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

/** The trusted passkey that has signed a statement; in words why it was none. */
export function signerOf(
  { pins, relyingParty }: PasskeyTrust,
  statement: PasskeyStatement,
  assertion: Assertion,
): Pin | string {
  if (relyingParty === null)
    return 'this signer does not know where people reach the service: set SLUICE_PUBLIC_URL for it'
  const pin = pins.find(statement.merchantId, assertion.credentialId)
  if (pin === null) return 'it was given with a passkey that this signer does not trust for the merchant'
  const challenge = challengeOf(statementText(statement))
  return assertionProblem(assertion, pin.publicKey, { challenge, relyingParty }) ?? pin
}

/** Whose trusted passkey has approved exactly this payout; in words why nobody's has. */
export function passkeyApprover(
  trust: PasskeyTrust,
  { merchantId, environment }: PayoutToSign,
  hash: string,
  { approvalHash, assertion, coveredHashes }: ApprovalToCheck,
): Pin | string {
  if (approvalHash !== hash) return 'it is for something else than this payout'
  if (assertion === null) return 'it was given without a passkey'
  if (coveredHashes.length > mostCovered || !coveredHashes.includes(hash))
    return 'what the passkey has signed does not cover this payout'
  return signerOf(
    trust,
    { kind: 'approve', environment, merchantId, approvalHashes: coveredHashes },
    assertion,
  )
}
