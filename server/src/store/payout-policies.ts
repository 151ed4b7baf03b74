import { sql } from 'kysely'
import type { Environment } from '../domain/environment.ts'
import { noPolicy, type PayoutPolicy } from '../domain/payout-policy.ts'
import type { Db } from './database.ts'

type Owner = { readonly merchantId: string; readonly environment: Environment }

/** Somewhere a merchant may pay to. */
export type PayoutDestination = {
  readonly network: string
  readonly address: string
  readonly tag: string | null
  readonly label: string | null
  readonly createdAt: Date
}

type Place = Pick<PayoutDestination, 'network' | 'address' | 'tag'>

const policyColumns = sql`
  max_payout as "maxPayout", max_day as "maxDay", only_known_destinations as "onlyKnownDestinations",
  approvals_required as "approvalsRequired", cooling_off_seconds as "coolingOffSeconds"`

export function payoutPoliciesOn(db: Db) {
  return {
    async find({ merchantId, environment }: Owner): Promise<PayoutPolicy> {
      const { rows } = await sql<PayoutPolicy>`
        select ${policyColumns} from payout_policies
        where merchant_id = ${merchantId} and environment = ${environment}`.execute(db)
      return rows[0] ?? noPolicy
    },

    /**
     * The policy, held until the transaction ends: of two approvals at once the second sees what the first has let go.
     * Taken after the payout is held.
     */
    async lock({ merchantId, environment }: Owner): Promise<PayoutPolicy> {
      const { rows } = await sql<PayoutPolicy>`
        select ${policyColumns} from payout_policies
        where merchant_id = ${merchantId} and environment = ${environment} for no key update`.execute(db)
      return rows[0] ?? noPolicy
    },

    async set({ merchantId, environment }: Owner, policy: PayoutPolicy): Promise<void> {
      const { onlyKnownDestinations, approvalsRequired, coolingOffSeconds } = policy
      const [maxPayout, maxDay] = [policy.maxPayout, policy.maxDay].map((most) => most?.toString() ?? null)
      await sql`
        insert into payout_policies (merchant_id, environment, max_payout, max_day, only_known_destinations,
          approvals_required, cooling_off_seconds)
        values (${merchantId}, ${environment}, ${maxPayout}, ${maxDay}, ${onlyKnownDestinations}, ${approvalsRequired},
          ${coolingOffSeconds})
        on conflict (merchant_id, environment) do update set max_payout = excluded.max_payout,
          max_day = excluded.max_day, only_known_destinations = excluded.only_known_destinations,
          approvals_required = excluded.approvals_required, cooling_off_seconds = excluded.cooling_off_seconds,
          updated_at = clock_timestamp()`.execute(db)
    },

    /** By network, then address. */
    async destinations({ merchantId, environment }: Owner): Promise<PayoutDestination[]> {
      const { rows } = await sql<PayoutDestination>`
        select network, address, nullif(tag, '') as tag, label, created_at as "createdAt" from payout_destinations
        where merchant_id = ${merchantId} and environment = ${environment}
        order by network, address, payout_destinations.tag`.execute(db)
      return rows
    },

    async knows({ merchantId, environment }: Owner, { network, address, tag }: Place): Promise<boolean> {
      const { rows } = await sql`
        select from payout_destinations where merchant_id = ${merchantId} and environment = ${environment}
          and network = ${network} and address = ${address} and tag = ${tag ?? ''}`.execute(db)
      return rows.length > 0
    },

    /** Adds a destination, or gives a known one another label. */
    async addDestination(
      { merchantId, environment }: Owner,
      { network, address, tag, label }: Place & { readonly label: string | null },
    ): Promise<void> {
      await sql`
        insert into payout_destinations (merchant_id, environment, network, address, tag, label)
        values (${merchantId}, ${environment}, ${network}, ${address}, ${tag ?? ''}, ${label})
        on conflict (merchant_id, environment, network, address, tag) do update set label = excluded.label`.execute(
        db,
      )
    },

    /** False when it was not known. */
    async removeDestination(
      { merchantId, environment }: Owner,
      { network, address, tag }: Place,
    ): Promise<boolean> {
      const { rows } = await sql`
        delete from payout_destinations where merchant_id = ${merchantId} and environment = ${environment}
          and network = ${network} and address = ${address} and tag = ${tag ?? ''} returning network`.execute(
        db,
      )
      return rows.length > 0
    },
  }
}
