import { ServiceError } from '../../domain/errors.ts'
import type { Person } from '../../domain/people.ts'
import { seal } from '../../domain/seal.ts'
import { codeThrottle, ipThrottle } from '../../domain/throttling.ts'
import { stepOfCode, totpSecretBytes, totpSecretText, totpUri } from '../../domain/totp.ts'
import type { App } from '../app.ts'
import { finishChange, replaceRecoveryCodes } from './change-factors.ts'
import { demandSealKey, openSecret, totpPurpose } from './check-code.ts'
import { throttled } from './throttle.ts'

/** The name that authenticator apps show beside the code. */
const issuer = 'Sluice'

/** Creates a secret for an authenticator app, shown only once. It takes effect once `confirmTotp` accepts a code. */
export async function beginTotp(
  app: App,
  { userId, email }: Person,
): Promise<{ readonly secret: string; readonly uri: string }> {
  const secret = app.random(totpSecretBytes)
  const sealed = seal(demandSealKey(app), secret.toString('hex'), totpPurpose(userId), app.random)
  await app.store.secondFactors.beginTotp(userId, sealed)
  return { secret: totpSecretText(secret), uri: totpUri(secret, issuer, email) }
}

/** Completes the setup of an authenticator app with its first code, and creates recovery codes, shown only once. */
export async function confirmTotp(app: App, person: Person, code: string): Promise<string[]> {
  const { userId } = person
  const { pending } = await app.store.secondFactors.totp(userId)
  if (pending === null)
    throw new ServiceError('conflict', 'No authenticator app is being set up. Start again.')
  const secret = openSecret(app, userId, pending)
  const codes = await throttled(app, [ipThrottle(person.ip), codeThrottle(userId)], () =>
    app.transaction(async (tx) => {
      const step = stepOfCode(secret, code, app.now())
      if (step === null || !(await tx.secondFactors.confirmTotp(userId, pending, step))) return null
      const made = await replaceRecoveryCodes(app, tx, userId)
      await tx.sessions.prove(person.sessionId, 'totp')
      await finishChange(app, tx, person, { action: 'totp.added', subject: userId, notice: 'totp_added' })
      return made
    }),
  )
  if (codes === null)
    throw new ServiceError(
      'validation_error',
      'This code is wrong. Try the next one, and check the clock of your phone.',
      ['/code: is wrong'],
    )
  return codes
}
