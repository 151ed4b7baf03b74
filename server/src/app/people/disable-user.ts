import type { Actor } from '../../domain/audit-log.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'

/** Disables a user at once, or enables them again; returns how many sessions were ended. */
export async function disableUser(
  app: App,
  by: Actor,
  { email, isDisabled }: { readonly email: string; readonly isDisabled: boolean },
): Promise<number> {
  return app.transaction(async (tx) => {
    const user = await tx.users.findByEmail(email)
    if (user === null)
      throw new ServiceError('not_found', `There is no user with the e-mail address ${email}.`)
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
