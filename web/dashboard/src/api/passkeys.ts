/**
 * Passkeys through the browser's WebAuthn (Level 3): options and answers are sent as JSON, in the standard's own form.
 */

import type {
  ChallengeOptions,
  NewPasskey,
  PasskeyAssertion,
  PasskeyCreation,
  PasskeyRequest,
} from '@sluice/web/contract'

/** A ceremony ended without a result: by the user, by a timeout, or because the device has no such passkey. */
export class CeremonyError extends Error {}

/** Whether this browser can create and use passkeys here. */
export function passkeysWork(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function' &&
    window.isSecureContext
  )
}

/** Creates a passkey on this device. */
export async function createPasskey(options: PasskeyCreation['options']): Promise<NewPasskey['credential']> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  )
  return answered(() => navigator.credentials.create({ publicKey }))
}

/** Lets the device sign the challenge with one of its passkeys. */
export async function usePasskey(
  options: PasskeyRequest['options'] | ChallengeOptions,
): Promise<PasskeyAssertion> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return answered(() => navigator.credentials.get({ publicKey }))
}

async function answered<Answer>(ceremony: () => Promise<Credential | null>): Promise<Answer> {
  try {
    const credential = await ceremony()
    if (credential === null) throw new CeremonyError('The device gave no passkey.')
    return (credential as PublicKeyCredential).toJSON() as Answer
  } catch (error) {
    if (error instanceof DOMException) throw new CeremonyError(error.message, { cause: error })
    throw error
  }
}
