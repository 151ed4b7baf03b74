import { actorIn, type Person } from '../../domain/people.ts'
import type { SavedView } from '../../store/people/saved-views.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { demandRoom, findOwnView, holdViews, nameTaken, viewName, viewQuery } from './own-view.ts'

/** What changes of a view; null: it stays. */
export type ViewChange = {
  readonly name: string | null
  readonly query: string | null
  readonly isShared: boolean | null
}

/** Renames a view, gives it another query, or shares it or stops that. */
export async function changeView(
  app: App,
  person: Person,
  at: { readonly merchantId: string; readonly id: string },
  { name, query, isShared }: ViewChange,
): Promise<SavedView> {
  return app.transaction(async (tx) => {
    const role = await holdViews(tx, person, at.merchantId)
    const before = await findOwnView(tx, person, role, at)
    const view: SavedView = {
      ...before,
      name: name === null ? before.name : viewName(name),
      query: query === null ? before.query : viewQuery(before.list, query),
      isShared: isShared ?? before.isShared,
    }
    if (view.isShared && !before.isShared) demandRoom(await tx.savedViews.count(at.merchantId, person.userId))
    if (!(await tx.savedViews.change(view))) throw nameTaken(view.name)
    await noteAct(tx, actorIn(person), at.merchantId, {
      environment: null,
      action: 'view.changed',
      subject: view.id,
      details: {
        list: view.list,
        before: before.name,
        name: view.name,
        is_shared: view.isShared,
        has_new_filters: view.query !== before.query,
      },
    })
    return view
  })
}
