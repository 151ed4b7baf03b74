import type { App } from '../../../app/app.ts'
import { pages } from '../../../app/exports/pages.ts'
import { unvaluedAddress } from '../../../app/static-addresses/value-addresses.ts'
import { unvaluedHeld } from '../../../app/suspense/value-held.ts'
import { noSuchEndpoint } from '../../../app/webhooks/create-endpoint.ts'
import type { AuditEntry } from '../../../domain/audit-log.ts'
import type { StaticAddress } from '../../../store/invoices/static-addresses.ts'
import type { HeldPayment } from '../../../store/invoices/suspense.ts'
import type { Place } from '../../../store/reports/list-page.ts'
import type { DeliveryPlace, ExportedDelivery } from '../../../store/webhooks/endpoint-deliveries.ts'
import type { Event } from '../../../store/webhooks/events.ts'
import type { DashboardHandlers } from '../../dashboard/handlers.ts'
import { staticAddressView } from '../addresses/view.ts'
import { auditEntryView } from '../audit-log/view.ts'
import { eventView } from '../events/view.ts'
import { currencyFrom, narrowingFrom } from '../list-filters.ts'
import { operatorSuspenseView, suspenseViewFor } from '../operator/suspense-view.ts'
import { timeFrom } from '../values.ts'
import {
  addressFileColumns,
  auditFileColumns,
  deliveryFileColumns,
  eventFileColumns,
  operatorSuspenseFileColumns,
  suspenseFileColumns,
} from './columns.ts'
import { answersFiles, viewed } from './file.ts'

type Times = { readonly created_after?: string; readonly created_before?: string }

/** Lists of what was set up, noted, told and held, as files. */
export function dashboardExports(
  app: App,
  onFailed: (error: unknown) => void,
): Pick<
  DashboardHandlers,
  | 'exportAddresses'
  | 'exportEvents'
  | 'exportAuditLog'
  | 'exportSuspense'
  | 'exportOperatorSuspense'
  | 'exportEndpointDeliveries'
> {
  const file = answersFiles(app, onFailed)
  return {
    exportAddresses: async ({ caller, query }) => {
      const narrowing = narrowingFrom(app, { ...query, offset: 0 })
      const filter = { currency: currencyFrom(query), narrowing }
      const rows = pages<StaticAddress, Place>((after, limit) =>
        app.reading((store) => store.staticAddresses.exportPage(caller, filter, after, limit)),
      )
      return file(
        { kind: 'addresses', environment: caller.environment, filters: [filter.currency], ...times(query) },
        addressFileColumns,
        viewed(rows, (address) => staticAddressView(app, unvaluedAddress(app, address))),
      )
    },
    exportEvents: ({ caller, query }) => {
      const { event = null, resource_id: resourceId = null } = query
      const { from, to } = times(query)
      const filter = { event, resourceId, createdAfter: from, createdBefore: to }
      const rows = pages<Event, Place>((after, limit) =>
        app.reading((store) => store.events.exportPage(caller, filter, after, limit)),
      )
      return file(
        { kind: 'events', environment: caller.environment, filters: [event], from, to },
        eventFileColumns,
        viewed(rows, eventView),
      )
    },
    exportAuditLog: ({ path, query }) => {
      const { actor = null, action = null } = query
      const filter = { actor, action, ...times(query) }
      const rows = pages<AuditEntry, bigint>((below, limit) =>
        app.reading((store) => store.auditLog.exportPage(path.merchantID, filter, below, limit)),
      )
      return file(
        { kind: 'audit-log', environment: null, filters: [action], ...times(query) },
        auditFileColumns,
        viewed(rows, auditEntryView),
      )
    },
    exportSuspense: ({ caller, query }) => {
      const { reason = null, invoice_id: invoiceId = null, tx_hash: txHash = null } = query
      const filter = { reason, invoiceId, txHash }
      const rows = pages<HeldPayment, string>((after, limit) =>
        app.reading((store) => store.suspense.exportPage(caller, filter, after, limit)),
      )
      return file(
        { kind: 'suspense', environment: caller.environment, filters: [reason] },
        suspenseFileColumns,
        viewed(rows, (payment) => suspenseViewFor(app.assets, caller.merchantId, unvaluedHeld(payment))),
      )
    },
    exportOperatorSuspense: ({ query }) => {
      const { environment, reason = null, tx_hash: txHash = null } = query
      const [from, to] = [timeFrom(query.seen_after), timeFrom(query.seen_before)]
      const filter = { reason, invoiceId: null, txHash, seenAfter: from, seenBefore: to }
      const rows = pages<HeldPayment, string>((after, limit) =>
        app.reading((store) => store.suspense.exportPageOfAll(environment, filter, after, limit)),
      )
      return file(
        { kind: 'suspense', environment, filters: [reason], from, to },
        operatorSuspenseFileColumns,
        viewed(rows, (held) => {
          const { payment, ...rest } = operatorSuspenseView(app.assets, unvaluedHeld(held))
          return { ...payment, ...rest }
        }),
      )
    },
    exportEndpointDeliveries: async ({ caller, path: { endpointID: id }, query }) => {
      if ((await app.store.webhookEndpoints.find(caller, id)) === null) throw noSuchEndpoint()
      const filter = { status: query.status ?? null, ...times(query) }
      return file(
        { kind: 'deliveries', environment: caller.environment, filters: [filter.status], ...times(query) },
        deliveryFileColumns,
        pages<ExportedDelivery, DeliveryPlace>((after, limit) =>
          app.reading((store) => store.endpointDeliveries.exportPage(id, filter, after, limit)),
        ),
      )
    },
  }
}

function times(query: Times) {
  return { from: timeFrom(query.created_after), to: timeFrom(query.created_before) }
}
