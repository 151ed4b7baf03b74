import type { App } from '../app.ts'

/** How many addresses of each keychain are checked at once. */
const newest = 200

/** Checks the newest deposit addresses of each keychain, so that a foreign one raises the alarm before anyone needs it. */
export async function checkNewest(
  { store, proofs }: Pick<App, 'store' | 'proofs'>,
  keychains: readonly string[],
): Promise<void> {
  for (const keychain of keychains)
    for (const address of await store.depositAddresses.newest(keychain, newest))
      proofs.isOurs({ keychain, ...address })
}
