import type { Actor } from '../../domain/audit-log.ts'
import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { actorIn } from '../../domain/people.ts'
import { accountThrottle, ipThrottle, resetThrottle } from '../../domain/throttling.ts'
import { plainMail } from '../../store/people/mails.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import type { Origin } from './arrival.ts'
import { askMail, tell } from './ask-mail.ts'
import { refuseWeak } from './change-password.ts'
import { hashPassword } from './passwords.ts'
import { throttled } from './throttle.ts'
import { hashOfToken, makeToken } from './tokens.ts'

/**
 * Queues a mail with a reset link. Does the same for every address: only the mail worker checks whether an account exists.
 * Silently drops requests that come too often.
 */
export async function askReset(app: App, email: string): Promise<void> {
  if (!(await app.store.signInFailures.attempt(resetThrottle(email))).admitted) return
  await app.transaction((tx) => askMail(app, tx, { ...plainMail, kind: 'reset', recipient: email }))
}

/** Creates a new token for the reset link `id`, valid for an hour, and invalidates the link's earlier tokens. */
export async function makeResetToken(
  app: Pick<App, 'random'>,
  tx: Store,
  id: string,
  email: string,
  madeBy: string,
): Promise<string> {
  const token = makeToken(app)
  await tx.oneTimeLinks.saveReset(id, email, hashOfToken(token), madeBy)
  return token
}

/** Creates a reset link for an operator to hand over. */
export async function makeResetLink(
  app: App,
  by: Actor,
  email: string,
  { dropFactors }: { readonly dropFactors: boolean },
): Promise<{ readonly link: string }> {
  const token = await app.transaction(async (tx) => {
    const user = await tx.users.findByEmail(email)
    if (user === null)
      throw new ServiceError('not_found', `There is no user with the e-mail address ${email}.`)
    const made = await makeResetToken(app, tx, uuidv7(app.now()), user.email, by.actor)
    if (dropFactors) {
      await tx.secondFactors.removeTotp(user.id)
      await tx.passkeys.removeAll(user.id)
      await tx.secondFactors.replaceRecoveryCodes(user.id, [])
      await tx.sessions.endAll(user.id, null)
    }
    await noteAct(tx, by, null, {
      environment: null,
      action: 'user.reset_link_made',
      subject: user.id,
      details: { email: user.email, second_factors_removed: dropFactors },
    })
    return made
  })
  return { link: resetUrl(app, token) }
}

export function resetUrl(app: Pick<App, 'people'>, token: string): string {
  return `${app.people.url()}/dashboard/reset#${token}`
}

/** Sets a new password with the token of a link, which works once. Ends all sessions of the person; second factors stay. */
export async function completeReset(
  app: App,
  { token, password }: { readonly token: string; readonly password: string },
  from: Origin,
): Promise<void> {
  // Check before using up the link, so that a stronger password can follow. The check against the email comes later.
  refuseWeak(password, '')
  const done = await throttled(app, [ipThrottle(from.ip)], async () => {
    // Anyone can invent tokens, and hashing a password is expensive.
    if (!(await app.store.oneTimeLinks.isOpen('reset', hashOfToken(token)))) return null
    const hash = await hashPassword(password, app.random)
    return app.transaction(async (tx) => {
      const link = await tx.oneTimeLinks.useReset(hashOfToken(token))
      const user = link === null ? null : await tx.users.findByEmail(link.email)
      if (user === null || user.disabledAt !== null) return null
      refuseWeak(password, user.email)
      await tx.users.setPassword(user.id, hash)
      await tx.oneTimeLinks.endResets(user.email)
      await tx.signInFailures.clear(accountThrottle(user.email, null))
      const ended = await tx.sessions.endAll(user.id, null)
      await tx.devices.drop(user.id, 'all', null)
      await tell(app, tx, user.email, 'password_reset')
      await noteAct(tx, actorIn({ ...from, userId: user.id, name: user.name }), null, {
        environment: null,
        action: 'account.password_reset',
        subject: user.id,
        details: { sessions_ended: ended },
      })
      return true
    })
  })
  if (done === null) throw deadLink()
}

export function deadLink(): ServiceError {
  return new ServiceError(
    'invalid_state',
    'This link was already used, was replaced, or has expired. Ask for a new one.',
    ['/token: is no longer valid'],
  )
}
