import type { Random } from '../simulation/random.ts'
import type { Asked, DepositNetwork } from './deposit-stage.ts'
import { altered } from './forgeries.ts'
import { uuidOf } from './names.ts'
import type { Row, Rows } from './rows.ts'

/** Addresses of the attacker, as payers of the test environment would see them. */
export const testThief = {
  coins: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  account: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  solana: 'mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN',
}

/** What decides which deposits are credited. */
export const depositTables = {
  deposit_addresses: 6,
  own_addresses: 2,
  invoices: 6,
  static_addresses: 4,
  payments: 6,
  payment_bookings: 3,
  previous_transactions: 2,
  missing_coins: 1,
  followed_chains: 3,
  followed_blocks: 2,
  jobs: 2,
  deposit_address_counters: 2,
  ledger_accounts: 1,
  ledger_transactions: 1,
  postings: 1,
  merchants: 1,
} as const

const keychains = { bitcoin: 'bitcoin-test', ethereum: 'evm-test' } as const
const decimals = { BTC: 8, ETH: 18, USDT: 6 } as const

/** Has the service believe deposits that never reached it. Everything it does follows from the random numbers. */
export function createDepositAdversary(
  rows: Rows,
  asked: readonly Asked[],
  /** Pays an address on a chain, as a payer does. Returns the transaction's hash. */
  pay: (network: DepositNetwork, address: string, currency: string, units: bigint) => string,
) {
  const { attempt, insert, put } = rows
  const thiefOn = (network: DepositNetwork) => (network === 'bitcoin' ? testThief.coins : testThief.account)
  const target = (random: Random) => asked[random.below(asked.length)] as Asked

  /** A payment that the follower never saw. */
  function paymentOf(random: Random, to: Asked, changes: Row = {}): Row {
    const { network, currency, units, address } = to
    return {
      id: uuidOf(random),
      gate_id: `${network}-test`,
      tx_hash: random.bytes(32).toString('hex'),
      output_index: 0,
      environment: 'test',
      currency,
      network,
      decimals: decimals[currency as keyof typeof decimals],
      units: `${units}`,
      address,
      required_confirmations: 1,
      seen_at: new Date().toISOString(),
      waiting: false,
      suspense_reason: null,
      ...changes,
    }
  }

  async function blockOf(network: DepositNetwork): Promise<Row> {
    const [row] = await attempt(
      `select height::text as block_height, hash as block_hash from followed_blocks where gate_id = $1
       order by height desc offset 3 limit 1`,
      [`${network}-test`],
    )
    return row ?? { block_height: '30', block_hash: 'a block' }
  }

  async function invoiceAt(address: string): Promise<Row | null> {
    const [row] = await attempt('select id, merchant_id from invoices where deposit_address = $1 limit 1', [
      address,
    ])
    return row ?? null
  }

  const attacks = {
    /** Changes a column, to the value of another row or to something else. */
    async change(random: Random) {
      const table = random.weighted(depositTables)
      const [one, other] = [await rows.some(random, table), await rows.some(random, table)]
      const names = rows.columnsOf(table)
      const name = names[random.below(names.length)]
      if (one === null || name === undefined) return
      const value = random.bool(0.3) ? other?.row[name] : altered(random, testThief, name, one.row[name])
      await put(table, one.ctid, { [name]: value ?? null })
    },

    /** Puts an address of its own into the pool, has it belong to someone, and pays it. */
    async foreignAddress(random: Random) {
      const { network, currency, units, merchantId } = target(random)
      const [keychain, address] = [keychains[network], thiefOn(network)]
      const position = random.between(100, 300)
      const [proof] = await attempt('select proof from deposit_addresses where keychain = $1 limit 1', [
        keychain,
      ])
      await insert('deposit_addresses', {
        keychain,
        position,
        address,
        tag: '',
        ...(random.bool(0.5) && { proof: proof?.proof }),
      })
      if (random.bool(0.8))
        await insert('static_addresses', {
          id: uuidOf(random),
          position: random.between(1e6, 1e9),
          merchant_id: merchantId,
          environment: 'test',
          currency,
          network,
          gate_id: `${network}-test`,
          keychain,
          deposit_position: position,
          address,
          address_proof: proof?.proof,
        })
      pay(network, address, currency, units * 3n)
    },

    /** Has an address that was given out be its own, in every row that names it. */
    async replaceAddress(random: Random) {
      const { network, currency, units, address } = target(random)
      const to = thiefOn(network)
      await attempt('update deposit_addresses set address = $2 where address = $1', [address, to])
      await attempt('update invoices set deposit_address = $2 where deposit_address = $1', [address, to])
      await attempt('update static_addresses set address = $2 where address = $1', [address, to])
      pay(network, to, currency, units)
    },

    /** Claims that its own address was one of our change addresses under an earlier database. */
    async ownChange(random: Random) {
      const { currency, units } = asked.find(({ network }) => network === 'bitcoin') as Asked
      await insert('own_addresses', {
        keychain: keychains.bitcoin,
        position: random.below(5),
        address: testThief.coins,
      })
      pay('bitcoin', testThief.coins, currency, units)
    },

    /** Gives the address of one to another: of another merchant, or in another currency. */
    async swapOwners(random: Random) {
      const [one, other] = [await rows.some(random, 'invoices'), await rows.some(random, 'invoices')]
      if (one === null || other === null) return
      const placeOf = ({ deposit_position, deposit_address, deposit_address_proof }: Row) => ({
        deposit_position,
        deposit_address,
        deposit_address_proof,
      })
      await put('invoices', one.ctid, placeOf(other.row))
      await put('invoices', other.ctid, placeOf(one.row))
    },

    /** Inserts a payment that no chain has, and has it booked. */
    async inventPayment(random: Random) {
      const to = target(random)
      const invoice = await invoiceAt(to.address)
      const payment = paymentOf(random, to, {
        ...(await blockOf(to.network)),
        ...(invoice === null ? { suspense_reason: 'unassigned_address' } : { invoice_id: invoice.id }),
      })
      await insert('payments', payment)
      // As if the node could not show the transaction.
      if (random.bool(0.3))
        await insert('previous_transactions', {
          gate_id: payment.gate_id,
          tx_hash: payment.tx_hash,
          asked_at: new Date().toISOString(),
        })
      await insert('jobs', {
        kind: invoice === null ? 'book_suspense' : 'assess_invoice',
        subject: invoice?.id ?? payment.id,
        gate_id: payment.gate_id,
      })
    },

    /** States another amount for a payment, before or after it is booked. */
    async inflate(random: Random) {
      const found = await rows.some(random, 'payments')
      if (found === null) return
      await put('payments', found.ctid, { units: `${BigInt(`${found.row.units}`) * 100n}` })
    },

    /** Knows a payment before the follower does, with a larger amount. */
    async anticipate(random: Random) {
      const to = target(random)
      const invoice = await invoiceAt(to.address)
      if (invoice === null) return
      const hash = pay(to.network, to.address, to.currency, to.units)
      await insert(
        'payments',
        paymentOf(random, to, {
          tx_hash: hash,
          units: `${to.units * 50n}`,
          waiting: true,
          invoice_id: invoice.id,
        }),
      )
    },

    /** Sets the follower back, and forgets what it has seen. */
    async setBack(random: Random) {
      const gate = random.pick(['bitcoin-test', 'ethereum-test'])
      const [block] = await attempt(
        'select height::text, hash from followed_blocks where gate_id = $1 order by height offset 5 limit 1',
        [gate],
      )
      await attempt('update followed_chains set height = $2, hash = $3 where gate_id = $1', [
        gate,
        block?.height,
        block?.hash,
      ])
      await attempt('delete from followed_blocks where gate_id = $1 and height > $2', [gate, block?.height])
      if (random.bool(0.5)) await attempt('delete from payment_bookings')
      await attempt('delete from payments where gate_id = $1', [gate])
    },

    /** Has a payment that was booked be booked again. */
    async bookAgain(random: Random) {
      const found = await rows.some(random, 'payment_bookings')
      if (found === null) return
      await put('payment_bookings', found.ctid, { credited: false, ...(random.bool(0.5) && { credits: 0 }) })
      await attempt(
        `insert into jobs (kind, subject, gate_id) select 'assess_invoice', invoice_id, gate_id from payments
         where id = $1 and invoice_id is not null on conflict do nothing`,
        [found.row.payment_id],
      )
    },

    /** Appends a ledger transaction of its own, which sums to zero. */
    async post(random: Random) {
      const accounts = await attempt(
        `select id::text, kind, merchant_id, currency from ledger_accounts where kind in ('available', 'chain') limit 20`,
      )
      const to = accounts.find(({ kind }) => kind === 'available')
      const from = accounts.find(({ kind, currency }) => kind === 'chain' && currency === to?.currency)
      if (to === undefined || from === undefined) return
      const id = uuidOf(random)
      await attempt(
        `with posted as (
           insert into ledger_transactions (id, entry_type, subject, occurrence) values ($1, 'deposit', $2, 1) returning id
         )
         insert into postings (transaction_id, account_id, units)
         select id, account, units from posted, (values ($3::bigint, 777777), ($4::bigint, -777777)) as given (account, units)`,
        [id, uuidOf(random), to.id, from.id],
      )
    },
  }

  return {
    async act(random: Random): Promise<string> {
      const what = random.weighted({
        change: 6,
        foreignAddress: 5,
        replaceAddress: 4,
        ownChange: 2,
        swapOwners: 2,
        inventPayment: 4,
        inflate: 3,
        anticipate: 3,
        setBack: 3,
        bookAgain: 2,
        post: 2,
      })
      await attacks[what](random)
      return what
    },

    /** Removes every trace of its own addresses, before anyone looks for them. */
    async cover(): Promise<void> {
      const own = [Object.values(testThief)]
      for (const table of ['static_addresses', 'deposit_addresses', 'own_addresses'])
        await attempt(`delete from ${table} where address = any ($1)`, own)
      await attempt('update invoices set deposit_address = null where deposit_address = any ($1)', own)
    },
  }
}
