import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { OutScript, SigHash, type Transaction } from '@scure/btc-signer'
import type { ChainRules } from '../../domain/networks/bitcoin-rules.ts'
import { sameBytes } from '../same-bytes.ts'
import { p2wpkhAddress } from './address.ts'

const publicKeyBytes = 33

/** Why the witness does not unlock the output (BIP-141, BIP-143); null when it does. */
export function checkWitness(
  rules: ChainRules,
  transaction: Transaction,
  at: number,
  witness: readonly Uint8Array[],
  spent: { readonly address: string; readonly units: bigint },
): string | null {
  const [signed, publicKey] = witness
  if (witness.length !== 2 || signed === undefined || publicKey?.length !== publicKeyBytes)
    return `The witness of input ${at} is not a signature and a public key.`
  if (p2wpkhAddress(rules, publicKey) !== spent.address)
    return `The key of input ${at} is not the key of its coin.`
  if (signed.at(-1) !== SigHash.ALL)
    return `The signature of input ${at} does not cover the whole transaction.`
  const scriptCode = OutScript.encode({ type: 'pkh', hash: ripemd160(sha256(publicKey)) })
  const digest = transaction.preimageWitnessV0(at, scriptCode, SigHash.ALL, spent.units)
  return isSignature(signed.slice(0, -1), digest, publicKey)
    ? null
    : `The signature of input ${at} is invalid.`
}

function isSignature(der: Uint8Array, digest: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    // A high S, or any other encoding of the same signature, is refused (BIP-66, BIP-146).
    return (
      sameBytes(secp256k1.Signature.fromBytes(der, 'der').toBytes('der'), der) &&
      secp256k1.verify(der, digest, publicKey, { prehash: false, format: 'der' })
    )
  } catch {
    // Not DER, or numbers outside the curve's range.
    return false
  }
}
