import { performance } from 'node:perf_hooks'
import { feeOf } from '../../domain/spends.ts'
import type { Gate, GateAsset } from '../../gates/gate.ts'

const refreshAfterMs = 60_000
// An older reading says nothing about current fees.
const forgetAfterMs = 10 * 60_000
// A payer's wallet rarely spends more coins than this in one payment.
const usualInputs = 2

export type FeeHints = {
  /** The approximate network fee of a payment in this asset, in units of the native asset; null when unknown. */
  of(gate: Gate, asset: GateAsset): bigint | null
}

/**
 * Estimates a payer's network fee from the last fee rate read from each network. Callers never wait for a network: an old
 * reading is served while a new one is fetched.
 */
export function feeHints(now: () => number = () => performance.now()): FeeHints {
  type Reading = { readAt: number; askedAt: number; rate: bigint | null }
  const readings = new Map<string, Reading>()

  function refresh(gate: Gate, reading: Reading): void {
    reading.askedAt = now()
    gate.feeRate().then(
      (rate) => {
        reading.rate = rate
        reading.readAt = now()
      },
      // Only a hint is lost; the chain's follower reports a network that does not answer.
      () => {},
    )
  }

  return {
    of(gate, asset) {
      let reading = readings.get(gate.id)
      if (reading === undefined) {
        const never = Number.NEGATIVE_INFINITY
        reading = { readAt: never, askedAt: never, rate: null }
        readings.set(gate.id, reading)
      }
      if (now() - reading.askedAt > refreshAfterMs) refresh(gate, reading)
      if (reading.rate === null || now() - reading.readAt > forgetAfterMs) return null
      return costOf(gate, asset, reading.rate)
    },
  }
}

function costOf({ spending }: Gate, asset: GateAsset, rate: bigint): bigint {
  if (spending.kind === 'account') return spending.gasOf(asset) * rate
  if (spending.kind === 'solana') return feeOf(spending.payoutBudget(asset), rate)
  // An output's size does not depend on its recipient: take our own change address for both payment and change.
  const output = spending.changeAddress(0)
  return spending.sizeOf(usualInputs, [output, output]) * rate
}
