import type { App } from '../../../app/app.ts'
import { addPasskey, beginPasskey } from '../../../app/people/add-passkey.ts'
import { removePasskey, renamePasskey } from '../../../app/people/change-passkey.ts'
import { changePassword } from '../../../app/people/change-password.ts'
import { endSessions } from '../../../app/people/end-sessions.ts'
import { requestOptions } from '../../../app/people/passkey-ceremony.ts'
import { removeTotp } from '../../../app/people/remove-totp.ts'
import { renewRecoveryCodes } from '../../../app/people/renew-recovery-codes.ts'
import { beginTotp, confirmTotp } from '../../../app/people/set-up-totp.ts'
import { stepUp, stepUpWithPasskey } from '../../../app/people/step-up.ts'
import { ServiceError } from '../../../domain/errors.ts'
import type { DashboardHandlers } from '../../dashboard/handlers.ts'
import { created, ok } from '../../reply.ts'
import { qrCoder } from '../checkout/qr-code.ts'
import { openSessionView, passkeyView, provedView } from './view.ts'

const maxSessionsListed = 100

/** Users' own sign-in methods and sessions. */
export function dashboardAccount(
  app: App,
): Pick<
  DashboardHandlers,
  | 'stepUp'
  | 'beginPasskeyStepUp'
  | 'stepUpWithPasskey'
  | 'changePassword'
  | 'beginTotp'
  | 'confirmTotp'
  | 'removeTotp'
  | 'makeRecoveryCodes'
  | 'listPasskeys'
  | 'addPasskey'
  | 'beginPasskeyEnrolment'
  | 'renamePasskey'
  | 'removePasskey'
  | 'listSessions'
  | 'endSession'
  | 'endOtherSessions'
> {
  return {
    stepUp: async ({ person, body }) => ok(provedView(await stepUp(app, person, body))),
    beginPasskeyStepUp: async ({ person, from }) => {
      const { userId, sessionId } = person
      const passkeys = await app.store.passkeys.list(userId)
      if (passkeys.length === 0)
        throw new ServiceError('conflict', 'You have no passkey. Use another second factor.')
      return ok({
        options: await requestOptions(app, from.host, { purpose: 'step_up', sessionId }, passkeys),
      })
    },
    stepUpWithPasskey: async ({ person, body }) =>
      ok(provedView(await stepUpWithPasskey(app, person, body.credential))),
    changePassword: async ({ person, body }) => {
      const { current_password: current, password } = body
      await changePassword(app, person, { current, password })
      return ok({ changed: true })
    },
    beginTotp: async ({ person }) => {
      const { secret, uri } = await beginTotp(app, person)
      // Created for this answer alone: a coder that caches codes would keep the secret.
      return ok({ secret, uri, qr_code: qrCoder()(uri) })
    },
    confirmTotp: async ({ person, body }) =>
      ok({ recovery_codes: await confirmTotp(app, person, body.code) }),
    removeTotp: async ({ person }) => ok({ second_factors: await removeTotp(app, person) }),
    makeRecoveryCodes: async ({ person }) => ok({ recovery_codes: await renewRecoveryCodes(app, person) }),
    listPasskeys: async ({ person }) => ok((await app.store.passkeys.list(person.userId)).map(passkeyView)),
    beginPasskeyEnrolment: async ({ person, from }) =>
      ok({ options: await beginPasskey(app, person, from.host) }),
    addPasskey: async ({ person, body }) =>
      created(passkeyView(await addPasskey(app, person, body.name, body.credential))),
    renamePasskey: async ({ person, path, body }) =>
      ok(passkeyView(await renamePasskey(app, person, path.passkeyID, body.name))),
    removePasskey: async ({ person, path }) =>
      ok({ second_factors: await removePasskey(app, person, path.passkeyID) }),
    listSessions: async ({ person }) => {
      const sessions = await app.store.sessions.list(person.userId, maxSessionsListed)
      return ok(sessions.map((session) => openSessionView(session, person.sessionId)))
    },
    endSession: async ({ person, path }) =>
      ok({ ended: await endSessions(app, person, { id: path.sessionID }) }),
    endOtherSessions: async ({ person }) => ok({ ended: await endSessions(app, person, 'others') }),
  }
}
