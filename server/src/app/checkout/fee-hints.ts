import { performance } from 'node:perf_hooks'
import type { Gate, GateAsset } from '../../gates/gate.ts'

const refreshAfterMs = 60_000
// What is older than this says nothing about now.
const forgetAfterMs = 10 * 60_000
// A payer's wallet seldom needs more coins than this.
const usualInputs = 2

export type FeeHints = {
  /** About what a payer pays the network for sending this, in units of its own coin; null when it is not known. */
  of(gate: Gate, asset: GateAsset): bigint | null
}

/**
 * What sending costs a payer, as networks last said. Nobody waits for a network here: what is old is served while it is
 * asked for anew.
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
      // A hint is all it is: whoever needs the network itself reports that it does not answer.
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
      return budgetOf(gate, asset) * reading.rate
    },
  }
}

function budgetOf({ spending }: Gate, asset: GateAsset): bigint {
  if (spending.kind === 'account') return spending.gasOf(asset)
  // An output costs the same whoever it pays: the payment and the payer's change look like our own change.
  const output = spending.changeAddress(0)
  return spending.sizeOf(usualInputs, [output, output])
}
