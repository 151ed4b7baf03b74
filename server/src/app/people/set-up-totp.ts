import { ServiceError } from '../../domain/errors.ts'
import type { Person } from '../../domain/people.ts'
import { seal } from '../../domain/seal.ts'
import { codeThrottle, ipThrottle } from '../../domain/throttling.ts'
import { stepOfCode, totpSecretBytes, totpSecretText, totpUri } from '../../domain/totp.ts'
import type { App } from '../app.ts'
import { finishChange, replaceRecoveryCodes } from './change-factors.ts'
import { demandSealKey, openSecret, totpPurpose } from './check-code.ts'
import { throttled } from './throttle.ts'

/** What authenticator apps show beside the code. */
const issuer = 'Sluice'

/** Makes a secret for an authenticator app, shown this once. It counts when a code of it is shown. */
export async function beginTotp(
  app: App,
  { userId, email }: Person,
): Promise<{ readonly secret: string; readonly uri: string }> {
  const secret = app.random(totpSecretBytes)
  const sealed = seal(demandSealKey(app), secret.toString('hex'), totpPurpose(userId), app.random)
  await app.store.secondFactors.beginTotp(userId, sealed)
  return { secret: totpSecretText(secret), uri: totpUri(secret, issuer, email) }
}

/** Sets the authenticator app up with its first code, and makes recovery codes, shown this once. */
export async function confirmTotp(app: App, person: Person, code: string): Promise<string[]> {
  const { userId } = person
  const { pending } = await app.store.secondFactors.totp(userId)
  if (pending === null)
    throw new ServiceError('conflict', 'No authenticator app is being set up. Begin again.')
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
      'This code is not right. Try the next one, and see that the clock of your phone is right.',
      ['/code: is not right'],
    )
  return codes
}
