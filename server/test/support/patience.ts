/**
 * How long any condition may take, and any helper to start. Only something that hangs should ever reach this limit: a shared
 * machine may stall for a minute.
 */
export const patienceMs = 240_000
