import { firstFree } from '../../domain/rescan.ts'
import type { Rescan } from '../../store/chains/rescans.ts'
import { changeCounter } from '../../store/spends/holdings.ts'
import type { Store } from '../../store/store.ts'
import type { CoinGate } from './widen-window.ts'

/** Ensures that no address is given out that an earlier database may have given out already. */
export async function skipUsed(tx: Store, gate: CoinGate, rescan: Rescan): Promise<void> {
  await tx.depositAddresses.skipTo(gate.keychain, firstFree(rescan.highestDeposit, rescan.gap))
  await tx.holdings.raiseCount(gate.id, changeCounter, BigInt(firstFree(rescan.highestOwn, rescan.gap)))
}
