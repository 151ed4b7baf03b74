import { type Db, sql } from '../../store/sql.ts'
import { simulatedChainChannel } from './branch.ts'
import { SimulationRefusal } from './refusal.ts'

const maxWaiting = 5_000
// A payment into an empty mempool must be visible there before it is mined, however long nothing happened.
const firstSeenSeconds = 1

export type NewTransaction = {
  readonly hash: string
  /** Without witnesses; null where no coins are spent. */
  readonly bytes: Uint8Array | null
  readonly feeUnits: bigint
  readonly feeRate: bigint
  readonly uses: readonly string[]
  readonly outputs: readonly {
    readonly address: string
    readonly tag: string | null
    readonly currency: string
    readonly units: bigint
  }[]
  /** Set when it was read from signed bytes. */
  readonly executed: {
    readonly account: { readonly address: string; readonly nonce: bigint } | null
    readonly debits: readonly {
      readonly address?: string
      readonly currency: string
      readonly units: bigint
    }[]
  } | null
}

/** The transactions that a new one replaces; `first` when the mempool is empty. */
export type Admission = { readonly ends: readonly string[]; readonly first: boolean }

/**
 * Whether a transaction that uses these may enter the mempool. It replaces waiting transactions that use some of the same
 * and pay less, and all that spend their outputs. Changes nothing.
 */
