import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

export type TerminalRun = {
  /** What the terminal showed until Ctrl-C was pressed, and after that. */
  readonly before: string
  readonly after: string
  /** As a shell reports it: 130 if Ctrl-C ended it. */
  readonly code: number
}

const program = join(import.meta.dirname, 'terminal.py')
const maxBuffer = 64 * 1024 ** 2

/** Runs a command in a terminal of its own and presses Ctrl-C once it has printed the words. */
export async function runInTerminal(
  command: readonly string[],
  awaited: string,
  options: {
    readonly cwd: string
    readonly env: NodeJS.ProcessEnv
    readonly uid?: number
    readonly gid?: number
  },
): Promise<TerminalRun> {
  const { stdout } = await promisify(execFile)('python3', [program, awaited, ...command], {
    ...options,
    maxBuffer,
  })
  const run = JSON.parse(stdout) as TerminalRun
  return { ...run, before: withoutColours(run.before), after: withoutColours(run.after) }
}

/** The lines that remain visible. */
export function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/^.*\r/, '').replace(/\^C/, '').trim())
    .filter((line) => line !== '' && !/^[⠀-⣿]$/u.test(line))
}

function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled with these characters
  return text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
}
