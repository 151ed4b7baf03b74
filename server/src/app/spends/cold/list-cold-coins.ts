import { formatDecimal } from '../../../domain/money.ts'
import type { App } from '../../app.ts'
import { nativeAsset } from '../hot-wallet/native-asset.ts'

/** A list for people needs no more. */
const maxCoins = 1_000

export type ColdCoinListed = {
  readonly txHash: string
  readonly outputIndex: number
  readonly amount: string
  readonly address: string
  readonly index: number | null
}

/** The coins that went to the cold wallet of a gate, newest first; none on networks with accounts. */
export async function listColdCoins(
  app: Pick<App, 'store' | 'gates'>,
  gateId: string,
): Promise<ColdCoinListed[]> {
  const gate = app.gates.find(gateId)
  if (gate === null || gate.spending.kind !== 'coins') return []
  const { decimals } = nativeAsset(gate)
  return (await app.store.coldMoves.coins(gate.id, maxCoins)).map(({ units, index, ...coin }) => ({
    ...coin,
    amount: formatDecimal(units, decimals),
    index: index === null ? null : Number(index),
  }))
}
