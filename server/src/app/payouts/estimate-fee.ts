import { performance } from 'node:perf_hooks'
import { ServiceError } from '../../domain/errors.ts'
import { divide } from '../../domain/money.ts'
import { feeOf } from '../../domain/spends.ts'
import { type Gate, type GateAsset, GateOutageError } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { gateOffline } from '../gates/gate-book.ts'
import { convertUnits } from '../rates/convert-units.ts'
import { nativeAsset } from '../spends/hot-wallet/native-asset.ts'
import { usualBudget } from '../spends/simulating/transfer-gas.ts'

// Fees may rise between the estimate and the transaction; the unused part is released.
const margin = { times: 3n, by: 2n } as const
// A payout rarely needs more coins than this; if it does, more is reserved before it is signed.
const usualInputs = 2
const maxRateAgeMs = 5_000

/** The highest expected network fee of a payout, in the payout's own currency: the amount to reserve for it. */
export type FeeEstimator = (gate: Gate, asset: GateAsset, destination: Place) => Promise<bigint>

/** What the network asks right now where this would be reserved: an estimate without its room for rising fees. */
export function askedNow(estimate: bigint): bigint {
  return divide(estimate * margin.by, margin.times, 'up')
}

type Place = { readonly address: string; readonly tag: string | null }

/** Makes the estimator, which asks each network for its fee rate or gas price at most every few seconds. */
export function feeEstimator(app: Pick<App, 'rates'>): FeeEstimator {
  type Reading = { readonly at: number; readonly rate: Promise<bigint> }
  const readings = new Map<string, Reading>()

  function rateOf(gate: Gate): Promise<bigint> {
    const now = performance.now()
    const held = readings.get(gate.id)
    if (held !== undefined && now - held.at <= maxRateAgeMs) return held.rate
    const reading = { at: now, rate: gate.feeRate() }
    readings.set(gate.id, reading)
    // After a failure, the next call asks again.
    reading.rate.catch(() => {
      if (readings.get(gate.id) === reading) readings.delete(gate.id)
    })
    return reading.rate
  }

  return async (gate, asset, destination) => {
    const rate = await rateOf(gate).catch(asOffline(gate))
    const most = await costOf(gate, asset, destination, rate).catch(asOffline(gate))
    const own = divide(most * margin.times, margin.by, 'up')
    return asset.contractAddress === null ? own : inToken(app, gate, asset, own)
  }
}

function asOffline({ network }: Gate): (error: unknown) => never {
  return (error) => {
    throw error instanceof GateOutageError ? gateOffline(network.id) : error
  }
}

async function costOf(gate: Gate, asset: GateAsset, { address, tag }: Place, rate: bigint): Promise<bigint> {
  const { spending } = gate
  return spending.kind === 'coins'
    ? spending.sizeOf(usualInputs, [address, spending.changeAddress(0)]) * rate
    : feeOf(await usualBudget(gate, spending, asset, tag), rate)
}

/** Converts the fee of a token transfer, which is paid in the native currency, to the token. */
async function inToken(
  app: Pick<App, 'rates'>,
  gate: Gate,
  token: GateAsset,
  ownUnits: bigint,
): Promise<bigint> {
  const own = nativeAsset(gate)
  const units = await convertUnits(app, gate.environment, { units: ownUnits, from: own, to: token })
  if (units !== null) return units
  throw new ServiceError(
    'rate_unavailable',
    `There is no usable exchange rate between ${own.currency} and ${token.currency} right now, so the network fee cannot be estimated. Try again later.`,
  )
}
