import { ServiceError } from '../../../domain/errors.ts'
import { formatDecimal } from '../../../domain/money.ts'
import type { HeldCoin } from '../../../store/spends/holdings.ts'
import type { App } from '../../app.ts'
import { nativeAsset } from '../hot-wallet/native-asset.ts'

/** A list for people needs no more. */
const maxCoins = 10_000

export type ListedCoin = {
  readonly txHash: string
  readonly outputIndex: number
  readonly amount: string
  readonly address: string
  readonly isChange: boolean
  readonly confirmations: number
  readonly state: HeldCoin['state']
}

export type CoinList = {
  readonly currency: string
  readonly coins: readonly ListedCoin[]
  /** The total of the coins in each state. */
  readonly totals: Readonly<Record<HeldCoin['state'], string>>
}

/** The coins of a network that are ours now, largest first, by the followed chain and the running spends. */
export async function listCoins(app: Pick<App, 'store' | 'gates'>, gateId: string): Promise<CoinList> {
  const gate = app.gates.find(gateId)
  if (gate === null)
    throw new ServiceError('not_found', `There is no gate ${gateId}. See: npx sluice gate list`)
  const { spending } = gate
  if (spending.kind !== 'coins')
    throw new ServiceError(
      'invalid_state',
      `${gate.network.name} has accounts, not coins: see wallet addresses.`,
    )
  const { currency, decimals } = nativeAsset(gate)
  const held = await app.store.holdings.list(gate.id, gate.keychain, maxCoins)
  const sums = { waiting: 0n, confirming: 0n, unproven: 0n, spendable: 0n, pinned: 0n }
  for (const { state, units } of held) sums[state] += units
  const inCoins = (units: bigint) => formatDecimal(units, decimals)
  return {
    currency,
    coins: held.map(({ txHash, outputIndex, units, address, changeIndex, confirmations, state }) => ({
      txHash,
      outputIndex,
      state,
      amount: inCoins(units),
      address: address ?? spending.changeAddress(Number(changeIndex)),
      isChange: address === null,
      confirmations: Number(confirmations ?? 0n),
    })),
    totals: {
      waiting: inCoins(sums.waiting),
      confirming: inCoins(sums.confirming),
      unproven: inCoins(sums.unproven),
      spendable: inCoins(sums.spendable),
      pinned: inCoins(sums.pinned),
    },
  }
}
