import type { App } from '../../app/app.ts'
import { signIn } from '../../app/people/sign-in.ts'
import type { SessionCookie } from '../dashboard/cookie.ts'
import type { DashboardHandlers } from '../dashboard/handlers.ts'
import { ok } from '../reply.ts'
import { sessionView } from '../views/session.ts'

export function dashboardSession(
  app: App,
  cookie: SessionCookie,
): Pick<DashboardHandlers, 'signIn' | 'signOut' | 'getSession'> {
  return {
    signIn: async ({ body, from }) => {
      const { token, isComplete } = await signIn(app, body, from)
      const stage = isComplete ? ('signed_in' as const) : ('second_factor' as const)
      return { ...ok({ stage }), headers: cookie.set(token) }
    },
    signOut: async ({ person }) => {
      await app.store.sessions.end(person.sessionId)
      return { ...ok({ signed_out: true }), headers: cookie.clear() }
    },
    getSession: async ({ person }) =>
      ok(sessionView(person, await app.store.users.memberships(person.userId), app.now())),
  }
}
