import { query } from '../database/database.ts'
import type { TestService } from './service.ts'

/** Halts a gate as a reorganisation that is too deep does; with null, ends the halt. */
export async function setHalt(service: TestService, gateId: string, reason: string | null): Promise<void> {
  await query(
    service.database.url,
    `update followed_chains set revision = revision + 1, halt_reason = $2,
       halted_at = case when $2::text is not null then clock_timestamp() end where gate_id = $1`,
    [gateId, reason],
  )
}
