import type { GateId } from '../../domain/networks/network.ts'
import { planFromJson } from '../../domain/plan-json.ts'
import type { Spend, SpendKind, SpendStatus } from '../../domain/spends.ts'
import { type Db, sql } from '../sql.ts'

export type SpendRow = {
  id: string
  gateId: GateId
  kind: SpendKind
  status: SpendStatus
  afterSpendId: string | null
  currency: string | null
  units: bigint | null
  minedHash: string | null
  blockHeight: bigint | null
  blockHash: string | null
  feeUnits: bigint | null
  shortSince: Date | null
}

type TransactionRow = {
  spendId: string
  attempt: number
  plan: string
  maxFeeUnits: bigint
  txHash: string | null
  bytes: Buffer | null
  refusal: string | null
  plannedAt: Date
  sentAt: Date | null
}

export const spendColumns = sql`
  id, gate_id as "gateId", kind, status, after_spend_id as "afterSpendId", currency, units, mined_hash as "minedHash",
  block_height as "blockHeight", block_hash as "blockHash", fee_units as "feeUnits",
  short_since as "shortSince"`

/** The spends of these rows, with all that was planned, signed and sent for them. */
export async function spendsFrom(db: Db, rows: readonly SpendRow[]): Promise<Spend[]> {
  if (rows.length === 0) return []
  const attempts = await sql<TransactionRow>`
    select spend_id as "spendId", attempt, plan::text as plan, max_fee_units as "maxFeeUnits", tx_hash as "txHash",
      bytes, refusal, planned_at as "plannedAt", sent_at as "sentAt"
    from spend_transactions where spend_id = any(${rows.map(({ id }) => id)}::uuid[])
    order by spend_id, attempt`.rows(db)
  const bySpend = Map.groupBy(attempts, ({ spendId }) => spendId)
  return rows.map((row) => ({
    id: row.id,
    gateId: row.gateId,
    kind: row.kind,
    status: row.status,
    afterSpendId: row.afterSpendId,
    moved: row.currency === null || row.units === null ? null : { currency: row.currency, units: row.units },
    mined:
      row.minedHash === null
        ? null
        : {
            hash: row.minedHash,
            block:
              row.blockHeight === null || row.blockHash === null
                ? null
                : { height: row.blockHeight, hash: row.blockHash },
          },
    feeUnits: row.feeUnits,
    shortSince: row.shortSince,
    transactions: (bySpend.get(row.id) ?? []).map(({ txHash, bytes, plan, ...attempt }) => ({
      ...attempt,
      plan: planFromJson(plan),
      signed: txHash === null || bytes === null ? null : { hash: txHash, bytes },
    })),
  }))
}
