import type { DeliveryRange, EventName } from '@sluice/web/contract'
import { getDeliveryRange, redeliverEvents } from '@sluice/web/operations'
import type { Api } from './api/client.ts'

/** The service takes long ranges in parts; this is the number of parts in one go. */
export const mostParts = 10

/** Events of an endpoint in a span of time. */
export type ChosenRange = {
  readonly endpoint: string
  readonly after: string
  readonly before: string
  /** Null: all that the endpoint gets. */
  readonly events: readonly EventName[] | null
  readonly onlyFailed: boolean
}

export type RangeSums = DeliveryRange

/** What became of the events of a range, summed over its parts. */
export async function countRange(api: Api, range: ChosenRange, signal?: AbortSignal): Promise<RangeSums> {
  const sums = { succeeded: 0, failed: 0, untried: 0, retrying: 0, unsent: 0 }
  let from: string | null = range.after
  for (let part = 0; part < mostParts && from !== null; part++) {
    const { continue_from, ...counts }: DeliveryRange = await api.call(getDeliveryRange, {
      path: { endpointID: range.endpoint },
      query: {
        created_after: from,
        created_before: range.before,
        events: range.events === null ? null : range.events.join(','),
      },
      ...(signal !== undefined && { signal }),
    })
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += counts[name]
    from = continue_from
  }
  return { ...sums, continue_from: from }
}

/** Sends the events of a range again, part by part. Says how many, and where the rest begins. */
export async function redeliver(
  api: Api,
  range: ChosenRange,
): Promise<{ count: number; continueFrom: string | null }> {
  let count = 0
  let from: string | null = range.after
  for (let part = 0; part < mostParts && from !== null; part++) {
    const sent: { count: number; continue_from: string | null } = await api.call(redeliverEvents, {
      body: {
        endpoint_id: range.endpoint,
        created_after: from,
        created_before: range.before,
        only_failed: range.onlyFailed,
        ...(range.events !== null && { events: [...range.events] }),
      },
    })
    count += sent.count
    from = sent.continue_from
  }
  return { count, continueFrom: from }
}

/** How many events a redelivery would send. */
export function wouldSend(counts: RangeSums, onlyFailed: boolean): number {
  const { succeeded, failed, untried, retrying, unsent } = counts
  return onlyFailed ? failed : succeeded + failed + untried + retrying + unsent
}

/** A time as fields for a day and a time have it: in the reader's zone, to the minute. */
export function localMinute(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`
}
