import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import type { App } from '../../src/app/app.ts'
import { auditBooks } from '../../src/app/audit/audit-books.ts'
import { parseDecimal } from '../../src/domain/money.ts'
import { type Gate, hotAddressOf } from '../../src/gates/gate.ts'
import { unsound } from '../support/database/books.ts'
import { currencies } from '../support/shop/registry.ts'
import type { Place } from './place.ts'
import { type Currency, networks, type Wanted } from './scenario.ts'

const changeAddresses = 100

export type Rows = <Row extends object>(statement: string, values?: unknown[]) => Promise<Row[]>

/** Every violation found after a run, judged by the chain and the journal. */
export async function judge(
  app: App,
  pool: pg.Pool,
  place: Place,
  wanted: readonly Wanted[],
): Promise<string[]> {
  const rows: Rows = async (statement, values) => (await pool.query(statement, values)).rows
  return [
    ...(await notPaidOnce(rows, wanted)),
    ...(await notTold(rows, wanted)),
    ...(await usedTwice(rows)),
    ...(await otherThanSigned(rows, place, await executed(rows))),
    ...(await hotOtherThanBooks(app, rows)),
    ...(await unsound(rows)),
    ...(await auditBooks(app)).differences.map((difference) => `audit: ${difference}`),
  ]
}

/** A completed payout has arrived once, to the unit; a cancelled one never; every payout is completed or cancelled. */
async function notPaidOnce(rowsOf: Rows, all: readonly Wanted[]): Promise<string[]> {
  const rows = await rowsOf<{ id: string; status: string; tx_hash: string | null; waiting_reason: string }>(
    'select id, status, tx_hash, waiting_reason from payouts',
  )
  const arrived = await rowsOf<{ address: string; currency: string; units: string; hash: string }>(
    `select address, currency, units::text, t.hash || case state when 'mined' then '' else ' waits' end as hash
     from simulated_outputs as o join simulated_transactions as t on t.gate_id = o.gate_id and t.hash = o.tx_hash
     where state <> 'gone' and address = any($1)`,
    [all.map(({ destination }) => destination)],
  )
  return all.flatMap((wanted) => {
    const { id, currency, amount, destination } = wanted
    const payout = rows.find((row) => row.id === id)
    const name = `payout ${id} of ${amount} ${currency}`
    const due =
      payout?.status === 'completed' ? [`${currency} ${unitsOf(currency, amount)} ${payout.tx_hash}`] : []
    const there = arrived
      .filter(({ address }) => address === destination)
      .map((each) => `${each.currency} ${each.units} ${each.hash}`)
    return [
      ...unfinished(name, wanted, payout),
      ...(there.join() === due.join() ? [] : [`${name} should have paid [${due}] and paid [${there}]`]),
    ]
  })
}

/** What is wrong with how a payout ended: one that the signer refused has failed, any other is completed or cancelled. */
export function unfinished(
  name: string,
  { isRefused }: Wanted,
  payout: { readonly status: string; readonly waiting_reason: string } | undefined,
): string[] {
  const endings = isRefused ? ['failed', 'cancelled'] : ['completed', 'cancelled']
  return endings.includes(payout?.status ?? '')
    ? []
    : [`${name} is ${payout?.status}: ${payout?.waiting_reason}`]
}

function unitsOf(code: Currency, amount: string): bigint {
  const network = networks[code]
  const asset = currencies
    .find((each) => each.code === code)
    ?.assets.find((each) => each.network.id === network)
  return parseDecimal(amount, asset?.decimals ?? 0) ?? 0n
}

/** Every event is emitted once, and a completed payout has an event for each of its steps. */
export async function notTold(rowsOf: Rows, wanted: readonly Wanted[]): Promise<string[]> {
  const told = await rowsOf<{ event: string; id: string; times: number; status: string }>(
    `select event, data->>'id' as id, count(*)::integer as times from events
     where event like 'payout.%' or event like 'refund.%' group by 1, 2`,
  )
  const completed = await rowsOf<{ id: string; refund: string | null }>(
    `select id, refund_id as refund from payouts where status = 'completed'`,
  )
  const names = new Set(told.map(({ event, id }) => `${event} ${id}`))
  const due = completed.flatMap(({ id, refund }) => [
    ...['payout.approved', 'payout.processing', 'payout.completed'].map((event) => `${event} ${id}`),
    ...(refund === null ? [] : [`refund.completed ${refund}`]),
  ])
  return [
    ...told
      .filter(({ times }) => times !== 1)
      .map(({ event, id, times }) => `${event} ${id} was emitted ${times} times`),
    ...due.filter((name) => !names.has(name)).map((name) => `${name} was never emitted`),
    ...(wanted.length === 0 ? ['no payout was requested'] : []),
  ]
}

