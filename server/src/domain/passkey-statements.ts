import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import type { Environment } from './environment.ts'
import type { PayoutPolicy } from './payout-policy.ts'

/**
 * Everything that a passkey is ever asked to sign for the signer. Each statement is one canonical text, and its hash is
 * the challenge. The signer can therefore verify what was signed without trusting anyone, and no statement can be
 * mistaken for another.
 */
export type PasskeyStatement =
  | {
      readonly kind: 'approve'
      readonly environment: Environment
      readonly merchantId: string
      /** The `approvalHash` of each approved payout. */
      readonly approvalHashes: readonly string[]
    }
  | {
      readonly kind: 'trust_passkey'
      readonly merchantId: string
      readonly userId: string
      readonly credentialId: Buffer
      readonly publicKey: Buffer
    }
  | { readonly kind: 'distrust_passkey'; readonly merchantId: string; readonly credentialId: Buffer }
  | PolicyStatement
  | DestinationStatement

/**
 * A merchant's whole payout policy. Everyone who agrees signs the same text. `at` orders policies: an older one never
 * replaces a newer one.
 */
export type PolicyStatement = {
  readonly kind: 'policy'
  readonly environment: Environment
  readonly merchantId: string
  /** The currency of the limits, which are in its minor units. */
  readonly baseCurrency: string
  readonly policy: PayoutPolicy
  readonly at: Date
}

/** That a merchant allows payouts to a destination, or no longer does. The newest statement about a destination counts. */
export type DestinationStatement = {
  readonly kind: 'destination'
  readonly environment: Environment
  readonly merchantId: string
  readonly network: string
  readonly address: string
  readonly tag: string | null
  readonly isAllowed: boolean
  readonly at: Date
}

/** The statements that are kept as texts, for the signer to read. */
export type KeptStatement = Exclude<PasskeyStatement, { kind: 'approve' }>

/** The canonical text of a statement. */
export function statementText(statement: PasskeyStatement): string {
  return canonicalJson({ sluice: statement.kind, version: 1, ...membersOf(statement) })
}

export function challengeOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/**
 * What a passkey signs to sign in, to prove its user again or to be added. It is a text of another kind than every
 * statement, so that its signature states nothing, and no statement's signature can take its place.
 */
export function ceremonyText(purpose: string, sessionId: string | null, nonce: Buffer): string {
  return canonicalJson({
    sluice: 'ceremony',
    version: 1,
    purpose,
    session: sessionId,
    nonce: nonce.toString('base64url'),
  })
}

/** Reads a stored statement; null when the text is not a statement of a kind that is stored as text. */
export function readStatement(text: string): KeptStatement | null {
  try {
    const statement = statementFrom(JSON.parse(text))
    // Serialised again it must be the same text: nothing may be read into it that it does not say.
    return statement !== null && statementText(statement) === text ? statement : null
  } catch {
    return null
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the caller compares the result with the text
function statementFrom(said: any): KeptStatement | null {
  const merchantId = String(said.merchant)
  const environment = said.environment === 'live' ? 'live' : 'test'
  const at = new Date(said.at)
  const bytes = (base64url: unknown) => Buffer.from(String(base64url), 'base64url')
  switch (said.sluice) {
    case 'trust_passkey': {
      const [credentialId, publicKey] = [bytes(said.credential_id), bytes(said.public_key)]
      return { kind: 'trust_passkey', merchantId, userId: String(said.user), credentialId, publicKey }
    }
    case 'distrust_passkey':
      return { kind: 'distrust_passkey', merchantId, credentialId: bytes(said.credential_id) }
    case 'policy': {
      const policy = policyFrom(said)
      return { kind: 'policy', environment, merchantId, baseCurrency: String(said.base_currency), policy, at }
    }
    case 'destination': {
      const tag = said.tag === null ? null : String(said.tag)
      const place = { network: String(said.network), address: String(said.address), tag }
      return { kind: 'destination', environment, merchantId, ...place, isAllowed: said.allowed === true, at }
    }
    default:
      return null
  }
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function policyFrom(said: any): PayoutPolicy {
  const limit = (text: unknown) => (text === null ? null : BigInt(String(text)))
  return {
    maxPayout: limit(said.max_payout),
    maxDay: limit(said.max_day),
    onlyKnownDestinations: said.only_known_destinations === true,
    approvalsRequired: said.approvals_required === 1 ? 1 : 2,
    coolingOffSeconds: Math.max(0, Math.trunc(Number(said.cooling_off_seconds))),
    approval: said.approval === 'any' ? 'any' : 'passkey',
  }
}

function membersOf(statement: PasskeyStatement): Record<string, unknown> {
  const merchant = statement.merchantId
  switch (statement.kind) {
    case 'approve':
      return {
        merchant,
        environment: statement.environment,
        payouts: [...new Set(statement.approvalHashes)].sort(),
      }
    case 'trust_passkey':
      return {
        merchant,
        user: statement.userId,
        credential_id: statement.credentialId.toString('base64url'),
        public_key: statement.publicKey.toString('base64url'),
      }
    case 'distrust_passkey':
      return { merchant, credential_id: statement.credentialId.toString('base64url') }
    case 'policy': {
      const { policy } = statement
      return {
        merchant,
        environment: statement.environment,
        base_currency: statement.baseCurrency,
        max_payout: policy.maxPayout?.toString() ?? null,
        max_day: policy.maxDay?.toString() ?? null,
        only_known_destinations: policy.onlyKnownDestinations,
        approvals_required: policy.approvalsRequired,
        cooling_off_seconds: policy.coolingOffSeconds,
        approval: policy.approval,
        at: statement.at.toISOString(),
      }
    }
    case 'destination':
      return {
        merchant,
        environment: statement.environment,
        network: statement.network,
        address: statement.address,
        tag: statement.tag,
        allowed: statement.isAllowed,
        at: statement.at.toISOString(),
      }
  }
}
