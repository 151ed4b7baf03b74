import type { Command } from 'commander'
import type { App } from '../app/app.ts'
import { OutageError, ServiceError } from '../domain/errors.ts'
import { SettingsError } from '../settings/settings.ts'
import { shownInWords, shownText } from '../shown-error.ts'
import type { Tools } from './tools.ts'

/** Adds `--json`, which works before and after the command's own name. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print the result as one line of JSON')
}

/** Prints the result: `data` as one line of JSON with `--json`, else `text`. */
export function answer(command: Command, data: object, text: string): void {
  process.stdout.write(`${wantsJson(command) ? JSON.stringify(data) : text}\n`)
}

function wantsJson(command: Command): boolean {
  return command.optsWithGlobals().json === true
}

/** Runs a command on the database, then prints its result. Problems are explained in plain words, with exit code 1. */
export async function runOnApp<T extends object>(
  tools: Tools,
  command: Command,
  work: (app: App) => Promise<T>,
  inWords: (data: T) => string,
): Promise<void> {
  await explaining(async () => {
    const settings = tools.readSettings()
    const data = await tools.withApp(settings, tools.createLog(settings, 'warn'), work)
    answer(command, data, inWords(data))
  })
}

/** Turns problems that the operator can fix into messages. Anything else is a bug and keeps its stack trace. */
export async function explaining(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    process.exitCode = 1
    process.stderr.write(`${explanation(error)}\n`)
  }
}

// Node's and PostgreSQL's own errors carry a code; our own errors of these kinds say what to do.
function explanation(error: unknown): string {
  if (!(error instanceof Error)) return shownInWords(error)
  const known =
    error instanceof ServiceError ||
    error instanceof SettingsError ||
    error.name === 'EmbeddedPostgresError' ||
    error.name === 'BackupError' ||
    error.name === 'ProcessError' ||
    error.name === 'WalletError' ||
    error.name === 'MigrationError'
  // Its words are partly those of a driver.
  if (error instanceof OutageError) return shownText(error.message)
  if (known)
    return [error.message, ...(error instanceof ServiceError ? (error.details ?? []) : [])].join('\n  ')
  if ('code' in error && typeof error.code === 'string')
    return `${shownText(error.message) || error.code} (${error.code})`
  return shownInWords(error)
}
