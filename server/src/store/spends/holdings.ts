import type { Coin } from '../../domain/spends.ts'
import { type Db, sql } from '../sql.ts'
import { isMissing } from './missing-coins.ts'
import { isUnproven } from './previous-transactions.ts'

/** The counter of a gate's change addresses. The counter of an account's nonces is named after its address. */
export const changeCounter = 'change'

/** A confirmed payment to one of our addresses that no spend has claimed. */
export type UnspentDeposit = {
  readonly paymentId: string
  readonly address: string
  /** The address's position in its keychain. */
  readonly position: number
  readonly currency: string
  readonly units: bigint
}

/** A coin of ours as the operator sees it: in a block or waiting for one, and not spent for good. */
export type HeldCoin = {
  readonly txHash: string
  readonly outputIndex: number
  readonly units: bigint
  /** Null for our own change, whose position is in `changeIndex`. */
  readonly address: string | null
  readonly changeIndex: bigint | null
  /** Null while no block holds it. */
  readonly confirmations: bigint | null
  /** `pinned`: an open spend uses it. `unproven`: the node cannot show the transaction that made it. */
  readonly state: 'waiting' | 'confirming' | 'unproven' | 'spendable' | 'pinned'
}

type CoinRow = Omit<Coin, 'key'> & { readonly chain: 'deposit' | 'own'; readonly position: bigint }

function coinFrom({ chain, position, ...coin }: CoinRow): Coin {
  return { ...coin, key: { chain, index: Number(position) } }
}

/** The key of the lock that a transaction holds while it plans spends of a gate. */
const plannersOf = (gateId: string) => sql`hashtextextended('plan spends of ' || ${gateId}, 0)`

/** Deposits that are deep enough and that no spend has claimed. */
const matureDeposits = (
  gateId: string,
  keychain: string,
  { missing = false, evenIfUnproven = false } = {},
) => sql`
  select payments.tx_hash as "txHash", payments.output_index as "outputIndex", payments.units,
    'deposit' as chain, address.position
  from payments
  join followed_chains as tip on tip.gate_id = payments.gate_id
  join deposit_addresses as address on address.keychain = ${keychain} and address.address = payments.address
    and address.tag = ''
  where payments.gate_id = ${gateId} and payments.pinned_by is null and payments.matures_at <= tip.height
    and ${isMissing('payments')} = ${missing} and (${evenIfUnproven} or not ${isUnproven})`

/** Whether the block with the transaction that made a coin was replaced, and no other is known to hold it. */
export const isDisplaced = sql`(maker.block_height is null or maker.block_height > (
    select min(height) from followed_blocks where gate_id = maker.gate_id)
  and not exists (select from followed_blocks as block where block.gate_id = maker.gate_id
    and block.height = maker.block_height and block.hash = maker.block_hash))`

/** Change of a transaction that is final and in a block, which no spend has claimed. */
const finalChange = (gateId: string, missing = false) => sql`
  select coin.tx_hash as "txHash", coin.output_index as "outputIndex", coin.units, 'own' as chain,
    coin.change_index as position
  from change_coins as coin join spends as maker on maker.id = coin.made_by and maker.status = 'final'
  where coin.gate_id = ${gateId} and coin.pinned_by is null and not (${isDisplaced})
    and ${isMissing('coin')} = ${missing}`

/** Change of a lost database that was recovered, deep enough to be spent. */
const recoveredChange = (
  gateId: string,
  keychain: string,
  { missing = false, evenIfUnproven = false } = {},
) => sql`
  select payments.tx_hash, payments.output_index, payments.units, 'own', own.position
  from payments
  join followed_chains as tip on tip.gate_id = payments.gate_id
  join own_addresses as own on own.keychain = ${keychain} and own.address = payments.address
  where payments.gate_id = ${gateId} and payments.suspense_reason = 'recovered' and payments.pinned_by is null
    and payments.matures_at <= tip.height and ${isMissing('payments')} = ${missing} and (${evenIfUnproven} or not ${isUnproven})`

