import type { Environment } from '../../domain/environment.ts'
import { ServiceError } from '../../domain/errors.ts'
import { maxGap } from '../../domain/rescan.ts'
import type { Rescan } from '../../store/chains/rescans.ts'
import { changeCounter } from '../../store/spends/holdings.ts'
import type { App } from '../app.ts'
import { nativeAsset } from '../spends/hot-wallet/native-asset.ts'
import { catchUp } from './catch-up.ts'
import { findCoinGate } from './find-coin-gate.ts'
import { holdRescan } from './hold-rescan.ts'
import { type RescanProgress, readChain } from './read-chain.ts'
import { skipUsed } from './skip-used.ts'
import { type TakenCoins, takeCoins } from './take-coins.ts'
import { type CoinGate, widenWindow } from './widen-window.ts'

export type RescanOrder = {
  readonly network: string
  readonly environment: Environment
  readonly fromHeight: bigint
  readonly gap: number
}

export type RescanReport = TakenCoins & {
  readonly gateId: string
  readonly currency: string
  readonly decimals: number
  readonly fromHeight: bigint
  /** How far the chain is followed now; the follower handles later blocks. */
  readonly toHeight: bigint
  /** Outputs found in total, by this run and earlier ones. */
  readonly found: number
  /** The positions from which new deposit and change addresses are taken. */
  readonly nextDeposit: number
  readonly nextChange: number
  /** Addresses that this database has given out although they had been paid before. */
  readonly givenAgain: number
}

/**
 * Recovers a wallet whose database was lost: reads a chain's blocks again from a height, looks for coins at our addresses
 * that this database does not know, and books the unspent ones. Nothing is counted twice, however often it is run or killed,
 * and whether or not a service follows the chain meanwhile.
 */
export async function rescanChain(
  app: App,
  order: RescanOrder,
  onProgress: (progress: RescanProgress) => void = () => {},
): Promise<RescanReport> {
  const { network, environment, fromHeight, gap } = order
  if (fromHeight < 0n) throw new ServiceError('validation_error', 'A block’s height is 0 or more.')
  if (!Number.isInteger(gap) || gap < 1 || gap > maxGap)
    throw new ServiceError('validation_error', `The gap must be from 1 to ${maxGap}.`)
  const gate = await findCoinGate(app, network, environment)
  const { beganHeight, tip } = await catchUp(app, gate)
  const highest = beganHeight ?? tip.height
  if (fromHeight > highest)
    throw new ServiceError(
      'validation_error',
      `${gate.id} has been followed since block ${highest}: a rescan begins there or below, not at ${fromHeight}.`,
    )

  let rescan = await open(app, gate, order)
  await widenWindow(app, gate, rescan)
  await app.transaction(async (tx) => {
    await holdRescan(tx, rescan, null)
    await skipUsed(tx, gate, rescan)
  })
  // After a finished rescan, every address was known to the follower.
  if (!rescan.isFinished) rescan = await readChain(app, gate, rescan, onProgress)
  const coins = await takeCoins(app, gate, rescan)
  await app.store.rescans.finish(rescan)
  return report(app, gate, rescan, coins)
}

/** Takes over the existing rescan if it covers the order; otherwise begins a new one. */
async function open(app: App, gate: CoinGate, { fromHeight, gap }: RescanOrder): Promise<Rescan> {
  return app.transaction(async (tx) => {
    const known = await tx.rescans.find(gate.id)
    const covers = known !== null && known.fromHeight <= fromHeight && known.gap >= gap
    return covers ? tx.rescans.takeUp(gate.id) : tx.rescans.begin(gate.id, fromHeight, gap)
  })
}

async function report(app: App, gate: CoinGate, rescan: Rescan, coins: TakenCoins): Promise<RescanReport> {
  const { store } = app
  const { currency, decimals } = nativeAsset(gate)
  const { tip } = await catchUp(app, gate)
  return {
    ...coins,
    gateId: gate.id,
    currency,
    decimals,
    fromHeight: rescan.fromHeight,
    toHeight: tip.height,
    found: await store.rescans.countFound(gate.id),
    nextDeposit: (await store.depositAddresses.counts(gate.keychain)).given,
    nextChange: Number(await store.holdings.nextCount(gate.id, changeCounter)),
    givenAgain: await store.rescans.countGivenAgain(gate.id, gate.keychain),
  }
}
