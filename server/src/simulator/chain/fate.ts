import type { BlockRef } from '../../domain/chain.ts'
import { OutageError } from '../../domain/errors.ts'
import { say } from '../../domain/reasons/reasons.ts'
import type { Fate } from '../../domain/spends.ts'
import { type Uses, useNames } from '../../domain/uses.ts'
import { type Db, sql } from '../../store/sql.ts'

type FateRow = {
  hash: string
  state: 'waiting' | 'mined' | 'ruled_out' | 'without_coin'
  height: bigint | null
  blockHash: string | null
  feeUnits: bigint
  failed: boolean
}

/** What has become of transactions that all use the same coins or nonce, on the current branch. */
export async function readFate(
  db: Db,
  gateId: string,
  candidates: readonly { readonly hash: string; readonly uses: Uses }[],
): Promise<Fate> {
  const hashes = candidates.map(({ hash }) => hash)
  const uses = [...new Set(candidates.flatMap((candidate) => useNames(candidate.uses)))]
  const coins = candidates.flatMap((each) => (each.uses.kind === 'coins' ? each.uses.coins : []))
  // One statement, so that the transaction and its block are of the same branch.
  const rows = await sql<FateRow>`
    with recursive lost (hash) as (
      select t.hash from simulated_transactions t
      where t.gate_id = ${gateId} and t.hash = any(${coins.map(({ txHash }) => txHash)}::text[]) and t.state = 'gone'
      union
      select t.hash from lost join simulated_uses u on u.gate_id = ${gateId} and u.tx_hash = lost.hash
      join simulated_transactions t on t.gate_id = ${gateId} and t.hash = split_part(u.use, ':', 1) and t.state = 'gone'
    )
    select t.hash, t.state, t.height, b.hash as "blockHash", t.fee_units as "feeUnits", t.failed
    from simulated_transactions t
    left join simulated_blocks b on b.gate_id = t.gate_id and b.height = t.height
    where t.gate_id = ${gateId} and t.state <> 'gone' and (
      t.hash = any(${hashes}::text[]) or t.hash in (
        select tx_hash from simulated_uses
        where gate_id = ${gateId} and use = any(${uses}::text[]) and not gone))
    union all
    select r.tx_hash, 'ruled_out', r.height, b.hash, 0, false from simulated_ruled_out r
    left join simulated_blocks b on b.gate_id = r.gate_id and b.height = r.height
    where r.gate_id = ${gateId} and r.tx_hash = any(${hashes}::text[]) and r.height is not null
    union all
    select r.tx_hash, 'without_coin', least(r.height, c.height), b.hash, 0, false
    from lost join simulated_ruled_out r on r.gate_id = ${gateId} and r.tx_hash = lost.hash and r.height is not null
    join simulated_chains c on c.gate_id = r.gate_id
    left join simulated_blocks b on b.gate_id = r.gate_id and b.height = least(r.height, c.height)
    order by height`.rows(db)
  return fateOf(gateId, hashes, rows)
}

function fateOf(gateId: string, hashes: readonly string[], rows: readonly FateRow[]): Fate {
  const block = ({ height, blockHash }: FateRow): BlockRef => {
    if (height === null || blockHash === null)
      throw new OutageError(`The simulated chain ${gateId} no longer has block ${height}.`)
    return { height, hash: blockHash }
  }
  const ours = new Set(hashes)
  const mined = rows.filter(({ state }) => state === 'mined')
  const done = mined.find(({ hash }) => ours.has(hash))
  if (done !== undefined)
    return {
      kind: 'mined',
      hash: done.hash,
      block: block(done),
      feeUnits: done.feeUnits,
      succeeded: !done.failed,
    }
  const waits = rows.find(({ hash, state }) => state === 'waiting' && ours.has(hash))
  if (waits !== undefined) return { kind: 'waiting', hash: waits.hash }
  const rival = mined[0]
  if (rival !== undefined)
    return {
      kind: 'ruled_out',
      block: block(rival),
      reason: say('used_by_other', { hash: rival.hash }),
    }
  const gone = rows.find(({ state }) => state === 'without_coin')
  if (gone !== undefined)
    return {
      kind: 'ruled_out',
      block: block(gone),
      reason: say('coin_gone', { hash: gone.hash }),
    }
  const out = rows.filter(({ state }) => state === 'ruled_out')
  const last = out.at(-1)
  if (last !== undefined && out.length === ours.size)
    return { kind: 'ruled_out', block: block(last), reason: say('rejected_for_good') }
  return { kind: 'unknown' }
}
