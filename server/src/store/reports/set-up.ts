import { secondFactorsOf } from '../people/second-factors.ts'
import { type Db, type Sql, sql } from '../sql.ts'

/** What a merchant has set up and tried, as far as the database alone can tell. */
export type SetUpFacts = {
  readonly testInvoicePaid: boolean
  readonly testKeyUsed: boolean
  readonly testWebhookDelivered: boolean
  readonly testPayoutApproved: boolean
  readonly hasBrand: boolean
  /** Two owners with a second factor, or one with recovery codes as well. */
  readonly ownersSafe: boolean
  readonly hasLivePolicy: boolean
  readonly hasLiveWebhook: boolean
  readonly hasLiveKey: boolean
}

/** How many of an endpoint's newest deliveries are searched for one that succeeded. */
const newestDeliveries = 20

/** What belongs to the first steps of a merchant. The statement does not take longer the more invoices there are. */
export function setUpOn(db: Db) {
  return {
    async read(merchantId: string): Promise<SetUpFacts> {
      const hasListed = (list: string, statuses: readonly string[]): Sql => sql`exists (
        select from list_totals where list = ${list} and merchant_id = ${merchantId} and environment = 'test'
          and facet = any(${statuses}::text[]) and total > 0
        union all
        select from list_counts where list = ${list} and merchant_id = ${merchantId} and environment = 'test'
          and facet = any(${statuses}::text[]) and difference > 0)`
      const hasEndpoint = (environment: string, condition: Sql): Sql => sql`exists (
        select from webhook_endpoints as endpoint
        where merchant_id = ${merchantId} and environment = ${environment} and status = 'enabled' and ${condition})`
      const hasKey = (environment: string, condition: Sql): Sql => sql`exists (
        select from api_keys where merchant_id = ${merchantId} and environment = ${environment} and ${condition})`
      return sql<SetUpFacts>`
        select ${hasListed('invoices', ['paid', 'overpaid'])} as "testInvoicePaid",
          ${hasKey('test', sql`last_used_at is not null`)} as "testKeyUsed",
          ${hasEndpoint(
            'test',
            sql`exists (select from (
              select status from webhook_deliveries where endpoint_id = endpoint.id
              order by created_at desc, id desc limit ${newestDeliveries}) as newest where newest.status = 'succeeded')`,
          )} as "testWebhookDelivered",
          ${hasListed('payouts', ['approved', 'processing', 'completed'])} as "testPayoutApproved",
          exists (select from merchant_brands where merchant_id = ${merchantId}
            and (colour is not null or logo is not null)) as "hasBrand",
          (select count(*) filter (where factors && array['totp', 'passkey']) >= 2
              or count(*) filter (where factors && array['totp', 'passkey'] and 'recovery_code' = any(factors)) >= 1
            from (select ${secondFactorsOf} as factors from memberships join users on users.id = memberships.user_id
              where merchant_id = ${merchantId} and role = 'owner' and disabled_at is null) as owners) as "ownersSafe",
          exists (select from payout_policies where merchant_id = ${merchantId} and environment = 'live') as "hasLivePolicy",
          ${hasEndpoint('live', sql`true`)} as "hasLiveWebhook",
          ${hasKey('live', sql`revoked_at is null and (expires_at is null or expires_at > clock_timestamp())`)} as "hasLiveKey"`.one(
        db,
      )
    },
  }
}
