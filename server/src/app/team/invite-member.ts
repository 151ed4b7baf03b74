import type { Actor } from '../../domain/audit-log.ts'
import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { actorIn, type Person } from '../../domain/people.ts'
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

/** `link` is null where it is mailed. */
type Made = { readonly invitation: Invitation; readonly link: string | null }

/**
 * Invites a person, or renews their invitation. The answer does not reveal whether the address has an account. The link is mailed,
 * and the inviter does not see it; only a service without a mail server shows it to them.
 */
export async function inviteMember(app: App, by: Actor, request: InvitationRequest): Promise<Made> {
  return app.transaction(async (tx) => {
    return handOver(app, tx, by, await invite(app, tx, by, request))
  })
}

/** Makes a new link for an open invitation, with seven days from now. Earlier links stop working. */
export async function renewInvitation(
  app: App,
  person: Person,
  merchantId: string,
  id: string,
): Promise<Made> {
  return app.transaction(async (tx) => {
    const roles = await tx.members.hold(merchantId)
    const open = await tx.oneTimeLinks.listInvitations(merchantId)
    const found = open.find((each) => each.id === id.toLowerCase())
    if (found === undefined) throw new ServiceError('not_found', 'There is no such open invitation.')
    // The role as it is now: it may have changed since the request arrived.
    const appointer = roles.get(person.userId)
    if (appointer === undefined) throw onlyOwners()
    const { email, role } = found
    const by = actorIn(person)
    return handOver(app, tx, by, await invite(app, tx, by, { merchantId, email, role, appointer }))
  })
}

/** Queues the mail with the link. Without a mail server it makes the link, and records that the inviter saw it. */
async function handOver(app: App, tx: Store, by: Actor, invitation: Invitation): Promise<Made> {
  const { id: linkId, email: recipient } = invitation
  const { sendsMail } = app.people
  if (sendsMail) await askMail(app, tx, { ...plainMail, kind: 'invitation', recipient, linkId })
  const link = sendsMail ? null : await makeUrl(app, tx, linkId)
  await noteInvited(tx, by, invitation, { isShown: link !== null })
  return { invitation, link }
}

/** Invites a person and creates the link for an operator to hand over; sends no mail. */
export async function makeInvitationLink(
  app: App,
  by: Actor,
  request: InvitationRequest,
): Promise<{ readonly link: string; readonly expiresAt: Date }> {
  return app.transaction(async (tx) => {
    const invitation = await invite(app, tx, by, request)
    const link = await makeUrl(app, tx, invitation.id)
    await noteInvited(tx, by, invitation, { isShown: true })
    return { link, expiresAt: invitation.expiresAt }
  })
}

async function makeUrl(app: App, tx: Store, id: string): Promise<string> {
  const made = await makeInvitationToken(app, tx, id)
  if (made === null) throw new Error('An invitation was created but cannot be found.')
  return invitationUrl(app, made.token)
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

async function noteInvited(
  tx: Store,
  by: Actor,
  { merchantId, id, email, role }: Invitation,
  { isShown }: { readonly isShown: boolean },
): Promise<void> {
  await noteAct(tx, by, merchantId, {
    environment: null,
    action: 'team.invited',
    subject: id,
    details: { email, role, link_shown: isShown },
  })
}

export function onlyOwners(): ServiceError {
  return new ServiceError('forbidden', 'Only an owner can appoint or remove owners. Ask an owner.')
}
