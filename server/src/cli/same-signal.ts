/** A signal that follows this soon is the same one again: npm and our parent forward what a terminal sends to all. */
export const sameSignalMs = 1_000
