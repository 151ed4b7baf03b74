import type { App } from '../../../app/app.ts'
import { changeView } from '../../../app/saved-views/change-view.ts'
import { deleteView } from '../../../app/saved-views/delete-view.ts'
import { viewerOf } from '../../../app/saved-views/own-view.ts'
import { saveView } from '../../../app/saved-views/save-view.ts'
import type { DashboardHandlers } from '../../dashboard/handlers.ts'
import { created, ok } from '../../reply.ts'
import { savedView } from './view.ts'

/** Views of the dashboard's lists, saved by members. */
export function dashboardViews(
  app: App,
): Pick<DashboardHandlers, 'listSavedViews' | 'createSavedView' | 'updateSavedView' | 'deleteSavedView'> {
  return {
    listSavedViews: async ({ person, path }) => {
      if (person.role === null) return ok([])
      const views = await app.store.savedViews.list(viewerOf(path.merchantID, person.userId, person.role))
      return ok(views.map((each) => savedView(each, person)))
    },
    createSavedView: async ({ person, path, body }) => {
      const { list, name, query, is_shared: isShared } = body
      return created(
        savedView(await saveView(app, person, path.merchantID, { list, name, query, isShared }), person),
      )
    },
    updateSavedView: async ({ person, path, body }) => {
      const { name = null, query = null, is_shared: isShared = null } = body
      const at = { merchantId: path.merchantID, id: path.viewID }
      return ok(savedView(await changeView(app, person, at, { name, query, isShared }), person))
    },
    deleteSavedView: async ({ person, path }) => {
      const at = { merchantId: path.merchantID, id: path.viewID }
      return ok(savedView(await deleteView(app, person, at), person))
    },
  }
}
