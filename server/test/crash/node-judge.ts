import type pg from 'pg'
import type { App } from '../../src/app/app.ts'
import { auditBooks } from '../../src/app/audit/audit-books.ts'
import { parseDecimal } from '../../src/domain/money.ts'
import { balanceCall } from '../../src/gates/evm/transfer-call.ts'
import { type Gate, hotAddressOf } from '../../src/gates/gate.ts'
import { unsound } from '../support/database/books.ts'
import { notTold, otherThanSigned, type Rows } from './judge.ts'
import { nodeGateId } from './networks.ts'
import type { FundedOnNode } from './node-scenario.ts'
import type { Place } from './place.ts'
import type { Wanted } from './scenario.ts'

const decimals: Readonly<Record<string, number>> = { ETH: 18, USDT: 6 }

/** What an address has on the node. */
export async function heldOn(
  { anvil, token }: FundedOnNode,
  address: string,
  currency: string,
): Promise<bigint> {
  return BigInt(
    currency === 'ETH'
      ? await anvil.ask('eth_getBalance', address, 'latest')
      : await anvil.ask('eth_call', { to: token, data: balanceCall(address) }, 'latest'),
  )
}

/** Every violation found after a run on a real node, judged by the node and the journal. */
export function nodeJudge(funded: FundedOnNode) {
  const { anvil } = funded
  const held = (address: string, currency: string) => heldOn(funded, address, currency)

  /** Only one payout pays each destination, so its balance is what that payout sent. */
  async function notPaidOnce(rowsOf: Rows, wanted: readonly Wanted[]): Promise<string[]> {
    const rows = await rowsOf<{ id: string; status: string; waiting_reason: string }>(
      'select id, status, waiting_reason from payouts',
    )
    const problems: string[] = []
    for (const { id, currency, amount, destination } of wanted) {
      const payout = rows.find((row) => row.id === id)
      const name = `payout ${id} of ${amount} ${currency}`
      if (payout?.status !== 'completed' && payout?.status !== 'cancelled')
        problems.push(`${name} is ${payout?.status}: ${payout?.waiting_reason}`)
      const due = payout?.status === 'completed' ? parseDecimal(amount, decimals[currency] ?? 0) : 0n
      const there = await held(destination, currency)
      if (there !== due) problems.push(`${name} should have paid ${due} and paid ${there}`)
    }
    return problems
  }

  /** The hot wallet has used every nonce that it ever took, each once, and no transaction waits behind a gap. */
  async function gaps(app: App, rowsOf: Rows): Promise<string[]> {
    const hot = hotAddressOf(app.gates.find(nodeGateId) as Gate) ?? ''
    const used = BigInt(await anvil.ask('eth_getTransactionCount', hot, 'latest'))
    const [row] = await rowsOf<{ taken: string; mined: string }>(
      `select coalesce((select next from spend_counters where name = $1), 0)::text as taken,
         (select count(*) from spends where from_address = $1 and status in ('final', 'reverted'))::text as mined`,
      [hot],
    )
    const { pending, queued } = await anvil.ask('txpool_status')
    return [
      ...(String(used) === row?.taken && row.taken === row.mined
        ? []
        : [`the hot wallet took ${row?.taken} nonces, ${row?.mined} are booked, and the chain has ${used}`]),
      ...(BigInt(pending) + BigInt(queued) === 0n
        ? []
        : [`${pending} transactions are pending and ${queued} cannot be mined`]),
    ]
  }

  async function otherThanBooks(app: App, rowsOf: Rows): Promise<string[]> {
    const hot = hotAddressOf(app.gates.find(nodeGateId) as Gate)
    const rows = await rowsOf<{ address: string }>(
      'select distinct deposit_address as address from invoices where deposit_address is not null',
    )
    const booked = await rowsOf<{ currency: string; units: string }>(
      `select currency, (-balance_units)::text as units from ledger_accounts where kind = 'chain' and network = 'ethereum'`,
    )
    const problems: string[] = []
    for (const { currency, units } of booked) {
      let sum = 0n
      for (const address of [hot ?? '', ...rows.map((row) => row.address)])
        sum += await held(address, currency)
      if (sum !== BigInt(units)) problems.push(`${currency}: the chain has ${sum}, the books ${units}`)
    }
    return problems
  }

  return async (app: App, pool: pg.Pool, place: Place, wanted: readonly Wanted[]): Promise<string[]> => {
    const rows: Rows = async (statement, values) => (await pool.query(statement, values)).rows
    const mined = await rows<{ hash: string }>(
      'select mined_hash as hash from spends where mined_hash is not null',
    )
    return [
      ...(await notPaidOnce(rows, wanted)),
      ...(await notTold(rows, wanted)),
      ...(await gaps(app, rows)),
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
