import type { Actor } from '../../../domain/audit-log.ts'
import type { ColdPolicy } from '../../../domain/cold-wallets.ts'
import { ServiceError } from '../../../domain/errors.ts'
import { uuidv7 } from '../../../domain/ids.ts'
import { formatDecimal, parseDecimal } from '../../../domain/money.ts'
import { chooseRefillCoins } from '../../../domain/refills.ts'
import { ceilingOf } from '../../../domain/spending-limits.ts'
import type { CoinPlan } from '../../../domain/spends.ts'
import { coinName } from '../../../domain/uses.ts'
import type { CoinSpending, Gate } from '../../../gates/gate.ts'
import { changeCounter } from '../../../store/spends/holdings.ts'
import type { RefillableCoin } from '../../../store/spends/refills.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { noteAct } from '../../audit/note-act.ts'
import { nativeAsset } from '../hot-wallet/native-asset.ts'
import { planInTurn } from '../planning/plan-alone.ts'
import { coldSideOf } from './cold-side.ts'
import { type PreparedRefill, writeRefill } from './write-refill.ts'

// More than any refill takes.
const maxCoins = 1_000

type Wanted = { readonly gateId: string; readonly amount: string; readonly by: Actor }

/**
 * Plans a transaction from the cold wallet to the hot wallet and pins its coins, for the operator to sign elsewhere. The
 * hot wallet gets exactly the amount; the network's fee comes on top.
 */
export async function prepareRefill(app: App, { gateId, amount, by }: Wanted): Promise<PreparedRefill> {
  const { gate, spending, policy } = coldSideOf(app, gateId)
  const address = policy.wallet.addressAt(null)
  if (address !== null && !spending.refill.canSpend(address))
    throw new ServiceError(
      'conflict',
      `Refills cannot be prepared from ${address}: only from native SegWit addresses with one key (P2WPKH or P2TR). For what goes cold from now on, set one of those or the extended public key of an account under cold in SLUICE_CONFIG. What is at this address, only your own wallet can move: see docs/operating/wallets.md`,
    )
  const { currency, decimals } = nativeAsset(gate)
  const units = parseDecimal(amount, decimals)
  if (units === null || units < spending.dustUnits)
    throw new ServiceError(
      'validation_error',
      `“${amount}” is no amount of ${currency} that the network takes. Write it like 0.5, with ${decimals} decimals at most.`,
    )
  const feeRate = await gate.feeRate()
  const there = await unspentAmong(gate, await spendable(app.store, gate, spending, policy))
  let made: PreparedRefill | null = null
  await planInTurn(app, gate, async (tx) => {
    const coins = (await spendable(tx, gate, spending, policy)).filter((coin) => there.has(coinName(coin)))
    const id = await plan(app, tx, gate, { spending, policy, coins, units, feeRate, by })
    // Before it commits: coins stay free if there can be no file.
    made = await writeRefill({ ...app, store: tx }, id)
    return 1
  })
  if (made === null)
    throw new ServiceError(
      'conflict',
      `Nothing can be planned on ${gateId} now: its chain is halted, or the signer has not looked at this database yet. See: npx sluice gate list`,
    )
  return made
}

/** The coins of the cold wallet that is configured now. */
async function spendable(
  store: Store,
  gate: Gate,
  { refill }: CoinSpending,
  { wallet }: ColdPolicy,
): Promise<RefillableCoin[]> {
  const coins = await store.refills.freeCoins(gate.id, maxCoins)
  return coins.filter(({ address, index }) => wallet.addressAt(index) === address && refill.canSpend(address))
}

/** Those that the operator has not spent without us, by name. */
async function unspentAmong(
  { unspent }: Gate,
  coins: readonly RefillableCoin[],
): Promise<ReadonlySet<string>> {
  if (unspent === null) return new Set(coins.map(coinName))
  const free = new Set<string>()
  for (let from = 0; from < coins.length; from += unspent.maxOutputs)
    for (const name of (await unspent.look(coins.slice(from, from + unspent.maxOutputs))).free) free.add(name)
  return free
}

