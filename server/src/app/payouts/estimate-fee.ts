import { performance } from 'node:perf_hooks'
import { ServiceError } from '../../domain/errors.ts'
import { divide } from '../../domain/money.ts'
import { feeOf } from '../../domain/spends.ts'
import { type Gate, type GateAsset, GateOutageError } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { gateOffline } from '../gates/gate-book.ts'
import { convertUnits } from '../rates/convert-units.ts'
import { nativeAsset } from '../spends/native-asset.ts'
import { usualGasBudget } from '../spends/transfer-gas.ts'

// Between the estimate and the transaction fees may rise; what is not needed goes back.
const margin = { times: 3n, by: 2n } as const
// A payout seldom needs more coins than this; where it does, more is reserved before it is signed.
const usualInputs = 2
const maxRateAgeMs = 5_000

/** What a payout's transaction may cost, in the payout's own currency: what is reserved for the network. */
export type FeeEstimator = (gate: Gate, asset: GateAsset, destination: string) => Promise<bigint>

/** Makes the estimator, which asks each network for its price of space or work at most every few seconds. */
export function feeEstimator(app: Pick<App, 'rates'>): FeeEstimator {
  type Reading = { readonly at: number; readonly rate: Promise<bigint> }
  const readings = new Map<string, Reading>()

  function rateOf(gate: Gate): Promise<bigint> {
    const now = performance.now()
    const held = readings.get(gate.id)
    if (held !== undefined && now - held.at <= maxRateAgeMs) return held.rate
    const reading = { at: now, rate: gate.feeRate() }
    readings.set(gate.id, reading)
    // What could not be read is asked for anew by whoever comes next.
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

async function costOf(gate: Gate, asset: GateAsset, destination: string, rate: bigint): Promise<bigint> {
  const { spending } = gate
  return spending.kind === 'coins'
    ? spending.sizeOf(usualInputs, [destination, spending.changeAddress(0)]) * rate
    : feeOf(await usualGasBudget(gate, spending, asset), rate)
}

/** A token's transfer is paid for in the network's own coin; what that costs in the token. */
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
    `There is no usable exchange rate between ${own.currency} and ${token.currency} right now, so what the network takes cannot be estimated. Try again later.`,
  )
}