/** Our spendable funds on chain, and what spends have claimed of them. */
export function holdingsOn(db: Db) {
  return {
    /**
     * Coins deep enough to be spent, largest first. Change counts once its own transaction is final, or when it is
     * recovered. `missing` asks for the coins that the node does not have, which are left out otherwise. Coins whose
     * transaction the node cannot show are left out unless `evenIfUnproven`: the signer would not sign them.
     */
    async coins(
      gateId: string,
      keychain: string,
      limit: number,
      options: { readonly missing?: boolean; readonly evenIfUnproven?: boolean } = {},
    ): Promise<Coin[]> {
      const rows = await sql<CoinRow>`
        select * from (${matureDeposits(gateId, keychain, options)} order by units desc limit ${limit}) as deposits
        union all
        select * from (${recoveredChange(gateId, keychain, options)} order by units desc limit ${limit}) as recovered
        union all
        select * from (${finalChange(gateId, options.missing)} order by units desc limit ${limit}) as change
        order by 3 desc, 1, 2 limit ${limit}`.rows(db)
      return rows.map(coinFrom)
    },

    /**
     * Of the coins that are deep enough to be spent and worth more than `aboveUnits`: their count, their total, and the
     * smallest of them in ascending order.
     */
    async smallestCoins(
      gateId: string,
      keychain: string,
      aboveUnits: bigint,
      limit: number,
    ): Promise<{ count: number; units: bigint; smallest: Coin[] }> {
      const rows = await sql<CoinRow & { count: bigint; sum: bigint }>`
        select *, count(*) over () as count, sum(units) over () as sum from (
          ${matureDeposits(gateId, keychain)} union all ${recoveredChange(gateId, keychain)}
          union all ${finalChange(gateId)}
        ) as coin
        where units > ${aboveUnits.toString()}
        order by units, "txHash", "outputIndex" limit ${limit}`.rows(db)
      return {
        count: Number(rows[0]?.count ?? 0n),
        units: rows[0]?.sum ?? 0n,
        smallest: rows.map(({ count: _, sum: __, ...row }) => coinFrom(row)),
      }
    },

    /** All current coins of a gate, largest first, without those that the node reports as missing. */
    async list(gateId: string, keychain: string, limit: number): Promise<HeldCoin[]> {
      return sql<HeldCoin>`
        select * from (
          select payments.tx_hash as "txHash", payments.output_index as "outputIndex", payments.units,
            case when own.position is null then payments.address end as address, own.position as "changeIndex",
            tip.height - payments.block_height + 1 as confirmations,
            case when payments.pinned_by is not null then 'pinned' when payments.block_height is null then 'waiting'
              when ${isUnproven} then 'unproven'
              when payments.matures_at <= tip.height then 'spendable' else 'confirming' end as state
          from payments join followed_chains as tip on tip.gate_id = payments.gate_id
          left join spends on spends.id = payments.pinned_by
          left join own_addresses as own on own.keychain = ${keychain} and own.address = payments.address
          where payments.gate_id = ${gateId} and (payments.waiting or payments.block_height is not null)
            and case when payments.pinned_by is null then not ${isMissing('payments')} else spends.status = 'open' end
          union all
          select coin.tx_hash, coin.output_index, coin.units, null, coin.change_index,
            tip.height - maker.block_height + 1, case when coin.pinned_by is null then 'spendable' else 'pinned' end
          from change_coins as coin join followed_chains as tip on tip.gate_id = coin.gate_id
          join spends as maker on maker.id = coin.made_by
          left join spends on spends.id = coin.pinned_by
          where coin.gate_id = ${gateId}
            and case when coin.pinned_by is null then not ${isMissing('coin')} else spends.status = 'open' end
        ) as held
        order by units desc, "txHash", "outputIndex" limit ${limit}`.rows(db)
    },

    /** Pins coins to a spend. Returns false if another spend has taken one of them; then the caller must not commit. */
    async pinCoins(gateId: string, coins: readonly Coin[], spendId: string): Promise<boolean> {
      const hashes = coins.map(({ txHash }) => txHash)
      const indexes = coins.map(({ outputIndex }) => outputIndex)
      const { pinned } = await sql<{ pinned: bigint }>`
        with wanted as (
          select * from unnest(${hashes}::text[], ${indexes}::integer[]) as coin (tx_hash, output_index)
        ), deposits as (
          update payments set pinned_by = ${spendId} from wanted
          where payments.gate_id = ${gateId} and payments.tx_hash = wanted.tx_hash
            and payments.output_index = wanted.output_index and pinned_by is null
          returning 1
        ), change as (
          update change_coins set pinned_by = ${spendId} from wanted
          where change_coins.gate_id = ${gateId} and change_coins.tx_hash = wanted.tx_hash
            and change_coins.output_index = wanted.output_index and pinned_by is null
          returning 1
        )
        select (select count(*) from deposits) + (select count(*) from change) as pinned`.one(db)
      return Number(pinned) === coins.length
    },

    /** Unclaimed confirmed deposits of a currency, largest first. */
    async deposits(
      gateId: string,
      keychain: string,
      currency: string,
      limit: number,
    ): Promise<UnspentDeposit[]> {
      const rows = await sql<Omit<UnspentDeposit, 'position'> & { position: bigint }>`
        select payments.id as "paymentId", payments.address, address.position, payments.currency, payments.units
        from payments
        join followed_chains as tip on tip.gate_id = payments.gate_id
        join deposit_addresses as address on address.keychain = ${keychain} and address.address = payments.address
          and address.tag = coalesce(payments.address_tag, '')
        where payments.gate_id = ${gateId} and payments.currency = ${currency} and payments.pinned_by is null
          and payments.matures_at <= tip.height
        order by payments.units desc, payments.id limit ${limit}`.rows(db)
      return rows.map((row) => ({ ...row, position: Number(row.position) }))
    },

    /** The unclaimed confirmed payments of one currency to these addresses. */
    async onAddresses(gateId: string, currency: string, addresses: readonly string[]) {
      return sql<{ paymentId: string; address: string; units: bigint }>`
        select payments.id as "paymentId", address, units
        from payments join followed_chains as tip on tip.gate_id = payments.gate_id
        where payments.gate_id = ${gateId} and currency = ${currency} and pinned_by is null
          and matures_at <= tip.height and address = any(${[...addresses]}::text[])
        order by payments.id`.rows(db)
    },

    /** Whether this address has a confirmed payment that no spend has claimed. */
    async hasUnclaimedAt(gateId: string, address: string): Promise<boolean> {
      const found = await sql`
        select from payments join followed_chains as tip on tip.gate_id = payments.gate_id
        where payments.gate_id = ${gateId} and address = ${address} and pinned_by is null
          and matures_at <= tip.height limit 1`.run(db)
      return found > 0
    },

    /** Pins all unclaimed confirmed payments to an address to a spend. Returns their totals by currency. */
    async pinAllAt(gateId: string, address: string, spendId: string): Promise<Map<string, bigint>> {
      const rows = await sql<{ currency: string; units: bigint }>`
        with pinned as (
          update payments set pinned_by = ${spendId} from followed_chains as tip
          where payments.gate_id = ${gateId} and tip.gate_id = payments.gate_id and address = ${address}
            and pinned_by is null and matures_at <= tip.height
          returning currency, units
        )
        select currency, sum(units) as units from pinned group by currency`.rows(db)
      return new Map(rows.map(({ currency, units }) => [currency, units]))
    },

    /** Pins payments to a spend. Returns false if another spend has taken one; then the caller must not commit. */
    async pinPayments(ids: readonly string[], spendId: string): Promise<boolean> {
      const changed = await sql`
        update payments set pinned_by = ${spendId} where id = any(${[...ids].sort()}::uuid[]) and pinned_by is null
        returning id`.run(db)
      return changed === ids.length
    },

    /** Releases what a dead spend had claimed. */
    async release(spendId: string): Promise<void> {
      await sql`update payments set pinned_by = null where pinned_by = ${spendId}`.run(db)
      await sql`update change_coins set pinned_by = null where pinned_by = ${spendId}`.run(db)
      await sql`update cold_coins set pinned_by = null where pinned_by = ${spendId}`.run(db)
    },

    /** Coins of a spend that are neither in a block of the followed branch nor waiting for one. */
    async lostCoins(spendId: string): Promise<Pick<Coin, 'txHash' | 'outputIndex'>[]> {
      return sql<Pick<Coin, 'txHash' | 'outputIndex'>>`
        select tx_hash as "txHash", output_index as "outputIndex" from payments
        where pinned_by = ${spendId} and block_height is null and not waiting
        union all
        select coin.tx_hash, coin.output_index from change_coins as coin join spends as maker on maker.id = coin.made_by
        where coin.pinned_by = ${spendId} and ${isDisplaced}
        union all
        select coin.tx_hash, coin.output_index from cold_coins as coin join spends as maker on maker.id = coin.made_by
        where coin.pinned_by = ${spendId} and ${isDisplaced}
        order by 1, 2`.rows(db)
    },

    /** Adds the change of a final spend. */
    async addChange(coin: {
      gateId: string
      txHash: string
      outputIndex: number
      changeIndex: number
      units: bigint
      madeBy: string
    }): Promise<void> {
      await sql`
        insert into change_coins (gate_id, tx_hash, output_index, change_index, units, made_by)
        values (${coin.gateId}, ${coin.txHash}, ${coin.outputIndex}, ${coin.changeIndex}, ${coin.units.toString()},
          ${coin.madeBy})`.run(db)
    },

    /**
     * Removes the change of a spend that was not mined after all, and returns null. If a spend has claimed the change,
     * returns that spend and changes nothing.
     */
    async removeChange(madeBy: string): Promise<string | null> {
      const claimed = await sql<{ pinnedBy: string }>`
        select pinned_by as "pinnedBy" from change_coins where made_by = ${madeBy} and pinned_by is not null`.maybeOne(
        db,
      )
      if (claimed !== null) return claimed.pinnedBy
      await sql`delete from change_coins where made_by = ${madeBy}`.run(db)
      return null
    },

    /**
     * Takes the next value of a counter, which no other caller gets: the position of a change address, or an account's
     * nonce.
     */
    async takeCount(gateId: string, name: string): Promise<bigint> {
      const { taken } = await sql<{ taken: bigint }>`
        insert into spend_counters as counter (gate_id, name, next) values (${gateId}, ${name}, 1)
        on conflict (gate_id, name) do update set next = counter.next + 1
        returning next - 1 as taken`.one(db)
      return taken
    },

    /** Makes sure that no value below this one is taken any more. */
    async raiseCount(gateId: string, name: string, next: bigint): Promise<void> {
      await sql`
        insert into spend_counters as counter (gate_id, name, next) values (${gateId}, ${name}, ${next.toString()})
        on conflict (gate_id, name) do update set next = excluded.next where counter.next < excluded.next`.run(
        db,
      )
    },

    /** Begins a counter here, unless it has begun. */
    async startCount(gateId: string, name: string, first: bigint): Promise<void> {
      await sql`
        insert into spend_counters (gate_id, name, next) values (${gateId}, ${name}, ${first.toString()})
        on conflict (gate_id, name) do nothing`.run(db)
    },

    /** Whether a value of a counter was ever taken or set. */
    async hasCount(gateId: string, name: string): Promise<boolean> {
      const found = await sql`
        select from spend_counters where gate_id = ${gateId} and name = ${name}`.run(db)
      return found > 0
    },

    /** The value that would be taken next. */
    async nextCount(gateId: string, name: string): Promise<bigint> {
      const row = await sql<{ next: bigint }>`
        select next from spend_counters where gate_id = ${gateId} and name = ${name}`.maybeOne(db)
      return row?.next ?? 0n
    },

    /** Whether this transaction is now the only one that plans spends of the gate, until it ends. */
    async isOnlyPlanner(gateId: string): Promise<boolean> {
      const { alone } = await sql<{ alone: boolean }>`
        select pg_try_advisory_xact_lock(${plannersOf(gateId)}) as alone`.one(db)
      return alone
    },

    /**
     * Waits until this transaction is the only one that plans spends of the gate. That takes a moment, since planning does
     * not wait for anything.
     */
    async becomeOnlyPlanner(gateId: string): Promise<void> {
      await sql`select pg_advisory_xact_lock(${plannersOf(gateId)})`.run(db)
    },

    /** The hot wallet's unclaimed balances by currency, locked until the transaction ends: one planner at a time. */
    async lockHot(gateId: string, currencies: readonly string[]): Promise<Map<string, bigint>> {
      await sql`
        insert into hot_balances (gate_id, currency)
        select ${gateId}, currency from unnest(${[...new Set(currencies)].sort()}::text[]) as currency
        on conflict do nothing`.run(db)
      const rows = await sql<{ currency: string; units: bigint }>`
        select currency, units from hot_balances where gate_id = ${gateId}
        order by currency for no key update`.rows(db)
      return new Map(rows.map(({ currency, units }) => [currency, units]))
    },

    /** The same at this moment, without locking it. */
    async freeHot(gateId: string): Promise<Map<string, bigint>> {
      const rows = await sql<{ currency: string; units: bigint }>`
        select currency, units from hot_balances where gate_id = ${gateId}`.rows(db)
      return new Map(rows.map(({ currency, units }) => [currency, units]))
    },

    async changeHot(gateId: string, changes: ReadonlyMap<string, bigint>): Promise<void> {
      const moved = [...changes].filter(([, units]) => units !== 0n).sort(([a], [b]) => (a < b ? -1 : 1))
      if (moved.length === 0) return
      const currencies = moved.map(([currency]) => currency)
      await sql`
        insert into hot_balances (gate_id, currency)
        select ${gateId}, currency from unnest(${currencies}::text[]) as currency on conflict do nothing`.run(
        db,
      )
      await sql`
        update hot_balances as held set units = held.units + change.units
        from unnest(${currencies}::text[], ${moved.map(([, units]) => units.toString())}::numeric[])
          as change (currency, units)
        where held.gate_id = ${gateId} and held.currency = change.currency`.run(db)
    },
  }
}
