import type { BlockRef } from '../../domain/chain.ts'
import { type Db, type Sql, sql } from '../../store/sql.ts'

/** Notified once for every change of a simulated chain, with the gate's id. */
export const simulatedChainChannel = 'simulated_chain_changed'

const genesisParent = '0'.repeat(64)

/** Joins the transaction if `db` is one, or starts one. */
export async function atomically<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction(work)
}

export async function readChain(db: Db, gateId: string): Promise<BlockRef> {
  return readOrMake(db, gateId, sql``)
}

/** The chain's tip. Locks the chain until the transaction ends. */
export async function lockChain(tx: Db, gateId: string): Promise<BlockRef> {
  return readOrMake(tx, gateId, sql`for update`)
}

async function readOrMake(db: Db, gateId: string, lock: Sql): Promise<BlockRef> {
  const tip = sql<BlockRef>`select height, hash from simulated_chains where gate_id = ${gateId} ${lock}`
  const present = await tip.maybeOne(db)
  if (present !== null) return present
  await makeChain(db, gateId)
  return tip.one(db)
}

/** Creates the chain with its first block, if there is none. Of concurrent calls, one creates it. */
export async function makeChain(db: Db, gateId: string): Promise<void> {
  await sql`
    with made as (
      insert into simulated_chains (gate_id, height, hash)
      values (${gateId}, 0, ${blockHash(gateId, sql`0`, sql`${genesisParent}::text`)})
      on conflict (gate_id) do nothing
      returning gate_id, hash
    )
    insert into simulated_blocks (gate_id, height, hash, parent_hash, mined_at)
    select gate_id, 0, hash, ${genesisParent}, clock_timestamp() from made`.run(db)
}

/**
 * Adds new blocks on `parent` up to height `last`, in place of any that were there, and makes the last one the tip. A
 * replaced block's time is kept: whether a payment was in time must not depend on a reorganisation.
 */
export async function addBranch(tx: Db, gateId: string, parent: BlockRef, last: bigint): Promise<BlockRef> {
  const first = parent.height + 1n
  const tip = await sql<BlockRef>`
    with recursive branch (height, hash, parent_hash) as (
      select ${first}::bigint, ${blockHash(gateId, sql`${first}::bigint`, sql`${parent.hash}::text`)}, ${parent.hash}::text
      union all
      select height + 1, ${blockHash(gateId, sql`height + 1`, sql`hash`)}, hash from branch where height < ${last}
    ), written as (
      insert into simulated_blocks (gate_id, height, hash, parent_hash, mined_at)
      select ${gateId}, height, hash, parent_hash, clock_timestamp() from branch
      on conflict (gate_id, height) do update set hash = excluded.hash, parent_hash = excluded.parent_hash
      returning height, hash
    )
    update simulated_chains c set height = written.height, hash = written.hash, changes = changes + 1
    from written
    where c.gate_id = ${gateId} and written.height = ${last}
    returning c.height, c.hash, pg_notify(${simulatedChainChannel}, c.gate_id)`.maybeOne(tx)
  if (tip === null) throw new Error(`The simulated chain ${gateId} does not exist.`)
  return { height: tip.height, hash: tip.hash }
}

/**
 * A value written into the statement's text, so that PostgreSQL plans the statement each time. A chain grows from nothing to
 * thousands of transactions within seconds; a join planned for the empty chain and cached would take minutes.
 */
export const planned = (value: string | bigint | number) => sql.lit(value)

/** Notifies followers of a change that moved no block. */
export async function announce(tx: Db, gateId: string): Promise<void> {
  await sql`
    update simulated_chains set changes = changes + 1 where gate_id = ${gateId}
    returning pg_notify(${simulatedChainChannel}, gate_id)`.run(tx)
}

// The random UUID makes every branch different, even one that is mined again from the same parent.
const blockHash = (gateId: string, height: Sql, parent: Sql) =>
  sql`encode(sha256(convert_to(concat_ws('/', ${gateId}::text, ${height}, ${parent}, gen_random_uuid()), 'UTF8')), 'hex')`