export async function admit(
  tx: Db,
  gateId: string,
  uses: readonly string[],
  feeRate: bigint,
): Promise<Admission | SimulationRefusal> {
  const rivals = await sql<{ hash: string; state: 'waiting' | 'mined'; rate: bigint }>`
    select distinct t.hash, t.state, t.fee_rate as rate
    from simulated_uses u join simulated_transactions t on t.gate_id = u.gate_id and t.hash = u.tx_hash
    where u.gate_id = ${gateId} and u.use = any(${[...uses]}::text[]) and not u.gone`.rows(tx)
  const mined = rivals.find(({ state }) => state === 'mined')
  if (mined !== undefined)
    return new SimulationRefusal(
      'coin_spent',
      `Transaction ${mined.hash} is mined and used the same coin or nonce.`,
    )
  const dearer = rivals.find(({ rate }) => rate >= feeRate)
  if (dearer !== undefined)
    return new SimulationRefusal(
      'fee_too_low',
      `To replace ${dearer.hash}, the fee rate must be above ${dearer.rate}.`,
    )
  if (rivals.length > 0)
    return {
      ends: await withSpenders(
        tx,
        gateId,
        rivals.map(({ hash }) => hash),
      ),
      first: false,
    }
  const { waiting } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from (
      select from simulated_transactions where gate_id = ${gateId} and state = 'waiting' limit ${maxWaiting}
    ) as mempool`.one(tx)
  if (waiting >= maxWaiting)
    return new SimulationRefusal(
      'mempool_full',
      `${maxWaiting} transactions are already waiting. Mine a block first.`,
    )
  return { ends: [], first: waiting === 0 }
}

/**
 * These transactions and all that spend their outputs, directly or not: without the first, none of the others is possible.
 */
async function withSpenders(tx: Db, gateId: string, hashes: readonly string[]): Promise<string[]> {
  const rows = await sql<{ hash: string }>`
    with recursive ended (hash) as (
      select unnest(${[...hashes]}::text[])
      union
      select u.tx_hash from ended
      join simulated_outputs o on o.gate_id = ${gateId} and o.tx_hash = ended.hash
      join simulated_uses u on u.gate_id = ${gateId} and u.use = o.tx_hash || ':' || o.output_index and not u.gone
    )
    select hash from ended`.rows(tx)
  return rows.map(({ hash }) => hash)
}

/** Ends transactions, and all that spend their outputs. */
export async function end(tx: Db, gateId: string, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return
  await sql`
    update simulated_transactions set state = 'gone', height = null
    where gate_id = ${gateId} and hash = any(${await withSpenders(tx, gateId, hashes)}::text[])`.run(tx)
}

/** Ends transactions that are waiting or above the fork; throws for one that is below it, or unknown. */
export async function endAbove(tx: Db, gateId: string, fork: bigint, hashes: readonly string[]) {
  if (hashes.length === 0) return
  const row = await sql<{ hash: string }>`
    select hash from unnest(${[...hashes]}::text[]) as wanted (hash)
    where not exists (
      select from simulated_transactions t
      where t.gate_id = ${gateId} and t.hash = wanted.hash and (t.height is null or t.height > ${fork})
    ) limit 1`.maybeOne(tx)
  if (row !== null)
    throw new SimulationRefusal('not_replaced', `Transaction ${row.hash} is in none of the replaced blocks.`)
  await end(tx, gateId, hashes)
}

export async function insertTransaction(tx: Db, gateId: string, transaction: NewTransaction): Promise<void> {
  const { hash, bytes, feeUnits, feeRate, executed } = transaction
  const account = executed?.account ?? null
  const outputs = transaction.outputs
    .map((output, place) => ({ ...output, place }))
    .filter(({ units }) => units > 0n)
  const debits = executed?.debits.filter(({ units }) => units > 0n) ?? []
  // Foreign keys are checked when the statement ends, so one statement is enough.
  await sql`
    with transaction as (
      insert into simulated_transactions (gate_id, hash, bytes, fee_units, fee_rate, executed, sender, nonce)
      values (${gateId}, ${hash}, ${bytes}, ${feeUnits}, ${feeRate}, ${executed !== null}, ${account?.address ?? null},
        ${account?.nonce ?? null})
    ), used as (
      insert into simulated_uses (gate_id, tx_hash, use)
      select ${gateId}, ${hash}, use from unnest(${[...transaction.uses]}::text[]) as used (use)
    ), debited as (
      insert into simulated_debits (gate_id, tx_hash, address, currency, units)
      select ${gateId}, ${hash}, address, currency, units
      from unnest(
        ${debits.map(({ address }) => address ?? account?.address ?? null)}::text[],
        ${debits.map(({ currency }) => currency)}::text[],
        ${debits.map(({ units }) => units.toString())}::numeric[]
      ) as debit (address, currency, units)
    )
    insert into simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units)
    select ${gateId}, ${hash}, place, address, tag, currency, units
    from unnest(
      ${outputs.map(({ place }) => place)}::integer[],
      ${outputs.map(({ address }) => address)}::text[],
      ${outputs.map(({ tag }) => tag)}::text[],
      ${outputs.map(({ currency }) => currency)}::text[],
      ${outputs.map(({ units }) => units.toString())}::numeric[]
    ) as output (place, address, tag, currency, units)`.run(tx)
}

/** Returns a transaction that is gone to the mempool: its bytes may be sent again. */
export async function revive(tx: Db, gateId: string, hash: string): Promise<void> {
  await sql`update simulated_transactions set state = 'waiting'
    where gate_id = ${gateId} and hash = ${hash} and state = 'gone'`.run(tx)
}

export async function stateOf(tx: Db, gateId: string, hash: string): Promise<string | null> {
  const row = await sql<{ state: string }>`
    select state from simulated_transactions where gate_id = ${gateId} and hash = ${hash}`.maybeOne(tx)
  return row?.state ?? null
}

/** Notifies followers of a new transaction in the mempool; `first` when the mempool was empty. */
export async function announceArrival(tx: Db, gateId: string, first: boolean): Promise<void> {
  await sql`
    update simulated_chains
    set changes = changes + 1,
      next_block_at = greatest(
        next_block_at,
        clock_timestamp() + ${first ? firstSeenSeconds : 0} * interval '1 second'
      )
    where gate_id = ${gateId}
    returning pg_notify(${simulatedChainChannel}, gate_id)`.run(tx)
}
