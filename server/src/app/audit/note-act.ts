import { type Act, type Actor, operatorChain } from '../../domain/audit-log.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Store } from '../../store/store.ts'

/** Writes down what somebody did, in the transaction that does it: one cannot be without the other. Call it last. */
export async function noteAct(tx: Store, by: Actor, merchantId: string | null, act: Act): Promise<void> {
  // The hash covers the chain's name, which the database keeps in lower case.
  await tx.auditLog.append((merchantId ?? operatorChain).toLowerCase(), by, act)
}

/** The same for what both people and programs ask for: only people are written down. */
export async function noteActOf(
  tx: Store,
  { person, merchantId, environment }: Caller,
  act: Omit<Act, 'environment'>,
): Promise<void> {
  if (person !== null) await noteAct(tx, person, merchantId, { ...act, environment })
}
