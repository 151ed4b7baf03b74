import { ServiceError } from '../../domain/errors.ts'
import type { App } from '../app.ts'
import { type Origin, openSession } from './open-session.ts'
import { isPassword } from './passwords.ts'

/** Lets somebody in by password. The answer is the same for a wrong password and for nobody's e-mail address. */
export async function signIn(
  app: App,
  { email, password }: { readonly email: string; readonly password: string },
  from: Origin,
): Promise<{ readonly token: string; readonly isComplete: boolean }> {
  const user = await app.store.users.findByEmail(email)
  const isRight = await isPassword(password, user?.passwordHash ?? null)
  if (user === null || user.disabledAt !== null || !isRight)
    throw new ServiceError('unauthorized', 'The e-mail address or the password is not right.')
  const isComplete = true
  const token = await openSession(app, app.store, {
    ...{ userId: user.id, isComplete, provedBy: 'password' as const, from },
  })
  return { token, isComplete }
}
