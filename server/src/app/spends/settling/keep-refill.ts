import { refillPostings, refillReversalPostings } from '../../../domain/cold-postings.ts'
import type { LedgerTransaction } from '../../../domain/ledger.ts'
import { refillUnitsOf, type Spend } from '../../../domain/spends.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import { ledgerAsset, nativeAsset } from '../hot-wallet/native-asset.ts'
import { addColdCoin, planOf, removeColdCoin } from './keep-cold.ts'

/** Adds what a mined refill has returned to the cold wallet, and returns its posting. Its coins there stay pinned: spent. */
export async function keepRefill(
  tx: Store,
  gate: Gate,
  spend: Spend,
  hash: string,
): Promise<LedgerTransaction> {
  const plan = planOf(spend, hash)
  await addColdCoin(tx, spend, plan, hash)
  return refillPostings(ledgerAsset(gate, nativeAsset(gate)), spend.id, refillUnitsOf(plan))
}

/** Removes it again after a reorganisation has undone the refill for good. */
export async function takeBackRefill(
  tx: Store,
  gate: Gate,
  spend: Spend,
  hash: string,
): Promise<LedgerTransaction> {
  await removeColdCoin(tx, spend.id)
  return refillReversalPostings(
    ledgerAsset(gate, nativeAsset(gate)),
    spend.id,
    refillUnitsOf(planOf(spend, hash)),
  )
}
