import type pg from 'pg'
import type { App } from '../../src/app/app.ts'
import { auditBooks } from '../../src/app/audit/audit-books.ts'
import { unsound } from '../support/database/books.ts'
import { operator } from '../support/shop/account-refills.ts'
import { coldAddressAt } from '../support/shop/cold.ts'
import {
  executed,
  hotOtherThanBooks,
  otherThanBooks,
  otherThanSigned,
  type Rows,
  usedTwice,
} from './judge.ts'
import type { Place } from './place.ts'
import type { RefillDesk } from './refill-desk.ts'

const addresses = 20

type Decided = {
  name: string
  /** The transaction of the chain that has used what the refills of this row use; null if none has. */
  hash: string | null
  spends: { id: string; status: string; mined: string | null }[]
  bookings: number
}

/** Every violation found after a run with refills, judged by the simulated chains and by what the operator has signed. */
export function refillJudge(desks: readonly RefillDesk[]) {
  const others = desks.flatMap((desk) => [...desk.others])
  const signed = new Set(desks.flatMap((desk) => [...desk.signed]))
  const cold = [operator.address, ...Array.from({ length: addresses }, (_, index) => coldAddressAt(index))]

  /** Of all refills that use the same, exactly one is booked, once, if the chain has one of their transactions; else none. */
  async function notBookedOnce(rowsOf: Rows): Promise<string[]> {
    const rows = await rowsOf<Decided>(
      `select coalesce(refills.tx_hash, from_address || '#' || nonce) as name, (
           select hash from simulated_transactions as t where t.gate_id = spends.gate_id and state = 'mined'
             and (t.hash = refills.tx_hash or t.sender = from_address and t.nonce = spends.nonce)) as hash,
         json_agg(json_build_object('id', id, 'status', status, 'mined', mined_hash)) as spends,
         (sum(net))::integer as bookings
       from refills join spends on id = spend_id cross join lateral (
         select count(*) filter (where entry_type = 'refill') - count(*) filter (where entry_type = 'refill_reversal') as net
         from ledger_transactions where subject = spends.id) as booked
       group by 1, 2`,
    )
    return rows.flatMap(({ name, hash, spends, bookings }) => {
      const isMined = hash !== null && signed.has(hash)
      const final = spends.filter(({ status }) => status === 'final').map(({ mined }) => mined)
      const isRight =
        bookings === (isMined ? 1 : 0) &&
        final.join() === (isMined ? hash : '') &&
        spends.every(({ status }) => status === 'final' || status === 'dead')
      const shown = spends.map(({ id, status, mined }) => `${id} ${status} ${mined}`).join()
      return isRight ? [] : [`refill ${name}: the chain has ${hash}, booked ${bookings} times: ${shown}`]
    })
  }

  /** The books know exactly the coins that the cold wallet has, and none is claimed by a refill that is not in the chain. */
  async function otherCoins(rowsOf: Rows): Promise<string[]> {
    const there = await rowsOf<{ coin: string }>(
      `with mined as (select hash from simulated_transactions where state = 'mined' and not hash = any($2))
       select o.tx_hash || ':' || output_index || ' ' || units as coin from simulated_outputs as o
       join mined on hash = tx_hash where gate_id = 'bitcoin-test' and address = any($1) and not exists (
         select from simulated_uses as u join mined on mined.hash = u.tx_hash where use = o.tx_hash || ':' || output_index)
       order by 1`,
      [cold, others],
    )
    const known = await rowsOf<{ coin: string }>(
      `select c.tx_hash || ':' || output_index || ' ' || c.units as coin from cold_coins as c
       left join spends on spends.id = pinned_by where status is distinct from 'final' order by 1`,
    )
    const claimed = await rowsOf<{ coin: string }>(
      `select c.tx_hash || ' by a refill that is ' || status as coin from cold_coins as c
       join spends on spends.id = pinned_by where status <> 'final'`,
    )
    const shown = (coins: { coin: string }[]) => coins.map(({ coin }) => coin).join()
    return [
      ...(shown(there) === shown(known)
        ? []
        : [`the cold wallet has ${shown(there)}, the books know ${shown(known)}`]),
      ...claimed.map(({ coin }) => `the cold coin ${coin} is claimed`),
    ]
  }

  return async (app: App, pool: pg.Pool, place: Place): Promise<string[]> => {
    const rows: Rows = async (statement, values) => (await pool.query(statement, values)).rows
    const sent = await executed(rows)
    return [
      ...(await notBookedOnce(rows)),
      ...(await otherCoins(rows)),
      ...(await otherThanBooks(rows, 'cold', cold, others)),
      ...(await hotOtherThanBooks(app, rows)),
      ...(await usedTwice(rows)),
      ...(await otherThanSigned(
        rows,
        place,
        sent.filter((hash) => !signed.has(hash) && !others.includes(hash)),
      )),
      ...(await unsound(rows)),
      ...(await auditBooks(app)).differences.map((difference) => `audit: ${difference}`),
    ]
  }
}
