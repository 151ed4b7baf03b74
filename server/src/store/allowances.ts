import { sql } from 'kysely'
import type { GateId } from '../domain/networks.ts'
import type { Db } from './database.ts'

/** Whom an account allows to take a token. */
export type AllowedPair = {
  readonly gateId: GateId
  readonly from: string
  readonly spender: string
  readonly currency: string
}

/** What may still be taken, by what was planned. */
export type AllowanceState = {
  /** What it was last allowed: no chain lets it take more than that. */
  readonly allowedUnits: bigint
  /** That, less all that was planned to leave by it since, whatever has become of that; zero while that changes. */
  readonly leftUnits: bigint
  /** Whether a change of it is on its way. */
  readonly isChanging: boolean
  /** Whether a change of it has come to nothing within the last day. */
  readonly hasFailed: boolean
}

/** What a contract may take of tokens, told by the transactions that allow it and those that take, in the order of their numbers. */
export function allowancesOn(db: Db) {
  return {
    async of({ gateId, from, spender, currency }: AllowedPair): Promise<AllowanceState> {
      const { rows } = await sql<AllowanceState>`
        with changes as (
          select status, ended_at, nonce, (
            select (plan ->> 'allowsUnits')::numeric from spend_transactions where spend_id = spends.id and tx_hash = mined_hash
          ) as units
          from spends
          where kind = 'allow' and gate_id = ${gateId} and currency = ${currency} and from_address = ${from} and to_address = ${spender}
        ), last as (
          select units, nonce from changes where status = 'final' order by nonce desc limit 1
        ), state as (
          select exists (select from changes where status = 'open') as changing,
            exists (select from changes where status in ('reverted', 'dead')
              and ended_at > clock_timestamp() - interval '1 day') as failed
        )
        select changing as "isChanging", failed as "hasFailed", coalesce((select units from last), 0) as "allowedUnits",
          case when changing then 0 else coalesce((
            select greatest(0, last.units - coalesce((
              select sum(taking.units) from spends as taking
              where taking.gate_id = ${gateId} and taking.from_address = ${from} and taking.nonce > last.nonce
                and taking.kind = 'payout' and taking.currency = ${currency} and taking.to_address = ${spender}), 0))
            from last), 0) end as "leftUnits"
        from state`.execute(db)
      return rows[0] ?? { allowedUnits: 0n, leftUnits: 0n, isChanging: false, hasFailed: false }
    },
  }
}
