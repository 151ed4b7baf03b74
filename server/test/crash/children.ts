import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { bundle } from '../../../scripts/build-server.ts'
import { hashOfSource } from '../../bin/built.mjs'
import { makeOnce } from '../support/processes/make-once.ts'
import type { Answer, Order } from './order.ts'

/** How a child ended: its answer, or null if it was killed before it could give one. */
export type Ended = Answer | null

export type Child = {
  readonly pid: number
  /** Resolves when the process is gone. */
  readonly ended: Promise<Ended>
  /** Resolves when it has stopped after SIGSTOP, or is gone. */
  stopped(): Promise<'stopped' | 'gone'>
  signal(signal: 'SIGKILL' | 'SIGCONT'): void
}

const tests = join(import.meta.dirname, '..')
const programs = {
  child: join(import.meta.dirname, 'child.ts'),
  'sign-child': join(tests, 'signer/sign-child.ts'),
}
const scripts = join(tests, '../../scripts')
const kept = join(tests, '../../node_modules/.cache/sluice-children')
const pollMs = 5

/** Processes that have loaded everything and wait for their order, so that a run does not wait for them to start. */
export class Children {
  readonly #cache: string
  readonly #spares: ChildProcess[] = []
  readonly #all = new Set<ChildProcess>()
  readonly #count: number

  private constructor(cache: string, count: number) {
    this.#cache = cache
    this.#count = count
  }

  /**
   * Keeps `count` processes ready: none for a single run, which starts few.
   */
  static async prepare(count: number): Promise<Children> {
    return new Children(await bundlePrograms(), count)
  }

  async start(order: Order): Promise<Child> {
    const child = this.#spares.shift() ?? this.#fork()
    while (this.#spares.length < this.#count) this.#spares.push(this.#fork())
    await this.#ready.get(child)
    const answered = once(child, 'message') as Promise<[Answer]>
    // A killed child sends no answer; the answer of one that exits may arrive after its exit.
    const ended = once(child, 'exit').then(
      async ([code]): Promise<Ended> => (code === 0 ? (await answered)[0] : null),
    )
    answered.catch(() => {})
    child.send(order)
    const { pid } = child
    if (pid === undefined) throw new Error('The child could not be started.')
    let isGone = false
    void ended.then(() => {
      isGone = true
    })
    return {
      pid,
      ended,
      signal(signal) {
        if (!isGone) child.kill(signal)
      },
      async stopped() {
        for (;;) {
          if (isGone) return 'gone'
          if (await standsStill(pid)) return 'stopped'
          await delay(pollMs)
        }
      },
    }
  }

  /** Kills every child that is still running. */
  async close(): Promise<void> {
    const exits = [...this.#all].map((child) => once(child, 'exit'))
    for (const child of this.#all) child.kill('SIGKILL')
    await Promise.all(exits)
  }

  readonly #ready = new Map<ChildProcess, Promise<unknown>>()

  #fork(): ChildProcess {
    const child = forkProgram(this.#cache, 'child')
    this.#all.add(child)
    this.#ready.set(child, once(child, 'message'))
    child.once('exit', () => {
      this.#all.delete(child)
      this.#ready.delete(child)
    })
    return child
  }
}

/**
 * The folder of the programs that tests kill, bundled once for all files of a run: loading their modules one by one would take
 * most of their lifetime.
 */
export async function bundlePrograms(): Promise<string> {
  const folder = join(kept, hashOfPrograms())
  await makeOnce(folder, async () => {
    // Of sources as they were.
    for (const old of readdirSync(kept).filter((each) => !each.endsWith('.claim')))
      await rm(join(kept, old), { recursive: true, force: true })
    const fresh = `${folder}.${process.pid}`
    if (!(await bundle(programs, fresh, folder))) throw new Error('Run npm ci, with the development tools.')
    // So that Node treats the files there as modules.
    await writeFile(join(fresh, 'package.json'), '{"type":"module"}')
    await rename(fresh, folder)
  })
  return folder
}

/** Starts one of the bundled programs. */
export function forkProgram(
  folder: string,
  name: keyof typeof programs,
  args: readonly string[] = [],
  options: ForkOptions = {},
): ChildProcess {
  return fork(join(folder, `${name}.js`), [...args], {
    env: { ...process.env, NODE_COMPILE_CACHE: folder },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    ...options,
  })
}

/** Of the service and of everything else that the programs may use. */
function hashOfPrograms(): string {
  const hash = createHash('sha256').update(hashOfSource())
  for (const folder of [tests, scripts]) {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    for (const each of names.filter((file) => /(?<!\.test)\.ts$/.test(file)).sort())
      hash.update(`${each}\0`).update(readFileSync(join(folder, each)))
  }
  return hash.digest('hex')
}

async function standsStill(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T')
}