/** No coin and no nonce is used by two transactions of the chain. */
export async function usedTwice(rowsOf: Rows): Promise<string[]> {
  const rows = await rowsOf<{ use: string; hashes: string }>(
    `select use, string_agg(hash, ' and ') as hashes
     from simulated_uses as u join simulated_transactions as t on t.gate_id = u.gate_id and t.hash = u.tx_hash
     where state <> 'gone' group by u.gate_id, use having count(*) > 1`,
  )
  return rows.map(({ use, hashes }) => `${use} is used by ${hashes}`)
}

type JournalLine = { readonly tx_hash?: string; readonly uses: string[]; readonly payouts: { id: string }[] }

/**
 * Every transaction of ours on the chain is in the journal, and of all transactions signed for a payout only one can be
 * mined.
 */
export async function otherThanSigned(
  rowsOf: Rows,
  { dataDir }: Place,
  sent: readonly string[],
): Promise<string[]> {
  const text = await readFile(`${dataDir}/wallet/test-journal.jsonl`, 'utf8')
  const lines = text
    .split('\n')
    .slice(1, -1)
    .map((line) => JSON.parse(line) as JournalLine)
    // The other lines record how far addresses may be given out.
    .filter((line) => 'payouts' in line)
  const signed = new Set(lines.map(({ tx_hash }) => tx_hash))
  const known = await rowsOf<{ hash: string }>('select tx_hash as hash from spend_transactions')
  const rival = lines.flatMap((line, at) =>
    lines.slice(at + 1).filter((other) => {
      const isSamePayout = other.payouts.some(({ id }) => line.payouts.some((each) => each.id === id))
      return isSamePayout && !other.uses.some((use) => line.uses.includes(use))
    }),
  )
  return [
    ...sent.filter((hash) => !signed.has(hash)).map((hash) => `${hash} was sent but never journaled`),
    ...lines
      .filter(({ tx_hash }) => !known.some(({ hash }) => hash === tx_hash))
      .map(({ tx_hash }) => `${tx_hash} was journaled but is not in the database`),
    ...rival.map(
      ({ tx_hash }) =>
        `${tx_hash} pays the same payout as another signed transaction, but uses none of its coins or nonces`,
    ),
  ]
}

/** The hashes of all transactions that accounts or coins have paid for, as far as the network took them. */
export async function executed(rowsOf: Rows): Promise<string[]> {
  const rows = await rowsOf<{ hash: string }>('select hash from simulated_transactions where executed')
  return rows.map(({ hash }) => hash)
}

/** The balances of all our addresses are those in the books. */
export async function hotOtherThanBooks(app: App, rowsOf: Rows): Promise<string[]> {
  const bitcoin = app.gates.find('bitcoin-test')
  const accounts = ['ethereum-test', 'solana-test'].map((id) => app.gates.find(id))
  if (bitcoin?.spending.kind !== 'coins' || accounts.includes(null)) throw new Error('A gate is missing.')
  const { changeAddress } = bitcoin.spending
  const own = [
    ...accounts.map((gate) => hotAddressOf(gate as Gate)),
    ...Array.from({ length: changeAddresses }, (_, index) => changeAddress(index)),
  ]
  const deposits = await rowsOf<{ address: string }>('select address from deposit_addresses')
  return otherThanBooks(rowsOf, 'chain', [...own, ...deposits.map(({ address }) => address)])
}

/**
 * What these addresses have on the simulated chains, and the books' accounts of this kind do not, or the reverse. The
 * transactions `except` do not count: they are none of the service's business.
 */
export async function otherThanBooks(
  rowsOf: Rows,
  kind: 'chain' | 'cold',
  addresses: readonly (string | null)[],
  except: readonly string[] = [],
): Promise<string[]> {
  const rows = await rowsOf<{ asset: string; held: string; booked: string }>(
    `with ours as (select unnest($1::text[]) as address),
       mined as (select gate_id, hash from simulated_transactions where state = 'mined' and not hash = any($3)),
       moved as (
         select o.gate_id, o.currency, o.units from simulated_outputs as o join mined on mined.gate_id = o.gate_id
           and mined.hash = o.tx_hash where address in (select address from ours)
         union all
         select d.gate_id, d.currency, -d.units from simulated_debits as d join mined on mined.gate_id = d.gate_id
           and mined.hash = d.tx_hash where address in (select address from ours)
         union all
         select o.gate_id, o.currency, -o.units from simulated_outputs as o join simulated_uses as u
           on u.gate_id = o.gate_id and u.use = o.tx_hash || ':' || o.output_index
         join mined on mined.gate_id = u.gate_id and mined.hash = u.tx_hash
         where address in (select address from ours)
       )
     select asset, coalesce(held, 0)::text as held, coalesce(booked, 0)::text as booked from (
       select gate_id || ' ' || currency as asset, sum(units) as held from moved group by 1
     ) as chain full join (
       select network || '-' || environment || ' ' || currency as asset, -balance_units as booked
       from ledger_accounts where kind = $2
     ) as books using (asset)
     where coalesce(held, 0) <> coalesce(booked, 0)`,
    [addresses, kind, except],
  )
  return rows.map(({ asset, held, booked }) => `${asset}: the ${kind} has ${held}, the books ${booked}`)
}
