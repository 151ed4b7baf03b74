import { secp256k1 } from '@noble/curves/secp256k1.js'
import { type AccountPlan, isCancelling, type KeyPath, type SignedTransaction } from '../../domain/spends.ts'
import { evmAddress } from './address.ts'
import { hashOf } from './hex.ts'
import { signTransfer } from './transaction.ts'

/** Which transactions a chain takes: those with a tip (EIP-1559), or, where blocks have no base fee, those of before (EIP-155). */
export type TransactionKind = 'eip1559' | 'legacy'

/**
 * Signs a transfer of coins or ERC-20 tokens (RFC 6979). Throws when the plan's sender is not the address that
 * its path gives, or the key is not that address's.
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
    throw new RangeError('An amount is positive, unless nobody is paid.')
  if (evmAddress(publicKeyOf(from.key)) !== from.address)
    throw new Error(`${from.address} is not our ${chain} address ${index}.`)
  const privateKey = keyOf(from.key)
  if (evmAddress(secp256k1.getPublicKey(privateKey)) !== from.address)
    throw new Error(`The key given for ${chain} address ${index} is not its own.`)
  // With the whole price as tip the sender pays exactly that, whatever the base fee: what a transfer can cost is known
  // before it is signed.
  const gas = { gasLimit, gasPrice, gasTip: transactions === 'legacy' ? null : gasPrice }
  const transfer = { chainId, nonce, to: to.address, contractAddress, units, ...gas }
  const bytes = signTransfer(transfer, privateKey)
  return { hash: hashOf(bytes), bytes }
}
