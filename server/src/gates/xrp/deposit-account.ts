import { HDKey } from '@scure/bip32'
import type { KeyPath } from '../../domain/spends.ts'
import { classicAddressOf } from './address.ts'

// BIP-44 with the XRP Ledger's number of SLIP-0044, on secp256k1: what xrpl.js and Trezor derive from a
// mnemonic, so an operator who brings the seed to a common wallet finds the same account.
const path = "m/44'/144'/0'/0/0"

/** The classic address of the one account that takes all deposits. For the holder of the seed only. */
export function xrpAccount(seed: Uint8Array): string {
  const { publicKey } = HDKey.fromMasterSeed(seed).derive(path)
  if (publicKey === null) throw new Error('The derived key has no public key.')
  return classicAddressOf(publicKey)
}

/**
 * The private key of the account, 32 bytes, whichever deposit address is meant: they differ in the tag alone. For the
 * holder of the seed only.
 */
export function xrpKey(seed: Uint8Array, { chain, index }: KeyPath): Uint8Array {
  if (chain === 'own' && index !== 0) throw new RangeError('There is one account, number 0.')
  const { privateKey } = HDKey.fromMasterSeed(seed).derive(path)
  if (privateKey === null) throw new Error('The derived key has no private key.')
  return privateKey
}
