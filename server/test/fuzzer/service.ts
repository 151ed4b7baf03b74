import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../support/servers/free-port.ts'
import type { Row } from './client.ts'
import type { Measures } from './measures.ts'

const program = fileURLToPath(new URL('../../bin/sluice.mjs', import.meta.url))
const readyTimeoutMs = 120_000
const recoverTimeoutMs = 90_000
const endTimeoutMs = 20_000
const lookEveryMs = 50

export type Victim = 'group' | 'postgres' | 'signer' | 'service'
const commandOf: Record<Exclude<Victim, 'group'>, RegExp> = {
  postgres: /bin\/postgres -D /,
  signer: /role-process\.[jt]s signer/,
  service: /role-process\.[jt]s (service|api|worker)/,
}

/** The service as an operator runs it, with all its files in one folder. Its chains mine only on request. */
export class Service {
  readonly origin: string
  readonly log: string
  readonly #env: NodeJS.ProcessEnv
  readonly #measures: Measures
  #child: ChildProcess | null = null

  private constructor(folder: string, port: number, measures: Measures) {
    const { PATH, HOME, TMPDIR } = process.env
    this.origin = `http://127.0.0.1:${port}`
    this.log = join(folder, 'log')
    this.#measures = measures
    this.#env = {
      PATH,
      HOME,
      TMPDIR,
      HOST: '127.0.0.1',
      PORT: String(port),
      SLUICE_METRICS_PORT: '0',
      SLUICE_DATA_DIR: join(folder, 'data'),
      SLUICE_CONFIG: join(folder, 'config.json'),
      SLUICE_SANDBOX_BLOCK_SECONDS: '0',
    }
  }

  /** Writes its settings; it is not started yet. */
  static async in(folder: string, measures: Measures): Promise<Service> {
    const limits = { key_per_minute: 1_000_000, ip_per_minute: 1_000_000 }
    await writeFile(join(folder, 'config.json'), JSON.stringify({ limits }))
    return new Service(folder, await freePort(), measures)
  }

  /** Runs `sluice <args> --json` and returns its output; `exit` is its exit status unless that is 0. */
  async command(...args: string[]): Promise<Row> {
    const child = spawn(process.execPath, [program, ...args, '--json'], {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const written = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk) => {
      written.stdout += chunk
    })
    child.stderr.on('data', (chunk) => {
      written.stderr += chunk
    })
    const [code] = (await once(child, 'close')) as [number | null]
    const line = written.stdout.trim().split('\n').at(-1)
    if (!line) throw new Error(`sluice ${args.join(' ')} ended with ${code}:\n${written.stderr}`)
    return { ...JSON.parse(line), ...(code === 0 ? {} : { exit: code }) }
  }

  /** Kills all or some of its processes with -9. */
  kill(victim: Victim): void {
    this.#measures.countStep(`kill:${victim}`)
    const group = this.#child?.pid
    if (group === undefined) return
    if (victim === 'group') {
      signal(-group, 'SIGKILL')
      return
    }
    const victims = descendantsOf(group).filter(({ command }) => commandOf[victim].test(command))
    for (const { pid } of victims) signal(pid, 'SIGKILL')
    if (victims.length === 0) this.#measures.countStep(`kill-found-nothing:${victim}`)
  }

  /** Waits until the service is ready again, and starts it if everything was killed. */
  async recover(victim: Victim): Promise<void> {
    const startedAt = performance.now()
    if (victim === 'group') {
      await this.#ended()
      await this.start()
    } else {
      // The crash has to be noticed first.
      await sleep(300)
      if (!(await this.#isReady(recoverTimeoutMs))) {
        this.#measures.countStep(`needed-restart:${victim}`)
        await this.stop('SIGKILL')
        await this.start()
      }
    }
    this.#measures.took(`recover:${victim}`, performance.now() - startedAt)
  }

  /** Ends the service and every process it started. */
  async stop(how: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const group = this.#child?.pid
    if (group === undefined) return
    const started = descendantsOf(group)
    signal(-group, how)
    await this.#ended()
    signal(-group, 'SIGKILL')
    // The database is in a process group of its own; by now it has had time to notice that it is alone.
    for (const { pid, command } of started)
      if (commandOf.postgres.test(command)) await ended(pid, this.#env.SLUICE_DATA_DIR ?? '')
    this.#child = null
  }

  async start(): Promise<void> {
    const startedAt = performance.now()
    const log = openSync(this.log, 'a')
    this.#child = spawn(process.execPath, [program, 'start'], {
      env: this.#env,
      stdio: ['ignore', log, log],
      detached: true,
    })
    if (!(await this.#isReady(readyTimeoutMs)))
      throw new Error(`The service did not become ready:\n${readFileSync(this.log, 'utf8').slice(-2000)}`)
    this.#measures.took('start', performance.now() - startedAt)
  }

  /** False if it has ended or does not become ready in time. */
  async #isReady(withinMs: number): Promise<boolean> {
    const until = performance.now() + withinMs
    while (performance.now() < until) {
      if (await answersReady(this.origin)) return true
      if (this.#hasEnded()) return false
      await sleep(lookEveryMs)
    }
    return false
  }

  #hasEnded(): boolean {
    return this.#child === null || this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  async #ended(): Promise<void> {
    for (let waited = 0; waited < endTimeoutMs && !this.#hasEnded(); waited += lookEveryMs)
      await sleep(lookEveryMs)
  }
}

async function answersReady(origin: string): Promise<boolean> {
  try {
    const { ok } = await fetch(`${origin}/readyz`)
    return ok
  } catch {
    return false
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has already ended.
  }
}

type Running = { readonly pid: number; readonly parent: number; readonly command: string }

/** All descendants of a process. */
function descendantsOf(root: number): Running[] {
  const all = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { maxBuffer: 1e8, encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line): Running => {
      const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
      return { pid: Number(pid), parent: Number(parent), command }
    })
  const found: Running[] = []
  const of = (parent: number): void => {
    for (const each of all)
      if (each.parent === parent && each.pid !== root) {
        found.push(each)
        of(each.pid)
      }
  }
  of(root)
  return found
}

/** Waits for the end of a process that runs in our folder, and ends it if that takes too long. */
async function ended(pid: number, folder: string): Promise<void> {
  for (let waited = 0; waited < endTimeoutMs; waited += lookEveryMs) {
    if (!commandLine(pid).includes(folder)) return
    await sleep(lookEveryMs)
  }
  signal(pid, 'SIGKILL')
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
