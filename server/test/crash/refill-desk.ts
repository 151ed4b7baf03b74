import type { App } from '../../src/app/app.ts'
import { listRefills } from '../../src/app/spends/cold/list-refills.ts'
import type { GateId } from '../../src/domain/networks/network.ts'
import type { SignedTransaction } from '../../src/domain/spends.ts'
import type { Gate } from '../../src/gates/gate.ts'
import type { Ended } from './children.ts'
import type { Falls } from './falls.ts'
import { lapse } from './mishaps.ts'
import type { Order } from './order.ts'
import type { Fall } from './points.ts'
import { obey, type RefillCommand, type Said } from './refill-command.ts'
import { end, type Run, start } from './running.ts'
import { timePasses } from './stage.ts'

/** The file of a refill in the operator's hands. */
export type Written = {
  /** Signed, to be handed in: as it was written, or at a higher fee where the network allows that. */
  sign(isDear: boolean): Promise<SignedTransaction & { readonly file: Uint8Array }>
  /** Another transaction, which uses what the refill would use and pays more. */
  spendOtherwise(): Promise<SignedTransaction>
}

/** What differs between a cold wallet of coins and one that is an account. */
export type Side = {
  readonly gateId: GateId
  prepare(): RefillCommand
  submit(file: Uint8Array): RefillCommand
  write(app: App, id: string): Promise<Written>
}

type Made = { readonly id: string; readonly written: Written }

const maxTries = 5

/** Runs a command, in a process of its own if that is to be killed, and once more then, until `isDone` or it has answered. */
export async function command(
  run: Run,
  falls: Falls,
  what: RefillCommand,
  isDone: () => Promise<boolean> = async () => false,
): Promise<Said | null> {
  for (let tries = 0; tries < maxTries; tries++) {
    const fall = falls.next()
    if (fall === null && !falls.isCounting) return obey(run.app, what)
    const killed: Fall | null = fall && { ...fall, signal: 'SIGKILL' }
    const ended = await end(run, await start(run, { command: what, fall: killed }))
    falls.passed(ended?.points ?? 0)
    if (ended?.said !== undefined) return ended.said
    await timePasses(run)
    if (await isDone()) return null
  }
  return obey(run.app, what)
}

/** The operator at the cold wallet of one network. Every act is about the newest refill unless it names one. */
export class RefillDesk {
  readonly run: Run
  readonly side: Side
  readonly #falls: Falls
  readonly refills: Made[] = []
  /** The hashes of every transaction that was signed as a refill, and of those that were not. */
  readonly signed = new Set<string>()
  readonly others = new Set<string>()

  constructor(run: Run, falls: Falls, side: Side) {
    this.run = run
    this.side = side
    this.#falls = falls
  }

  get gate(): Gate {
    return this.run.app.gates.find(this.side.gateId) as Gate
  }

  /** After a kill the operator looks whether the refill is listed before preparing another one. */
  async prepare(): Promise<void> {
    const { app } = this.run
    const known = new Set(this.refills.map(({ id }) => id))
    const listed = async () =>
      (await listRefills(app, this.side.gateId)).find(
        ({ id, status }) => status === 'prepared' && !known.has(id),
      )
    await command(this.run, this.#falls, this.side.prepare(), async () => (await listed()) !== undefined)
    const made = await listed()
    if (made !== undefined) this.refills.push({ id: made.id, written: await this.side.write(app, made.id) })
  }

  async submit(made = this.refills.at(-1), isDear = false): Promise<void> {
    if (made === undefined) return
    const signed = await made.written.sign(isDear)
    this.signed.add(signed.hash)
    await command(this.run, this.#falls, this.side.submit(signed.file))
  }

  async giveUp(made: Pick<Made, 'id'> | undefined = this.refills.at(-1)): Promise<void> {
    if (made !== undefined) await command(this.run, this.#falls, { kind: 'give-up', id: made.id })
  }

  /** Sends it with another program. The network may refuse it. */
  async sendElsewhere(made = this.refills.at(-1)): Promise<void> {
    if (made === undefined) return
    const signed = await made.written.sign(false)
    this.signed.add(signed.hash)
    await this.gate.broadcast(signed)
  }

  /** Uses its coin or its nonce for something else. */
  async spendOtherwise(made = this.refills.at(-1)): Promise<void> {
    if (made === undefined) return
    const rival = await made.written.spendOtherwise()
    this.others.add(rival.hash)
    await this.gate.broadcast(rival)
  }

  /** Replaces the blocks from the one on that holds it; without it, or with all their transactions waiting again. */
  async reorganise(isDropped: boolean, made = this.refills.at(-1)): Promise<void> {
    const { simulatedChains } = this.run.app.store
    const { gateId } = this.side
    for (const isDear of made === undefined ? [] : [true, false]) {
      const { hash } = (await made?.written.sign(isDear)) ?? { hash: '' }
      const height = (await simulatedChains.transaction(gateId, hash))?.height ?? null
      if (height === null) continue
      const depth = Number((await simulatedChains.tip(gateId)).height - height) + 1
      await simulatedChains.reorganise(gateId, depth, isDropped ? [hash] : [], { others: 'mempool' })
      return
    }
  }
}

/** Lets a worker do what there is to do, and another one after it if it was killed. */
export async function work(run: Run, falls: Falls, order: Partial<Order> = {}): Promise<void> {
  if ((await fallOf(run, falls, order)) === null) await end(run, await start(run, order))
}

/** The same for the last one. The run itself starts one more, so none is started here that is left alone. */
export async function workAtLast(run: Run, falls: Falls): Promise<void> {
  await fallOf(run, falls, null)
}

/**
 * A worker that falls, or is left alone if there is an order for that. One that is stopped continues when another one has done
 * everything, and believes that what it holds is still its own. Returns null if it was killed.
 */
async function fallOf(run: Run, falls: Falls, order: Partial<Order> | null): Promise<Ended | 'none'> {
  const fall = falls.next()
  if (fall === null && order === null && !falls.isCounting) return 'none'
  const who = `child_${run.started}`
  const worker = await start(run, { ...order, fall })
  if (fall?.signal === 'SIGSTOP' && (await worker.stopped()) === 'stopped') {
    await lapse(run, who)
    await end(run, await start(run, order ?? {}))
    worker.signal('SIGCONT')
  }
  const ended = await end(run, worker)
  falls.passed(ended?.points ?? 0)
  await timePasses(run)
  return ended
}
