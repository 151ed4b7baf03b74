import { AsyncLocalStorage } from 'node:async_hooks'
import { appendFileSync, writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import pg from 'pg'

/** The point at which a process crashes, and how: it is killed, or stopped until it is sent SIGCONT. */
export type Fall = { readonly at: number; readonly signal: 'SIGKILL' | 'SIGSTOP' }

/**
 * The moments at which a process may end: before and after every statement; before, during and after every line of the
 * journal; before and after everything else that is passed. Only code inside `counted` counts, so that clocks and heartbeats
 * change nothing: the same actions have the same points.
 */
export class Points {
  readonly #inside = new AsyncLocalStorage<true>()
  readonly #trace: string
  readonly #fall: Fall | null
  passed = 0

  constructor(trace: string, fall: Fall | null) {
    this.#trace = trace
    this.#fall = fall
  }

  counted<T>(work: () => Promise<T>): Promise<T> {
    return this.#inside.run(true, work)
  }

  /** A process that ends here runs `last` and nothing more. */
  pass(what: string, last: () => void = () => {}): void {
    if (this.#inside.getStore() === undefined) return
    this.passed++
    if (this.passed !== this.#fall?.at) return
    last()
    appendFileSync(this.#trace, `${process.pid} ${this.#fall.signal} at ${this.passed}: ${what}\n`)
    process.kill(process.pid, this.#fall.signal)
  }

  async around<T>(what: string, work: () => Promise<T>): Promise<T> {
    this.pass(`before ${what}`)
    const result = await work()
    this.pass(`after ${what}`)
    return result
  }
}

type Query = (this: pg.Client, ...args: unknown[]) => Promise<unknown> | undefined
type Prototype = { query: Query }
const heartbeat = 'select 1'

/** Turns every statement that this process sends into points. */
export function watchStatements(points: Points): void {
  const prototype = pg.Client.prototype as unknown as Prototype
  const { query } = prototype
  prototype.query = function (...args) {
    const text = textOf(args[0])
    if (text === heartbeat) return query.apply(this, args)
    points.pass(`before ${text}`)
    return query.apply(this, args)?.then((result) => {
      points.pass(`after ${text}`)
      return result
    })
  }
}

function textOf(given: unknown): string {
  const text = typeof given === 'string' ? given : ((given as { text?: string } | undefined)?.text ?? '')
  return text.replace(/\s+/g, ' ').trim().slice(0, 90)
}

type File = Pick<FileHandle, 'datasync'> & {
  readonly fd: number
  write(buffer: Buffer, offset: number, length: number, position: number): Promise<unknown>
}

/** Turns everything that this process writes into files, which is the journal, into points. */
export async function watchFiles(points: Points): Promise<void> {
  const file = await open('/dev/null')
  const prototype = Object.getPrototypeOf(file) as File
  await file.close()
  const { write, datasync } = prototype
  prototype.write = async function (buffer, offset, length, position) {
    points.pass('before a line is written')
    points.pass('in the middle of a line', () =>
      writeSync(this.fd, buffer, offset, Math.floor(length / 2), position),
    )
    const result = await write.call(this, buffer, offset, length, position)
    points.pass('after a line is written')
    return result
  }
  prototype.datasync = async function () {
    await datasync.call(this)
    points.pass('after the journal is on disk')
  }
}
