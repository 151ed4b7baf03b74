import { shownInWords } from '../shown-error.ts'

/**
 * Says what ended this process, should nobody have caught it. Node itself would print the error with everything that hangs
 * on it, and on a database's error hangs the connection with its keys.
 */
export function sayLastWords(): void {
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${shownInWords(error)}\n`)
    process.exit(1)
  })
}
