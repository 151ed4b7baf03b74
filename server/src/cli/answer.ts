import type { Command } from 'commander'
import type { App } from '../app/app.ts'
import { failureOf, inWords } from './failure.ts'
import type { Tools } from './tools.ts'

/** Adds `--json`, which works before and after the command's own name. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print the result as one line of JSON')
}

/** Prints the result: `data` as one line of JSON with `--json`, else `text`. */
export function answer(command: Command, data: object, text: string): void {
  process.stdout.write(`${wantsJson(command) ? JSON.stringify(data) : text}\n`)
}

/** Whether the caller is a machine. */
export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals().json === true
}

/** Runs a command on the database, then prints its result. Problems are explained in plain words, with exit code 1. */
export async function runOnApp<T extends object>(
  tools: Tools,
  command: Command,
  work: (app: App) => Promise<T>,
  say: (data: T) => string,
): Promise<void> {
  await explaining(async () => {
    const settings = tools.readSettings()
    const data = await tools.withApp(settings, tools.createLog(settings, 'warn'), work)
    answer(command, data, say(data))
  })
}

let failsInJson = false

/** Whether failures are told as JSON from here on: those of commands, and those of reading their arguments. */
export function tellFailuresAsJson(isAsked: boolean): void {
  failsInJson = isAsked
}

/**
 * Turns problems that the caller can fix into messages on standard error; with `--json` into one line there,
 * `{"error":{"code","message",…}}`. Anything else is a bug and keeps its stack trace.
 */
export async function explaining(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    process.exitCode = 1
    const failure = failureOf(error)
    process.stderr.write(`${failsInJson ? JSON.stringify({ error: failure }) : inWords(failure)}\n`)
  }
}
