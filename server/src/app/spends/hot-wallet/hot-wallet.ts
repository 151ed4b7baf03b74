import { uuidv7 } from '../../../domain/ids.ts'
import { formatDecimal } from '../../../domain/money.ts'
import { type AccountPlan, claimsOf } from '../../../domain/spends.ts'
import type { Gate, GateAsset } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { nativeAsset } from './native-asset.ts'

/** What planning on an account network works with; locked until the transaction ends. */
export type HotWallet = {
  readonly address: string
  /** The unclaimed amount by currency; reduced as it is claimed. */
  readonly units: Map<string, bigint>
  readonly gasPrice: bigint
}

/** Claims the funds for a plan, assigns its nonce and inserts it as a spend. A fill already has its nonce. */
export async function claimAndInsert(
  app: Pick<App, 'now'>,
  tx: Store,
  gate: Gate,
  hot: HotWallet,
  kind: 'payout' | 'gas' | 'fill' | 'cold',
  plan: AccountPlan,
): Promise<string> {
  const native = nativeAsset(gate)
  const claimed = claimsOf(plan, native.currency)
  for (const [currency, units] of claimed) hot.units.set(currency, (hot.units.get(currency) ?? 0n) - units)
  await tx.holdings.changeHot(gate.id, new Map([...claimed].map(([currency, units]) => [currency, -units])))
  const nonce = kind === 'fill' ? plan.nonce : await tx.holdings.takeCount(gate.id, hot.address)
  const id = uuidv7(app.now())
  const feeCurrency = native.currency
  await tx.spends.insert({
    id,
    gateId: gate.id,
    kind,
    plan: { ...plan, nonce },
    feeCurrency,
    afterSpendId: null,
  })
  return id
}

/** An amount with its currency, for people. */
export function inWords(asset: GateAsset, units: bigint): string {
  return `${formatDecimal(units, asset.decimals)} ${asset.currency}`
}
