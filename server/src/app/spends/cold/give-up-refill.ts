import { ServiceError } from '../../../domain/errors.ts'
import type { Spend } from '../../../domain/spends.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { settleSpend } from '../settling/settle-spend.ts'

const reason =
  'No signed transaction was handed in. If one is sent after all, it is found on the chain and booked.'

/**
 * Ends a refill whose signed transaction was never handed in, and frees its coins. Returns why it ended. The operator may
 * still have it signed: `findRefills` goes on looking for it.
 */
export async function giveUpUnsigned(
  app: App,
  gate: Gate,
  { id, transactions }: Spend,
  note: (tx: Store, reason: string) => Promise<void>,
): Promise<string> {
  const refill = await app.store.refills.find(id)
  const plan = transactions[0]?.plan
  if (refill === null || plan === undefined) throw new Error(`Spend ${id} is no refill.`)
  const fate = await gate.fate([{ hash: refill.txHash, plan }])
  if (fate.kind === 'mined' || fate.kind === 'waiting')
    throw new ServiceError(
      'conflict',
      `This refill cannot be given up. Its transaction ${refill.txHash} is on the network, and it is booked once it is deep enough.`,
    )
  await settleSpend(app, gate, id, { status: 'dead', reason }, async (tx) => {
    const isSigned = (await tx.spends.find(id))?.transactions.some(({ signed }) => signed !== null)
    if (isSigned)
      throw new ServiceError(
        'conflict',
        'This refill cannot be given up: it was handed in meanwhile. See: npx sluice wallet cold',
      )
    await note(tx, reason)
  })
  return reason
}
