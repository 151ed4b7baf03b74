import { shownInWords } from '../shown-error.ts'

/**
 * Prints the error that ends this process. Node itself would print the error with all its properties, and a database
 * error carries the connection with its keys.
 */
export function sayLastWords(): void {
  // A process that runs many commands, as tests do, needs it once.
  process.off('uncaughtException', end).on('uncaughtException', end)
}

function end(error: unknown): void {
  process.stderr.write(`${shownInWords(error)}\n`)
  process.exit(1)
}
