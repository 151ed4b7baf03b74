import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import type { Environment } from './environment.ts'

/**
 * Everything that a passkey is ever asked to sign for a signer. Each is one canonical text whose hash is the challenge, so
 * that whoever checks it needs nobody's word for what was meant, and no statement can be taken for another.
 */
export type PasskeyStatement =
  | {
      readonly kind: 'approve'
      readonly environment: Environment
      readonly merchantId: string
      /** Of the payouts it lets go, as `approvalHash` names them. */
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

/** What the signer keeps of a policy, and until when it was so: an older one never replaces a newer one. */
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

/** What a stored text says; null when it is no statement of those that are stored as text. */
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
    // Written again it must be the very same text: nothing was read into it that it does not say.
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
