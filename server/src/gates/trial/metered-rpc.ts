import { type NodeRpc, RpcRefusal } from '../json-rpc.ts'

/** What was measured of one server, and how much more may be asked of it. */
export type Meter = {
  requests: number
  calls: number
  /** How many calls were answered, if only by a refusal. */
  answered: number
  /** How often the server said that it was asked too often. */
  tooOften: number
  readonly latenciesMs: number[]
  readonly endMs: number
  readonly maxCalls: number
}

/** The trial has used up its time or its calls. It says nothing about the server. */
export class TrialLimit extends Error {
  override readonly name = 'TrialLimit'
}

/** A new meter, for a trial that may take so long. */
export function newMeter(limits: { readonly maxMs: number; readonly maxCalls: number }): Meter {
  const endMs = performance.now() + limits.maxMs
  return {
    requests: 0,
    calls: 0,
    answered: 0,
    tooOften: 0,
    latenciesMs: [],
    endMs,
    maxCalls: limits.maxCalls,
  }
}

/** The same connection, measured and limited. */
export function meteredRpc(rpc: NodeRpc, meter: Meter): NodeRpc {
  async function measured<T>(calls: number, work: () => Promise<T>): Promise<T> {
    if (performance.now() > meter.endMs) throw new TrialLimit('the time for this trial was over')
    if (meter.calls + calls > meter.maxCalls)
      throw new TrialLimit(`the trial had made all of its ${meter.maxCalls} calls`)
    meter.calls += calls
    const startMs = performance.now()
    try {
      const answer = await work()
      meter.answered += calls
      return answer
    } catch (error) {
      if (error instanceof RpcRefusal) meter.answered += calls
      throw error
    } finally {
      meter.latenciesMs.push(performance.now() - startMs)
    }
  }
  return {
    call: (...call) => measured(1, () => rpc.call(...call)),
    batch: (calls) => measured(calls.length, () => rpc.batch(calls)),
    close: () => rpc.close(),
  }
}

/** The median and the slowest; null when nothing was measured. */
export function latencyOf({ latenciesMs }: Meter): { median: number; slowest: number } | null {
  const sorted = latenciesMs.toSorted((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)]
  const slowest = sorted.at(-1)
  if (median === undefined || slowest === undefined) return null
  return { median: Math.round(median), slowest: Math.round(slowest) }
}
