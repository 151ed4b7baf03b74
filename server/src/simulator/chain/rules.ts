import { coinName, type Uses } from '../../domain/uses.ts'
import { type Db, sql } from '../../store/sql.ts'
import { SimulationRefusal } from './refusal.ts'

const maxInputs = 1_000
const maxOutputs = 1_000

/** The effect of signed bytes whose signatures have all been verified. */
export type SimulatedExecution = {
  readonly hash: string
  /** Without witnesses; null where no coins are spent. */
  readonly bytes: Uint8Array | null
  readonly uses: Uses
  /** The place in the list is the output's index. */
  readonly outputs: readonly {
    readonly address: string
    readonly tag: string | null
    readonly currency: string
    readonly units: bigint
  }[]
  /** What is charged, including the fee: to the sender, unless it names an address. Empty where coins are spent. */
  readonly debits: readonly { readonly address?: string; readonly currency: string; readonly units: bigint }[]
  readonly feeUnits: bigint
  readonly feeRate: bigint
}

export type Coin = { readonly txHash: string; readonly outputIndex: number }
export type PaidCoin = { readonly address: string; readonly currency: string; readonly units: bigint }
export type Account = Extract<Uses, { kind: 'account' }>

export async function readPaid(
  db: Db,
  gateId: string,
  coins: readonly Coin[],
): Promise<Map<string, PaidCoin>> {
  const rows = await sql<Coin & PaidCoin>`
    select o.tx_hash as "txHash", o.output_index as "outputIndex", o.address, o.currency, o.units
    from unnest(${coins.map(({ txHash }) => txHash)}::text[], ${coins.map(({ outputIndex }) => outputIndex)}::integer[])
      as coin (tx_hash, output_index)
    join simulated_outputs o on o.gate_id = ${gateId} and o.tx_hash = coin.tx_hash and o.output_index = coin.output_index
    join simulated_transactions t on t.gate_id = o.gate_id and t.hash = o.tx_hash and t.state <> 'gone'`.rows(
    db,
  )
  return new Map(
    rows.map(({ address, currency, units, ...coin }) => [coinName(coin), { address, currency, units }]),
  )
}

export async function nextNonceOf(db: Db, gateId: string, address: string): Promise<bigint> {
  const { next } = await sql<{ next: bigint }>`
    select coalesce(max(nonce) + 1, 0) as next from simulated_transactions
    where gate_id = ${gateId} and sender = ${address} and state = 'mined'`.one(db)
  return next
}

/** The same by transactions with at least this many confirmations only. */
export async function deepNonceOf(
  db: Db,
  gateId: string,
  address: string,
  confirmations: number,
): Promise<bigint> {
  const { next } = await sql<{ next: bigint }>`
    select coalesce(max(t.nonce) + 1, 0) as next from simulated_transactions t
    join simulated_chains c on c.gate_id = t.gate_id
    where t.gate_id = ${gateId} and t.sender = ${address} and t.state = 'mined'
      and t.height <= c.height + 1 - ${confirmations}::integer`.one(db)
  return next
}

export async function coinProblem(
  tx: Db,
  gateId: string,
  { outputs, debits, feeUnits }: SimulatedExecution,
  coins: readonly Coin[],
): Promise<SimulationRefusal | null> {
  const names = coins.map(coinName)
  if (coins.length === 0 || coins.length > maxInputs || outputs.length > maxOutputs)
    return refuse('malformed', `It has ${coins.length} inputs and ${outputs.length} outputs.`)
  if (new Set(names).size < names.length) return refuse('malformed', 'It spends a coin twice.')
  if (debits.length > 0) return refuse('malformed', 'It spends both coins and an account’s balance.')
  const paid = await readPaid(tx, gateId, coins)
  const missing = names.find((name) => !paid.has(name))
  if (missing !== undefined) return refuse('missing_coin', `There is no coin ${missing}.`)
  const sums = sumByCurrency([...paid.values()], outputs)
  const left = [...sums.values()]
  if (left.some((units) => units < 0n) || left.reduce((sum, units) => sum + units, 0n) !== feeUnits)
    return refuse('malformed', 'Its inputs do not equal its outputs plus its fee.')
  return null
}

