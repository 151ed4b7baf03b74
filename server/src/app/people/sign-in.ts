import type { Actor } from '../../domain/audit-log.ts'
import { ServiceError } from '../../domain/errors.ts'
import { actorIn } from '../../domain/people.ts'
import { accountThrottle, ipThrottle } from '../../domain/throttling.ts'
import type { User } from '../../store/people/users.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import type { Browser, Origin } from './arrival.ts'
import { tell } from './ask-mail.ts'
import { type Entry, openSession } from './open-session.ts'
import { isPassword } from './passwords.ts'
import { throttled } from './throttle.ts'

const door: Omit<Actor, 'ip' | 'userAgent'> = { actor: 'service:door', name: 'Dashboard sign-in' }

/**
 * Signs a person in by password; a person with a second factor must show it next. The answer and the work done for it are
 * the same for a wrong password and an unknown email address.
 */
export async function signIn(
  app: App,
  { email, password }: { readonly email: string; readonly password: string },
  from: Browser,
): Promise<Entry & { readonly isComplete: boolean }> {
  const user = await app.store.users.findByEmail(email)
  const isKnown = await app.store.sessions.isKnownAt(email, from.ip)
  const found = await throttled(
    app,
    [ipThrottle(from.ip), accountThrottle(email, isKnown ? from.ip : null)],
    async () => {
      const isRight = await isPassword(password, user?.passwordHash ?? null)
      return isRight && user !== null && user.disabledAt === null ? user : null
    },
    () => noteSlowed(app, user, from),
  )
  if (found === null) throw new ServiceError('unauthorized', 'The e-mail address or the password is wrong.')
  return app.transaction(async (tx) => {
    const isComplete = (await tx.secondFactors.of(found.id)).length === 0
    const entry = await openSession(app, tx, { userId: found.id, isComplete, provedBy: 'password', from })
    await noteAct(tx, actorIn({ ...from, userId: found.id, name: found.name }), null, {
      environment: null,
      subject: found.id,
      details: { by: 'password' },
      action: isComplete ? 'session.began' : 'session.password_given',
    })
    return { ...entry, isComplete }
  })
}

/** Records that failed sign-ins are now being slowed down, and notifies the owner of the account. */
export async function noteSlowed(
  app: App,
  user: Pick<User, 'id' | 'email'> | null,
  { ip, userAgent }: Origin,
): Promise<void> {
  await app.transaction(async (tx) => {
    if (user !== null) await tell(app, tx, user.email, 'sign_in_slowed')
    await noteAct(tx, { ...door, ip, userAgent }, null, {
      environment: null,
      action: 'sign_in.slowed',
      subject: user?.id ?? null,
      details: { email: user?.email ?? null },
    })
  })
}
