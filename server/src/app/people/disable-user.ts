import type { Actor } from '../../domain/audit-log.ts'
import { ServiceError } from '../../domain/errors.ts'
import { approverRoles } from '../../domain/roles.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { supersedeAll } from '../policy/end-change.ts'

/**
 * Disables a user at once, or enables them again; returns how many sessions were ended. Open changes of the policies of
 * merchants where they approve are superseded: they may be theirs, and they can no longer stop them.
 */
export async function disableUser(
  app: App,
  by: Actor,
  { email, isDisabled }: { readonly email: string; readonly isDisabled: boolean },
): Promise<number> {
  return app.transaction(async (tx) => {
    const user = await tx.users.findByEmail(email)
    if (user === null)
      throw new ServiceError('not_found', `There is no user with the e-mail address ${email}.`)
    if (isDisabled)
      for (const { merchantId, role } of await tx.users.memberships(user.id)) {
        if (!approverRoles.includes(role)) continue
        await tx.members.hold(merchantId)
        await supersedeAll(app, tx, merchantId, by, 'A member who could approve it was disabled.')
      }
    await tx.users.setDisabled(user.id, isDisabled)
    const ended = isDisabled ? await tx.sessions.endAll(user.id, null) : 0
    await noteAct(tx, by, null, {
      environment: null,
      action: isDisabled ? 'user.disabled' : 'user.enabled',
      subject: user.id,
      details: { email: user.email, sessions_ended: ended },
    })
    return ended
  })
}
