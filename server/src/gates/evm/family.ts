import { hotKey } from '../../domain/spends.ts'
import { publicKeysBelow, readAccountKey } from '../extended-key.ts'
import type { Family } from '../family.ts'
import { canonicalAddress, evmAddress, isReserved } from './address.ts'
import { signAccountPlan, type TransactionKind } from './sign.ts'
import { transferCall } from './transfer-call.ts'

export type EvmFamilyOptions = {
  /** EIP-155. */
  readonly chainId: number
  /** The extended public key of m/44'/60'/0'; `evmAccountKey` makes it. */
  readonly accountKey: string
  /** Addresses nobody should be paid at, in any case: the network's token contracts, which cannot send coins back. */
  readonly refused?: readonly string[]
  /** EIP-1559 unless the chain takes only what was before. */
  readonly transactions?: TransactionKind
}

// What a plain transfer takes, exactly; only on a live Arbitrum it is more, since there gas pays for Ethereum's room too.
const nativeGas = 21_000n
// Above what any common token's `transfer` takes (USDT to a new holder about 65,000); what is not used is not paid.
const tokenGas = 100_000n

/**
 * Ethereum and the networks that share its addresses. Deposit addresses are m/44'/60'/0'/0/index in EIP-55 form, the
 * same on every chain, and payouts leave from m/44'/60'/0'/1/0; every one is a destination `parseDestination` reads back unchanged. Throws when an option is
 * wrong.
 */
export function evmFamily({
  chainId,
  accountKey,
  refused = [],
  transactions = 'eip1559',
}: EvmFamilyOptions): Family {
  if (!Number.isSafeInteger(chainId) || chainId < 1) throw new RangeError('A chain id is a positive integer.')
  const publicKeyOf = publicKeysBelow(readAccountKey(accountKey, ['xpub']))
  const refusedAddresses = new Set(refused.map(addressToRefuse))
  const parseDestination: Family['parseDestination'] = (text, tag) => {
    if (tag !== null) return null
    const address = canonicalAddress(text)
    if (address === null || isReserved(address) || refusedAddresses.has(address)) return null
    return { address, tag: null }
  }
  return {
    depositAddress(index) {
      return { address: evmAddress(publicKeyOf({ chain: 'deposit', index })), tag: null }
    },
    parseDestination,
    // EIP-681. Amounts are in units, and a token is paid by calling its contract.
    paymentUri({ address }, { contractAddress }, units) {
      return contractAddress === null
        ? `ethereum:${address}@${chainId}?value=${units}`
        : `ethereum:${contractAddress}@${chainId}/transfer?address=${address}&uint256=${units}`
    },
    walletTransaction({ address }, { contractAddress }, units) {
      return contractAddress === null
        ? { chainId, to: address, valueUnits: units, data: null }
        : { chainId, to: contractAddress, valueUnits: 0n, data: transferCall(address, units) }
    },
    spending: {
      kind: 'account',
      hotAddress: evmAddress(publicKeyOf(hotKey)),
      depositsAreHot: false,
      gasOf: ({ contractAddress }) => (contractAddress === null ? nativeGas : tokenGas),
    },
    sign(plan, keyOf) {
      if (plan.kind !== 'account') throw new Error('EVM networks pay from accounts; there are no coins.')
      const { address, tag } = plan.to
      if (parseDestination(address, tag)?.address !== address)
        throw new Error(`"${address}" is no destination on this network.`)
      return signAccountPlan({ chainId, transactions, publicKeyOf }, plan, keyOf)
    },
  }
}

// A misspelt entry would refuse nothing, and nobody would notice.
function addressToRefuse(text: string): string {
  const address = canonicalAddress(text)
  if (address === null) throw new Error(`"${text}" is to be refused as a destination, but is no address.`)
  return address
}
