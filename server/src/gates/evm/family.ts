import type { HDKey } from '@scure/bip32'
import { hotKey } from '../../domain/spends.ts'
import { type DepositSource, depositAddressesFrom } from '../deposit-source.ts'
import { publicKeysBelow, readAccountKey } from '../extended-key.ts'
import type { Family } from '../family.ts'
import { canonicalAddress, evmAddress, isReserved } from './address.ts'
import { hashOf } from './hex.ts'
import { evmRefilling } from './refill.ts'
import { signAccountPlan, type TransactionKind } from './sign.ts'
import { readTransfer } from './transaction.ts'
import { transferCall } from './transfer-call.ts'

export type EvmFamilyOptions = {
  /** EIP-155. */
  readonly chainId: number
  /** The extended public key of m/44'/60'/0'; `evmAccountKey` makes it. */
  readonly accountKey: string
  /** Addresses that must never be paid: the network's token contracts, which cannot send funds back. */
  readonly refused?: readonly string[]
  /** EIP-1559, unless the chain accepts only legacy transactions. */
  readonly transactions?: TransactionKind
}

// The exact gas of a plain transfer. Only on live Arbitrum it is more, since gas there also pays for L1 data.
const nativeGas = 21_000n
// More than any common token's `transfer` takes (USDT to a new holder: about 65,000). Unused gas is not charged.
const tokenGas = 100_000n

/**
 * Ethereum and the networks that share its addresses. Deposit addresses are m/44'/60'/0'/0/index in EIP-55 form, the same on
 * every chain, and payouts leave from m/44'/60'/0'/1/0. `parseDestination` returns each of them unchanged. Throws when an
 * option is invalid.
 */
export function evmFamily({
  chainId,
  accountKey,
  refused = [],
  transactions = 'eip1559',
}: EvmFamilyOptions): Family {
  if (!Number.isSafeInteger(chainId) || chainId < 1)
    throw new RangeError('A chain id must be a positive integer.')
  const account = readAccountKey(accountKey, ['xpub'])
  const publicKeyOf = publicKeysBelow(account)
  const depositSource: DepositSource = { kind: 'evm', accountKey }
  const refusedAddresses = new Set(refused.map(addressToRefuse))
  const parseDestination: Family['parseDestination'] = (text, tag) => {
    if (tag !== null) return null
    const address = canonicalAddress(text)
    if (address === null || isReserved(address) || refusedAddresses.has(address)) return null
    return { address, tag: null }
  }
  return {
    depositAddress: depositAddressesFrom(depositSource),
    depositSource,
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
      hotAddress: hotAddressOf(account),
      depositsAreHot: false,
      gasOf: ({ contractAddress }) => (contractAddress === null ? nativeGas : tokenGas),
      refill: evmRefilling({ chainId, transactions }),
    },
    sign(plan, keyOf) {
      if (plan.kind !== 'account')
        throw new Error('EVM networks have no coins; a plan must pay from an account.')
      const { address, tag } = plan.to
      if (parseDestination(address, tag)?.address !== address)
        throw new Error(`"${address}" is not a valid destination on this network.`)
      return signAccountPlan({ chainId, transactions, publicKeyOf }, plan, keyOf)
    },
    read(bytes) {
      const found = readTransfer(bytes)
      if ('refused' in found) return found
      const { chainId: on, to, gasTip: _, ...transfer } = found.transfer
      if (on !== chainId) return { refused: `The transaction is for chain ${on}, not ${chainId}.` }
      return {
        ...transfer,
        kind: 'account',
        hash: hashOf(bytes),
        from: found.from,
        to: { address: to, tag: null },
      }
    },
  }
}

// All chains share it, and deriving it takes milliseconds of every start.
const hotAddresses = new WeakMap<HDKey, string>()

function hotAddressOf(account: HDKey): string {
  const address = hotAddresses.get(account) ?? evmAddress(publicKeysBelow(account)(hotKey))
  hotAddresses.set(account, address)
  return address
}

// A misspelt entry would silently refuse nothing.
function addressToRefuse(text: string): string {
  const address = canonicalAddress(text)
  if (address === null) throw new Error(`"${text}" cannot be refused as a destination: it is not an address.`)
  return address
}