async function plan(
  app: App,
  tx: Store,
  gate: Gate,
  given: {
    readonly spending: CoinSpending
    readonly policy: ColdPolicy
    readonly coins: readonly RefillableCoin[]
    readonly units: bigint
    readonly feeRate: bigint
    readonly by: Actor
  },
): Promise<string> {
  const { spending, policy, coins, units, feeRate, by } = given
  const { currency, decimals } = nativeAsset(gate)
  const inCoins = (sum: bigint) => `${formatDecimal(sum, decimals)} ${currency}`
  const anyHot = spending.changeAddress(0)
  const anyCold = coins[0]?.address ?? anyHot
  const choice = chooseRefillCoins(coins, units, {
    feeRate,
    sizeOf: (inputs, hasChange) => spending.refill.sizeOf(inputs, hasChange ? [anyHot, anyCold] : [anyHot]),
    dustUnits: spending.dustUnits,
    maxInputs: spending.maxInputs,
  })
  if (choice === null) {
    const sum = coins.reduce((total, coin) => total + coin.units, 0n)
    throw new ServiceError(
      'conflict',
      `The cold wallet has ${inCoins(sum)} that a refill can use, which is not enough for ${inCoins(units)} and the network’s fee. Coins of another refill, of an earlier cold wallet, or that you have spent yourself do not count. Take less, or see: npx sluice wallet cold`,
    )
  }
  const ceiling = ceilingOf(app.spending.maxFees, gate.network.id)
  if (choice.feeUnits > ceiling)
    throw new ServiceError(
      'conflict',
      `The network’s fee would be ${inCoins(choice.feeUnits)}, and signer.max_fee allows ${inCoins(ceiling)}. Wait until fees fall, or raise it.`,
    )
  const { address: coldAddress = anyCold, index: coldIndex = null } = choice.inputs[0] ?? {}
  const index = Number(await tx.holdings.takeCount(gate.id, changeCounter))
  const hasChange = choice.changeUnits > 0n
  const coinPlan: CoinPlan = {
    kind: 'coins',
    inputs: choice.inputs.map((coin) => ({
      txHash: coin.txHash,
      outputIndex: coin.outputIndex,
      units: coin.units,
      key: { chain: 'deposit', index: coin.index ?? 0 },
    })),
    outputs: [
      { address: spending.changeAddress(index), units, payoutId: null },
      // Back to where it was. A new address would be one that the signer's journal knows nothing of, and too many of
      // those in a row would make it refuse the next move.
      ...(hasChange ? [{ address: coldAddress, units: choice.changeUnits, payoutId: null }] : []),
    ],
    change: { outputIndex: 0, index },
    ...(hasChange && { cold: { outputIndex: 1, index: coldIndex } }),
    feeUnits: choice.feeUnits,
  }
  if (hasChange && policy.wallet.addressAt(coldIndex) !== coldAddress)
    throw new Error('The change of a refill does not go back to the cold wallet.')
  const id = uuidv7(app.now())
  await tx.spends.insert({
    id,
    gateId: gate.id,
    kind: 'refill',
    plan: coinPlan,
    feeCurrency: currency,
    afterSpendId: null,
  })
  if (!(await tx.refills.pin(gate.id, choice.inputs, id)))
    throw new Error('A coin was pinned by another refill although this process plans alone.')
  await tx.refills.insert({
    spendId: id,
    txHash: spending.refill.hashOf(coinPlan),
    preparedBy: by.actor,
    againOf: null,
  })
  await noteAct(tx, by, null, {
    environment: gate.environment,
    action: 'refill.prepared',
    subject: id,
    details: { gate: gate.id, amount: formatDecimal(units, decimals), currency },
  })
  return id
}
