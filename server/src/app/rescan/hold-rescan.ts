import type { BlockRef } from '../../domain/chain.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Rescan } from '../../store/rescans.ts'
import type { Store } from '../../store/store.ts'

/**
 * Keeps others out until the caller's transaction ends, and notes the last block that is read for good, if one is. A refusal when
 * another process has taken the rescan up meanwhile: then nothing may be written.
 */
export async function holdRescan(tx: Store, rescan: Rescan, read: BlockRef | null): Promise<void> {
  if (await tx.rescans.advance(rescan, read)) return
  throw new ServiceError('conflict', `Another process has taken up the rescan of ${rescan.gateId}.`)
}
