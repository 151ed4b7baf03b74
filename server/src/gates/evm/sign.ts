import { secp256k1 } from '@noble/curves/secp256k1.js'
import { type AccountPlan, isCancelling, type KeyPath, type SignedTransaction } from '../../domain/spends.ts'
import { evmAddress } from './address.ts'
import { hashOf } from './hex.ts'
import { signTransfer } from './transaction.ts'

/** The transaction type of a chain: with a tip (EIP-1559), or legacy (EIP-155) where blocks have no base fee. */
export type TransactionKind = 'eip1559' | 'legacy'

/**
 * Signs a native or ERC-20 transfer (RFC 6979). Throws when the plan's sender is not the address at its path, or the key
 * does not belong to that address.
 */
export function signAccountPlan(
  {
    chainId,
    transactions,
    publicKeyOf,
  }: { chainId: number; transactions: TransactionKind; publicKeyOf: (path: KeyPath) => Uint8Array },
  plan: AccountPlan,
  keyOf: (path: KeyPath) => Uint8Array,
): SignedTransaction {
  const { from, nonce, to, contractAddress, units, gasLimit, gasPrice } = plan
  const { chain, index } = from.key
  if (units === 0n && !isCancelling(plan))
    throw new RangeError('The amount must be positive, unless the plan only uses up its nonce.')
  if (evmAddress(publicKeyOf(from.key)) !== from.address)
    throw new Error(`${from.address} is not our ${chain} address ${index}.`)
  const privateKey = keyOf(from.key)
  if (evmAddress(secp256k1.getPublicKey(privateKey)) !== from.address)
    throw new Error(`The key for ${chain} address ${index} does not belong to it.`)
  // With the whole price as the tip, the sender pays exactly that price at every base fee, so the cost of a transfer
  // is known before it is signed.
  const gas = { gasLimit, gasPrice, gasTip: transactions === 'legacy' ? null : gasPrice }
  const transfer = { chainId, nonce, to: to.address, contractAddress, units, ...gas }
  const bytes = signTransfer(transfer, privateKey)
  return { hash: hashOf(bytes), bytes }
}
