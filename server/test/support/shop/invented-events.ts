/**
 * Ids of events that a test made up, as receivers see them: their data is not a resource, and is not checked against a
 * schema.
 */
export const inventedEvents = new Set<string>()
