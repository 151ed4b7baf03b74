import type { Actor } from '../../../domain/audit-log.ts'
import { ServiceError } from '../../../domain/errors.ts'
import { uuidv7 } from '../../../domain/ids.ts'
import { formatDecimal, parseDecimal } from '../../../domain/money.ts'
import { ceilingOf } from '../../../domain/spending-limits.ts'
import { type AccountPlan, claimsOf, hotKey, maxFeeOf } from '../../../domain/spends.ts'
import type { Gate, GateAsset, SigningTerms } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { noteAct } from '../../audit/note-act.ts'
import { nativeAsset } from '../hot-wallet/native-asset.ts'
import { accountPlan } from '../planning/account-plan.ts'
import { planInTurn } from '../planning/plan-alone.ts'
import { simulateTransfer, usualGasBudget } from '../simulating/transfer-gas.ts'
import { type AccountColdSide, accountColdSideOf } from './cold-side.ts'
import { type PreparedAccountRefill, writeAccountRefill } from './write-account-refill.ts'

type Wanted = {
  readonly gateId: string
  /** The native currency when left out. */
  readonly currency?: string
  readonly amount: string
  readonly by: Actor
}

/**
 * Plans a transfer from a cold wallet that is an account to the hot wallet, for the operator to sign elsewhere. The hot
 * wallet gets exactly the amount; the cold wallet pays the network's fee.
 */
export async function prepareAccountRefill(app: App, wanted: Wanted): Promise<PreparedAccountRefill> {
  const side = accountColdSideOf(app, wanted.gateId)
  const { gate } = side
  const asset = assetOf(gate, wanted.currency)
  const units = parseDecimal(wanted.amount, asset.decimals)
  if (units === null || units <= 0n)
    throw new ServiceError(
      'validation_error',
      `“${wanted.amount}” is no amount of ${asset.currency}. Write it like 0.5, with ${asset.decimals} decimals at most.`,
    )
  await refuseOverBooks(app.store, gate, asset, units)
  const terms = await termsOf(side)
  const plan = await planOf(side, asset, units, terms)
  await refuseDearOrShort(app, side, plan)
  let id: string | null = null
  await planInTurn(app, gate, async (tx) => {
    await refuseOverBooks(tx, gate, asset, units)
    id = await insert(app, tx, gate, plan, { asset, terms, by: wanted.by })
    return 1
  })
  if (id === null)
    throw new ServiceError(
      'conflict',
      `Nothing can be planned on ${gate.id} now: its chain is halted, or the signer has not looked at this database yet. See: npx sluice gate list`,
    )
  return writeAccountRefill(app, id)
}

function assetOf(gate: Gate, currency?: string): GateAsset {
  if (currency === undefined) return nativeAsset(gate)
  const asset = gate.assets.find((each) => each.currency === currency.toUpperCase())
  if (asset !== undefined) return asset
  const known = gate.assets.map((each) => each.currency).join(', ')
  throw new ServiceError('validation_error', `${gate.id} has no ${currency}. It has: ${known}.`)
}

async function termsOf({ gate, coldAddress }: AccountColdSide): Promise<SigningTerms> {
  const dear = (await gate.tooDear?.()) ?? null
  if (dear !== null) throw new ServiceError('conflict', `A refill cannot be prepared now: ${dear}`)
  const terms = await gate.signingTerms?.(coldAddress)
  if (terms === undefined) throw new Error(`${gate.id} does not tell the terms of a transaction.`)
  if (terms.isBusy)
    throw new ServiceError(
      'conflict',
      `The cold wallet ${coldAddress} has a transaction that waits for a block. Prepare the refill once that is mined.`,
    )
  return terms
}

