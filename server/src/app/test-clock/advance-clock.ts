import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { maxAdvanceSeconds, maxAheadSeconds } from '../../domain/test-clock.ts'
import type { ClockMove } from '../../store/test-clocks.ts'
import type { App } from '../app.ts'
import { noteActOf } from '../audit/note-act.ts'
import { invalid } from '../choose-asset.ts'
import { keyMismatch, requestHash } from '../idempotency.ts'

/** A request to move the clock: by a number of seconds, or to a time by the clock itself. */
export type Advance = {
  readonly seconds: number | null
  readonly to: Date | null
  readonly idempotencyKey: string | null
}

const secondMs = 1_000
const daysOf = (seconds: number) => (seconds / (24 * 60 * 60)).toLocaleString('en')

/**
 * Moves the clock of the caller's test environment forward, in one transaction with what that changes about its webhooks.
 * Rows keep their times: what is due is found by the clock. Concurrent moves add up.
 */
export async function advanceClock(
  app: Pick<App, 'transaction' | 'now'>,
  caller: Caller,
  advance: Advance,
  body: Readonly<Record<string, unknown>>,
): Promise<{ readonly move: ClockMove; readonly replayed: boolean }> {
  const { merchantId, environment } = caller
  if (environment !== 'test') throw new Error('Only the test environment has a clock that can be moved.')
  if ((advance.seconds === null) === (advance.to === null))
    throw invalid('/advance_seconds: is required, or advance_to; send one of the two')
  const key = advance.idempotencyKey
  const hash = key === null ? null : requestHash(body)
  return app.transaction(async (tx) => {
    const { aheadSeconds: before, realNow } = await tx.testClocks.lock(caller)
    const earlier = key === null ? null : await tx.testClocks.findMove(caller, key)
    if (earlier !== null) {
      if (hash === null || earlier.requestHash?.equals(hash) !== true) throw keyMismatch()
      return { move: earlier, replayed: true }
    }
    const from = new Date(realNow.getTime() + before * secondMs)
    const advancedSeconds = advance.seconds ?? secondsTo(advance.to as Date, from)
    const aheadSeconds = before + advancedSeconds
    if (aheadSeconds > maxAheadSeconds)
      throw new ServiceError(
        'invalid_state',
        `The clock would be more than ${daysOf(maxAheadSeconds)} days ahead of the real time. Use another merchant for a fresh start.`,
        [
          `/${advance.to === null ? 'advance_seconds' : 'advance_to'}: must leave the clock at most ${daysOf(maxAheadSeconds)} days ahead`,
        ],
      )
    const to = new Date(realNow.getTime() + aheadSeconds * secondMs)
    const brought = {
      ...(await tx.testClocks.countDue(caller, from, to)),
      deliveries: await tx.testClocks.ageWebhooks(caller, advancedSeconds),
    }
    const move: ClockMove = {
      id: uuidv7(app.now()),
      merchantId,
      environment,
      movedAt: realNow,
      advancedSeconds,
      aheadSeconds,
      brought,
      idempotencyKey: key,
      requestHash: hash,
    }
    await tx.testClocks.move(move)
    await tx.testClocks.announce(brought)
    await noteActOf(tx, caller, {
      action: 'test_clock.advanced',
      subject: null,
      details: { advanced_seconds: advancedSeconds, ahead_seconds: aheadSeconds },
    })
    return { move, replayed: false }
  })
}

function secondsTo(to: Date, now: Date): number {
  const seconds = Math.ceil((to.getTime() - now.getTime()) / secondMs)
  // A date that cannot be read gives NaN, which is not positive either.
  if (!(seconds > 0))
    throw invalid(
      `/advance_to: must be later than ${now.toISOString()}, the time of your clock; a clock never goes back`,
    )
  if (seconds > maxAdvanceSeconds)
    throw invalid(
      `/advance_to: must be at most ${daysOf(maxAdvanceSeconds)} days after ${now.toISOString()}, the time of your clock`,
    )
  return seconds
}
