import { type Act, type Actor, operatorChain } from '../../domain/audit-log.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Store } from '../../store/store.ts'

/** Records an act in the audit log, in the transaction that performs it: neither commits without the other. Call it last. */
export async function noteAct(tx: Store, by: Actor, merchantId: string | null, act: Act): Promise<void> {
  // The hash covers the chain's name, which the database keeps in lower case.
  await tx.auditLog.append((merchantId ?? operatorChain).toLowerCase(), by, act)
}

/** The same for operations open to people and API keys: only acts of people are recorded. */
export async function noteActOf(
  tx: Store,
  { person, merchantId, environment }: Pick<Caller, 'person' | 'merchantId' | 'environment'>,
  act: Omit<Act, 'environment'>,
): Promise<void> {
  if (person !== null) await noteAct(tx, person, merchantId, { ...act, environment })
}
