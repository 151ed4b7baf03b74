import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../bin/sluice.mjs', import.meta.url))
const readyTimeoutMs = 60_000

export type SluiceProcess = {
  readonly child: ChildProcess
  /** What `start --json` printed when it was ready. */
  readonly ready: { url: string; merchant_id?: string; test_key?: string }
  readonly stderr: () => string
  /** Sends the signal and waits for the end; returns the exit code, null when killed. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

export type Finished = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/** The environment of a command, without anything that this test run itself was configured by. */
function cleanEnv(env: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env
  return { PATH, HOME, TMPDIR, PORT: '0', SLUICE_METRICS_PORT: '0', ...env }
}

/** Runs `sluice <args>` to its end. */
export async function runSluice(args: readonly string[], env: Record<string, string>): Promise<Finished> {
  const child = spawn(process.execPath, [program, ...args], {
    env: cleanEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout: stdout(), stderr: stderr() }
}

/** Starts `sluice start` without waiting. */
export function spawnSluice(env: Record<string, string>, args: readonly string[] = []): ChildProcess {
  return spawn(process.execPath, [program, 'start', '--json', ...args], {
    env: cleanEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Starts `sluice start` and waits until it says it is ready. */
export async function startSluice(
  env: Record<string, string>,
  args: readonly string[] = [],
): Promise<SluiceProcess> {
  const child = spawnSluice(env, args)
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`sluice was not ready in time:\n${stderr()}`)),
      readyTimeoutMs,
    )
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
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      child.kill(signal)
      const [code] = (await once(child, 'exit')) as [number | null]
      return code
    },
  }
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = ''
  stream?.on('data', (chunk) => {
    text += chunk
  })
  return () => text
}