async function planOf(
  { gate, hot, coldAddress }: AccountColdSide,
  asset: GateAsset,
  units: bigint,
  { nonce, gasPrice }: SigningTerms,
): Promise<AccountPlan> {
  const call = { from: coldAddress, to: hot.hotAddress, asset, units }
  const budget = (await simulateTransfer(gate, call)) ?? (await usualGasBudget(gate, hot, asset))
  if (!('gasLimit' in budget))
    throw new ServiceError(
      'conflict',
      `The network would refuse this transfer from ${coldAddress}: ${'refused' in budget ? budget.refused : 'it takes no gas'}. See what is there: npx sluice wallet cold`,
    )
  return accountPlan({
    // The key is the cold wallet's own: no key of ours has this address, so the signer could not sign it either.
    from: { address: coldAddress, key: hotKey },
    to: { address: hot.hotAddress, tag: null },
    nonce,
    asset,
    units,
    budget,
    gasPrice,
    payoutId: null,
  })
}

async function refuseOverBooks(store: Store, gate: Gate, asset: GateAsset, units: bigint): Promise<void> {
  const { currency, decimals } = asset
  const held = await store.accountRefills.coldUnits(gate.id, currency)
  if (units > held)
    throw new ServiceError(
      'conflict',
      `By the books, the cold wallet of ${gate.id} has ${formatDecimal(held, decimals)} ${currency}, less than ${formatDecimal(units, decimals)}. Take less. What you have put there yourself, send to the hot wallet by yourself.`,
    )
}

async function refuseDearOrShort(
  app: App,
  { gate, coldAddress }: AccountColdSide,
  plan: AccountPlan,
): Promise<void> {
  const { currency, decimals } = nativeAsset(gate)
  const inCoins = (units: bigint) => `${formatDecimal(units, decimals)} ${currency}`
  const ceiling = ceilingOf(app.spending.maxFees, gate.network.id)
  if (maxFeeOf(plan) > ceiling)
    throw new ServiceError(
      'conflict',
      `The network’s fee may be ${inCoins(maxFeeOf(plan))}, and signer.max_fee allows ${inCoins(ceiling)}. Wait until fees fall, or raise it.`,
    )
  const needed = claimsOf(plan, currency).get(currency) ?? 0n
  const there = (await gate.nativeBalance?.(coldAddress)) ?? needed
  if (there < needed)
    throw new ServiceError(
      'conflict',
      `The cold wallet ${coldAddress} has ${inCoins(there)} on the chain, and this refill may take ${inCoins(needed)}, of which ${inCoins(maxFeeOf(plan))} is the network’s fee. Take less, or send it some ${currency} for the fee.`,
    )
}

async function insert(
  app: App,
  tx: Store,
  gate: Gate,
  plan: AccountPlan,
  { asset, terms, by }: { readonly asset: GateAsset; readonly terms: SigningTerms; readonly by: Actor },
): Promise<string> {
  const open = await tx.accountRefills.openOn(gate.id)
  if (open !== null)
    throw new ServiceError(
      'conflict',
      `Refill ${open} of ${gate.id} is not done yet, and the cold wallet’s transactions are mined in order. Hand it in and wait until it is confirmed, or give it up: npx sluice wallet give-up ${open}`,
    )
  const id = uuidv7(app.now())
  if (await tx.nonces.isTaken(gate.id, plan.from.address, plan.nonce, id))
    throw new ServiceError(
      'conflict',
      `The nonce ${plan.nonce} of the cold wallet belongs to a refill that was mined and that a reorganisation has removed for now. Try again in a few minutes.`,
    )
  await tx.spends.insert({
    id,
    gateId: gate.id,
    kind: 'refill',
    plan,
    feeCurrency: nativeAsset(gate).currency,
    afterSpendId: null,
  })
  await tx.accountRefills.insert({ spendId: id, gasTip: terms.gasTip, preparedBy: by.actor })
  await noteAct(tx, by, null, {
    environment: gate.environment,
    action: 'refill.prepared',
    subject: id,
    details: { gate: gate.id, amount: formatDecimal(plan.units, asset.decimals), currency: asset.currency },
  })
  return id
}
