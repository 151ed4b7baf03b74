import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { bundle } from '../../../scripts/build-server.ts'
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

const simulated = join(import.meta.dirname, 'child.ts')
const name = 'child'
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

  /** Bundles their program into `cache` first: loading its modules one by one would take most of their lifetime. */
  static async prepare(cache: string, count: number, program = simulated): Promise<Children> {
    if (!(await bundle({ [name]: program }, cache, cache)))
      throw new Error('Run npm ci, with the development tools.')
    // So that Node treats the files there as modules.
    await writeFile(join(cache, 'package.json'), '{"type":"module"}')
    return new Children(cache, count)
  }

  async start(order: Order): Promise<Child> {
    while (this.#spares.length < this.#count) this.#spares.push(this.#fork())
    const child = this.#spares.shift() as ChildProcess
    this.#spares.push(this.#fork())
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
    const child = fork(join(this.#cache, `${name}.js`), {
      env: { ...process.env, NODE_COMPILE_CACHE: this.#cache },
      execArgv: ['--disable-warning=ExperimentalWarning'],
    })
    this.#all.add(child)
    this.#ready.set(child, once(child, 'message'))
    child.once('exit', () => {
      this.#all.delete(child)
      this.#ready.delete(child)
    })
    return child
  }
}

async function standsStill(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T')
}
