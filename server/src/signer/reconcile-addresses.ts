import type { App } from '../app/app.ts'
import { firstToGive, reachedBy } from '../domain/address-grants.ts'
import { unknownReach } from './grant-addresses.ts'
import type { Journal } from './journal.ts'

/** The result for a keychain of which the database may have forgotten addresses that were given out. */
export type AddressFinding = {
  readonly keychain: string
  /** `skipped`: these addresses are never given out again. `unresolved`: see `reason`. */
  readonly outcome: 'skipped' | 'unresolved'
  readonly skipped: number
  readonly reason: string | null
}

/**
 * Makes sure that the database gives out no deposit address a second time: addresses that the journal has granted are skipped.
 * Where the journal cannot tell, it skips `skip` addresses after those that the database has; null leaves that unresolved.
 * Safe to repeat.
 */
export async function reconcileAddresses(
  { store }: Pick<App, 'store'>,
  journal: Journal,
  keychains: readonly string[],
  options: { readonly skip: number | null; readonly makeStamp: () => string },
): Promise<AddressFinding[]> {
  const findings: AddressFinding[] = []
  for (const state of await store.addressGrants.states(keychains)) {
    const { keychain, grant } = state
    const noted = journal.grantOf(keychain)
    if (grant === null && noted === null) continue
    const known = firstToGive(state, noted)
    if (known === null && options.skip === null) {
      findings.push({ keychain, outcome: 'unresolved', skipped: 0, reason: unknownReach })
      continue
    }
    const first = known ?? Math.max(reachedBy(state), grant?.below ?? 0) + (options.skip ?? 0)
    const stamp = options.makeStamp()
    journal.noteGrant({ keychain, below: first, stamp, isClosed: true })
    await journal.save()
    await store.addressGrants.put([{ keychain, first, below: 0, stamp }])
    const skipped = first - reachedBy(state)
    if (skipped > 0) findings.push({ keychain, outcome: 'skipped', skipped, reason: null })
  }
  return findings
}
