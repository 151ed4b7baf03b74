import { ServiceError } from '../../domain/errors.ts'
import type { SecondFactor } from '../../domain/people.ts'
import { recoveryCodeHash } from '../../domain/recovery-codes.ts'
import { unseal } from '../../domain/seal.ts'
import { stepOfCode } from '../../domain/totp.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'

/** A code that a person enters: one of these. */
export type ShownCode = { readonly totp?: string | undefined; readonly recovery_code?: string | undefined }

/**
 * Uses up a code in the caller's transaction and returns its kind; null when it is wrong. A code works only once, even if
 * several requests show it at the same time.
 */
export async function takeCode(
  app: Pick<App, 'now' | 'people'>,
  tx: Store,
  userId: string,
  { totp, recovery_code: recoveryCode }: ShownCode,
): Promise<SecondFactor | null> {
  if (totp !== undefined) {
    const { secret } = await tx.secondFactors.totp(userId)
    const step = secret === null ? null : stepOfCode(openSecret(app, userId, secret), totp, app.now())
    return step !== null && (await tx.secondFactors.useTotpStep(userId, step)) ? 'totp' : null
  }
  if (recoveryCode === undefined) return null
  const hash = recoveryCodeHash(recoveryCode)
  return (await tx.secondFactors.useRecoveryCode(userId, hash)) ? 'recovery_code' : null
}

/** The error for a wrong code. */
export function wrongCode(shown: ShownCode): ServiceError {
  const [field = 'totp'] = Object.keys(shown)
  return new ServiceError('validation_error', 'This code is wrong or was already used. Try the next one.', [
    `/${field}: is wrong or was already used`,
  ])
}

/** The purpose a sealed secret is bound to: it opens only as this person's secret. */
export function totpPurpose(userId: string): string {
  return `totp secret of ${userId}`
}

/** The operator's key for secrets at rest; throws if it is not set. */
export function demandSealKey(app: Pick<App, 'people'>): Buffer {
  const { sealKey } = app.people
  if (sealKey === null)
    throw new ServiceError(
      'service_unavailable',
      'Authenticator apps cannot be used on this service until its operator sets SLUICE_SECRET_KEY.',
    )
  return sealKey
}

export function openSecret(app: Pick<App, 'people'>, userId: string, sealed: Buffer): Buffer {
  const text = unseal(demandSealKey(app), sealed, totpPurpose(userId))
  if (text === null)
    throw new ServiceError(
      'service_unavailable',
      'The secret of your authenticator app cannot be read. The operator of the service must restore the right SLUICE_SECRET_KEY.',
    )
  return Buffer.from(text, 'hex')
}
