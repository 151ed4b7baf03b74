import type { SavedView } from '@sluice/web/contract'
import { mayChange } from '../../../app/saved-views/own-view.ts'
import type { Person } from '../../../domain/people.ts'
import type { SavedView as StoredView } from '../../../store/people/saved-views.ts'

/** The view as this person sees it. */
export function savedView(view: StoredView, { userId, role }: Person): SavedView {
  return {
    id: view.id,
    list: view.list,
    name: view.name,
    query: view.query,
    is_shared: view.isShared,
    is_own: view.userId === userId,
    owner_name: view.ownerName,
    may_change: role !== null && mayChange(view, userId, role),
  }
}
