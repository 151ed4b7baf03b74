import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { patienceMs } from '../patience.ts'

const program = fileURLToPath(new URL('../../../bin/sluice.mjs', import.meta.url))
// Deriving addresses is the most expensive computation of a fresh service, and few tests use many.
const fewAddresses = fileURLToPath(new URL('./few-addresses.json', import.meta.url))

export type SluiceProcess = {
  readonly child: ChildProcess
  /** The output of `start --json` when it was ready. */
  readonly ready: { url: string; merchant_id?: string; test_key?: string }
  readonly stderr: () => string
  /** Sends a signal to all its processes except the database's. */
  signalAll(signal: NodeJS.Signals): void
  /** Sends the signal and waits for the end; returns the exit code, or null if killed. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

export type Finished = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/** The environment of a command, without the configuration of this test run itself. */
function cleanEnv(env: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env
  return { PATH, HOME, TMPDIR, PORT: '0', SLUICE_METRICS_PORT: '0', SLUICE_CONFIG: fewAddresses, ...env }
}

// Without it, each command would start itself again to forbid core dumps, which has a test of its own.
const noCoreDumps = ['prlimit', '--core=0:0']

/** Runs `sluice <args>` to its end, with `input` on its standard input, from here or the installation whose command is `at`. */
export async function runSluice(
  args: readonly string[],
  env: Record<string, string>,
  input?: string,
  at: string = program,
): Promise<Finished> {
  const child = spawnCommand(args, env, input, at)
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout: stdout(), stderr: stderr() }
}

/** Starts `sluice <args>` without waiting, with `input` on its standard input. */
export function spawnCommand(
  args: readonly string[],
  env: Record<string, string>,
  input?: string,
  at: string = program,
): ChildProcess {
  const [first = '', ...rest] = [...noCoreDumps, process.execPath, at, ...args]
  const child = spawn(first, rest, {
    env: cleanEnv(env),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  child.stdin?.end(input)
  return child
}

/**
 * Starts `sluice start` without waiting, as the current user or (root only) as another one, by the command `before`, from
 * this project or the installation whose command is `at`.
 */
export function spawnSluice(
  env: Record<string, string>,
  args: readonly string[] = [],
  user: { uid?: number; gid?: number } = {},
  before: readonly string[] = noCoreDumps,
  at: string = program,
): ChildProcess {
  const [first = '', ...rest] = [...before, process.execPath, at, 'start', '--json', ...args]
  return spawn(first, rest, {
    ...user,
    env: cleanEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Starts `sluice start` and waits until it says that it is ready. */
export async function startSluice(
  env: Record<string, string>,
  args: readonly string[] = [],
  user: { uid?: number; gid?: number } = {},
  before: readonly string[] = noCoreDumps,
  at: string = program,
): Promise<SluiceProcess> {
  const child = spawnSluice(env, args, user, before, at)
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`sluice was not ready in time:\n${stderr()}`)), patienceMs)
    const settle = (then: () => void) => {
      clearTimeout(late)
      then()
    }
    child.stdout?.on('data', () => stdout().includes('\n') && settle(resolve))
    child.once('exit', (code) => settle(() => reject(new Error(`sluice ended with ${code}:\n${stderr()}`))))
  })
  return {
    child,
    ready: JSON.parse(stdout()),
    stderr,
    signalAll(signal) {
      for (const pid of [child.pid ?? 0, ...childrenOf(child).map((each) => each.pid)])
        process.kill(pid, signal)
    },
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      child.kill(signal)
      const [code] = (await once(child, 'exit')) as [number | null]
      return code
    },
  }
}

/** The processes that `sluice start` has started to run roles, by role. */
export function childrenOf({ pid }: ChildProcess): { pid: number; role: string }[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((each) => each !== '')
    .map((each) => ({ pid: Number(each), args: argumentsOf(each) }))
    .filter(({ args }) => args.some((arg) => /\/role-process\.[jt]s$/.test(arg)))
    .map(({ pid: each, args }) => ({ pid: each, role: args.at(-2) ?? '' }))
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Empty if it has ended meanwhile. */
function argumentsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = ''
  stream?.on('data', (chunk) => {
    text += chunk
  })
  return () => text
}
