import { invalid } from '../../../app/choose-asset.ts'
import { eventNames } from '../../../domain/events.ts'

/** The names of events in a parameter `events`, separated by commas. */
export function namesFrom(text: string): string[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))]
  const unknown = names.filter((name) => !(eventNames as readonly string[]).includes(name))
  if (unknown.length > 0) throw invalid(`/events: must be names of events, not ${unknown.join(', ')}`)
  return names
}
