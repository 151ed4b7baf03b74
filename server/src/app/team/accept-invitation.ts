import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { actorIn, demandOwnPassword } from '../../domain/people.ts'
import { ipThrottle } from '../../domain/throttling.ts'
import type { Invitation } from '../../store/people/one-time-links.ts'
import type { User } from '../../store/people/users.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import type { Arrival } from '../people/arrival.ts'
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

/** `entry` is null for a user who was signed in already. */
type Accepted = { readonly merchantId: string; readonly entry: Entry | null }

/**
 * Shows an invitation to the holder of its link, and whether it is theirs, signed in. It does not say whether the address has an
 * account: the inviter may hold the link.
 */
export async function lookAtInvitation(app: App, token: string, from: Arrival) {
  const seen = await throttled(app, [ipThrottle(from.ip)], async () => {
    const invitation = await app.store.oneTimeLinks.findInvitation(hashOfToken(token))
    if (invitation === null) return null
    const user = await app.store.users.findByEmail(invitation.email)
    const session = await sessionOf(app.store, from)
    return { invitation, isYours: user !== null && user.id === session?.userId }
  })
  if (seen === null) throw deadLink()
  return seen
}

/**
 * Accepts an invitation, once. An address without an account gets one and is signed in. An account joins the merchant only if it is
 * signed in: the link does not prove who follows it, and the account's address does not prove who owns the account.
 */
export async function acceptInvitation(app: App, acceptance: Acceptance, from: Arrival): Promise<Accepted> {
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
      const session = await sessionOf(tx, from)
      const isYours = known !== null && known.id === session?.userId
      if (isYours && members.has(known.id))
        throw new ServiceError('conflict', 'You already belong to this merchant.')
      if (isYours) demandOwnPassword(session)
      const user = isYours ? known : await makeUser(app, tx, invitation, { name, password, hash })
      await tx.users.setRole(user.id, merchantId, role)
      await offerPasskeys(tx, user.id, merchantId)
      const opening = { userId: user.id, isComplete: true, provedBy: 'password' as const, from }
      const entry = isYours ? null : await openSession(app, tx, opening)
      await noteAct(tx, actorIn({ ...from, userId: user.id, name: user.name }), merchantId, {
        environment: null,
        action: 'team.joined',
        subject: user.id,
        details: { email, role, is_new: !isYours },
      })
      return { merchantId, entry }
    })
  })
  if (accepted === null) throw deadLink()
  return accepted
}

/** Who is signed in in this browser, with every factor that they have. */
async function sessionOf({ sessions }: Pick<Store, 'sessions'>, { token }: Arrival) {
  const session = token === null ? null : await sessions.find(hashOfToken(token))
  return session?.isComplete ? session : null
}

type Choice = Pick<Acceptance, 'name' | 'password'> & { readonly hash: string | null }

async function makeUser(
  app: App,
  tx: Store,
  { email }: Invitation,
  { name, password, hash }: Choice,
): Promise<Pick<User, 'id' | 'name'>> {
  // Before the address is looked up: what is missing or weak says nothing about it.
  if (name === null || password === null)
    throw new ServiceError('validation_error', 'Choose a name and a password.', [
      ...(name === null ? ['/name: is required'] : []),
      ...(password === null ? ['/password: is required'] : []),
    ])
  refuseWeak(password, email)
  const user = { id: uuidv7(app.now()), email, name: name.trim(), passwordHash: hash, isOperator: false }
  if (!(await tx.users.insert(user)))
    throw new ServiceError(
      'conflict',
      'There is an account with this e-mail address already. Sign in with it, then accept the invitation.',
    )
  return user
}
