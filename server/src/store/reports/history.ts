import type { Environment } from '../../domain/environment.ts'
import type { EventName } from '../../domain/events.ts'
import { type Db, sql } from '../sql.ts'

type Owner = { readonly merchantId: string; readonly environment: Environment }

export type PastEvent = {
  readonly id: string
  readonly event: EventName
  readonly resourceId: string
  /** The status that its subject had then; null for an event without one. */
  readonly status: string | null
  /** The payment that was credited; null for other events. */
  readonly paymentId: string | null
  /** What its subject was in or of then; null if it had no asset. */
  readonly currency: string | null
  readonly network: string | null
  /** By how much an invoice was overpaid then; null for events about something else. */
  readonly overpaid: string | null
  readonly createdAt: Date
}

/** A webhook delivery as it stands, with the result of its last attempt. */
export type PastDelivery = {
  readonly id: string
  readonly eventId: string
  readonly endpointId: string
  readonly url: string
  readonly status: 'pending' | 'succeeded' | 'failed'
  readonly attempts: number
  /** By the merchant's clock, as everything else in a history. */
  readonly at: Date
  readonly statusCode: number | null
  readonly error: string | null
}

/** A person's approval of a payout. */
export type PastApproval = { readonly payoutId: string; readonly approver: string; readonly at: Date }

/** The most events that are shown for one invoice. Usually there are a handful. */
const maxEvents = 1_000

/** What happened to an invoice, and what followed from it. */
export function historyOn(db: Db) {
  return {
    /** Who created an invoice; null where that was not recorded. */
    async creator(owner: Owner, invoiceId: string): Promise<string | null> {
      const row = await sql<{ createdBy: string | null }>`
        select created_by as "createdBy" from invoices
        where id = ${invoiceId} and merchant_id = ${owner.merchantId} and environment = ${owner.environment}`.maybeOne(
        db,
      )
      return row?.createdBy ?? null
    },

    /** The address that each payment of an invoice arrived at, by payment id. */
    async paymentAddresses(invoiceId: string): Promise<Map<string, string>> {
      const rows = await sql<{ id: string; address: string }>`
        select id, address from payments where invoice_id = ${invoiceId}`.rows(db)
      return new Map(rows.map(({ id, address }) => [id, address]))
    },

    /** The events of these resources, oldest first. An entry of the ledger knows the payment that an event credits. */
    async events(owner: Owner, resourceIds: readonly string[]): Promise<PastEvent[]> {
      return sql<PastEvent>`
        select id, event, resource_id as "resourceId", data ->> 'status' as status, data ->> 'currency' as currency,
          data ->> 'network' as network, data ->> 'amount_overpaid' as overpaid, created_at as "createdAt", (
            select subject from ledger_entries as entry
            join ledger_transactions as credit on credit.id = entry.transaction_id
            where entry.merchant_id = events.merchant_id and entry.environment = events.environment
              and entry.currency = events.data ->> 'currency'
              and number = case event when 'balance.credited' then (data ->> 'ledger_entry_id')::bigint end
          ) as "paymentId"
        from events
        where merchant_id = ${owner.merchantId} and environment = ${owner.environment}
          and resource_id = any(${[...resourceIds]}::uuid[])
        order by position limit ${maxEvents}`.rows(db)
    },

    async deliveries(eventIds: readonly string[]): Promise<PastDelivery[]> {
      return sql<PastDelivery>`
        select delivery.id, delivery.event_id as "eventId", delivery.endpoint_id as "endpointId", endpoint.url,
          delivery.status, delivery.attempts,
          merchant_time(events.merchant_id, events.environment,
            coalesce(delivery.last_attempt_at, delivery.created_at)) as at, last.status_code as "statusCode", last.error
        from webhook_deliveries as delivery
        join events on events.id = delivery.event_id
        join webhook_endpoints as endpoint on endpoint.id = delivery.endpoint_id
        left join lateral (
          select status_code, error from webhook_attempts where delivery_id = delivery.id order by number desc limit 1
        ) as last on true
        where delivery.event_id = any(${[...eventIds]}::uuid[])
        order by at, delivery.id`.rows(db)
    },

    /** Who approved each payout, and when; oldest first. */
    async approvals(payoutIds: readonly string[]): Promise<PastApproval[]> {
      return sql<PastApproval>`
        select payout_id as "payoutId", approver, created_at as "at" from payout_approvals
        where payout_id = any(${[...payoutIds]}::uuid[]) order by created_at, approver`.rows(db)
    },
  }
}
