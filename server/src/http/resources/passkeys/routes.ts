import type { App } from '../../../app/app.ts'
import { askPasskey } from '../../../app/people/ask-passkey.ts'
import { offeredPasskey, vouchForPasskey, vouchingFor } from '../../../app/people/vouch-for-passkey.ts'
import { withdrawing, withdrawPasskey } from '../../../app/people/withdraw-passkey.ts'
import { readAssertion } from '../../../domain/webauthn.ts'
import type { DashboardHandlers } from '../../dashboard/handlers.ts'
import { type PublicOrigin, speakerOf } from '../../dashboard/speaker.ts'
import { ok } from '../../reply.ts'
import { challengeView, merchantPasskeyView } from '../approval/view.ts'

/** The passkeys that the signers trust. */
export function merchantPasskeys(
  app: App,
  origin: PublicOrigin,
): Pick<
  DashboardHandlers,
  | 'listMerchantPasskeys'
  | 'getVouchingChallenge'
  | 'vouchForPasskey'
  | 'getWithdrawalChallenge'
  | 'withdrawPasskey'
> {
  const speaker = speakerOf(origin)
  return {
    listMerchantPasskeys: async ({ caller: { merchantId, environment } }) =>
      ok((await app.store.passkeyEnrolments.list(merchantId, environment)).map(merchantPasskeyView)),
    getVouchingChallenge: async (request) => {
      const who = speaker(request)
      const offered = await offeredPasskey(app, who, request.path.passkeyID)
      return ok(challengeView(await askPasskey(app, who, vouchingFor(who, offered))))
    },
    vouchForPasskey: async (request) => {
      const signed = readAssertion(request.body.assertion)
      return ok(
        merchantPasskeyView(await vouchForPasskey(app, speaker(request), request.path.passkeyID, signed)),
      )
    },
    getWithdrawalChallenge: async (request) => {
      const who = speaker(request)
      const offered = await offeredPasskey(app, who, request.path.passkeyID)
      return ok(challengeView(await askPasskey(app, who, withdrawing(who, offered))))
    },
    withdrawPasskey: async (request) => {
      const signed = readAssertion(request.body.assertion)
      return ok(
        merchantPasskeyView(await withdrawPasskey(app, speaker(request), request.path.passkeyID, signed)),
      )
    },
  }
}
