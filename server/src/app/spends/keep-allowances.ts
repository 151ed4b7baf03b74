import { type AccountPlan, hotKey, maxFeeOf, type Work } from '../../domain/spends.ts'
import { type AccountSpending, type Gate, type GateAsset, GateOutageError } from '../../gates/gate.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { absorbHot } from './absorb-hot.ts'
import { freeFloat } from './free-float.ts'
import { hotObstacle } from './hot-obstacle.ts'
import { claimAndInsert, inWords } from './hot-wallet.ts'
import { nativeAsset } from './native-asset.ts'
import { planAlone } from './plan-alone.ts'
import { tryAllowance, usualWork } from './transfer-work.ts'

// It is renewed when half of it is used.
const renewedAt = 2n

type Multisend = NonNullable<AccountSpending['multisend']>
/** How much is allowed by one transaction, and what that takes. */
type Step = { readonly units: bigint; readonly work: Work }

const said = new WeakMap<Gate, Map<string, string>>()

/**
 * Lets the contract that pays many at once take as much of each token as the operator has written down, and again when half
 * of that is used; where that is less than before, or nothing any more, no more than that. Paid from the operator's float
 * only. Payouts of the token leave one by one meanwhile; nothing waits for it. What came to nothing is tried again after a
 * day. Returns how many transactions were planned. A gate that does not answer is left for the next time.
 */
export async function keepAllowances(app: App): Promise<number> {
  let planned = 0
  for (const gate of app.gates.list()) {
    const { spending } = gate
    if (spending.kind !== 'account' || spending.multisend === undefined || !app.gates.isOnline(gate.id))
      continue
    try {
      for (const token of gate.assets)
        if (token.contractAddress !== null)
          planned += await keep(app, gate, spending, spending.multisend, token)
    } catch (error) {
      if (!(error instanceof GateOutageError)) throw error
    }
  }
  return planned
}

async function keep(
  app: App,
  gate: Gate,
  spending: AccountSpending,
  { address: spender, allowances }: Multisend,
  token: GateAsset,
): Promise<number> {
  const { hotAddress } = spending
  const units = allowances.get(token.currency) ?? 0n
  if (hotAddress === null || !(await isDue(app.store, gate, hotAddress, spender, token, units))) return 0
  const steps = await stepsTo(gate, spending, hotAddress, token, units)
  tell(app, gate, token, 'refused' in steps ? steps.refused : null)
  if ('refused' in steps) return 0
  const [feeRate, minedCount] = await Promise.all([gate.feeRate(), gate.nextNonce(hotAddress)])
  const native = nativeAsset(gate).currency
  const plans = steps.map(
    ({ units: allowsUnits, work }): AccountPlan => ({
      ...{ kind: 'account', from: { address: hotAddress, key: hotKey }, nonce: 0n },
      to: { address: spender, tag: null },
      ...{ currency: token.currency, contractAddress: token.contractAddress },
      ...{ units: 0n, allowsUnits, ...work, gasPrice: feeRate, payoutId: null },
    }),
  )
  const planned = await planAlone(app, gate, async (tx) => {
    await absorbHot(app, tx, gate, hotAddress)
    const free = await tx.holdings.lockHot(gate.id, [native])
    if (!(await isDue(tx, gate, hotAddress, spender, token, units))) return 0
    if ((await hotObstacle(tx, gate, hotAddress, minedCount)) !== null) return 0
    const ceiling = app.spending.maxFees.get(gate.network.id)
    if (ceiling !== undefined && plans.some((plan) => maxFeeOf(plan) > ceiling)) return 0
    const cost = plans.reduce((sum, plan) => sum + maxFeeOf(plan), 0n)
    // The operator is told when the float is low.
    if (cost > (free.get(native) ?? 0n) || cost > (await freeFloat(tx, gate))) return 0
    const hot = { address: hotAddress, units: free, gasPrice: feeRate }
    for (const plan of plans) await claimAndInsert(app, tx, gate, hot, 'allow', plan)
    return plans.length
  })
  if (planned > 0) app.spending.onAllowing(gate, { contract: spender, amount: inWords(token, units) })
  return planned
}

async function isDue(
  store: Store,
  gate: Gate,
  from: string,
  spender: string,
  { currency }: GateAsset,
  units: bigint,
): Promise<boolean> {
  const pair = { gateId: gate.id, from, spender, currency }
  const { allowedUnits, leftUnits, isChanging, hasFailed } = await store.allowances.of(pair)
  const isUsed = units > 0n && leftUnits * renewedAt <= units
  // Not by what is left: a batch that failed took nothing, and the contract may still take what was counted for it.
  return !isChanging && !hasFailed && (isUsed || allowedUnits > units)
}

/** Usually one; tokens like USDT have an allowance that is not zero taken back first. */
async function stepsTo(
  gate: Gate,
  spending: AccountSpending,
  from: string,
  token: GateAsset,
  units: bigint,
): Promise<readonly Step[] | { readonly refused: string }> {
  const work = await tryAllowance(gate, from, token, units)
  if (work === null) return { refused: 'the network has no such contract' }
  if (!('refused' in work)) return [{ units, work }]
  if (((await gate.allowances?.of(from, token)) ?? 0n) === 0n) return work
  const back = await tryAllowance(gate, from, token, 0n)
  if (back === null || 'refused' in back) return work
  return [
    { units: 0n, work: back },
    { units, work: await usualWork(gate, spending, token) },
  ]
}

/** Each reason once, as long as it stays the same. */
function tell(app: App, gate: Gate, { currency }: GateAsset, reason: string | null): void {
  const reasons = said.get(gate) ?? new Map<string, string>()
  said.set(gate, reasons)
  if (reason === null) reasons.delete(currency)
  else if (reasons.get(currency) !== reason) {
    reasons.set(currency, reason)
    app.spending.onNotAllowed(gate, currency, reason)
  }
}
