import { say } from '../../../domain/reasons/reasons.ts'
import { hotKey, maxFeeOf, type SolanaPlan } from '../../../domain/spends.ts'
import type { Gate, NonceCreation } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { claimAndInsert, type FreeNonce, type HotWallet } from './hot-wallet.ts'
import { nativeAsset } from './native-asset.ts'

/** What the chain says about the hot wallet's nonce accounts, from before the transaction began. */
export type NonceGroundwork = {
  /** The values of those that exist. */
  readonly values: ReadonlyMap<number, string>
  /** What creating one takes; null where all exist. */
  readonly creation: NonceCreation | null
}

/** Asks the chain for the values of nonce accounts; null on networks without any. */
export async function askForNonces(app: Pick<App, 'store'>, gate: Gate): Promise<NonceGroundwork | null> {
  const { spending, nonceAccounts } = gate
  if (spending.kind !== 'solana' || nonceAccounts === undefined) return null
  // Read first: one that becomes free afterwards may still show its old value.
  const held = await app.store.nonceAccounts.held(gate.id)
  const free = Array.from({ length: spending.nonceAccounts }, (_, index) => index).filter(
    (index) => !held.has(index),
  )
  const values = await nonceAccounts.values(free)
  return { values, creation: values.size === free.length ? null : await nonceAccounts.creation() }
}

/** The nonce accounts that are free now; undefined on networks without any. */
export async function freeNonces(
  tx: Store,
  gate: Gate,
  groundwork: NonceGroundwork | null,
): Promise<FreeNonce[] | undefined> {
  if (groundwork === null) return undefined
  const free = await tx.nonceAccounts.free(gate.id, groundwork.values)
  return [...groundwork.values]
    .filter(([index]) => free.has(index))
    .map(([index, value]) => ({ index, value }))
    .sort((a, b) => a.index - b.index)
}

// More than a round usually needs; the next round creates more.
const createdAtOnce = 4

/** Creates nonce accounts that are missing, as long as the hot wallet can pay the rent. Returns how many it started. */
export async function createNonces(
  app: Pick<App, 'now'>,
  tx: Store,
  gate: Gate,
  hot: HotWallet,
  { values, creation }: NonceGroundwork,
): Promise<number> {
  const { spending } = gate
  if (spending.kind !== 'solana' || creation === null) return 0
  const native = nativeAsset(gate)
  const { blockhash, lastValidHeight, rentUnits } = creation
  const held = await tx.nonceAccounts.held(gate.id)
  let started = 0
  for (let index = 0; index < spending.nonceAccounts && started < createdAtOnce; index++) {
    if (held.has(index) || values.has(index)) continue
    const plan: SolanaPlan = {
      kind: 'solana',
      from: { address: hot.address, key: hotKey },
      to: { address: spending.nonceAccount(index), tag: null },
      currency: native.currency,
      contractAddress: null,
      units: 0n,
      payoutId: null,
      lifetime: { kind: 'creation', index, blockhash, lastValidHeight },
      token: null,
      rentUnits,
      computeLimit: spending.cancelBudget.computeLimit,
      computePrice: hot.price,
    }
    if ((hot.units.get(native.currency) ?? 0n) < maxFeeOf(plan)) break
    await claimAndInsert(app, tx, gate, hot, 'nonce', plan)
    started++
  }
  return started
}

/** Why payouts wait for a nonce account. */
export const noNonce = say('nonce_accounts_taken')
