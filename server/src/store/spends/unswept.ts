import { type Db, sql } from '../sql.ts'

/** Confirmed payments of a currency to deposit addresses, which no spend has claimed. */
export type Unswept = { readonly currency: string; readonly units: bigint; readonly addresses: number }

export function unsweptOn(db: Db) {
  return {
    /** Records that a sweep that was booked as done has moved nothing after all: it was executed again, and failed. */
    async undo(spendId: string): Promise<void> {
      await sql`
        update spends set status = 'reverted' where id = ${spendId} and kind = 'sweep' and status = 'final'`.run(
        db,
      )
    },

    /** Records that a sweep that was taken back has moved its deposits after all, if they are still pinned to it. */
    async redo(spendId: string): Promise<boolean> {
      const changed = await sql`
        update spends set status = 'final' where id = ${spendId} and kind = 'sweep' and status = 'reverted'
          and exists (select from payments where pinned_by = spends.id) returning id`.run(db)
      return changed > 0
    },

    /** By currency, everything on a gate's deposit addresses that is still to be swept. */
    async totals(gateId: string, keychain: string): Promise<Unswept[]> {
      return sql<Unswept>`
        select payments.currency, sum(payments.units) as units, count(distinct payments.address)::integer as addresses
        from payments
        join followed_chains as tip on tip.gate_id = payments.gate_id
        join deposit_addresses as address on address.keychain = ${keychain} and address.address = payments.address
          and address.tag = coalesce(payments.address_tag, '')
        where payments.gate_id = ${gateId} and payments.pinned_by is null and payments.matures_at <= tip.height
        group by 1 order by 1`.rows(db)
    },

    /**
     * By address, the native currency that earlier sweeps have left there: the gas that was sent, and what sweeps of the
     * native currency set aside, less what the network took or may still take. Deposits are not included.
     */
    async gasLeft(gateId: string, addresses: readonly string[]): Promise<Map<string, bigint>> {
      const rows = await sql<{ address: string; units: bigint }>`
        with wanted as (select unnest(${[...addresses]}::text[]) as address), moved as (
          select wanted.address, gas.units
          from wanted
          join spends as gas on gas.gate_id = ${gateId} and gas.to_address = wanted.address and gas.kind = 'gas'
            and gas.status in ('open', 'final')
          union all
          select wanted.address, payments.units
          from wanted
          join spends as sweep on sweep.gate_id = ${gateId} and sweep.from_address = wanted.address and sweep.kind = 'sweep'
            and sweep.currency = sweep.fee_currency
          join payments on payments.pinned_by = sweep.id and (sweep.status <> 'reverted' or payments.block_height is not null)
          union all
          select wanted.address, - case when sweep.currency = sweep.fee_currency and sweep.status <> 'reverted'
              then sweep.units else 0 end
            - coalesce(sweep.fee_units, (select max(max_fee_units) from spend_transactions where spend_id = sweep.id))
          from wanted
          join spends as sweep on sweep.gate_id = ${gateId} and sweep.from_address = wanted.address and sweep.kind = 'sweep'
            and sweep.status <> 'dead'
        )
        select address, sum(units) as units from moved group by 1`.rows(db)
      return new Map(rows.map(({ address, units }) => [address, units]))
    },

    /** The most that open transfers between our own addresses, and to the cold wallet, may still cost on a gate, in the native currency. */
    async claimedForMoves(gateId: string): Promise<bigint> {
      const { units } = await sql<{ units: bigint }>`
        select coalesce(sum((
          select max(max_fee_units) from spend_transactions where spend_id = spends.id)), 0) as units
        from spends where gate_id = ${gateId} and status = 'open' and kind in ('sweep', 'gas', 'fill', 'cold', 'nonce', 'trust')`.one(
        db,
      )
      return units
    },
  }
}
