import { ServiceError } from '../../domain/errors.ts'
import type { Notice } from '../../domain/notices.ts'
import { actorIn, type Person, type SecondFactor } from '../../domain/people.ts'
import { makeRecoveryCodes, recoveryCodeHash } from '../../domain/recovery-codes.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { tell } from './ask-mail.ts'

type Change = {
  readonly action: string
  readonly subject: string
  readonly details?: Readonly<Record<string, string | number>>
  readonly notice: Notice
}

/**
 * Ends a change of what somebody signs in with: all their other sessions end, they are told, and it is written down. Call it
 * last in the transaction that makes the change.
 */
export async function finishChange(app: App, tx: Store, person: Person, change: Change): Promise<void> {
  const { action, subject, details = {}, notice } = change
  const ended = await tx.sessions.endAll(person.userId, person.sessionId)
  await tell(app, tx, person.email, notice)
  await noteAct(tx, actorIn(person), null, {
    environment: null,
    action,
    subject,
    details: { ...details, sessions_ended: ended },
  })
}

/** New recovery codes in place of all others; they exist nowhere else. */
export async function replaceRecoveryCodes(app: App, tx: Store, userId: string): Promise<string[]> {
  const codes = makeRecoveryCodes(app.random)
  await tx.secondFactors.replaceRecoveryCodes(userId, codes.map(recoveryCodeHash))
  return codes
}

/**
 * After one was removed: refuses when an owner, or who runs the service, would be left without any, and takes the recovery
 * codes away with the last. Returns what is left.
 */
export async function afterRemoval(tx: Store, person: Person): Promise<SecondFactor[]> {
  const left = await tx.secondFactors.of(person.userId)
  if (left.some((factor) => factor !== 'recovery_code')) return left
  if (person.isOperator || (await tx.members.isOwner(person.userId)))
    throw new ServiceError(
      'conflict',
      'Owners, and who runs the service, keep a second factor. Set up another one first; then this one can go.',
    )
  await tx.secondFactors.replaceRecoveryCodes(person.userId, [])
  return []
}
