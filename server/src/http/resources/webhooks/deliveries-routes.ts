import type { EndpointFigures as FiguresView } from '@sluice/web/contract'
import type { App } from '../../../app/app.ts'
import { noSuchEndpoint } from '../../../app/webhooks/create-endpoint.ts'
import { countRange } from '../../../app/webhooks/redeliver.ts'
import type { DeliveryFigures, EndpointFigures } from '../../../store/webhooks/endpoint-figures.ts'
import type { DashboardHandlers } from '../../dashboard/handlers.ts'
import { ok, okPage } from '../../reply.ts'
import { namesFrom } from '../events/names-from.ts'
import { time, timeFrom } from '../values.ts'
import { endpointDeliveryView } from './endpoint-delivery-view.ts'

/** What the dashboard shows of the deliveries to a merchant's endpoints. */
export function dashboardDeliveries(
  app: App,
): Pick<DashboardHandlers, 'listEndpointDeliveries' | 'getDeliveryRange' | 'listEndpointFigures'> {
  return {
    listEndpointDeliveries: async ({ caller, path, query }) => {
      const { status = null, limit, offset } = query
      if ((await app.store.webhookEndpoints.find(caller, path.endpointID)) === null) throw noSuchEndpoint()
      const span = { from: timeFrom(query.created_after), to: timeFrom(query.created_before) }
      const page = await app.store.endpointDeliveries.list(path.endpointID, {
        status,
        ...span,
        limit,
        offset,
      })
      return okPage(page, query, endpointDeliveryView)
    },
    getDeliveryRange: async ({ caller, path, query }) => {
      const { continueFrom, ...counts } = await countRange(app, caller, {
        endpointId: path.endpointID,
        from: new Date(query.created_after),
        to: new Date(query.created_before),
        events: query.events === undefined ? null : namesFrom(query.events),
      })
      return ok({ ...counts, continue_from: time(continueFrom) })
    },
    listEndpointFigures: async ({ caller }) =>
      ok((await app.reading((store) => store.endpointFigures.list(caller))).map(figuresView)),
  }
}

function figuresView(figures: EndpointFigures): FiguresView {
  return {
    endpoint_id: figures.endpointId,
    day: spanView(figures.day),
    week: spanView(figures.week),
    waiting: figures.waiting,
    waiting_has_more: figures.waitingHasMore,
    next_attempt_at: time(figures.nextAttemptAt),
  }
}

function spanView({ succeeded, failed, p50Ms, p95Ms, from }: DeliveryFigures): FiguresView['day'] {
  const done = succeeded + failed
  return {
    succeeded,
    failed,
    success_rate: done === 0 ? null : shareOf(succeeded, done),
    p50_ms: p50Ms,
    p95_ms: p95Ms,
    from: time(from),
  }
}

/** A share with four digits, rounded down: only all of it is 1. */
function shareOf(part: number, whole: number): string {
  const digits = Math.floor((part * 10_000) / whole)
    .toString()
    .padStart(5, '0')
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`
}
