import { uuidv7 } from '../../../domain/ids.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'

/** Claims confirmed funds that were sent directly to the hot wallet, so that payouts may use them. */
export async function absorbHot(
  app: Pick<App, 'now'>,
  tx: Store,
  gate: Gate,
  hotAddress: string,
): Promise<void> {
  if (!(await tx.holdings.hasUnclaimedAt(gate.id, hotAddress))) return
  const spendId = uuidv7(app.now())
  await tx.spends.insertAbsorbed(spendId, gate.id)
  await tx.holdings.changeHot(gate.id, await tx.holdings.pinAllAt(gate.id, hotAddress, spendId))
}
