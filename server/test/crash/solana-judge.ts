import type pg from 'pg'
import type { App } from '../../src/app/app.ts'
import { auditBooks } from '../../src/app/audit/audit-books.ts'
import { parseDecimal } from '../../src/domain/money.ts'
import { type Gate, hotAddressOf } from '../../src/gates/gate.ts'
import { associatedTokenAccount } from '../../src/gates/solana/derived-address.ts'
import { lamportsAt, tokensIn } from '../gates/solana/executor.ts'
import { unsound } from '../support/database/books.ts'
import { notTold, otherThanSigned, type Rows, unfinished } from './judge.ts'
import type { Place } from './place.ts'
import type { Wanted } from './scenario.ts'
import { decimals, type FundedOnSolana, solanaGateId } from './solana-scenario.ts'

/** A transaction as the node shows it. */
type Shown = { readonly signature: string; readonly succeeded: boolean; readonly feeUnits: bigint }

const maxListed = 1_000

/** Every violation found after a run on a real node, judged by the node and the journal. */
export function solanaJudge({ stage, given, invoices }: FundedOnSolana) {
  const { node, executor, mint } = stage
  const tokenAccount = (owner: string) => associatedTokenAccount(owner, 'token', mint)
  const lamports = (address: string) => lamportsAt(executor, address)
  const tokens = async (owner: string) => (await tokensIn(executor, tokenAccount(owner))) ?? 0n
  const held = (owner: string, currency: string) => (currency === 'SOL' ? lamports(owner) : tokens(owner))

  /** The signatures of an account's transactions, without those that failed unless asked for. */
  async function history(address: string): Promise<{ signature: string; succeeded: boolean }[]> {
    const listed = await node.ask('getSignaturesForAddress', address, { limit: maxListed })
    return listed.map(({ signature, err }: { signature: string; err: unknown }) => ({
      signature,
      succeeded: err === null,
    }))
  }

  /** What the hot wallet has signed and paid for. */
  async function paidBy(hot: string): Promise<Shown[]> {
    const shown: Shown[] = []
    for (const { signature, succeeded } of await history(hot)) {
      const { transaction, meta } = await node.ask('getTransaction', signature, { encoding: 'json' })
      if (transaction.message.accountKeys[0] === hot)
        shown.push({ signature, succeeded, feeUnits: BigInt(meta.fee) })
    }
    return shown
  }

  /** Only one payout pays each destination: what is there came in one transaction, which is the one that the payout names. */
  async function notPaidOnce(rowsOf: Rows, wanted: readonly Wanted[]): Promise<string[]> {
    const rows = await rowsOf<{ id: string; status: string; tx_hash: string; waiting_reason: string }>(
      'select id, status, tx_hash, waiting_reason from payouts',
    )
    const problems: string[] = []
    for (const each of wanted) {
      const { id, currency, amount, destination } = each
      const payout = rows.find((row) => row.id === id)
      const name = `payout ${id} of ${amount} ${currency}`
      problems.push(...unfinished(name, each, payout))
      const isPaid = payout?.status === 'completed'
      const due = isPaid ? parseDecimal(amount, currency === 'SOL' ? decimals.SOL : decimals.USDC) : 0n
      const there = await held(destination, currency)
      if (there !== due) problems.push(`${name} should have paid ${due} and paid ${there}`)
      const account = currency === 'SOL' ? destination : tokenAccount(destination)
      const paid = (await history(account)).filter(({ succeeded }) => succeeded)
      const hashes = paid.map(({ signature }) => signature).join()
      if (hashes !== (isPaid ? payout.tx_hash : ''))
        problems.push(`${name} names ${payout?.tx_hash}, and was paid by [${hashes}]`)
    }
    return problems
  }

  /** Every transaction of the hot wallet is booked, once, as it ended; and nothing is booked that is not on the chain. */
  async function otherThanBooked(rowsOf: Rows, shown: readonly Shown[]): Promise<string[]> {
    const booked = await rowsOf<{ hash: string; status: string }>(
      `select mined_hash as hash, status from spends where mined_hash is not null`,
    )
    const hashes = booked.map(({ hash }) => hash)
    return [
      ...hashes
        .filter((hash, at) => hashes.indexOf(hash) !== at)
        .map((hash) => `${hash} is booked for two spends`),
      ...shown
        .filter(({ signature }) => !hashes.includes(signature))
        .map(({ signature }) => `${signature} was executed and is not booked`),
      ...hashes
        .filter((hash) => !shown.some(({ signature }) => signature === hash))
        .map((hash) => `${hash} is booked and was not executed`),
      ...booked
        .filter(({ hash, status }) =>
          shown.some(({ signature, succeeded }) => signature === hash && !succeeded && status === 'final'),
        )
        .map(({ hash }) => `${hash} is booked as a success and failed`),
    ]
  }

  async function sumOf(all: readonly string[], of: (address: string) => Promise<bigint>): Promise<bigint> {
    let sum = 0n
    for (const address of all) sum += await of(address)
    return sum
  }

  /** The books have what the chain has; and every lamport that was ever given is there, paid out, a fee or a rent. */
  async function otherThanBooks(
    rowsOf: Rows,
    { hot, nonceAccounts }: { readonly hot: string; readonly nonceAccounts: readonly string[] },
    shown: readonly Shown[],
    wanted: readonly Wanted[],
  ): Promise<string[]> {
    const deposits = Object.values(invoices)
      .flat()
      .map(({ asset }) => asset?.depositAddress ?? '')
    const booked = await rowsOf<{ currency: 'SOL' | 'USDC'; units: string }>(
      `select currency, (-balance_units)::text as units from ledger_accounts
       where kind = 'chain' and network = 'solana'`,
    )
    const problems: string[] = []
    for (const { currency, units } of booked) {
      const there = await sumOf([hot, ...deposits], (address) => held(address, currency))
      if (there !== BigInt(units)) problems.push(`${currency}: the chain has ${there}, the books ${units}`)
    }
    // The payers of tokens opened the token accounts, whose rent the sweeps took.
    const opened = invoices.USDC.map(({ asset }) => tokenAccount(asset?.depositAddress ?? ''))
    const rentUnits = BigInt(await node.ask('getMinimumBalanceForRentExemption', 165))
    const inUnits = [...given.values()].reduce((sum, units) => sum + units, rentUnits * BigInt(opened.length))
    const feeUnits = shown.reduce((sum, each) => sum + each.feeUnits, 0n)
    const destinations = wanted.map(({ destination }) => destination)
    const accounts = [hot, ...deposits, ...destinations, ...nonceAccounts]
    const outUnits =
      feeUnits +
      (await sumOf(accounts, lamports)) +
      (await sumOf([hot, ...destinations].map(tokenAccount).concat(opened), lamports))
    if (inUnits !== outUnits) problems.push(`${inUnits} lamports came, and ${outUnits} are accounted for`)
    return problems
  }

  return async (app: App, pool: pg.Pool, place: Place, wanted: readonly Wanted[]): Promise<string[]> => {
    const rows: Rows = async (statement, values) => (await pool.query(statement, values)).rows
    const gate = app.gates.find(solanaGateId) as Gate
    const { spending } = gate
    const hot = hotAddressOf(gate)
    if (spending.kind !== 'solana' || hot === null) throw new Error('There is no hot wallet on Solana.')
    const nonceAccounts = Array.from({ length: spending.nonceAccounts }, (_, index) =>
      spending.nonceAccount(index),
    )
    const shown = await paidBy(hot)
    const sent = shown.map(({ signature }) => signature)
    return [
      ...(await notPaidOnce(rows, wanted)),
      ...(await notTold(rows, wanted)),
      ...(await otherThanSigned(rows, place, sent)),
      ...(await otherThanBooked(rows, shown)),
      ...(await otherThanBooks(rows, { hot, nonceAccounts }, shown, wanted)),
      ...(await unsound(rows)),
      ...(await auditBooks(app)).differences.map((difference) => `audit: ${difference}`),
    ]
  }
}
