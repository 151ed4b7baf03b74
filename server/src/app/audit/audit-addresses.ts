import type { PooledAddress } from '../../store/addresses/deposit-addresses.ts'
import type { AddressVerdict } from '../addresses/address-proofs.ts'
import type { App } from '../app.ts'

const sliceSize = 1_000
const maxNamed = 20

/** Checks that this service derived every deposit address in the database. Lists the others, up to a bound for each keychain. */
export async function auditAddresses({ store, proofs }: Pick<App, 'store' | 'proofs'>): Promise<string[]> {
  const differences: string[] = []
  for (const keychain of await store.depositAddresses.keychains()) {
    let refused = 0
    for (let from: number | null = 0; from !== null; ) {
      const slice = await store.depositAddresses.from(keychain, from, sliceSize)
      for (const address of slice) {
        const verdict = proofs.judge({ keychain, ...address })
        if (verdict === 'ours' || isOlder(verdict, address) || ++refused > maxNamed) continue
        differences.push(
          `deposit address ${address.position} of ${keychain}: ${address.address} ${inWords[verdict]}`,
        )
      }
      const last = slice.at(-1)
      from = last === undefined || slice.length < sliceSize ? null : last.position + 1
    }
    if (refused > maxNamed)
      differences.push(`and ${refused - maxNamed} more addresses of ${keychain} that are not ours`)
  }
  return differences
}

/** Addresses from before there were proofs have none. Those that only the signer can derive are not used any more. */
function isOlder(verdict: AddressVerdict, { proof }: PooledAddress): boolean {
  return verdict === 'unproved' && proof === null
}

const inWords = {
  foreign: 'is not ours: the wallet has another address there',
  unproved: 'has a wrong proof, and only the signer can derive it',
} as const
