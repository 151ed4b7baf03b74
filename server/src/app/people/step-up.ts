import { ServiceError } from '../../domain/errors.ts'
import { actorIn, type Person, type Proof, proofFreshMs } from '../../domain/people.ts'
import { codeThrottle, ipThrottle, passwordThrottle } from '../../domain/throttling.ts'
import type { AssertionResponse } from '../../domain/webauthn.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { tell } from './ask-mail.ts'
import { type ShownCode, takeCode, wrongCode } from './check-code.ts'
import { answeringPasskey, redeemChallenge, refused } from './passkey-ceremony.ts'
import { isPassword } from './passwords.ts'
import { noteSlowed } from './sign-in.ts'
import { throttled } from './throttle.ts'

/** What a person shows again: one of these. */
export type ShownProof = ShownCode & { readonly password?: string | undefined }

/**
 * Accepts a fresh proof from a signed-in person; returns until when it is fresh. The password counts only for a person
 * without a second factor.
 */
export async function stepUp(app: App, person: Person, shown: ShownProof): Promise<Date> {
  const { password, ...code } = shown
  const fresh =
    password === undefined ? await byCode(app, person, code) : await byPassword(app, person, password)
  if (fresh !== null) return fresh
  if (password === undefined) throw wrongCode(code)
  throw wrongPassword('password')
}

/** Accepts a passkey's signature as proof. */
export async function stepUpWithPasskey(app: App, person: Person, answer: AssertionResponse): Promise<Date> {
  const { clientDataJSON } = answer.response
  const { challenge } = await redeemChallenge(app, clientDataJSON, 'step_up', person.sessionId)
  const fresh = await app.transaction(async (tx) => {
    const { passkey, isCopied } = await answeringPasskey(app, tx, answer, challenge)
    if (passkey.userId !== person.userId) throw refused()
    if (!isCopied) return prove(tx, person, 'passkey')
    await noteAct(tx, actorIn(person), null, {
      environment: null,
      action: 'passkey.counter_went_back',
      subject: person.userId,
      details: { passkey: passkey.name },
    })
    return null
  })
  if (fresh === null) throw refused()
  return fresh
}

/** Whether this is the password of the signed-in person; wrong attempts are throttled. */
export async function isOwnPassword(app: App, person: Person, password: string): Promise<boolean> {
  const right = await throttled(
    app,
    [ipThrottle(person.ip), passwordThrottle(person.userId)],
    async () => {
      const user = await app.store.users.find(person.userId)
      return (await isPassword(password, user?.passwordHash ?? null)) ? true : null
    },
    () => noteSlowed(app, { id: person.userId, email: person.email }, person),
  )
  return right === true
}

export function wrongPassword(field: string): ServiceError {
  return new ServiceError('validation_error', 'The password is wrong.', [`/${field}: is wrong`])
}

async function byPassword(app: App, person: Person, password: string): Promise<Date | null> {
  if (person.secondFactors.length > 0)
    throw new ServiceError(
      'validation_error',
      'You have a second factor, so the password alone is not enough.',
      ['/password: must be a second factor instead'],
    )
  if (!(await isOwnPassword(app, person, password))) return null
  return app.transaction((tx) => prove(tx, person, 'password'))
}

async function byCode(app: App, person: Person, code: ShownCode): Promise<Date | null> {
  const { userId, email } = person
  return throttled(
    app,
    [ipThrottle(person.ip), codeThrottle(userId)],
    () =>
      app.transaction(async (tx) => {
        const provedBy = await takeCode(app, tx, userId, code)
        if (provedBy === null) return null
        if (provedBy === 'recovery_code') await tell(app, tx, email, 'recovery_code_used')
        return prove(tx, person, provedBy)
      }),
    () => noteSlowed(app, { id: userId, email }, person),
  )
}

async function prove(tx: Store, person: Person, provedBy: Proof): Promise<Date> {
  const provedAt = await tx.sessions.prove(person.sessionId, provedBy)
  await noteAct(tx, actorIn(person), null, {
    environment: null,
    action: 'session.proved',
    subject: person.userId,
    details: { by: provedBy },
  })
  return new Date(provedAt.getTime() + proofFreshMs)
}
