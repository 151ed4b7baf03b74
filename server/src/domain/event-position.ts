/** An event's position among all events: era, transaction, and place in the transaction. Later positions are greater. */
export type EventPosition = { readonly era: number; readonly xid: bigint; readonly place: bigint }

// Leaves room for any 63-bit place below it, and above it for far more transactions than a database can have.
const placeUnit = 10n ** 19n
const eraUnit = placeUnit * 10n ** 16n
const maxEra = 9_999n
// The greatest place that the database can store.
const maxPlace = 2n ** 63n - 1n

/** One number that sorts as the position does; at most 39 digits. */
export function formatEventPosition({ era, xid, place }: EventPosition): string {
  return (BigInt(era) * eraUnit + xid * placeUnit + place).toString()
}

/** The position that these digits encode; null when no position can. */
export function parseEventPosition(digits: string): EventPosition | null {
  const number = BigInt(digits)
  const era = number / eraUnit
  const place = number % placeUnit
  if (era > maxEra || place > maxPlace) return null
  return { era: Number(era), xid: (number % eraUnit) / placeUnit, place }
}

/** The later of two positions. */
export function laterPosition(one: EventPosition, other: EventPosition): EventPosition {
  const isLater =
    one.era !== other.era
      ? one.era > other.era
      : one.xid !== other.xid
        ? one.xid > other.xid
        : one.place >= other.place
  return isLater ? one : other
}
