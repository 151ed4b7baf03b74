import { type Act, type Actor, operatorChain } from '../../domain/audit-log.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Store } from '../../store/store.ts'

/** Records an act in the audit log, in the transaction that performs it: neither commits without the other. Call it last. */
export async function noteAct(tx: Store, by: Actor, merchantId: string | null, act: Act): Promise<void> {
  // The hash covers the chain's name, which the database keeps in lower case.
  await tx.auditLog.append((merchantId ?? operatorChain).toLowerCase(), by, act)
}

/** The same for operations open to people and API keys: only acts of people are recorded, since resources name their key. */
export async function noteActOf(
  tx: Store,
  { person, merchantId, environment }: Pick<Caller, 'person' | 'merchantId' | 'environment'>,
  act: Omit<Act, 'environment'>,
): Promise<void> {
  if (person !== null) await noteAct(tx, person, merchantId, { ...act, environment })
}

/** The same for changes of trust, such as webhook secrets: acts of API keys are recorded too. */
export async function noteTrustOf(
  tx: Store,
  { actor, person, merchantId, environment }: Pick<Caller, 'actor' | 'person' | 'merchantId' | 'environment'>,
  act: Omit<Act, 'environment'>,
): Promise<void> {
  const by = person ?? { actor, name: 'API key', ip: null, userAgent: null }
  await noteAct(tx, by, merchantId, { ...act, environment })
}
