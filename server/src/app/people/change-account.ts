import { actorIn, type Person } from '../../domain/people.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'

/** Changes a person's name or language; returns the changed person. */
export async function changeAccount(
  app: App,
  person: Person,
  change: { readonly name?: string | undefined; readonly language?: string | undefined },
): Promise<Person> {
  const name = change.name?.trim() ?? person.name
  const language = change.language === undefined ? person.language : change.language || null
  await app.transaction(async (tx) => {
    await tx.users.change(person.userId, { name, language })
    await noteAct(tx, actorIn(person), null, {
      environment: null,
      action: 'account.changed',
      subject: person.userId,
      details: { name, language },
    })
  })
  return { ...person, name, language }
}
