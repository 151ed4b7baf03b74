import { ServiceError } from '../../domain/errors.ts'
import type { Person } from '../../domain/people.ts'
import type { App } from '../app.ts'
import { finishChange, replaceRecoveryCodes } from './change-factors.ts'

/** Replaces the recovery codes; the new ones are shown only once. Throws for a person without a second factor. */
export async function renewRecoveryCodes(app: App, person: Person): Promise<string[]> {
  const { userId } = person
  return app.transaction(async (tx) => {
    const factors = await tx.secondFactors.hold(userId)
    if (!factors.some((factor) => factor !== 'recovery_code'))
      throw new ServiceError('conflict', 'Set up an authenticator app or a passkey first.')
    const codes = await replaceRecoveryCodes(app, tx, userId)
    const notice = 'recovery_codes_made'
    await finishChange(app, tx, person, { action: 'recovery_codes.made', subject: userId, notice })
    return codes
  })
}
