/**
 * How long any condition may take, and any helper to start. Only what hangs is meant to meet it: a machine that is shared may
 * stand still for a minute.
 */
export const patienceMs = 240_000
