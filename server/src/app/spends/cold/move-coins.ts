import { chooseColdCoins } from '../../../domain/cold-coins.ts'
import { type ColdPolicy, type ColdWallet, chooseMove } from '../../../domain/cold-wallets.ts'
import { uuidv7 } from '../../../domain/ids.ts'
import type { CoinPlan } from '../../../domain/spends.ts'
import type { CoinSpending, Gate } from '../../../gates/gate.ts'
import { changeCounter } from '../../../store/spends/holdings.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { nativeAsset } from '../hot-wallet/native-asset.ts'
import { checkCoins } from '../planning/check-coins.ts'
import { planAlone } from '../planning/plan-alone.ts'
import { proveCoins } from '../planning/prove-coins.ts'
import { type ColdOutcome, isWorthwhile, mayMove, ratesOf } from './cold-terms.ts'

/** Moves coins to the cold wallet, with the change back to us. */
export async function moveCoins(
  app: App,
  gate: Gate,
  spending: CoinSpending,
  policy: ColdPolicy,
): Promise<ColdOutcome> {
  const { currency } = nativeAsset(gate)
  const rates = await ratesOf(app, gate, policy, [currency])
  if ('noRate' in rates) return rates
  const rate = rates.get(currency) ?? 0n
  // Most looks find nothing to move, and need not ask the node.
  if ((await wantedUnits(app.store, gate, policy, rate)) === null) return 'nothing'
  const feeRate = await gate.feeRate()
  if ((await checkCoins(app, gate)) !== 'all there') return 'nothing'
  const coins = await app.store.holdings.coins(gate.id, gate.keychain, spending.maxInputs)
  if (!(await proveCoins(app, gate, coins))) return 'nothing'
  const planned = await planAlone(app, gate, (tx) => plan(app, tx, gate, spending, policy, rate, feeRate))
  return planned > 0 ? 'moved' : 'nothing'
}

/** How much is above what stays in the hot wallet; null while it is not worth more than its cap. */
async function wantedUnits(
  store: Store,
  gate: Gate,
  policy: ColdPolicy,
  rate: bigint,
): Promise<bigint | null> {
  const { currency, decimals } = nativeAsset(gate)
  const { units } = await store.holdings.smallestCoins(gate.id, gate.keychain, 0n, 1)
  const claimedUnits = (await store.payouts.waitingOn(gate.id)).units
  return chooseMove([{ currency, decimals, units, claimedUnits, rate }], policy)?.units ?? null
}

async function plan(
  app: App,
  tx: Store,
  gate: Gate,
  spending: CoinSpending,
  policy: ColdPolicy,
  rate: bigint,
  feeRate: bigint,
): Promise<number> {
  const wanted = await wantedUnits(tx, gate, policy, rate)
  const coldIndex = policy.wallet.isDerived ? await nextIndex(tx, gate, policy.wallet) : null
  const address = policy.wallet.addressAt(coldIndex)
  if (wanted === null || address === null) return 0
  const anyChange = spending.changeAddress(0)
  const choice = chooseColdCoins(
    await tx.holdings.coins(gate.id, gate.keychain, spending.maxInputs),
    wanted,
    (await tx.payouts.waitingOn(gate.id)).units,
    {
      feeRate,
      sizeOf: (inputs) => spending.sizeOf(inputs, [address, anyChange]),
      dustUnits: spending.dustUnits,
      maxInputs: spending.maxInputs,
    },
  )
  if (choice === null || !isWorthwhile(choice.coldUnits, choice.feeUnits)) return 0
  if (!(await mayMove(app, tx, gate, choice.feeUnits))) return 0

  const { inputs, coldUnits, changeUnits, feeUnits } = choice
  const id = uuidv7(app.now())
  const index = Number(await tx.holdings.takeCount(gate.id, changeCounter))
  const cold = { address, units: coldUnits, payoutId: null }
  const change = { address: spending.changeAddress(index), units: changeUnits, payoutId: null }
  // In random order, so that our change cannot be told apart.
  const isColdFirst = (app.random(1)[0] ?? 0) < 128
  const coldAt = isColdFirst ? 0 : 1
  const coinPlan: CoinPlan = {
    kind: 'coins',
    inputs,
    outputs: isColdFirst ? [cold, change] : [change, cold],
    change: { outputIndex: 1 - coldAt, index },
    cold: { outputIndex: coldAt, index: coldIndex },
    feeUnits,
  }
  const feeCurrency = nativeAsset(gate).currency
  await tx.spends.insert({
    id,
    gateId: gate.id,
    kind: 'cold',
    plan: coinPlan,
    feeCurrency,
    afterSpendId: null,
  })
  if (!(await tx.holdings.pinCoins(gate.id, inputs, id)))
    throw new Error('A coin was pinned by another spend although this process plans alone.')
  return 1
}

/** The index after the last one that a move went to. Those of dead moves are used again, so that no gap grows. */
async function nextIndex(tx: Store, gate: Gate, wallet: ColdWallet): Promise<number> {
  const uses = await tx.coldMoves.uses(gate.id)
  const last = uses.find(({ index, address }) => wallet.addressAt(index) === address)
  return last === undefined ? 0 : last.index + 1
}
