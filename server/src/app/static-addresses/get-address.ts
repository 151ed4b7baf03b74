import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { StaticAddress } from '../../store/invoices/static-addresses.ts'
import type { App } from '../app.ts'

/** One static address of the caller. */
export async function getAddress(app: App, caller: Caller, id: string): Promise<StaticAddress> {
  const address = await app.store.staticAddresses.find(caller, id)
  if (address === null) throw new ServiceError('not_found', 'There is no such address.')
  return address
}
