import { type Db, type Sql, sql } from '../../store/sql.ts'
import { planned } from './branch.ts'
import { type Amount, BlockOrder, type Candidate } from './order.ts'

/**
 * Places waiting transactions into the next `count` blocks: highest fee first, and at equal fees first come, first served. A
 * transaction that spends coins that do not exist yet, or whose nonce is not next, comes after those it depends on, or keeps
 * waiting.
 */
export async function mineWaiting(
  tx: Db,
  gateId: string,
  tip: bigint,
  count: number,
  perBlock: number,
): Promise<void> {
  if (perBlock === 0) return
  const { any, executed } = await sql<{ any: boolean; executed: boolean }>`
    select exists (
      select from simulated_transactions t where t.gate_id = ${planned(gateId)} and t.state = 'waiting'
    ) as any, exists (
      select from simulated_transactions t where t.gate_id = ${planned(gateId)} and t.executed and t.state = 'waiting'
    ) as executed`.one(tx)
  if (!any) return
  if (!executed) return mineAnyOrder(tx, gateId, tip, count, perBlock)
  const { candidates, order } = await readCandidates(tx, gateId, tip, sql`t.state = 'waiting'`)
  const places: { hash: string; height: bigint }[] = []
  const failed: string[] = []
  let left = candidates
  for (let height = tip + 1n; height <= tip + BigInt(count); height++) {
    const block = order.fill(left, perBlock, { failing: true })
    if (block.taken.length === 0) break
    failed.push(...block.failed)
    places.push(...block.taken.map(({ hash }) => ({ hash, height })))
    left = block.left
  }
  await sql`
    update simulated_transactions t set state = 'mined', height = place.height
    from unnest(${places.map(({ hash }) => hash)}::text[], ${places.map(({ height }) => height.toString())}::bigint[])
      as place (hash, height)
    where t.gate_id = ${gateId} and t.hash = place.hash`.run(tx)
  if (failed.length > 0) await noteFailed(tx, gateId, failed)
}

/** A failed transaction moves nothing but its fee. */
async function noteFailed(tx: Db, gateId: string, hashes: readonly string[]): Promise<void> {
  await sql`
    with failed as (
      update simulated_transactions set failed = true
      where gate_id = ${gateId} and hash = any(${[...hashes]}::text[]) returning hash, fee_units
    ), unpaid as (
      delete from simulated_outputs o using failed where o.gate_id = ${gateId} and o.tx_hash = failed.hash
    )
    delete from simulated_debits d using failed
    where d.gate_id = ${gateId} and d.tx_hash = failed.hash and d.units <> failed.fee_units`.run(tx)
}

/**
 * Returns transactions above the fork to the mempool if they have become impossible through those that were dropped or
 * moved.
 */
export async function returnImpossible(tx: Db, gateId: string, fork: bigint): Promise<void> {
  const above = sql`t.state = 'mined' and t.height > ${planned(fork)}`
  if (!(await anyExecuted(tx, gateId, above))) return
  const { candidates, order } = await readCandidates(tx, gateId, fork, above)
  const impossible: string[] = []
  for (const block of Map.groupBy(candidates, ({ height }) => height).values())
    impossible.push(...order.fill(block, block.length).left.map(({ hash }) => hash))
  await sql`
    update simulated_transactions set state = 'waiting', height = null
    where gate_id = ${gateId} and hash = any(${impossible}::text[])`.run(tx)
}

/**
 * For transactions that do not depend on each other, such as payments out of nowhere: a block takes thousands in one
 * statement, all up to the last that fits. There is no join, so that a wrong estimate of the mempool's size cannot make it
 * slow.
 */
async function mineAnyOrder(tx: Db, gateId: string, tip: bigint, count: number, perBlock: number) {
  for (let height = tip + 1n; height <= tip + BigInt(count); height++) {
    const mined = await sql`
      update simulated_transactions set state = 'mined', height = ${height}
      where gate_id = ${gateId} and state = 'waiting' and (fee_rate, -arrival) >= (
        select fee_rate, -arrival from (
          select fee_rate, arrival from simulated_transactions
          where gate_id = ${gateId} and state = 'waiting'
          order by fee_rate desc, arrival limit ${perBlock}
        ) as block
        order by fee_rate, arrival desc limit 1
      )`.run(tx)
    if (mined < perBlock) return
  }
}

async function anyExecuted(tx: Db, gateId: string, which: Sql): Promise<boolean> {
  const { any } = await sql<{ any: boolean }>`
    select exists (
      select from simulated_transactions t where t.gate_id = ${planned(gateId)} and t.executed and ${which}
    ) as any`.one(tx)
  return any
}

