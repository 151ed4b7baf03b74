import { formatDecimal } from '../../../domain/money.ts'
import { type Gate, GateOutageError, type HotSpending } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'
import { assetOn, nativeAsset } from '../hot-wallet/native-asset.ts'
import { sweepCost } from './sweep-cost.ts'

/** The unswept balances of a network's deposit addresses, and the cost of sweeping them. Amounts are decimals. */
export type UnsweptList = {
  readonly gateId: string
  /** The currency that gas is paid in. */
  readonly gasCurrency: string
  readonly unswept: readonly {
    readonly currency: string
    readonly amount: string
    readonly addresses: number
    /** The most that sweeping all of them costs at the current gas price; null while the node does not answer. */
    readonly gas: string | null
  }[]
  readonly gas: string | null
  /** The operator's float, which pays for it. */
  readonly float: string
}

/** What waits to be swept into the hot wallets of this process's gates, or of one network. */
export async function listUnswept(
  app: Pick<App, 'store' | 'gates'>,
  network: string | null,
): Promise<UnsweptList[]> {
  const lists: UnsweptList[] = []
  for (const gate of app.gates.list()) {
    if (network !== null && gate.network.id !== network) continue
    const list = await unsweptOf(app, gate)
    if (list !== null) lists.push(list)
  }
  return lists
}

/** What waits to be swept into one gate's hot wallet; null where deposits are not swept. */
export async function unsweptOf(app: Pick<App, 'store'>, gate: Gate): Promise<UnsweptList | null> {
  const { spending } = gate
  return spending.kind === 'coins' || spending.depositsAreHot ? null : listOf(app, gate, spending)
}

async function listOf(app: Pick<App, 'store'>, gate: Gate, spending: HotSpending): Promise<UnsweptList> {
  const native = nativeAsset(gate)
  const inNative = (units: bigint) => formatDecimal(units, native.decimals)
  const totals = (await app.store.unswept.totals(gate.id, gate.keychain)).filter(({ currency }) =>
    gate.assets.some((asset) => asset.currency === currency),
  )
  const gas = await gasFor(gate, spending, totals)
  const float = await app.store.floats.of(gate.id, native.currency)
  return {
    gateId: gate.id,
    gasCurrency: native.currency,
    unswept: totals.map(({ currency, units, addresses }, at) => ({
      currency,
      addresses,
      amount: formatDecimal(units, assetOn(gate, currency).decimals),
      gas: gas === null ? null : inNative(gas[at] ?? 0n),
    })),
    gas: gas === null ? null : inNative(gas.reduce((sum, units) => sum + units, 0n)),
    float: float < 0n ? `-${inNative(-float)}` : inNative(float),
  }
}

/** The cost of sweeping each currency. */
async function gasFor(
  gate: Gate,
  spending: HotSpending,
  totals: readonly { readonly currency: string; readonly addresses: number }[],
): Promise<bigint[] | null> {
  try {
    const feeRate = await gate.feeRate()
    return await Promise.all(
      totals.map(
        async ({ currency, addresses }) =>
          (await sweepCost(gate, spending, assetOn(gate, currency), feeRate)) * BigInt(addresses),
      ),
    )
  } catch (error) {
    if (error instanceof GateOutageError) return null
    throw error
  }
}
