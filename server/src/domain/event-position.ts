/** Where an event stands among all events: its era, its transaction, and its place in it. Later ones are greater. */
export type EventPosition = { readonly era: number; readonly xid: bigint; readonly place: bigint }

// Room for any 63-bit place below, and for far more transactions than a database can have above.
const placeUnit = 10n ** 19n
const eraUnit = placeUnit * 10n ** 16n
const maxEra = 9_999n
// The greatest place that a database can hold.
const maxPlace = 2n ** 63n - 1n

/** One number that sorts as the position does; at most 39 digits. */
export function formatEventPosition({ era, xid, place }: EventPosition): string {
  return (BigInt(era) * eraUnit + xid * placeUnit + place).toString()
}

/** The position behind the digits; null when there can be none. */
export function parseEventPosition(digits: string): EventPosition | null {
  const number = BigInt(digits)
  const era = number / eraUnit
  const place = number % placeUnit
  if (era > maxEra || place > maxPlace) return null
  return { era: Number(era), xid: (number % eraUnit) / placeUnit, place }
}
