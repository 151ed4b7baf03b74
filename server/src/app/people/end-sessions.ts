import { ServiceError } from '../../domain/errors.ts'
import { actorIn, type Person } from '../../domain/people.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'

/** The sessions to end: one by its id, or all but the caller's own. */
export type EndedSessions = { readonly id: string } | 'others'

/** Ends sessions of a person; returns how many. */
export async function endSessions(app: App, person: Person, which: EndedSessions): Promise<number> {
  return app.transaction(async (tx) => {
    const ended =
      which === 'others'
        ? await tx.sessions.endAll(person.userId, person.sessionId)
        : Number(await tx.sessions.end(person.userId, which.id))
    if (which !== 'others' && ended === 0)
      throw new ServiceError('not_found', 'You have no such session, or it has ended.')
    // A session that its owner ends may be a stranger's: what it was begun from is a new device from now on.
    await tx.devices.drop(person.userId, which === 'others' ? 'all' : which.id, person.sessionId)
    await noteAct(tx, actorIn(person), null, {
      environment: null,
      action: 'session.ended',
      details: { ended },
      subject: which === 'others' ? person.userId : which.id,
    })
    return ended
  })
}
