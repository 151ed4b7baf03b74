import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Refund } from '../../domain/payouts.ts'
import type { App } from '../app.ts'

/** One refund of the caller. */
export async function getRefund(app: Pick<App, 'store'>, caller: Caller, id: string): Promise<Refund> {
  const refund = await app.store.refunds.find(caller, id)
  if (refund === null) throw new ServiceError('not_found', 'There is no such refund.')
  return refund
}
