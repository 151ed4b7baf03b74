/** Says how far a run has come that was given a number of seeds. One of every day is over before anyone asks. */
export function tellProgress(what: string, done: number, of: number): void {
  if (process.env.SLUICE_HOSTILE_SEEDS !== undefined)
    process.stdout.write(`${what}: ${done} of ${of} seeds\n`)
}
