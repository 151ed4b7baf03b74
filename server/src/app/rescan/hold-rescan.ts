import type { BlockRef } from '../../domain/chain.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Rescan } from '../../store/chains/rescans.ts'
import type { Store } from '../../store/store.ts'

/**
 * Locks the rescan until the caller's transaction ends, and records the last block that never needs to be read again, if one
 * is given. Throws if another process has taken over the rescan: then nothing may be written.
 */
export async function holdRescan(tx: Store, rescan: Rescan, read: BlockRef | null): Promise<void> {
  if (await tx.rescans.advance(rescan, read)) return
  throw new ServiceError('conflict', `Another process has taken over the rescan of ${rescan.gateId}.`)
}
