import type pg from 'pg'
import { OutageError } from '../../src/domain/errors.ts'
import type { SimulatedChain } from '../../src/simulator/gate/gate.ts'
import { type Connection, dbOn } from '../../src/store/connections.ts'
import { isContention, outageOr } from '../../src/store/outage.ts'
import type { Db, Value } from '../../src/store/sql.ts'
import type { Random } from './random.ts'
import type { Turns } from './turns.ts'

const maxAttempts = 5

/** The process was killed: it never does what it was about to do. */
export class Killed extends OutageError {}

/**
 * The database as one process of the service sees it, and how that process dies: at a predetermined statement, which was
 * either never sent, or executed without the process learning of it.
 */
export class SimulatedProcess {
  readonly db: Db
  /** If set, the statements of several processes take turns. */
  turns: Turns | null = null
  /** Makes it stop before its next transaction until it is woken, like a process that was sent SIGSTOP. */
  frozen: Promise<void> | null = null
  dead = false
  /** Called before each statement; its effects happen in between. */
  beforeStatement: (() => Promise<void>) | null = null
  readonly #pool: pg.Pool
  readonly #random: Random
  readonly #held = new Set<{ client: pg.PoolClient; released: boolean }>()
  #diesAfter: number | null = null

  constructor(pool: pg.Pool, random: Random, names: Map<string, string>) {
    this.#pool = pool
    this.#random = random
    this.db = dbOn(() => this.#connect(names))
  }

  /** Dies at the statement after this many others. */
  dieAfter(statements: number): void {
    this.#diesAfter = statements
  }

  spare(): void {
    this.#diesAfter = null
  }

  async transaction<T>(work: (tx: Db) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.db.transaction(work)
      } catch (error) {
        if (!isContention(error) || attempt === maxAttempts) throw error
      }
    }
  }

  /** A node as this process sees it: its answers take turns with the statements, and a dead process gets none. */
  looking(chain: SimulatedChain): SimulatedChain {
    const ask = async <T>(answer: () => Promise<T>): Promise<T> => {
      if (this.dead) throw new Killed('killed')
      return this.turns === null ? answer() : this.turns.run(answer)
    }
    return {
      tip: () => ask(() => chain.tip()),
      block: (height) => ask(() => chain.block(height)),
      waiting: () => ask(() => chain.waiting()),
      bytesOf: (hashes) => ask(() => chain.bytesOf(hashes)),
      paid: (coins) => ask(() => chain.paid(coins)),
      execute: (executable) => ask(() => chain.execute(executable)),
      fate: (candidates) => ask(() => chain.fate(candidates)),
      nextNonce: (address) => ask(() => chain.nextNonce(address)),
      balance: (address, currency) => ask(() => chain.balance(address, currency)),
    }
  }

  #die(): Killed {
    this.dead = true
    for (const held of this.#held) {
      held.released = true
      // What the database does when it notices the lost connection. A new connection would have to plan every statement
      // again.
      const release = (error?: Error) => held.client.release(error)
      held.client.query('rollback').then(() => release(), release)
    }
    this.#held.clear()
    return new Killed('killed')
  }

  async #connect(names: Map<string, string>): Promise<Connection> {
    if (this.dead) throw new Killed('killed')
    const held = { client: await this.#pool.connect(), released: false }
    this.#held.add(held)
    return {
      query: (text, values) => this.#query(held.client, names, text, values),
      release: (isBroken) => {
        this.#held.delete(held)
        if (!held.released) held.client.release(isBroken)
      },
    }
  }

  async #query(client: pg.PoolClient, names: Map<string, string>, text: string, values: readonly Value[]) {
    if (this.frozen !== null && text.startsWith('begin')) await this.frozen
    await this.beforeStatement?.()
    const send = async () => {
      if (this.dead) throw new Killed('killed')
      const dies = this.#diesAfter !== null && this.#diesAfter-- === 0
      if (dies && this.#random.bool(0.5)) throw this.#die()
      const answered = client.query({ text, values: [...values], ...prepared(names, text, values) })
      if (!dies) return answered.catch(rethrowOutage)
      await answered.catch(() => {})
      throw this.#die()
    }
    return this.turns === null ? send() : this.turns.run(send)
  }
}

function prepared(names: Map<string, string>, text: string, values: readonly Value[]): { name?: string } {
  if (values.length === 0) return {}
  const name = names.get(text) ?? `simulated_${names.size}`
  names.set(text, name)
  return { name }
}

function rethrowOutage(error: unknown): never {
  throw outageOr(error)
}
