import { OutageError } from '../../domain/errors.ts'

/** What was read for a trace; `nothing` during an outage, for the work itself must not fail because it is traced. */
export function orNothing<T>(reading: Promise<T>, nothing: T): Promise<T> {
  return reading.catch((error: unknown) => {
    if (error instanceof OutageError) return nothing
    throw error
  })
}
