import { ServiceError } from '../../domain/errors.ts'
import type { Person, SecondFactor } from '../../domain/people.ts'
import type { App } from '../app.ts'
import { afterRemoval, finishChange } from './change-factors.ts'

/** Removes a person's authenticator app; returns their remaining second factors. */
export async function removeTotp(app: App, person: Person): Promise<SecondFactor[]> {
  const { userId } = person
  return app.transaction(async (tx) => {
    await tx.secondFactors.hold(userId)
    if (!(await tx.secondFactors.removeTotp(userId)))
      throw new ServiceError('not_found', 'You have no authenticator app set up.')
    const left = await afterRemoval(tx, person)
    await finishChange(app, tx, person, { action: 'totp.removed', subject: userId, notice: 'totp_removed' })
    return left
  })
}
