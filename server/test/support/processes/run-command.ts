import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { main } from '../../../src/wire/main.ts'
import { patienceMs } from '../patience.ts'
import type { Finished } from './sluice-process.ts'

const fewAddresses = fileURLToPath(new URL('./few-addresses.json', import.meta.url))

class Exit extends Error {
  readonly code: number
  constructor(code: number) {
    super(`exit ${code}`)
    this.code = code
  }
}

let last: Promise<unknown> = Promise.resolve()

/**
 * Does what `sluice <args>` does, in this process, one command at a time: loading the program takes far longer than most
 * commands. It reads `input` as its standard input. The log of a command is not captured. Use `runSluice` for anything about
 * the process itself: signals, or what another process can see.
 */
export async function runCommand(
  args: readonly string[],
  env: Record<string, string>,
  input = '',
): Promise<Finished> {
  const run = last.then(() => runAlone(args, env, input))
  last = run.catch(() => {})
  return run
}

async function runAlone(
  args: readonly string[],
  env: Record<string, string>,
  input: string,
): Promise<Finished> {
  const before = { env: process.env, exit: process.exit, exitCode: process.exitCode }
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor
  const streams = { stdout: process.stdout.write, stderr: process.stderr.write }
  const written = { stdout: '', stderr: '' }
  const collecting = (name: keyof typeof written) => (chunk: string | Uint8Array) => {
    written[name] += chunk
    return true
  }
  const { PATH, HOME, TMPDIR } = process.env
  try {
    process.env = {
      PATH,
      HOME,
      TMPDIR,
      PORT: '0',
      SLUICE_METRICS_PORT: '0',
      SLUICE_CONFIG: fewAddresses,
      SLUICE_DATABASE_WAIT_SECONDS: String(patienceMs / 1000),
      ...env,
    }
    process.exitCode = 0
    Object.defineProperty(process, 'stdin', { value: Readable.from([input]), configurable: true })
    process.stdout.write = collecting('stdout')
    process.stderr.write = collecting('stderr')
    process.exit = (code) => {
      throw new Exit(Number(code ?? 0))
    }
    await main(['node', 'sluice', ...args])
    return { code: Number(process.exitCode), ...written }
  } catch (error) {
    if (error instanceof Exit) return { code: error.code, ...written }
    throw error
  } finally {
    Object.defineProperty(process, 'stdin', stdin)
    process.stdout.write = streams.stdout
    process.stderr.write = streams.stderr
    process.exit = before.exit
    process.exitCode = before.exitCode
    process.env = before.env
  }
}
