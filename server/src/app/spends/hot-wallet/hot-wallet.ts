import { uuidv7 } from '../../../domain/ids.ts'
import { formatDecimal } from '../../../domain/money.ts'
import { type AccountPlan, claimsOf, maxFeeOf, type SpendPlan } from '../../../domain/spends.ts'
import type { Gate, GateAsset } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import type { HotPlan } from '../planning/transfer-plan.ts'
import { nativeAsset } from './native-asset.ts'

/** A nonce account that no open spend holds, and its value. */
export type FreeNonce = { readonly index: number; readonly value: string }

/** What planning on an account network works with; locked until the transaction ends. */
export type HotWallet = {
  readonly address: string
  /** The unclaimed amount by currency; reduced as it is claimed. */
  readonly units: Map<string, bigint>
  /** Of a unit of gas, or of a compute unit. */
  readonly price: bigint
  /** On Solana, the nonce accounts that are free; taken from as they are assigned. */
  readonly nonces?: FreeNonce[]
}

type HotKind = 'payout' | 'gas' | 'fill' | 'cold' | 'sweep' | 'nonce' | 'trust'

/** Claims the funds for a plan, assigns its nonce and inserts it as a spend. A fill already has its nonce. */
export async function claimAndInsert(
  app: Pick<App, 'now'>,
  tx: Store,
  gate: Gate,
  hot: HotWallet,
  kind: HotKind,
  plan: HotPlan,
): Promise<string> {
  const native = nativeAsset(gate)
  const claimed = claimedBy(kind, plan, native.currency)
  for (const [currency, units] of claimed) hot.units.set(currency, (hot.units.get(currency) ?? 0n) - units)
  await tx.holdings.changeHot(gate.id, new Map([...claimed].map(([currency, units]) => [currency, -units])))
  const id = uuidv7(app.now())
  await tx.spends.insert({
    id,
    gateId: gate.id,
    kind,
    plan: await placed(tx, gate, hot, kind, plan),
    feeCurrency: native.currency,
    afterSpendId: null,
  })
  return id
}

/** What a plan takes from the hot wallet, by currency: only the fee where deposit addresses are emptied. */
function claimedBy(kind: HotKind, plan: HotPlan, native: string): Map<string, bigint> {
  return kind === 'sweep' ? new Map([[native, maxFeeOf(plan)]]) : claimsOf(plan, native)
}

async function placed(
  tx: Store,
  gate: Gate,
  hot: HotWallet,
  kind: HotKind,
  plan: HotPlan,
): Promise<SpendPlan> {
  if (plan.kind === 'account') {
    const nonce = kind === 'fill' ? plan.nonce : await tx.holdings.takeCount(gate.id, hot.address)
    return { ...plan, nonce } satisfies AccountPlan
  }
  if (plan.lifetime.kind === 'creation') return plan
  const free = hot.nonces?.shift()
  if (free === undefined) throw new Error(`No nonce account of ${gate.id} is free.`)
  return { ...plan, lifetime: { kind: 'nonce', index: free.index, value: free.value } }
}

/** An amount with its currency, for people. */
export function inWords(asset: GateAsset, units: bigint): string {
  return `${formatDecimal(units, asset.decimals)} ${asset.currency}`
}
