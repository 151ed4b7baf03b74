import type { Environment } from '../../domain/environment.ts'
import { environmentOf } from '../../domain/networks/network.ts'
import type { CursorPage, PageRequest } from '../../domain/page.ts'
import type { Payout, PayoutStatus } from '../../domain/payouts.ts'
import { type Listed, type ListedRow, listPage, metadataText, type Narrowing } from '../reports/list-page.ts'
import { payoutApproved } from '../spends/announcements.ts'
import { type Db, sql } from '../sql.ts'
import { hasCome, rowNow } from '../test-clocks.ts'
import { insertedPayoutColumns, type NewPayout, payoutColumns, payoutRecord } from './payout-rows.ts'

type Owner = { readonly merchantId: string; readonly environment: Environment }

/** What can change about an existing payout. */
export type PayoutChange = Pick<Payout, 'id' | 'status'> &
  Partial<
    Pick<
      Payout,
      | 'networkFeeUnits'
      | 'reserveRaises'
      | 'waitingReason'
      | 'failureReason'
      | 'spendId'
      | 'txHash'
      | 'approvedAt'
      | 'executableAt'
      | 'completedAt'
      | 'cancelledAt'
    >
  >

export function payoutsOn(db: Db) {
  return {
    /**
     * Inserts payouts and returns them by id. Leaves out a payout if its idempotency key is taken, also by another of the
     * same call. Keys are inserted in an order that all callers share.
     */
    async insert(payouts: readonly NewPayout[]): Promise<Map<string, Payout>> {
      if (payouts.length === 0) return new Map()
      const rows = await sql<Payout>`
        insert into payouts (${insertedPayoutColumns}, created_at, updated_at)
        select ${insertedPayoutColumns}, now, now
        from json_populate_recordset(null::payouts, ${JSON.stringify(payouts.map(payoutRecord))}::json)
        cross join lateral (select ${rowNow} as now offset 0) as clock
        order by idempotency_key, id
        on conflict (merchant_id, environment, idempotency_key) where idempotency_key is not null do nothing
        returning ${payoutColumns}`.rows(db)
      return new Map(rows.map((payout) => [payout.id, payout]))
    },

    /** The payouts with these idempotency keys, each with the hash of the request that created it. */
    async findByKeys(
      keys: readonly (Owner & { readonly idempotencyKey: string })[],
    ): Promise<{ payout: Payout; requestHash: Buffer }[]> {
      if (keys.length === 0) return []
      const rows = await sql<Payout & { requestHash: Buffer }>`
        select ${payoutColumns}, payouts.request_hash as "requestHash"
        from unnest(
          ${keys.map(({ merchantId }) => merchantId)}::uuid[],
          ${keys.map(({ environment }) => environment)}::text[],
          ${keys.map(({ idempotencyKey }) => idempotencyKey)}::text[]
        ) as wanted (merchant_id, environment, idempotency_key)
        join payouts using (merchant_id, environment, idempotency_key)`.rows(db)
      return rows.map(({ requestHash, ...payout }) => ({ payout, requestHash }))
    },

    /** The owner's payout, or any merchant's if no owner is given. */
    async find(owner: Owner | null, id: string): Promise<Payout | null> {
      return sql<Payout>`
        select ${payoutColumns} from payouts where id = ${id} ${owned(owner)}`.maybeOne(db)
    },

    /** The same, locked until the transaction ends, and the time by its merchant's clock after locking. */
    async lock(owner: Owner | null, id: string): Promise<{ payout: Payout; now: Date } | null> {
      const payout = await sql<Payout>`
        select ${payoutColumns} from payouts where id = ${id} ${owned(owner)} for no key update`.maybeOne(db)
      if (payout === null) return null
      const { now } = await sql<{ now: Date }>`
        select merchant_now(${payout.merchantId}, ${payout.environment}) as now`.one(db)
      return { payout, now }
    },

    /** One page, newest first, with the total of matching rows, from one snapshot. */
    async list(owner: Owner, filter: PayoutFilter & PageRequest): Promise<CursorPage<Payout>> {
      const { status, currency = null } = filter
      const ofStatus = status === null ? sql`` : sql`and payouts.status = ${status}`
      const wanted = {
        indexed: sql`payouts.merchant_id = ${owner.merchantId} and payouts.environment = ${owner.environment} ${ofStatus}`,
        counted: { facet: status },
        others: currency === null ? [] : [sql`payouts.currency = ${currency}`],
      }
      return listPage<Payout, Payout>(db, listedPayouts, owner, wanted, filter, {
        id: 'id',
        read: (page) => sql<ListedRow<Payout>>`${page}`.rows(db),
        from: (payout) => payout,
      })
    },

    /** The newest payouts of all merchants, in one status or in all. */
    async newest(status: PayoutStatus | null, limit: number): Promise<Payout[]> {
      return sql<Payout>`
        select ${payoutColumns} from payouts
        where ${status}::text is null or status = ${status} order by position desc limit ${limit}`.rows(db)
    },

    /** The total value of a merchant's payouts approved since then, without cancelled and failed ones. */
    async approvedValue(owner: Owner & { readonly baseCurrency: string }, since: Date): Promise<bigint> {
      const { value } = await sql<{ value: bigint }>`
        select coalesce(sum(amount_in_base_currency), 0) as value from payouts
        where merchant_id = ${owner.merchantId} and environment = ${owner.environment} and approved_at > ${since}
          and base_currency = ${owner.baseCurrency} and status not in ('cancelled', 'failed')`.one(db)
      return value
    },

    /** The payouts, by id, locked until the transaction ends. Lock them before anything in the ledger. */
    async lockMany(ids: readonly string[]): Promise<Payout[]> {
      return sql<Payout>`
        select ${payoutColumns} from payouts where id = any(${[...new Set(ids)].sort()}::uuid[])
        order by id for no key update`.rows(db)
    },

    /** The payouts of a spend, by id, locked until the transaction ends. */
    async lockOfSpend(spendId: string): Promise<Payout[]> {
      return sql<Payout>`
        select ${payoutColumns} from payouts where spend_id = ${spendId} order by id for no key update`.rows(
        db,
      )
    },

    /**
     * Approved payouts of a gate that are due, oldest first, locked so that no other process takes them. If there are more
     * than `limit`, payouts never tried come before those that had to wait, and the latter come in random order, so that
     * none blocks the others.
     */
    async claimDue(gateId: string, limit: number): Promise<Payout[]> {
      const rows = await sql<Payout>`
        select ${payoutColumns} from payouts ${whereDue(gateId)}
        limit ${limit} for no key update skip locked`.rows(db)
      return inTurn(rows)
    },

    /** The same without locking them: the payouts that are worth asking the network about before they are claimed. */
    async due(gateId: string, limit: number): Promise<Payout[]> {
      const rows = await sql<Payout>`
        select ${payoutColumns} from payouts ${whereDue(gateId)} limit ${limit}`.rows(db)
      return inTurn(rows)
    },

    /** Those of these payouts that are still due, locked so that no other process takes them. */
    async claimOf(ids: readonly string[]): Promise<Payout[]> {
      const rows = await sql<Payout>`
        select ${payoutColumns} from payouts
        where id = any(${[...ids]}::uuid[]) and status = 'approved' and ${hasCome(sql`executable_at`, null)}
        order by id for no key update skip locked`.rows(db)
      return inTurn(rows)
    },

    /** The followed gates with a due payout. */
    async gatesWithDue(): Promise<string[]> {
      const rows = await sql<{ gateId: string }>`
        select gate_id as "gateId" from followed_chains
        where exists (select from payouts where payouts.gate_id = followed_chains.gate_id and status = 'approved'
            and executable_at <= clock_timestamp())
          or exists (select from test_clocks as clock join payouts using (merchant_id, environment)
            where payouts.environment = 'test' and payouts.gate_id = followed_chains.gate_id and status = 'approved'
              and executable_at <= statement_timestamp() + clock.ahead)`.rows(db)
      return rows.map(({ gateId }) => gateId)
    },

    /** The total that a gate's payouts without a transaction will take, and whether one of them is due. */
    async waitingOn(gateId: string): Promise<{ readonly units: bigint; readonly isDue: boolean }> {
      return sql<{ units: bigint; isDue: boolean }>`
        select coalesce(sum(amount_units + network_fee_units), 0) as units,
          coalesce(bool_or(status = 'approved' and ${hasCome(sql`executable_at`, environmentOf(gateId))}), false) as "isDue"
        from payouts where gate_id = ${gateId} and status in ('pending_approval', 'approved')`.one(db)
    },

    /** What payouts of a gate need that wait for approval or their time: by currency, how many and how much. */
    async waitingBy(gateId: string): Promise<{ currency: string; units: bigint; count: bigint }[]> {
      return sql<{ currency: string; units: bigint; count: bigint }>`
        select currency, sum(amount_units + network_fee_units) as units, count(*) as count
        from payouts where gate_id = ${gateId} and status in ('pending_approval', 'approved')
        group by currency`.rows(db)
    },

    /** Changes a payout that the caller has locked, if its status is still `from`. Returns the payout as it is now. */
    async change(from: PayoutStatus, change: PayoutChange): Promise<Payout> {
      const { id, ...fields } = change
      const names: Record<keyof typeof fields, string> = {
        status: 'status',
        networkFeeUnits: 'network_fee_units',
        reserveRaises: 'reserve_raises',
        waitingReason: 'waiting_reason',
        failureReason: 'failure_reason',
        spendId: 'spend_id',
        txHash: 'tx_hash',
        approvedAt: 'approved_at',
        executableAt: 'executable_at',
        completedAt: 'completed_at',
        cancelledAt: 'cancelled_at',
      }
      const set = (Object.keys(fields) as (keyof typeof fields)[])
        .filter((name) => fields[name] !== undefined)
        .map((name) => sql`${sql.ref(names[name])} = ${stored(fields[name])}`)
      const changed = await sql<Payout>`
        update payouts set ${sql.join(set)}, updated_at = ${rowNow}
        where id = ${id} and status = ${from} returning ${payoutColumns}`.maybeOne(db)
      if (changed === null) throw new Error(`Payout ${id} is no longer ${from}, although it was locked.`)
      return changed
    },

    /** Wakes the workers once the transaction that approves a payout commits. */
    async announceApproval(): Promise<void> {
      await sql`select pg_notify(${payoutApproved}, '')`.run(db)
    },
  }
}

