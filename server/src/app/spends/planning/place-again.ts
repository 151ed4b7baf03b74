import { balanceDecimals } from '../../../domain/assets.ts'
import { uuidv7 } from '../../../domain/ids.ts'
import { gasAgainPostings } from '../../../domain/payout-postings.ts'
import { type Fate, hotPaysFee, type Spend } from '../../../domain/spends.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { ledgerAsset, nativeAsset } from '../hot-wallet/native-asset.ts'

type Mined = Extract<Fate, { kind: 'mined' }>

/**
 * Records the block that holds a spend's transaction after a reorganisation. Its fee may differ from the booked one, as the
 * gas used depends on the state the transaction finds: the difference is posted, once, to the operator's float. Merchants
 * keep the fee they were told. While the hot wallet has too little free, records nothing; the next block retries it.
 */
export async function placeAgain(app: App, gate: Gate, seen: Spend, mined: Mined): Promise<void> {
  if (seen.feeUnits === mined.feeUnits) return app.store.endedSpends.place(seen.id, mined.block)
  await app.transaction(async (tx) => {
    const spend = await tx.spends.lock(seen.id)
    if (spend.feeUnits === null || spend.mined?.hash !== mined.hash) return
    const moreUnits = mined.feeUnits - spend.feeUnits
    if (moreUnits !== 0n) {
      if (!(await payFromHot(tx, gate, spend, moreUnits))) return
      const corrections = await tx.endedSpends.correctFee(spend.id, mined.feeUnits)
      const posted = gasAgainPostings(ledgerAsset(gate, nativeAsset(gate)), spend.id, moreUnits, corrections)
      await tx.ledger.post([{ ...posted, id: uuidv7(app.now()) }], (code) =>
        balanceDecimals(app.assets, code),
      )
    }
    await tx.endedSpends.place(spend.id, mined.block)
  })
}

/** Takes the difference from the hot wallet's free balance; false if that is too little. Takes nothing where a sweep's own address pays. */
export async function payFromHot(tx: Store, gate: Gate, spend: Spend, moreUnits: bigint): Promise<boolean> {
  if (!hotPaysFee(spend)) return true
  const { currency } = nativeAsset(gate)
  const free = (await tx.holdings.lockHot(gate.id, [currency])).get(currency) ?? 0n
  if (free < moreUnits) return false
  await tx.holdings.changeHot(gate.id, new Map([[currency, -moreUnits]]))
  return true
}
