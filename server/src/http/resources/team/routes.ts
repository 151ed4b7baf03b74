import type { App } from '../../../app/app.ts'
import { changeMember, withdrawInvitation } from '../../../app/team/change-member.ts'
import { inviteMember, renewInvitation } from '../../../app/team/invite-member.ts'
import { actorIn } from '../../../domain/people.ts'
import type { DashboardHandlers } from '../../dashboard/handlers.ts'
import { created, ok } from '../../reply.ts'
import { invitationMadeView, invitationView, memberView } from './view.ts'

/** The members of a merchant. */
export function dashboardTeam(
  app: App,
): Pick<
  DashboardHandlers,
  'getTeam' | 'inviteMember' | 'renewInvitation' | 'withdrawInvitation' | 'changeMember' | 'removeMember'
> {
  const { sendsMail } = app.people
  return {
    getTeam: async ({ path }) => {
      const members = await app.store.members.list(path.merchantID)
      const invitations = await app.store.oneTimeLinks.listInvitations(path.merchantID)
      return ok({
        members: members.map(memberView),
        invitations: invitations.map((each) => invitationView(each, sendsMail)),
      })
    },
    inviteMember: async ({ person, path, body }) => {
      const request = { merchantId: path.merchantID, ...body, appointer: person.role }
      return created(invitationMadeView(await inviteMember(app, actorIn(person), request), sendsMail))
    },
    renewInvitation: async ({ person, path }) =>
      created(
        invitationMadeView(await renewInvitation(app, person, path.merchantID, path.invitationID), sendsMail),
      ),
    withdrawInvitation: async ({ person, path }) =>
      ok(
        invitationView(await withdrawInvitation(app, person, path.merchantID, path.invitationID), sendsMail),
      ),
    changeMember: async ({ person, path, body }) => {
      const change = { userId: path.userID, role: body.role }
      return ok(memberView(await changeMember(app, person, path.merchantID, change)))
    },
    removeMember: async ({ person, path }) => {
      const change = { userId: path.userID, role: null }
      return ok(memberView(await changeMember(app, person, path.merchantID, change)))
    },
  }
}
