import type { App } from '../../../app/app.ts'
import { changeAccount } from '../../../app/people/change-account.ts'
import { endSessions } from '../../../app/people/end-sessions.ts'
import type { Entry } from '../../../app/people/open-session.ts'
import { requestOptions } from '../../../app/people/passkey-ceremony.ts'
import { askReset, completeReset } from '../../../app/people/reset-password.ts'
import { showSecondFactor } from '../../../app/people/show-second-factor.ts'
import { signIn } from '../../../app/people/sign-in.ts'
import { signInWithPasskey } from '../../../app/people/sign-in-with-passkey.ts'
import { acceptInvitation, lookAtInvitation } from '../../../app/team/accept-invitation.ts'
import type { Person } from '../../../domain/people.ts'
import type { DashboardCookies } from '../../dashboard/cookies.ts'
import type { DashboardHandlers } from '../../dashboard/handlers.ts'
import { ok } from '../../reply.ts'
import { time } from '../values.ts'
import { sessionView } from './view.ts'

/** Signing in and out. */
export function dashboardSession(
  app: App,
  cookies: DashboardCookies,
): Pick<
  DashboardHandlers,
  | 'signIn'
  | 'showSecondFactor'
  | 'beginPasskeySignIn'
  | 'signInWithPasskey'
  | 'askPasswordReset'
  | 'completePasswordReset'
  | 'lookAtInvitation'
  | 'acceptInvitation'
  | 'signOut'
  | 'getSession'
  | 'changeAccount'
> {
  const letIn = (entry: Entry) => ({
    ...ok({ stage: 'signed_in' as const }),
    headers: cookies.set(entry),
  })
  const view = async (person: Person) => {
    const memberships = await app.store.users.memberships(person.userId)
    const recoveryCodesLeft = await app.store.secondFactors.recoveryCodesLeft(person.userId)
    return ok(sessionView(person, { memberships, recoveryCodesLeft }, app.assets, app.now()))
  }
  return {
    signIn: async ({ body, from }) => {
      const { isComplete, ...entry } = await signIn(app, body, from)
      const stage = isComplete ? ('signed_in' as const) : ('second_factor' as const)
      return { ...ok({ stage }), headers: cookies.set(entry) }
    },
    showSecondFactor: async ({ body, from }) => letIn(await showSecondFactor(app, from.token, body, from)),
    beginPasskeySignIn: async ({ from }) =>
      ok({ options: await requestOptions(app, from.host, { purpose: 'sign_in', sessionId: null }, []) }),
    signInWithPasskey: async ({ body, from }) => letIn(await signInWithPasskey(app, body.credential, from)),
    askPasswordReset: async ({ body }) => {
      await askReset(app, body.email)
      return { ...ok({ asked: true }), status: 202 }
    },
    completePasswordReset: async ({ body, from }) => {
      await completeReset(app, body, from)
      return ok({ changed: true })
    },
    lookAtInvitation: async ({ body, from }) => {
      const { invitation, isYours } = await lookAtInvitation(app, body.token, from)
      const { email, merchantName, role, expiresAt } = invitation
      return ok({
        email,
        merchant_name: merchantName,
        role,
        is_yours: isYours,
        expires_at: time(expiresAt) as string,
      })
    },
    acceptInvitation: async ({ body, from }) => {
      const { token, name = null, password = null } = body
      const { merchantId, entry } = await acceptInvitation(app, { token, name, password }, from)
      const answer = ok({ stage: 'signed_in' as const, merchant_id: merchantId })
      return entry === null ? answer : { ...answer, headers: cookies.set(entry) }
    },
    signOut: async ({ person }) => {
      await endSessions(app, person, { id: person.sessionId })
      return { ...ok({ signed_out: true }), headers: cookies.clear() }
    },
    getSession: ({ person }) => view(person),
    changeAccount: async ({ person, body }) => view(await changeAccount(app, person, body)),
  }
}
