import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import type { Environment } from './environment.ts'

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

/** The part of a policy that the signer stores. `at` orders policies: an older one never replaces a newer one. */
export type PolicyStatement = {
  readonly kind: 'policy'
  readonly environment: Environment
  readonly merchantId: string
  readonly approval: 'any' | 'passkey'
  readonly approvalsRequired: number
  readonly at: Date
}

/** The canonical text of a statement. */
export function statementText(statement: PasskeyStatement): string {
  return canonicalJson({ sluice: statement.kind, version: 1, ...membersOf(statement) })
}

export function challengeOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Reads a stored statement; null when the text is not a statement of a kind that is stored as text. */
export function readStatement(
  text: string,
): Extract<PasskeyStatement, { kind: 'distrust_passkey' | 'policy' }> | null {
  let statement: Extract<PasskeyStatement, { kind: 'distrust_passkey' | 'policy' }>
  try {
    const said = JSON.parse(text)
    const merchantId = String(said.merchant)
    statement =
      said.sluice === 'policy'
        ? {
            kind: 'policy',
            environment: said.environment === 'live' ? 'live' : 'test',
            merchantId,
            approval: said.approval === 'any' ? 'any' : 'passkey',
            approvalsRequired: said.approvals_required === 1 ? 1 : 2,
            at: new Date(said.at),
          }
        : {
            kind: 'distrust_passkey',
            merchantId,
            credentialId: Buffer.from(String(said.credential_id), 'base64url'),
          }
    // Serialised again it must be the same text: nothing may be read into it that it does not say.
    return statementText(statement) === text ? statement : null
  } catch {
    return null
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
    case 'policy':
      return {
        merchant,
        environment: statement.environment,
        approval: statement.approval,
        approvals_required: statement.approvalsRequired,
        at: statement.at.toISOString(),
      }
  }
}
