import { HDKey } from '@scure/bip32'
import type { KeyPath } from '../../domain/spends.ts'
import { classicAddressOf } from './address.ts'

// BIP-44 with the XRP Ledger's coin type from SLIP-0044, on secp256k1. xrpl.js and Trezor derive the same from a mnemonic,
// so an operator who imports the seed into a common wallet finds the same account.
const path = "m/44'/144'/0'/0/0"

/** The classic address of the one account that receives all deposits. Only for the holder of the seed. */
export function xrpAccount(seed: Uint8Array): string {
  const { publicKey } = HDKey.fromMasterSeed(seed).derive(path)
  if (publicKey === null) throw new Error('The derived key has no public key.')
  return classicAddressOf(publicKey)
}

/**
 * The private key of the account, 32 bytes. It is the same for every deposit address: they differ only in the tag. Only for
 * the holder of the seed.
 */
export function xrpKey(seed: Uint8Array, { chain, index }: KeyPath): Uint8Array {
  if (chain === 'own' && index !== 0) throw new RangeError('There is only one account, with index 0.')
  const { privateKey } = HDKey.fromMasterSeed(seed).derive(path)
  if (privateKey === null) throw new Error('The derived key has no private key.')
  return privateKey
}
