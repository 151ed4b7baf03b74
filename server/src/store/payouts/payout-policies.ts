import type { Environment } from '../../domain/environment.ts'
import type { PayoutPolicy } from '../../domain/payout-policy.ts'
import { approverRoles } from '../../domain/roles.ts'
import { type Db, sql } from '../sql.ts'

type Owner = { readonly merchantId: string; readonly environment: Environment }

/** A destination that a merchant may pay to. */
export type PayoutDestination = {
  readonly network: string
  readonly address: string
  readonly tag: string | null
  readonly label: string | null
  readonly createdAt: Date
}

type Place = Pick<PayoutDestination, 'network' | 'address' | 'tag'>

// What the signer requires comes on top of the merchant's policy. Until the signer has published its requirements, a
// merchant with passkeys has to use them in the live environment.
const policyColumns = sql`
  policy.max_payout as "maxPayout", policy.max_day as "maxDay",
  coalesce(policy.only_known_destinations, false) as "onlyKnownDestinations",
  greatest(coalesce(policy.approvals_required, 1), demand.approvals_required) as "approvalsRequired",
  coalesce(policy.cooling_off_seconds, 0) as "coolingOffSeconds",
  case when policy.approval = 'passkey' or coalesce(demand.is_required, wanted.environment = 'live' and exists (
      select from passkey_enrolments as enrolled join memberships using (merchant_id, user_id)
      where enrolled.merchant_id = wanted.merchant_id and role = any(${approverRoles}::text[])))
    then 'passkey' else 'any' end as approval`

export function payoutPoliciesOn(db: Db) {
  return {
    async find({ merchantId, environment }: Owner): Promise<PayoutPolicy> {
      return sql<PayoutPolicy>`
        select ${policyColumns} from (values (${merchantId}::uuid, ${environment}::text)) as wanted (merchant_id, environment)
        left join payout_policies as policy using (merchant_id, environment)
        left join passkey_demands as demand using (merchant_id, environment)`.one(db)
    },

    /**
     * The policy, locked until the transaction ends: of two concurrent approvals, the second sees what the first has
     * approved. Lock the payout first.
     */
    async lock(owner: Owner): Promise<PayoutPolicy> {
      await sql`
        select from payout_policies
        where merchant_id = ${owner.merchantId} and environment = ${owner.environment} for no key update`.run(
        db,
      )
      return this.find(owner)
    },

    async set({ merchantId, environment }: Owner, policy: PayoutPolicy): Promise<void> {
      const { maxPayout, maxDay, onlyKnownDestinations, approvalsRequired, coolingOffSeconds, approval } =
        policy
      await sql`
        insert into payout_policies (merchant_id, environment, max_payout, max_day, only_known_destinations,
          approvals_required, cooling_off_seconds, approval)
        values (${merchantId}, ${environment}, ${maxPayout}, ${maxDay}, ${onlyKnownDestinations}, ${approvalsRequired},
          ${coolingOffSeconds}, ${approval})
        on conflict (merchant_id, environment) do update set max_payout = excluded.max_payout,
          max_day = excluded.max_day, only_known_destinations = excluded.only_known_destinations,
          approvals_required = excluded.approvals_required, cooling_off_seconds = excluded.cooling_off_seconds,
          approval = excluded.approval, updated_at = clock_timestamp()`.run(db)
    },

    /** By network, then address. */
    async destinations({ merchantId, environment }: Owner): Promise<PayoutDestination[]> {
      return sql<PayoutDestination>`
        select network, address, nullif(tag, '') as tag, label, created_at as "createdAt" from payout_destinations
        where merchant_id = ${merchantId} and environment = ${environment}
        order by network, address, payout_destinations.tag`.rows(db)
    },

    async knows({ merchantId, environment }: Owner, { network, address, tag }: Place): Promise<boolean> {
      const found = await sql`
        select from payout_destinations where merchant_id = ${merchantId} and environment = ${environment}
          and network = ${network} and address = ${address} and tag = ${tag ?? ''}`.run(db)
      return found > 0
    },

    /** Adds a destination, or changes the label of a known one. */
    async addDestination(
      { merchantId, environment }: Owner,
      { network, address, tag, label }: Place & { readonly label: string | null },
    ): Promise<void> {
      await sql`
        insert into payout_destinations (merchant_id, environment, network, address, tag, label, created_at)
        values (${merchantId}, ${environment}, ${network}, ${address}, ${tag ?? ''}, ${label},
          merchant_now(${merchantId}, ${environment}))
        on conflict (merchant_id, environment, network, address, tag) do update set label = excluded.label`.run(
        db,
      )
    },

    /** False when it was not known. */
    async removeDestination(
      { merchantId, environment }: Owner,
      { network, address, tag }: Place,
    ): Promise<boolean> {
      const changed = await sql`
        delete from payout_destinations where merchant_id = ${merchantId} and environment = ${environment}
          and network = ${network} and address = ${address} and tag = ${tag ?? ''} returning network`.run(db)
      return changed > 0
    },
  }
}
