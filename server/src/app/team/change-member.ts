import { ServiceError } from '../../domain/errors.ts'
import { actorIn, type Person } from '../../domain/people.ts'
import { mayAppoint, powersOf, type Role } from '../../domain/roles.ts'
import type { Member } from '../../store/people/members.ts'
import type { Invitation } from '../../store/people/one-time-links.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { offerPasskeys } from '../people/offer-passkey.ts'
import { supersedeAll } from '../policy/end-change.ts'
import { onlyOwners } from './invite-member.ts'

const approves = (role: Role) => powersOf[role].has('payouts:approve')

/**
 * Changes a member's role, or removes the member (null), from their next request on. The last owner stays an owner. If they
 * could approve payouts and no longer can, open changes of the policy are superseded.
 */
export async function changeMember(
  app: App,
  person: Person,
  merchantId: string,
  { userId, role }: { readonly userId: string; readonly role: Role | null },
): Promise<Member> {
  return app.transaction(async (tx) => {
    const roles = await tx.members.hold(merchantId)
    const before = roles.get(userId.toLowerCase())
    if (before === undefined) throw new ServiceError('not_found', 'There is no such member at this merchant.')
    // The role as it is now: it may have changed since the request arrived.
    const own = roles.get(person.userId)
    if (own === undefined || !mayAppoint(own, before) || (role !== null && !mayAppoint(own, role)))
      throw onlyOwners()
    const owners = [...roles.values()].filter((each) => each === 'owner').length
    if (before === 'owner' && role !== 'owner' && owners === 1)
      throw new ServiceError('conflict', 'This is the last owner. Make another member an owner first.')
    const member = await memberOf(tx, merchantId, userId)
    if (role === null) await tx.members.remove(merchantId, userId)
    else {
      await tx.users.setRole(userId, merchantId, role)
      await offerPasskeys(tx, userId, merchantId)
    }
    await noteAct(tx, actorIn(person), merchantId, {
      environment: null,
      subject: member.userId,
      action: role === null ? 'team.removed' : 'team.role_changed',
      details: { email: member.email, name: member.name, before, role },
    })
    // Else an owner could propose a change and then remove everyone who would stop it.
    if (approves(before) && (role === null || !approves(role)))
      await supersedeAll(app, tx, merchantId, actorIn(person), 'A member who could approve it left.')
    return role === null ? member : { ...member, role }
  })
}

/** Withdraws an open invitation; its link stops working. */
export async function withdrawInvitation(
  app: App,
  person: Person,
  merchantId: string,
  id: string,
): Promise<Invitation> {
  return app.transaction(async (tx) => {
    const roles = await tx.members.hold(merchantId)
    const invitation = await tx.oneTimeLinks.withdraw(merchantId, id)
    if (invitation === null) throw new ServiceError('not_found', 'There is no such open invitation.')
    const own = roles.get(person.userId)
    if (own === undefined || !mayAppoint(own, invitation.role)) throw onlyOwners()
    await noteAct(tx, actorIn(person), merchantId, {
      environment: null,
      action: 'team.invitation_withdrawn',
      subject: invitation.id,
      details: { email: invitation.email, role: invitation.role },
    })
    return invitation
  })
}

async function memberOf(tx: Store, merchantId: string, userId: string): Promise<Member> {
  const member = (await tx.members.list(merchantId)).find((each) => each.userId === userId.toLowerCase())
  if (member === undefined) throw new Error('A member was locked but cannot be found.')
  return member
}
