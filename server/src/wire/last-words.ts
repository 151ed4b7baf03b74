import { shownInWords } from '../shown-error.ts'

/**
 * Prints the error that ends this process. Node itself would print the error with all its properties, and a database
 * error carries the connection with its keys.
 */
export function sayLastWords(): void {
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${shownInWords(error)}\n`)
    process.exit(1)
  })
}
