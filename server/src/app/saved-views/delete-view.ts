import { actorIn, type Person } from '../../domain/people.ts'
import type { SavedView } from '../../store/people/saved-views.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { findOwnView, holdViews } from './own-view.ts'

/** Deletes a view; returns it as it was. */
export async function deleteView(
  app: App,
  person: Person,
  at: { readonly merchantId: string; readonly id: string },
): Promise<SavedView> {
  return app.transaction(async (tx) => {
    const role = await holdViews(tx, person, at.merchantId)
    const view = await findOwnView(tx, person, role, at)
    await tx.savedViews.remove(view)
    await noteAct(tx, actorIn(person), at.merchantId, {
      environment: null,
      action: 'view.deleted',
      subject: view.id,
      details: { list: view.list, name: view.name, is_shared: view.isShared },
    })
    return view
  })
}
