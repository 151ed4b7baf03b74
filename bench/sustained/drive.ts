import { setTimeout as delay } from 'node:timers/promises'
import type { Connection } from '../requests.ts'
import { type Latency, latencyOf } from './latency.ts'

export type Driven = { readonly perSecond: number; readonly latency: Latency }

/** Sends as fast as answers come, on every connection. */
export async function driveHard(
  connections: readonly Connection[],
  next: () => string,
  status: number,
  seconds: number,
): Promise<Driven> {
  const waits: number[] = []
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1_000
  await Promise.all(
    connections.map(async (connection) => {
      for (let sentAt = performance.now(); sentAt < endsAt; sentAt = performance.now()) {
        await connection.send(next(), status)
        waits.push(performance.now() - sentAt)
      }
    }),
  )
  return { perSecond: waits.length / ((performance.now() - startedAt) / 1_000), latency: latencyOf(waits) }
}

/**
 * Sends at a steady rate, whether or not answers come in time. A wait counts from when the request was due, so that one slow
 * answer shows in all that had to wait behind it.
 */
export async function driveSteadily(
  connections: readonly Connection[],
  next: () => string,
  status: number,
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<Driven> {
  const waits: number[] = []
  const total = Math.max(Math.floor(perSecond * seconds), 1)
  const startedAt = performance.now()
  let sent = 0
  await Promise.all(
    connections.map(async (connection) => {
      for (let nth = sent++; nth < total; nth = sent++) {
        const dueAt = startedAt + (nth / perSecond) * 1_000
        const earlyMs = dueAt - performance.now()
        if (earlyMs > 0) await delay(earlyMs)
        await connection.send(next(), status)
        waits.push(performance.now() - dueAt)
      }
    }),
  )
  return { perSecond: waits.length / ((performance.now() - startedAt) / 1_000), latency: latencyOf(waits) }
}
