import { say, sayAll } from '../../../domain/reasons/reasons.ts'
import type { App } from '../../app.ts'
import { settleSpend } from './settle-spend.ts'

const maxAtOnce = 50

/**
 * Ends coin spends that the signer has refused for good, once people have had time to resolve it: asks the signer to give
 * them up, and once it has confirmed that, fails their payouts and frees their coins. Nothing was signed, so nothing can be
 * mined, and no transaction is needed to rule it out. Returns how many were ended.
 */
export async function endGivenUp(app: App): Promise<number> {
  await app.store.givingUp.ask(app.spending.cancelAfterMs)
  let ended = 0
  for (const { id, gateId } of await app.store.givingUp.list(maxAtOnce)) {
    const gate = app.gates.find(gateId)
    const spend = gate === null ? null : await app.store.spends.find(id)
    if (gate === null || spend === null) continue
    const refusal = spend.transactions.at(-1)?.refusal ?? ''
    const reason = sayAll(say('never_signed'), refusal)
    await settleSpend(app, gate, id, { status: 'dead', reason })
    ended++
  }
  return ended
}
