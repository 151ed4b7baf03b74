import type { Event } from '@sluice/sdk/contract'
import { UsageError } from '../failure.ts'
import type { ApiClient } from './client.ts'

/** How long a story waits for an event before it gives up: blocks may come only every few seconds. */
const patienceMs = 120_000

/** Events since the watch began, for those who wait for one. */
export type Watch = {
  /** The first event with this name that fits; fails when none comes. */
  seen(name: string, fits: (event: Event) => boolean): Promise<Event>
  end(): Promise<void>
}

/** Follows events in the background. Resolves once it is connected, so that nothing done from then on is missed. */
export async function watchEvents(api: ApiClient, onEvent: (event: Event) => void): Promise<Watch> {
  const stop = new AbortController()
  const seen: Event[] = []
  const waiting = new Map<() => void, NodeJS.Timeout>()
  let failure: unknown = null
  let connected: () => void = () => {}
  const ready = new Promise<void>((resolve) => {
    connected = resolve
  })
  const reading = read().catch((error: unknown) => {
    failure = error
    connected()
    for (const look of waiting.keys()) look()
  })
  await ready
  if (failure !== null) throw failure

  return {
    seen: (name, fits) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          waiting.delete(look)
          reject(new UsageError(`${name} did not come within ${patienceMs / 1000} s. Does a worker run?`))
        }, patienceMs)
        const look = () => {
          const found = seen.find((event) => event.event === name && fits(event))
          if (found === undefined && failure === null) return
          clearTimeout(late)
          waiting.delete(look)
          if (found === undefined) reject(failure)
          else resolve(found)
        }
        waiting.set(look, late)
        look()
      }),
    async end() {
      // Nothing waits any more, and a timer would keep the process from ending.
      for (const late of waiting.values()) clearTimeout(late)
      stop.abort()
      await reading
    },
  }

  async function read(): Promise<void> {
    for await (const told of api.follow({ after: null, events: null, signal: stop.signal })) {
      if (told.kind === 'connected') connected()
      if (told.kind !== 'event') continue
      seen.push(told.event)
      onEvent(told.event)
      for (const look of waiting.keys()) look()
    }
  }
}
