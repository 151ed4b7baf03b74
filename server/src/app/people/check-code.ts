import { ServiceError } from '../../domain/errors.ts'
import type { SecondFactor } from '../../domain/people.ts'
import { recoveryCodeHash } from '../../domain/recovery-codes.ts'
import { unseal } from '../../domain/seal.ts'
import { stepOfCode } from '../../domain/totp.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'

/** A code that somebody shows: one of these. */
export type ShownCode = { readonly totp?: string | undefined; readonly recovery_code?: string | undefined }

/**
 * Takes a code in the caller's transaction and returns what it was; null when it is wrong. One that was taken before is wrong,
 * however many show it at once.
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

/** The refusal of a code. */
export function wrongCode(shown: ShownCode): ServiceError {
  const [field = 'totp'] = Object.keys(shown)
  return new ServiceError(
    'validation_error',
    'This code is not right, or was used before. Try the next one that is shown.',
    [`/${field}: is not right, or was used before`],
  )
}

/** What a sealed secret is bound to: it opens as this person's only. */
export function totpPurpose(userId: string): string {
  return `totp secret of ${userId}`
}

/** The operator's key for secrets at rest; refuses when there is none. */
export function demandSealKey(app: Pick<App, 'people'>): Buffer {
  const { sealKey } = app.people
  if (sealKey === null)
    throw new ServiceError(
      'service_unavailable',
      'Authenticator apps cannot be used on this service: whoever runs it has to set SLUICE_SECRET_KEY.',
    )
  return sealKey
}

export function openSecret(app: Pick<App, 'people'>, userId: string, sealed: Buffer): Buffer {
  const text = unseal(demandSealKey(app), sealed, totpPurpose(userId))
  if (text === null)
    throw new ServiceError(
      'service_unavailable',
      'What authenticator apps are checked against cannot be read: whoever runs the service has to bring the right SLUICE_SECRET_KEY back.',
    )
  return Buffer.from(text, 'hex')
}
