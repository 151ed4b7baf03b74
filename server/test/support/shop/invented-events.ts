/** Ids of events that a test made up, as receivers see them: their data is no resource, and is held against no schema. */
export const inventedEvents = new Set<string>()
