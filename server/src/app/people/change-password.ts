import { ServiceError } from '../../domain/errors.ts'
import { passwordProblem } from '../../domain/password-rules.ts'
import type { Person } from '../../domain/people.ts'
import type { App } from '../app.ts'
import { finishChange } from './change-factors.ts'
import { hashPassword } from './passwords.ts'
import { isOwnPassword, wrongPassword } from './step-up.ts'

/** Changes the password of a person who knows the current one. */
export async function changePassword(
  app: App,
  person: Person,
  { current, password }: { readonly current: string; readonly password: string },
): Promise<void> {
  refuseWeak(password, person.email)
  if (password === current)
    throw new ServiceError('validation_error', 'This password cannot be used.', [
      '/password: must differ from the current password',
    ])
  if (!(await isOwnPassword(app, person, current))) throw wrongPassword('current_password')
  const hash = await hashPassword(password, app.random)
  await app.transaction(async (tx) => {
    await tx.users.setPassword(person.userId, hash)
    await tx.oneTimeLinks.endResets(person.email)
    const change = { action: 'account.password_changed', subject: person.userId } as const
    await finishChange(app, tx, person, { ...change, notice: 'password_changed' })
  })
}

/** Throws if a new password is too weak. */
export function refuseWeak(password: string, email: string): void {
  const problem = passwordProblem(password, email)
  if (problem !== null)
    throw new ServiceError('validation_error', 'This password cannot be used.', [`/password: ${problem}`])
}
