import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Payout } from '../../domain/payouts.ts'
import type { App } from '../app.ts'

export function noSuchPayout(): ServiceError {
  return new ServiceError('not_found', 'There is no such payout.')
}

/** One payout of the caller. */
export async function getPayout(app: Pick<App, 'store'>, caller: Caller, id: string): Promise<Payout> {
  const payout = await app.store.payouts.find(caller, id)
  if (payout === null) throw noSuchPayout()
  return payout
}
