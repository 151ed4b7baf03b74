import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { actorIn } from '../../domain/people.ts'
import { ipThrottle } from '../../domain/throttling.ts'
import type { Invitation } from '../../store/people/one-time-links.ts'
import type { User } from '../../store/people/users.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import type { Browser, Origin } from '../people/arrival.ts'
import { refuseWeak } from '../people/change-password.ts'
import { offerPasskeys } from '../people/offer-passkey.ts'
import { type Entry, openSession } from '../people/open-session.ts'
import { hashPassword } from '../people/passwords.ts'
import { deadLink } from '../people/reset-password.ts'
import { throttled } from '../people/throttle.ts'
import { hashOfToken } from '../people/tokens.ts'

export type Acceptance = {
  readonly token: string
  readonly name: string | null
  readonly password: string | null
}

type Accepted = { readonly merchantId: string; readonly entry: Entry | null }

/** Shows an invitation to the holder of its link. */
export async function lookAtInvitation(app: App, token: string, from: Origin) {
  const seen = await throttled(app, [ipThrottle(from.ip)], async () => {
    const invitation = await app.store.oneTimeLinks.findInvitation(hashOfToken(token))
    if (invitation === null) return null
    return { invitation, isNew: (await app.store.users.findByEmail(invitation.email)) === null }
  })
  if (seen === null) throw deadLink()
  return seen
}

/**
 * Accepts an invitation, once. A new user gets an account and is signed in. An existing user only joins the merchant: the
 * link does not prove who follows it, so it signs no one in and changes nothing else of the account.
 */
export async function acceptInvitation(app: App, acceptance: Acceptance, from: Browser): Promise<Accepted> {
  const { token, name, password } = acceptance
  const accepted = await throttled(app, [ipThrottle(from.ip)], async () => {
    // Anyone can invent tokens, and hashing a password is expensive.
    if (!(await app.store.oneTimeLinks.isOpen('invite', hashOfToken(token)))) return null
    const hash = password === null ? null : await hashPassword(password, app.random)
    return app.transaction(async (tx): Promise<Accepted | null> => {
      const invitation = await tx.oneTimeLinks.useInvitation(hashOfToken(token))
      if (invitation === null) return null
      const { merchantId, role, email } = invitation
      const members = await tx.members.hold(merchantId)
      const known = await tx.users.findByEmail(email)
      if (known?.disabledAt) return null
      if (known !== null && members.has(known.id))
        throw new ServiceError('conflict', 'You already belong to this merchant. Sign in.')
      if (password !== null) refuseWeak(password, email)
      const user = known ?? (await makeUser(app, tx, invitation, name, hash))
      await tx.users.setRole(user.id, merchantId, role)
      await offerPasskeys(tx, user.id, merchantId)
      const opening = { userId: user.id, isComplete: true, provedBy: 'password' as const, from }
      const entry = known === null ? await openSession(app, tx, opening) : null
      await noteAct(tx, actorIn({ ...from, userId: user.id, name: user.name }), merchantId, {
        environment: null,
        action: 'team.joined',
        subject: user.id,
        details: { email, role, is_new: known === null },
      })
      return { merchantId, entry }
    })
  })
  if (accepted === null) throw deadLink()
  return accepted
}

async function makeUser(
  app: App,
  tx: Store,
  { email }: Invitation,
  name: string | null,
  passwordHash: string | null,
): Promise<Pick<User, 'id' | 'name'>> {
  if (name === null || passwordHash === null)
    throw new ServiceError('validation_error', 'Choose a name and a password.', [
      ...(name === null ? ['/name: is required'] : []),
      ...(passwordHash === null ? ['/password: is required'] : []),
    ])
  const user = { id: uuidv7(app.now()), email, name: name.trim(), passwordHash, isOperator: false }
  // A new person may accept two invitations at once.
  if (!(await tx.users.insert(user)))
    throw new ServiceError(
      'conflict',
      'An account with this e-mail address exists by now. Open the link again.',
    )
  return user
}
