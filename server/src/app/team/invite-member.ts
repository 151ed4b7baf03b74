import type { Actor } from '../../domain/audit-log.ts'
import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { mayAppoint, type Role } from '../../domain/roles.ts'
import { plainMail } from '../../store/people/mails.ts'
import type { Invitation } from '../../store/people/one-time-links.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { askMail } from '../people/ask-mail.ts'
import { hashOfToken, makeToken } from '../people/tokens.ts'

/** The limit on members and open invitations of a merchant together. */
const maxTeam = 200

/** A request to invite a person to a merchant. `appointer` is the role of the caller; null for the operator. */
export type InvitationRequest = {
  readonly merchantId: string
  readonly email: string
  readonly role: Role
  readonly appointer: Role | null
}

/**
 * Invites a person, or renews their invitation, and queues a mail with a link. The answer does not reveal whether the
 * address has an account. The inviting member never sees the link, because following it counts as proof of owning the
 * address.
 */
export async function inviteMember(app: App, by: Actor, request: InvitationRequest): Promise<Invitation> {
  return app.transaction(async (tx) => {
    const invitation = await invite(app, tx, by, request)
    const { id: linkId, email: recipient } = invitation
    await askMail(app, tx, { ...plainMail, kind: 'invitation', recipient, linkId })
    await noteInvited(tx, by, invitation)
    return invitation
  })
}

/** Invites a person and creates the link for an operator to hand over; sends no mail. */
export async function makeInvitationLink(
  app: App,
  by: Actor,
  request: InvitationRequest,
): Promise<{ readonly link: string; readonly expiresAt: Date }> {
  return app.transaction(async (tx) => {
    const invitation = await invite(app, tx, by, request)
    const made = await makeInvitationToken(app, tx, invitation.id)
    if (made === null) throw new Error('An invitation was created but cannot be found.')
    await noteInvited(tx, by, invitation)
    return { link: invitationUrl(app, made.token), expiresAt: invitation.expiresAt }
  })
}

/** Creates a new token for an open invitation and invalidates its earlier tokens. Null when it is no longer open. */
export async function makeInvitationToken(app: Pick<App, 'random'>, tx: Store, id: string) {
  const token = makeToken(app)
  const invitation = await tx.oneTimeLinks.giveToken(id, hashOfToken(token))
  return invitation === null ? null : { token, invitation }
}

export function invitationUrl(app: Pick<App, 'people'>, token: string): string {
  return `${app.people.url()}/dashboard/invitation#${token}`
}

async function invite(app: App, tx: Store, by: Actor, request: InvitationRequest): Promise<Invitation> {
  const { merchantId, email, role, appointer } = request
  if ((await tx.merchants.find(merchantId)) === null)
    throw new ServiceError('not_found', `There is no merchant ${merchantId}. See: npx sluice merchant list`)
  const members = await tx.members.hold(merchantId)
  const open = await tx.oneTimeLinks.listInvitations(merchantId)
  const renewed = open.find((each) => each.email.toLowerCase() === email.toLowerCase())
  if (appointer !== null && (!mayAppoint(appointer, role) || !mayAppoint(appointer, renewed?.role ?? role)))
    throw onlyOwners()
  const user = await tx.users.findByEmail(email)
  if (user !== null && members.has(user.id))
    throw new ServiceError('conflict', `${email} already belongs to this merchant.`)
  if (renewed === undefined && members.size + open.length >= maxTeam)
    throw new ServiceError('conflict', `A merchant can have at most ${maxTeam} members and open invitations.`)
  return tx.oneTimeLinks.invite({ id: uuidv7(app.now()), email, merchantId, role, madeBy: by.actor })
}

async function noteInvited(tx: Store, by: Actor, { merchantId, id, email, role }: Invitation): Promise<void> {
  await noteAct(tx, by, merchantId, {
    environment: null,
    action: 'team.invited',
    subject: id,
    details: { email, role },
  })
}

export function onlyOwners(): ServiceError {
  return new ServiceError('forbidden', 'Only an owner can appoint or remove owners. Ask an owner.')
}
