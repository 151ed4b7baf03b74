import { refillPlanOf } from '../../../domain/account-refills.ts'
import { ServiceError } from '../../../domain/errors.ts'
import type { Spend } from '../../../domain/spends.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { settleSpend } from '../settling/settle-spend.ts'
import { findNonceUse } from './find-nonce-use.ts'

const reason = 'It was not handed in.'

/**
 * Ends a refill from an account that was never handed in. Returns why it ended. Should its transaction be mined after all, it
 * is booked anyway.
 */
export async function giveUpAccountRefill(
  app: App,
  gate: Gate,
  spend: Spend,
  note: (tx: Store, reason: string) => Promise<void>,
): Promise<string> {
  const { nonce } = refillPlanOf(spend)
  const alive = (why: string) => new ServiceError('conflict', `This refill cannot be given up. ${why}`)
  if (spend.status !== 'open')
    throw alive(`It is ${spend.status}, and after a reorganisation it follows the chain by itself.`)
  const handedIn = alive(
    `It was handed in and may be mined. To stop it, send another transaction with nonce ${nonce} from the cold wallet: once that is deep in the chain, the refill ends by itself.`,
  )
  const isSigned = ({ transactions }: Spend) => transactions.some(({ signed }) => signed !== null)
  if (isSigned(spend)) throw handedIn
  const use = await findNonceUse(app, gate, spend)
  if (use?.own != null)
    throw alive(`Its transaction ${use.own.hash} is in a block, and it is booked once it is deep enough.`)
  await settleSpend(app, gate, spend.id, { status: 'dead', reason }, async (tx) => {
    const now = await tx.spends.find(spend.id)
    if (now !== null && isSigned(now)) throw handedIn
    await note(tx, reason)
  })
  return reason
}
