import type { AuditAction } from '../../domain/audit-actions.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Notice } from '../../domain/notices.ts'
import { actorIn, type Person, type SecondFactor } from '../../domain/people.ts'
import { makeRecoveryCodes, recoveryCodeHash } from '../../domain/recovery-codes.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { tell } from './ask-mail.ts'

type Change = {
  readonly action: AuditAction
  readonly subject: string
  readonly details?: Readonly<Record<string, string | number>>
  readonly notice: Notice
}

/**
 * Completes a change of a person's sign-in credentials: ends all their other sessions, notifies them and records the change.
 * Call it last in the transaction that makes the change.
 */
export async function finishChange(app: App, tx: Store, person: Person, change: Change): Promise<void> {
  const { action, subject, details = {}, notice } = change
  const ended = await tx.sessions.endAll(person.userId, person.sessionId)
  await tx.devices.drop(person.userId, 'all', person.sessionId)
  await tell(app, tx, person.email, notice)
  await noteAct(tx, actorIn(person), null, {
    environment: null,
    action,
    subject,
    details: { ...details, sessions_ended: ended },
  })
}

/** Replaces all recovery codes; the returned codes are stored only as hashes. */
export async function replaceRecoveryCodes(app: App, tx: Store, userId: string): Promise<string[]> {
  const codes = makeRecoveryCodes(app.random)
  await tx.secondFactors.replaceRecoveryCodes(userId, codes.map(recoveryCodeHash))
  return codes
}

/**
 * Call after removing a second factor. Throws if an owner or operator would be left without one, and deletes the recovery
 * codes along with the last factor. Returns the remaining factors.
 */
export async function afterRemoval(tx: Store, person: Person): Promise<SecondFactor[]> {
  const left = await tx.secondFactors.of(person.userId)
  if (left.some((factor) => factor !== 'recovery_code')) return left
  if (person.isOperator || (await tx.members.isOwner(person.userId)))
    throw new ServiceError(
      'conflict',
      'Owners and operators must keep a second factor. Set up another one first, then remove this one.',
    )
  await tx.secondFactors.replaceRecoveryCodes(person.userId, [])
  return []
}
