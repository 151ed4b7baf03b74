import type { Invitation, InvitationMade, Member } from '@sluice/web/contract'
import type { Member as StoredMember } from '../../../store/people/members.ts'
import type { Invitation as StoredInvitation } from '../../../store/people/one-time-links.ts'
import { time } from '../values.ts'

export function memberView(member: StoredMember): Member {
  const { userId, email, name, role, secondFactors, isDisabled, joinedAt, lastSeenAt } = member
  return {
    user_id: userId,
    email,
    name,
    role,
    second_factors: [...secondFactors],
    is_disabled: isDisabled,
    joined_at: joinedAt.toISOString(),
    last_seen_at: time(lastSeenAt),
  }
}

export function invitationView(invitation: StoredInvitation, isMailed: boolean): Invitation {
  const { id, email, role, createdAt, expiresAt } = invitation
  return {
    id,
    email,
    role,
    is_mailed: isMailed,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  }
}

export function invitationMadeView(
  { invitation, link }: { readonly invitation: StoredInvitation; readonly link: string | null },
  isMailed: boolean,
): InvitationMade {
  return { invitation: invitationView(invitation, isMailed), link }
}
