import type pg from 'pg'
import type { App } from '../../src/app/app.ts'
import { auditBooks } from '../../src/app/audit/audit-books.ts'
import { parseDecimal } from '../../src/domain/money.ts'
import { unsound } from '../support/database/books.ts'
import type { CoinNode } from '../support/nodes/coin-node.ts'
import { coinGateId, type FundedOnCoins } from './coin-scenario.ts'
import { notTold, otherThanSigned, type Rows } from './judge.ts'
import type { Place } from './place.ts'
import type { Wanted } from './scenario.ts'

const decimals = 8
const changeAddresses = 100

/** Every unspent output at one of the addresses. */
export async function unspentOn(
  node: CoinNode,
  addresses: readonly string[],
): Promise<{ address: string; units: bigint }[]> {
  const places = addresses.map((address) => `addr(${address})`)
  const text = await node.cli('scantxoutset', 'start', JSON.stringify(places))
  // As text: a float is not exact to the unit.
  const { unspents } = JSON.parse(text.replaceAll(/"amount": ([0-9.]+)/g, '"amount": "$1"'))
  return unspents.map(({ desc, amount }: { desc: string; amount: string }) => ({
    address: /^addr\((.+)\)/.exec(desc)?.[1],
    units: parseDecimal(amount, decimals),
  }))
}

/** Every violation found after a run on a real Bitcoin node, judged by the node and the journal. */
export function coinJudge({ node }: Pick<FundedOnCoins, 'node'>) {
  const unspentAt = (addresses: readonly string[]) => unspentOn(node, addresses)

  /** A completed payout has arrived once, to the unit; a cancelled one never; every payout is completed or cancelled. */
  async function notPaidOnce(rowsOf: Rows, wanted: readonly Wanted[]): Promise<string[]> {
    const rows = await rowsOf<{ id: string; status: string; waiting_reason: string }>(
      'select id, status, waiting_reason from payouts',
    )
    const arrived = await unspentAt(wanted.map(({ destination }) => destination))
    return wanted.flatMap(({ id, amount, destination }) => {
      const payout = rows.find((row) => row.id === id)
      const name = `payout ${id} of ${amount} BTC`
      const due = payout?.status === 'completed' ? [parseDecimal(amount, decimals)] : []
      const there = arrived.filter(({ address }) => address === destination).map(({ units }) => units)
      return [
        ...(payout?.status === 'completed' || payout?.status === 'cancelled'
          ? []
          : [`${name} is ${payout?.status}: ${payout?.waiting_reason}`]),
        ...(there.join() === due.join() ? [] : [`${name} should have paid [${due}] and paid [${there}]`]),
      ]
    })
  }

  async function otherThanBooks(app: App, rowsOf: Rows): Promise<string[]> {
    const gate = app.gates.find(coinGateId)
    if (gate?.spending.kind !== 'coins') throw new Error('The gate is missing.')
    const { changeAddress } = gate.spending
    const rows = await rowsOf<{ address: string }>(
      'select distinct deposit_address as address from invoices where deposit_address is not null',
    )
    const own = Array.from({ length: changeAddresses }, (_, index) => changeAddress(index))
    const unspent = await unspentAt([...own, ...rows.map(({ address }) => address)])
    const held = unspent.reduce((sum, { units }) => sum + units, 0n)
    const [booked] = await rowsOf<{ units: string }>(
      `select (-balance_units)::text as units from ledger_accounts where kind = 'chain' and network = 'bitcoin'`,
    )
    return String(held) === booked?.units ? [] : [`the chain has ${held}, the books ${booked?.units}`]
  }

  return async (app: App, pool: pg.Pool, place: Place, wanted: readonly Wanted[]): Promise<string[]> => {
    const rows: Rows = async (statement, values) => (await pool.query(statement, values)).rows
    const mined = await rows<{ hash: string }>(
      'select mined_hash as hash from spends where mined_hash is not null',
    )
    const waiting: string[] = await node.ask('getrawmempool')
    return [
      ...(await notPaidOnce(rows, wanted)),
      ...(await notTold(rows, wanted)),
      ...waiting.map((hash) => `${hash} still waits`),
      ...(await otherThanSigned(
        rows,
        place,
        mined.map(({ hash }) => hash),
      )),
      ...(await otherThanBooks(app, rows)),
      ...(await unsound(rows)),
      ...(await auditBooks(app)).differences.map((difference) => `audit: ${difference}`),
    ]
  }
}
