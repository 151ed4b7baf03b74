import { ServiceError } from '../../domain/errors.ts'
import { actorIn } from '../../domain/people.ts'
import { codeThrottle, ipThrottle } from '../../domain/throttling.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import type { Browser } from './arrival.ts'
import { tell } from './ask-mail.ts'
import { type ShownCode, takeCode, wrongCode } from './check-code.ts'
import { type Entry, openSession } from './open-session.ts'
import { noteSlowed } from './sign-in.ts'
import { throttled } from './throttle.ts'
import { hashOfToken } from './tokens.ts'

/** Completes a sign-in: ends the session that the password began, and begins a new one with its own token. */
export async function showSecondFactor(
  app: App,
  token: string | null,
  shown: ShownCode,
  from: Browser,
): Promise<Entry> {
  const begun = token === null ? null : await app.store.sessions.find(hashOfToken(token))
  if (begun === null || begun.isComplete) throw notBegun()
  const { userId, sessionId, email, name } = begun
  const made = await throttled(
    app,
    [ipThrottle(from.ip), codeThrottle(userId)],
    () =>
      app.transaction(async (tx) => {
        const provedBy = await takeCode(app, tx, userId, shown)
        if (provedBy === null) return null
        if (!(await tx.sessions.end(userId, sessionId))) throw notBegun()
        const complete = await openSession(app, tx, { userId, isComplete: true, provedBy, from })
        if (provedBy === 'recovery_code') await tell(app, tx, email, 'recovery_code_used')
        await noteAct(tx, actorIn({ ...from, userId, name }), null, {
          environment: null,
          action: 'session.began',
          subject: userId,
          details: { by: provedBy },
        })
        return complete
      }),
    () => noteSlowed(app, { id: userId, email }, from),
  )
  if (made === null) throw wrongCode(shown)
  return made
}

function notBegun(): ServiceError {
  return new ServiceError('unauthorized', 'Enter your e-mail address and password first.')
}