/**
 * Transactions by height, then fee, and what they depend on, on a chain that reaches up to `base`. Thousands of them are
 * looked up by a list of hashes and not by a join: with any statistics, no plan compares all pairs of rows for a
 * list.
 */
async function readCandidates(
  tx: Db,
  gateId: string,
  base: bigint,
  which: Sql,
): Promise<{ candidates: Candidate[]; order: BlockOrder }> {
  type Transaction = {
    hash: string
    height: bigint | null
    executed: boolean
    sender: string | null
    nonce: bigint | null
    feeUnits: bigint
  }
  type InTransaction = { txHash: string }
  const gate = planned(gateId)
  const below = (height: Sql) => sql`m.gate_id = ${gate} and m.state = 'mined' and m.height <= ${height}`

  const transactions = await sql<Transaction>`
    select t.hash, t.height, t.executed, t.sender, t.nonce, t.fee_units as "feeUnits" from simulated_transactions t
    where t.gate_id = ${gate} and ${which} order by t.height, t.fee_rate desc, t.arrival`.rows(tx)
  const executed = transactions.filter((transaction) => transaction.executed)
  const hashes = (of: readonly Transaction[]) => of.map(({ hash }) => hash)
  const senders = [...new Set(executed.flatMap(({ sender }) => sender ?? []))]

  const spent = await sql<InTransaction & { hash: string }>`
    select u.tx_hash as "txHash", split_part(u.use, ':', 1) as hash from simulated_uses u
    where u.gate_id = ${gate} and u.tx_hash = any(${hashes(executed.filter(({ sender }) => sender === null))}::text[])`.rows(
    tx,
  )
  const present = await sql<{ hash: string }>`
    select m.hash from simulated_transactions m
    where m.hash = any(${spent.map(({ hash }) => hash)}::text[]) and ${below(sql`${base}`)}`.rows(tx)
  const debits = await sql<InTransaction & Amount>`
    select d.tx_hash as "txHash", d.address, d.currency, d.units from simulated_debits d
    where d.gate_id = ${gate} and d.tx_hash = any(${hashes(executed)}::text[])`.rows(tx)
  const payers = [...new Set([...senders, ...debits.map(({ address }) => address)])]
  const credits = await sql<InTransaction & Amount>`
    select o.tx_hash as "txHash", o.address, o.currency, o.units from simulated_outputs o
    where o.gate_id = ${gate} and o.address = any(${payers}::text[])
      and o.tx_hash = any(${hashes(transactions)}::text[])`.rows(tx)
  const nonces = await sql<{ sender: string; next: bigint }>`
    select m.sender, max(m.nonce) + 1 as next from simulated_transactions m
    where m.sender = any(${senders}::text[]) and ${below(sql`${base}`)} group by m.sender`.rows(tx)
  // All values are in the text, so that none of the many texts is prepared and kept.
  const theirs = sql`array[${sql.join(payers.map(planned))}]::text[]`
  const balances = await sql<Amount>`
    select address, currency, sum(units) as units from (
      select o.address, o.currency, o.units from simulated_outputs o
      join simulated_transactions m on m.hash = o.tx_hash and ${below(planned(base))}
      where o.gate_id = ${gate} and o.address = any(${theirs})
      union all
      select d.address, d.currency, -d.units from simulated_debits d
      join simulated_transactions m on m.hash = d.tx_hash and ${below(planned(base))}
      where d.gate_id = ${gate} and d.address = any(${theirs})
    ) as moved group by address, currency`.rows(tx)

  const of = <Row extends InTransaction>(rows: readonly Row[]) => {
    const grouped = Map.groupBy(rows, ({ txHash }) => txHash)
    return (hash: string): readonly Row[] => grouped.get(hash) ?? []
  }
  const minedBelow = new Set(present.map(({ hash }) => hash))
  const needsOf = of(spent.filter(({ hash }) => !minedBelow.has(hash)))
  const [debitsOf, creditsOf] = [of(debits), of(credits)]
  return {
    candidates: transactions.map(({ hash, height, sender, nonce, feeUnits }) => ({
      hash,
      height,
      feeUnits,
      needs: needsOf(hash).map((need) => need.hash),
      account: sender === null || nonce === null ? null : { address: sender, nonce },
      debits: debitsOf(hash),
      credits: creditsOf(hash),
    })),
    order: new BlockOrder(
      nonces.map(({ sender, next }) => [sender, next] as const),
      balances,
    ),
  }
}
