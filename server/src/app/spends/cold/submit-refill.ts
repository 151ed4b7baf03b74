import type { Actor } from '../../../domain/audit-log.ts'
import { ServiceError } from '../../../domain/errors.ts'
import type { SignedTransaction } from '../../../domain/spends.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { KnownRefill } from '../../../store/spends/refills.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { noteAct } from '../../audit/note-act.ts'
import { sendRefill } from './send-refill.ts'
import { takeUp } from './take-up-refill.ts'
import { type OpenedRefill, openRefill } from './write-refill.ts'

/** A refill that was handed in; `refusal` is what the node says against it, null when it took it. */
export type SubmittedRefill = {
  readonly id: string
  readonly gateId: string
  readonly txHash: string
  readonly refusal: string | null
}

/**
 * Takes the file that the operator has signed: compares it with its refill, stores the transaction, and sends it. Handing the
 * same file in again sends the same bytes again. A refill that has ended is taken up again, if its coins are still free.
 */
export async function submitRefill(app: App, bytes: Uint8Array, by: Actor): Promise<SubmittedRefill> {
  const reader = app.gates.list().find(({ spending }) => spending.kind === 'coins')?.spending
  if (reader?.kind !== 'coins')
    throw new ServiceError('not_found', 'There is no Bitcoin-like network here. See: npx sluice gate list')
  const file = reader.refill.read(bytes)
  if ('refused' in file) throw new ServiceError('validation_error', file.refused)
  const refill = await app.store.refills.meantBy(file.hash, file.inputs)
  if (refill === null)
    throw new ServiceError(
      'not_found',
      'The file spends no coin of a refill of this service: it belongs to another service, or was changed. See the refills that wait for a file: npx sluice wallet cold',
    )
  const opened = await openRefill(app, refill)
  const { gate, spending, plan, coins, txHash } = opened
  const made = spending.refill.complete(
    plan,
    coins.map(({ address }) => address),
    file,
  )
  if ('refused' in made)
    throw new ServiceError(
      'validation_error',
      `This is not refill ${refill.spendId} of ${gate.id}, whole and signed. ${made.refused}`,
    )
  if (made.hash !== txHash) throw new Error(`Refill ${refill.spendId} has another hash than it should.`)
  const { id, signed } =
    refill.status === 'dead'
      ? { id: await startAgain(app, opened, refill, made, by), signed: made }
      : { id: refill.spendId, signed: await store(app, opened, made, by) }
  return { id, gateId: gate.id, txHash, refusal: await sendRefill(app, gate, id, 1, signed) }
}

async function startAgain(
  app: App,
  { gate, plan }: OpenedRefill,
  dead: KnownRefill,
  made: SignedTransaction,
  by: Actor,
): Promise<string> {
  const id = await takeUp(app, gate, dead, plan, made, (tx, again) => note(tx, gate, again, made, by))
  if (id === null)
    throw new ServiceError(
      'conflict',
      `Refill ${dead.spendId} has ended, and its coins are in use by another one. Hand that one in, or give it up first. See: npx sluice wallet cold`,
    )
  return id
}

/** Stores the signed transaction once, and returns what is stored. */
async function store(
  app: App,
  { spendId, gate }: OpenedRefill,
  made: SignedTransaction,
  by: Actor,
): Promise<SignedTransaction> {
  return app.transaction(async (tx) => {
    const { status, transactions } = await tx.spends.lock(spendId)
    const known = transactions[0]?.signed ?? null
    if (known !== null) return known
    if (status !== 'open')
      throw new ServiceError(
        'conflict',
        `Refill ${spendId} was given up meanwhile. Hand the file in again to take it up.`,
      )
    if (!(await tx.spends.saveSigned(spendId, 1, made)))
      throw new Error(`Refill ${spendId} was signed although it is locked.`)
    await note(tx, gate, spendId, made, by)
    return made
  })
}

async function note(
  tx: Store,
  gate: Gate,
  spendId: string,
  { hash }: SignedTransaction,
  by: Actor,
): Promise<void> {
  await noteAct(tx, by, null, {
    environment: gate.environment,
    action: 'refill.submitted',
    subject: spendId,
    details: { gate: gate.id, tx_hash: hash },
  })
}
