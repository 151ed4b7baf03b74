import { ServiceError } from '../../domain/errors.ts'
import { actorIn, type Person, type SecondFactor } from '../../domain/people.ts'
import type { Passkey } from '../../store/people/passkeys.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { afterRemoval, finishChange } from './change-factors.ts'

/** Renames one of a person's passkeys. */
export async function renamePasskey(app: App, person: Person, id: string, name: string): Promise<Passkey> {
  return app.transaction(async (tx) => {
    const passkey = await tx.passkeys.rename(person.userId, id, name.trim())
    if (passkey === null) throw noSuchPasskey()
    await noteAct(tx, actorIn(person), null, {
      environment: null,
      action: 'passkey.renamed',
      subject: passkey.id,
      details: { name: passkey.name },
    })
    return passkey
  })
}

/** Removes one of a person's passkeys; returns their remaining second factors. */
export async function removePasskey(app: App, person: Person, id: string): Promise<SecondFactor[]> {
  return app.transaction(async (tx) => {
    await tx.secondFactors.hold(person.userId)
    const passkey = await tx.passkeys.remove(person.userId, id)
    if (passkey === null) throw noSuchPasskey()
    const left = await afterRemoval(tx, person)
    const details = { name: passkey.name }
    const change = { action: 'passkey.removed', subject: passkey.id, details } as const
    await finishChange(app, tx, person, { ...change, notice: 'passkey_removed' })
    return left
  })
}

function noSuchPasskey(): ServiceError {
  return new ServiceError('not_found', 'You have no such passkey.')
}