export async function accountProblem(
  tx: Db,
  gateId: string,
  { outputs, debits }: SimulatedExecution,
  { address, nonce }: Account,
): Promise<SimulationRefusal | null> {
  if (outputs.length > maxOutputs) return refuse('malformed', `It has ${outputs.length} outputs.`)
  if ([...sumByCurrency(debits, outputs).values()].some((units) => units < 0n))
    return refuse('malformed', 'It pays more than its sender is charged.')
  if (nonce < 0n) return refuse('nonce_too_low', `${address} does not hold this value.`)
  const next = await nextNonceOf(tx, gateId, address)
  if (nonce < next) return refuse('nonce_too_low', `The next nonce of ${address} is ${next}, not ${nonce}.`)
  return null
}

/** `plus` less `minus`, by currency. */
export function sumByCurrency(
  plus: readonly { readonly currency: string; readonly units: bigint }[],
  minus: readonly { readonly currency: string; readonly units: bigint }[],
): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { currency, units } of plus) sums.set(currency, (sums.get(currency) ?? 0n) + units)
  for (const { currency, units } of minus) sums.set(currency, (sums.get(currency) ?? 0n) - units)
  return sums
}

export function spendsEnded(coins: readonly Coin[], ended: readonly string[]): SimulationRefusal | null {
  const coin = coins.find(({ txHash }) => ended.includes(txHash))
  return coin === undefined
    ? null
    : refuse('missing_coin', `It would replace the transaction that pays ${coinName(coin)}, which it spends.`)
}

/** An account's balance of a currency in mined blocks. */
export async function balanceOf(db: Db, gateId: string, address: string, currency: string): Promise<bigint> {
  const { units } = await sql<{ units: bigint }>`
    select coalesce(sum(units), 0) as units from (
      select o.units from simulated_outputs o
      join simulated_transactions t on t.gate_id = o.gate_id and t.hash = o.tx_hash and t.state = 'mined'
      where o.gate_id = ${gateId} and o.address = ${address} and o.currency = ${currency}
      union all
      select -d.units from simulated_debits d
      join simulated_transactions t on t.gate_id = d.gate_id and t.hash = d.tx_hash and t.state = 'mined'
      where d.gate_id = ${gateId} and d.address = ${address} and d.currency = ${currency}
    ) as moved`.one(db)
  return units
}

/**
 * Why an account cannot pay for a transaction; null when all can. The sender's waiting transactions with a lower nonce are paid
 * first; those with a higher one do not count.
 */
export async function shortOf(
  tx: Db,
  gateId: string,
  { debits }: SimulatedExecution,
  { address: sender, nonce }: { readonly address: string; readonly nonce: bigint },
  ended: readonly string[],
): Promise<SimulationRefusal | null> {
  const byAddress = Map.groupBy(debits, ({ address = sender }) => address)
  for (const [address, charged] of byAddress) {
    // What others' transactions take from it first, no one can tell.
    const before = address === sender ? nonce : 0n
    const short = await shortAt(tx, gateId, { address, nonce: before }, charged, ended)
    if (short !== null) return short
  }
  return null
}

async function shortAt(
  tx: Db,
  gateId: string,
  { address, nonce }: { readonly address: string; readonly nonce: bigint },
  debits: SimulatedExecution['debits'],
  ended: readonly string[],
): Promise<SimulationRefusal | null> {
  const rows = await sql<{ currency: string; units: bigint }>`
    select currency, sum(units) as units from (
      select o.currency, o.units from simulated_outputs o
      join simulated_transactions t on t.gate_id = o.gate_id and t.hash = o.tx_hash and t.state = 'mined'
      where o.gate_id = ${gateId} and o.address = ${address}
      union all
      select d.currency, -d.units from simulated_debits d
      join simulated_transactions t on t.gate_id = d.gate_id and t.hash = d.tx_hash
        and (t.state = 'mined' or t.state = 'waiting' and t.nonce < ${nonce.toString()})
      where d.gate_id = ${gateId} and d.address = ${address} and t.hash <> all(${[...ended]}::text[])
    ) as moved group by currency`.rows(tx)
  const balances = sumByCurrency(rows, debits)
  const short = [...balances].find(
    ([currency, units]) => units < 0n && debits.some((debit) => debit.currency === currency),
  )
  return short === undefined
    ? null
    : refuse('insufficient_balance', `${address} is ${-short[1]} units of ${short[0]} short.`)
}

const refuse = (reason: SimulationRefusal['reason'], message: string) =>
  new SimulationRefusal(reason, message)
