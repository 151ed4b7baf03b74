import type { Assertion } from '../../domain/webauthn.ts'

/** An assertion as JSON carries it out of the database; all fields are null when there is none. */
export type AssertionJson = {
  readonly credential_id: string | null
  readonly authenticator_data: string | null
  readonly client_data_json: string | null
  readonly signature: string | null
}

/** The assertion in columns that `encode(…, 'hex')` has written; null when there is none. */
export function assertionFrom(row: AssertionJson): Assertion | null {
  const { credential_id, authenticator_data, client_data_json, signature } = row
  if (
    credential_id === null ||
    authenticator_data === null ||
    client_data_json === null ||
    signature === null
  )
    return null
  const bytes = (hex: string) => Buffer.from(hex, 'hex')
  return {
    credentialId: bytes(credential_id),
    authenticatorData: bytes(authenticator_data),
    clientDataJson: bytes(client_data_json),
    signature: bytes(signature),
  }
}
