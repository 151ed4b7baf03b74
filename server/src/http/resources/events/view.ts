import type { Event as EventView } from '@sluice/sdk/contract'
import { formatEventPosition } from '../../../domain/event-position.ts'
import type { Event } from '../../../store/webhooks/events.ts'

const prefix = 'evt_'

export function eventView(event: Event): EventView {
  return {
    id: `${prefix}${event.id}`,
    position: formatEventPosition(event.position),
    event: event.event,
    environment: event.environment,
    created_at: event.createdAt.toISOString(),
    data: event.data,
  }
}

/** The stored id of an id whose form the contract has already checked. */
export function eventIdFrom(id: string): string {
  return id.slice(prefix.length).toLowerCase()
}
