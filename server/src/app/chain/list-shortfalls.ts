import { formatDecimal } from '../../domain/money.ts'
import type { App } from '../app.ts'
import type { Held } from '../spends/hot-wallet/list-floats.ts'

/** How much less each gate's addresses hold on chain than the books say, in total; only gates with a shortfall. */
export async function listShortfalls(app: Pick<App, 'store'>): Promise<readonly Held[]> {
  const short = await app.store.nativeBalances.shortfalls()
  return [...Map.groupBy(short, ({ gateId }) => gateId)].flatMap(([gateId, [first, ...others]]) => {
    if (first === undefined) return []
    const units = [first, ...others].reduce(
      (sum, { expectedUnits, foundUnits }) => sum + expectedUnits - foundUnits,
      0n,
    )
    return [{ gateId, currency: first.currency, amount: formatDecimal(units, first.decimals) }]
  })
}
