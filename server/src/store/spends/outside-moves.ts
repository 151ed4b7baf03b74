import { type Db, sql } from '../sql.ts'

/** An amount that left a hot wallet because its key was used outside Sluice. */
export type OutsideMove = {
  readonly id: string
  readonly gateId: string
  readonly address: string
  /** The first nonce that was used outside Sluice, and the first after it that was not. */
  readonly firstNonce: bigint
  readonly nextNonce: bigint
  readonly currency: string
  readonly units: bigint
  readonly statedBy: string
}

export function outsideMovesOn(db: Db) {
  return {
    async insert(move: OutsideMove): Promise<void> {
      await sql`
        insert into outside_moves (id, gate_id, address, first_nonce, next_nonce, currency, units, stated_by)
        values (${move.id}, ${move.gateId}, ${move.address}, ${move.firstNonce.toString()},
          ${move.nextNonce.toString()}, ${move.currency}, ${move.units.toString()}, ${move.statedBy})`.run(db)
    },
  }
}