/** What a list of payouts is filtered by; null: by nothing. */
export type PayoutFilter = {
  readonly status: string | null
  readonly currency?: string | null
  readonly narrowing?: Narrowing
}

/** What a search for payouts or refunds looks through. */
export const searchedOfPayouts = sql`concat_ws(e'\n', payouts.description, payouts.destination, ${metadataText('payouts')})`

const listedPayouts: Listed = {
  list: 'payouts',
  table: 'payouts',
  columns: payoutColumns,
  hasTimes: true,
  hasBuckets: true,
  searched: searchedOfPayouts,
}

const whereDue = (gateId: string) => sql`
  where gate_id = ${gateId} and status = 'approved' and ${hasCome(sql`executable_at`, environmentOf(gateId))}
  order by waiting_reason is not null, case when waiting_reason is null then executable_at end, random()`

function inTurn(payouts: Payout[]): Payout[] {
  return payouts.sort((a, b) => Number(a.executableAt) - Number(b.executableAt) || (a.id < b.id ? -1 : 1))
}

function owned(owner: Owner | null) {
  return owner === null
    ? sql``
    : sql`and payouts.merchant_id = ${owner.merchantId} and payouts.environment = ${owner.environment}`
}

function stored(value: string | bigint | number | Date | null | undefined) {
  return typeof value === 'bigint' ? value.toString() : (value ?? null)
}
