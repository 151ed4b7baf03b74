import type { App } from '../../../app/app.ts'
import type { DashboardHandlers } from '../../dashboard/handlers.ts'
import { okPage } from '../../reply.ts'
import { timeFrom } from '../values.ts'
import { auditEntryView } from './view.ts'

export function dashboardAuditLog(app: App): Pick<DashboardHandlers, 'listAuditLog'> {
  return {
    listAuditLog: async ({ path, query }) => {
      const { actor = null, action = null, limit, offset } = query
      const filter = {
        actor,
        action,
        from: timeFrom(query.created_after),
        to: timeFrom(query.created_before),
      }
      const page = await app.store.auditLog.list(path.merchantID, { ...filter, limit, offset })
      return okPage(page, query, auditEntryView)
    },
  }
}
