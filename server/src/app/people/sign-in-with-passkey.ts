import { actorIn } from '../../domain/people.ts'
import { ipThrottle } from '../../domain/throttling.ts'
import type { AssertionResponse } from '../../domain/webauthn.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import type { Browser } from './arrival.ts'
import { type Entry, openSession } from './open-session.ts'
import { answeringPasskey, redeemChallenge, refused } from './passkey-ceremony.ts'
import { throttled } from './throttle.ts'

/** Signs a person in with a passkey that has verified its user, which counts as both factors. */
export async function signInWithPasskey(app: App, answer: AssertionResponse, from: Browser): Promise<Entry> {
  const { challenge } = await redeemChallenge(app, answer.response.clientDataJSON, 'sign_in', null)
  const made = await throttled(app, [ipThrottle(from.ip)], () =>
    app.transaction(async (tx) => {
      const { passkey, isCopied } = await answeringPasskey(app, tx, answer, challenge)
      const user = await tx.users.find(passkey.userId)
      if (user === null || user.disabledAt !== null) return null
      const act = { environment: null, subject: user.id, details: { passkey: passkey.name, by: 'passkey' } }
      const by = actorIn({ ...from, userId: user.id, name: user.name })
      if (isCopied) {
        await noteAct(tx, by, null, { ...act, action: 'passkey.counter_went_back' })
        return null
      }
      const opening = { userId: user.id, isComplete: true, provedBy: 'passkey' as const, from }
      const entry = await openSession(app, tx, opening)
      await noteAct(tx, by, null, { ...act, action: 'session.began' })
      return entry
    }),
  )
  if (made === null) throw refused()
  return made
}
