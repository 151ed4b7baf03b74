import { childPublicKey, readAccountKey } from '../extended-key.ts'
import type { Family } from '../family.ts'
import { canonicalAddress, evmAddress, isReserved } from './address.ts'

export type EvmFamilyOptions = {
  /** EIP-155. */
  readonly chainId: number
  /** The extended public key of m/44'/60'/0'; `evmAccountKey` makes it. */
  readonly accountKey: string
  /** Addresses nobody should be paid at, in any case: the network's token contracts, which cannot send coins back. */
  readonly refused?: readonly string[]
}

const externalChain = 0

/**
 * Ethereum and the networks that share its addresses. Deposit addresses are m/44'/60'/0'/0/index in EIP-55 form, the
 * same on every chain; every one is a destination `parseDestination` reads back unchanged. Throws when an option is
 * wrong.
 */
export function evmFamily({ chainId, accountKey, refused = [] }: EvmFamilyOptions): Family {
  if (!Number.isSafeInteger(chainId) || chainId < 1) throw new RangeError('A chain id is a positive integer.')
  const external = readAccountKey(accountKey, ['xpub']).deriveChild(externalChain)
  const refusedAddresses = new Set(refused.map(addressToRefuse))
  return {
    depositAddress(index) {
      return { address: evmAddress(childPublicKey(external, index)), tag: null }
    },
    parseDestination(text, tag) {
      if (tag !== null) return null
      const address = canonicalAddress(text)
      if (address === null || isReserved(address) || refusedAddresses.has(address)) return null
      return { address, tag: null }
    },
    // EIP-681. Amounts are in units, and a token is paid by calling its contract.
    paymentUri({ address }, { contractAddress }, units) {
      return contractAddress === null
        ? `ethereum:${address}@${chainId}?value=${units}`
        : `ethereum:${contractAddress}@${chainId}/transfer?address=${address}&uint256=${units}`
    },
  }
}

// A misspelt entry would refuse nothing, and nobody would notice.
function addressToRefuse(text: string): string {
  const address = canonicalAddress(text)
  if (address === null) throw new Error(`"${text}" is to be refused as a destination, but is no address.`)
  return address
}
