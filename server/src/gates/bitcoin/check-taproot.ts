import { schnorr } from '@noble/curves/secp256k1.js'
import { SigHash, type Transaction } from '@scure/btc-signer'

// BIP-341: without a byte for its hash type, a signature covers everything.
const defaultBytes = 64
const all = SigHash.ALL
// Version 1, and the 32 bytes of a key.
const keyAt = 2

/** The outputs that a transaction spends, in the order of its inputs: signatures of Taproot cover all of them. */
export type SpentOutputs = {
  readonly scripts: readonly Uint8Array[]
  readonly units: readonly bigint[]
}

/** Why the witness does not unlock the Taproot output with its key (BIP-341); null when it does. */
export function checkTaproot(
  transaction: Transaction,
  at: number,
  witness: readonly Uint8Array[],
  spent: SpentOutputs,
): string | null {
  const [signed] = witness
  const script = spent.scripts[at]
  if (witness.length !== 1 || signed === undefined || script === undefined)
    return `The witness of input ${at} is not one signature.`
  const hashType = signed.length === defaultBytes ? SigHash.DEFAULT : signed[defaultBytes]
  const isWhole = signed.length === defaultBytes || (signed.length === defaultBytes + 1 && hashType === all)
  if (!isWhole || hashType === undefined)
    return `The signature of input ${at} does not cover the whole transaction.`
  const digest = transaction.preimageWitnessV1(at, [...spent.scripts], hashType, [...spent.units])
  return isSignature(signed.slice(0, defaultBytes), digest, script.slice(keyAt))
    ? null
    : `The signature of input ${at} is invalid, or not by the key of its coin.`
}

function isSignature(signature: Uint8Array, digest: Uint8Array, key: Uint8Array): boolean {
  try {
    return schnorr.verify(signature, digest, key)
  } catch {
    // The key is no point of the curve, or numbers are outside its range.
    return false
  }
}
