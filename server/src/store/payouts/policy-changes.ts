import type { Environment } from '../../domain/environment.ts'
import type { ApprovalKind, PayoutPolicy } from '../../domain/payout-policy.ts'
import type {
  ChangeApproval,
  Place,
  PolicyChange,
  PolicyChangeStatus,
  Wanted,
} from '../../domain/policy-changes.ts'
import type { Assertion } from '../../domain/webauthn.ts'
import { type Db, sql } from '../sql.ts'

type Owner = { readonly merchantId: string; readonly environment: Environment }

/** A change whose time has come. */
export type DueChange = Owner & { readonly id: string }

type Row = Omit<PolicyChange, 'wanted'> & {
  readonly kind: Wanted['kind']
  readonly baseCurrency: string | null
  readonly maxPayout: bigint | null
  readonly maxDay: bigint | null
  readonly onlyKnownDestinations: boolean | null
  readonly approvalsRequired: number | null
  readonly coolingOffSeconds: number | null
  readonly approval: ApprovalKind | null
  readonly network: string | null
  readonly address: string | null
  readonly tag: string | null
  readonly label: string | null
}

const columns = sql`
  id, merchant_id as "merchantId", environment, kind, base_currency as "baseCurrency", max_payout as "maxPayout",
  max_day as "maxDay", only_known_destinations as "onlyKnownDestinations", approvals_required as "approvalsRequired",
  cooling_off_seconds as "coolingOffSeconds", approval, network, address, nullif(tag, '') as tag, label, relaxes,
  statement, proposed_by as "proposedBy", proposed_at as "proposedAt", approvals_needed as "approvalsNeeded", status,
  applies_at as "appliesAt", ended_at as "endedAt"`
const isOpen = sql`status in ('proposed', 'waiting')`

/** The changes that relax policies. Callers that write hold the merchant (`members.hold`), so that one at a time decides. */
export function policyChangesOn(db: Db) {
  return {
    async insert(change: PolicyChange): Promise<void> {
      const { wanted } = change
      const policy = wanted.kind === 'policy' ? wanted.policy : null
      const place = wanted.kind === 'destination' ? wanted.place : null
      await sql`
        insert into policy_changes (id, merchant_id, environment, kind, base_currency, max_payout, max_day,
          only_known_destinations, approvals_required, cooling_off_seconds, approval, network, address, tag, label,
          relaxes, statement, proposed_by, proposed_at, approvals_needed, status, applies_at)
        values (${change.id}, ${change.merchantId}, ${change.environment}, ${wanted.kind},
          ${wanted.kind === 'policy' ? wanted.baseCurrency : null}, ${policy?.maxPayout ?? null},
          ${policy?.maxDay ?? null}, ${policy?.onlyKnownDestinations ?? null}, ${policy?.approvalsRequired ?? null},
          ${policy?.coolingOffSeconds ?? null}, ${policy?.approval ?? null}, ${place?.network ?? null},
          ${place?.address ?? null}, ${place === null ? null : (place.tag ?? '')},
          ${wanted.kind === 'destination' ? wanted.label : null}, ${[...change.relaxes]}, ${change.statement},
          ${change.proposedBy}, ${change.proposedAt}, ${change.approvalsNeeded}, ${change.status}, ${change.appliesAt})`.run(
        db,
      )
    },

    async approve(id: string, approver: string, assertion: Assertion | null, at: Date): Promise<void> {
      await sql`
        insert into policy_change_approvals (change_id, approver, credential_id, authenticator_data, client_data_json,
          signature, created_at)
        values (${id}, ${approver}, ${assertion?.credentialId ?? null}, ${assertion?.authenticatorData ?? null},
          ${assertion?.clientDataJson ?? null}, ${assertion?.signature ?? null}, ${at})`.run(db)
    },

    /** Oldest first. */
    async approvals(id: string): Promise<ChangeApproval[]> {
      return (await this.approvalsOf([id])).get(id) ?? []
    },

    /** The approvals of several changes, by change. */
    async approvalsOf(ids: readonly string[]): Promise<ReadonlyMap<string, ChangeApproval[]>> {
      const rows = await sql<ChangeApproval & { readonly changeId: string }>`
        select change_id as "changeId", approver, signature is not null as "isByPasskey", created_at as "approvedAt"
        from policy_change_approvals where change_id = any(${ids}::uuid[])
        order by created_at, approver`.rows(db)
      const found = new Map<string, ChangeApproval[]>()
      for (const { changeId, ...approval } of rows)
        found.set(changeId, [...(found.get(changeId) ?? []), approval])
      return found
    },

    async change(
      id: string,
      to: { status: PolicyChangeStatus; appliesAt: Date | null; endedAt: Date | null },
    ): Promise<void> {
      await sql`
        update policy_changes set status = ${to.status}, applies_at = ${to.appliesAt}, ended_at = ${to.endedAt}
        where id = ${id}`.run(db)
    },

    async find({ merchantId, environment }: Owner, id: string): Promise<PolicyChange | null> {
      const row = await sql<Row>`
        select ${columns} from policy_changes
        where id = ${id} and merchant_id = ${merchantId} and environment = ${environment}`.maybeOne(db)
      return row === null ? null : changeFrom(row)
    },

    /** Those that are proposed or waiting, oldest first. */
    async open({ merchantId, environment }: Owner): Promise<PolicyChange[]> {
      const rows = await sql<Row>`
        select ${columns} from policy_changes
        where merchant_id = ${merchantId} and environment = ${environment} and ${isOpen}
        order by proposed_at, id`.rows(db)
      return rows.map(changeFrom)
    },

    /** The newest, open or ended. */
    async list({ merchantId, environment }: Owner, limit: number): Promise<PolicyChange[]> {
      const rows = await sql<Row>`
        select ${columns} from policy_changes where merchant_id = ${merchantId} and environment = ${environment}
        order by proposed_at desc, id desc limit ${limit}`.rows(db)
      return rows.map(changeFrom)
    },

    /** Those whose time has come, of all merchants. */
    async due(now: Date, limit: number): Promise<DueChange[]> {
      return sql<DueChange>`
        select id, merchant_id as "merchantId", environment from policy_changes
        where status = 'waiting' and applies_at <= ${now} order by applies_at, id limit ${limit}`.rows(db)
    },
  }
}

/** The open change of the policy among these, or that of a destination. */
export function openChangeOf(open: readonly PolicyChange[], place: Place | null): PolicyChange | null {
  const found = open.find(({ wanted }) =>
    place === null
      ? wanted.kind === 'policy'
      : wanted.kind === 'destination' &&
        wanted.place.network === place.network &&
        wanted.place.address === place.address &&
        wanted.place.tag === place.tag,
  )
  return found ?? null
}

function changeFrom(row: Row): PolicyChange {
  const { kind, baseCurrency, maxPayout, maxDay, onlyKnownDestinations, approvalsRequired, ...rest } = row
  const { coolingOffSeconds, approval, network, address, tag, label, ...change } = rest
  if (kind === 'destination')
    return {
      ...change,
      wanted: { kind, place: { network: network ?? '', address: address ?? '', tag }, label },
    }
  // The table's checks leave none of these out.
  const policy: PayoutPolicy = {
    maxPayout,
    maxDay,
    onlyKnownDestinations: onlyKnownDestinations ?? true,
    approvalsRequired: approvalsRequired ?? 2,
    coolingOffSeconds: coolingOffSeconds ?? 0,
    approval: approval ?? 'passkey',
  }
  return { ...change, wanted: { kind, baseCurrency: baseCurrency ?? '', policy } }
}
