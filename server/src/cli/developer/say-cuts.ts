import type { Told } from './follow-events.ts'

/** Says when the connection was cut, and what was caught up when it was back. */
export function sayCuts(told: Told, say: (line: string) => void): void {
  if (told.kind === 'cut') say(`Cut off: ${told.reason}. Connecting again; nothing is lost.`)
  else if (told.kind === 'connected' && told.cutMs !== null)
    say(`Connected again after ${(told.cutMs / 1000).toFixed(1)} s.`)
  else if (told.kind === 'caught_up' && !told.isFirst)
    say(`Caught up ${told.count === 1 ? '1 event' : `${told.count} events`} from meanwhile.`)
}
