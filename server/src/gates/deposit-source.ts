import type { ChainRules } from '../domain/networks/bitcoin-rules.ts'
import { p2wpkhAddress } from './bitcoin/address.ts'
import { evmAddress } from './evm/address.ts'
import { publicKeysBelow, readAccountKey } from './extended-key.ts'

/**
 * What the deposit addresses of a network are derived from: public keys, as plain data that another process can be told.
 * Only for networks where deriving takes long enough that requests would notice.
 */
export type DepositSource =
  | ({ readonly kind: 'bitcoin'; readonly accountKey: string } & Pick<
      ChainRules,
      'bech32Prefix' | 'keyVersions'
    >)
  | { readonly kind: 'evm'; readonly accountKey: string }

/** The deposit address at each index, from 0. Throws when the account key is not one for this source. */
export function depositAddressesFrom(
  source: DepositSource,
): (index: number) => { readonly address: string; readonly tag: null } {
  if (source.kind === 'bitcoin') {
    const publicKeyOf = publicKeysBelow(readAccountKey(source.accountKey, source.keyVersions))
    return (index) => ({
      address: p2wpkhAddress(source, publicKeyOf({ chain: 'deposit', index })),
      tag: null,
    })
  }
  const publicKeyOf = publicKeysBelow(readAccountKey(source.accountKey, ['xpub']))
  return (index) => ({ address: evmAddress(publicKeyOf({ chain: 'deposit', index })), tag: null })
}
