import type { Transfer } from '../../domain/chain.ts'
import { type Db, sql } from '../sql.ts'

/** One of our addresses, with its position in its keychain. */
export type OwnAddress = { readonly address: string; readonly position: number }

/** An address that has less native currency than it should. */
export type Shortfall = {
  readonly address: string
  readonly expectedUnits: bigint
  readonly foundUnits: bigint
}

/** A payment that was detected by its effect on the balance. */
export type FoundBefore = Pick<Transfer, 'address' | 'txHash' | 'outputIndex' | 'units'>

/** A shortfall as the operator sees it. */
export type KnownShortfall = Shortfall & {
  readonly gateId: string
  readonly currency: string
  readonly decimals: number
}

/** The result of comparing addresses with their chain. */
export type NotedCheck = {
  readonly gateId: string
  readonly currency: string
  readonly decimals: number
  readonly height: bigint
  /** Where the next comparison continues. */
  readonly nextPosition: number
  readonly short: readonly Shortfall[]
  /** Addresses that were known to be short and no longer are. */
  readonly mended: readonly string[]
}

type Row = { readonly address: string; readonly position: bigint }

/** The native currency that addresses should have. */
export function nativeBalancesOn(db: Db) {
  return {
    /** The addresses at which a payment in this currency may be expected, newest first. */
    async awaited(gateId: string, currency: string, limit: number): Promise<OwnAddress[]> {
      const rows = await sql<Row>`
        (select deposit_address as address, deposit_position as position from invoices
         where gate_id = ${gateId} and currency = ${currency} and due_at is not null
         order by due_at desc limit ${limit})
        union all
        (select deposit_address, deposit_position from invoices
         where gate_id = ${gateId} and currency = ${currency} and status = 'underpaid' and static_address_id is null
         order by invoices.position desc limit ${limit})
        union all
        (select address, deposit_position from static_addresses
         where gate_id = ${gateId} and currency = ${currency}
         order by static_addresses.position desc limit ${limit})`.rows(db)
      return rows.map(own)
    },

    /** The addresses of a keychain from a position on. */
    async inTurn(keychain: string, from: bigint, limit: number): Promise<OwnAddress[]> {
      const rows = await sql<Row>`
        select address, position from deposit_addresses
        where keychain = ${keychain} and position >= ${from.toString()} and tag = ''
        order by position limit ${limit}`.rows(db)
      return rows.map(own)
    },

    /**
     * What deposit addresses should have after the block at `height` of the followed branch, to the unit: payments and gas
     * that we sent, less what we took and the fees for that. Leaves out an address if a spend from or to it is not settled,
     * as far as we know.
     */
    async ofDeposits(
      gateId: string,
      currency: string,
      addresses: readonly string[],
      height: bigint,
    ): Promise<Map<string, bigint>> {
      const rows = await sql<{ address: string; units: bigint }>`
        with ${busyAddresses(gateId, height)}
        select asked.address, coalesce(paid.units, 0) + coalesce(given.units, 0) - coalesce(taken.units, 0) as units
        from unnest(${[...addresses]}::text[]) as asked (address)
        cross join lateral (
          select sum(units) as units from payments
          where gate_id = ${gateId} and address = asked.address and currency = ${currency}
            and block_height <= ${height.toString()}
        ) as paid
        cross join lateral (
          select sum(units) as units from spends
          where gate_id = ${gateId} and to_address = asked.address and kind = 'gas' and currency = ${currency}
            and status = 'final'
        ) as given
        cross join lateral (
          select sum(fee_units + case when status = 'final' and currency = ${currency} then units else 0 end) as units
          from spends
          where gate_id = ${gateId} and from_address = asked.address and status in ('final', 'reverted')
        ) as taken
        where asked.address not in (select address from busy where address is not null)`.rows(db)
      return new Map(rows.map(({ address, units }) => [address, units]))
    },

    /** The same for the hot wallet, whose balance is kept; null while a spend from or to it is not settled. */
    async ofHot(gateId: string, currency: string, address: string, height: bigint): Promise<bigint | null> {
      const row = await sql<{ units: bigint }>`
        with ${busyAddresses(gateId, height)}
        select coalesce((select units from hot_balances where gate_id = ${gateId} and currency = ${currency}), 0)
          + coalesce((select sum(units) from payments where gate_id = ${gateId} and address = ${address}
            and currency = ${currency} and pinned_by is null and block_height <= ${height.toString()}), 0)
          -- The kept balance includes absorbed payments that are no longer in a block, but the chain does not.
          - coalesce((select sum(units) from payments where gate_id = ${gateId} and address = ${address}
            and currency = ${currency} and pinned_by is not null
            and (block_height is null or block_height > ${height.toString()})), 0) as units
        where not exists (select from busy where busy.address = ${address})`.maybeOne(db)
      return row?.units ?? null
    },

    /**
     * Payments at these addresses that were detected by balance and that a reorganisation removed from the blocks above a
     * height, oldest first: until they are given up, or for good once a spend has claimed them.
     */
    async displaced(gateId: string, addresses: readonly string[], height: bigint): Promise<FoundBefore[]> {
      return sql<FoundBefore>`
        select address, tx_hash as "txHash", output_index as "outputIndex", units from payments
        where gate_id = ${gateId} and address = any(${[...addresses]}::text[]) and by_balance
          and (block_height > ${height.toString()} or (block_height is null and (waiting or pinned_by is not null)))
        order by seen_at, id`.rows(db)
    },

    /** Records a comparison. Returns the shortfalls that are new or have changed. */
    async note(check: NotedCheck): Promise<Shortfall[]> {
      const { gateId, short, mended } = check
      await sql`
        update followed_chains set balances_position = ${check.nextPosition} where gate_id = ${gateId}`.run(
        db,
      )
      if (mended.length > 0)
        await sql`
          delete from balance_shortfalls where gate_id = ${gateId} and address = any(${[...mended]}::text[])`.run(
          db,
        )
      if (short.length === 0) return []
      const rows = await sql<{ address: string }>`
        insert into balance_shortfalls as known (gate_id, address, currency, decimals, expected_units, found_units, block_height)
        select ${gateId}, address, ${check.currency}, ${check.decimals}, expected, found, ${check.height.toString()}
        from unnest(
          ${short.map(({ address }) => address)}::text[],
          ${short.map(({ expectedUnits }) => expectedUnits.toString())}::numeric[],
          ${short.map(({ foundUnits }) => foundUnits.toString())}::numeric[]
        ) as short (address, expected, found)
        on conflict (gate_id, address) do update set expected_units = excluded.expected_units,
          found_units = excluded.found_units, block_height = excluded.block_height, found_at = clock_timestamp()
        where known.expected_units - known.found_units <> excluded.expected_units - excluded.found_units
        returning address`.rows(db)
      const changed = new Set(rows.map(({ address }) => address))
      return short.filter(({ address }) => changed.has(address))
    },

    /** All known shortfalls, or those of one gate. */
    async shortfalls(gateId: string | null = null): Promise<KnownShortfall[]> {
      return sql<KnownShortfall>`
        select gate_id as "gateId", address, currency, decimals, expected_units as "expectedUnits",
          found_units as "foundUnits"
        from balance_shortfalls where ${gateId}::text is null or gate_id = ${gateId}
        order by gate_id, address`.rows(db)
    },
  }
}

/**
 * `busy (address)`: the addresses of spends that are not settled. As far as we know, such a spend may or may not be in a
 * block: it is open, or its block is not on the branch up to this height.
 */
function busyAddresses(gateId: string, height: bigint) {
  return sql`
    kept as (
      select coalesce(min(height), 0) as lowest from followed_blocks where gate_id = ${gateId}
    ), unsettled as (
      -- What a refill brings is a payment as any other, and its account is not ours.
      select from_address, to_address from spends where gate_id = ${gateId} and status = 'open' and kind <> 'refill'
      union all
      select from_address, to_address from spends cross join kept
      where gate_id = ${gateId} and status in ('final', 'reverted') and kind <> 'refill'
        and (block_height is null and (status = 'final' or exists (select from payments
            where pinned_by = spends.id and (payments.block_height is not null or payments.waiting)))
          or block_height > least(lowest, ${height.toString()}::bigint)
          and (block_height > ${height.toString()} or not exists (select from followed_blocks as block
            where block.gate_id = spends.gate_id and block.height = block_height and block.hash = block_hash)))
    ), busy as materialized (
      select from_address as address from unsettled union select to_address from unsettled
    )`
}

function own({ address, position }: Row): OwnAddress {
  return { address, position: Number(position) }
}
