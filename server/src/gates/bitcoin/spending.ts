import type { ChainRules } from '../../domain/networks/bitcoin-rules.ts'
import type { KeyPath } from '../../domain/spends.ts'
import type { Spending } from '../family.ts'
import { p2wpkhAddress } from './address.ts'
import { addressOf, scriptOf } from './network.ts'
import { outputsOf, plainTransaction } from './plain-transaction.ts'
import { refilling } from './refill.ts'

export type CoinSpending = Extract<Spending, { kind: 'coins' }>

// Far below the relay limit of 100,000 virtual bytes (400,000 weight units), and quick to sign.
const maxInputs = 200
const maxOutputs = 100

// BIP-141: a witness byte weighs one unit, any other byte four; a virtual byte is four units.
const baseWeight = 4
// Version and lock time.
const frameBytes = 4 + 4
// Marker and flag (BIP-144).
const segwitWitnessBytes = 2
// Transaction id, output index, empty script, sequence.
const inputBytes = 32 + 4 + 1 + 4
// The item count; the signature with its length, at most 70 bytes because we sign with a low R and S, and its hash type;
// the public key with its length.
const inputWitnessBytes = 1 + (1 + 70 + 1) + (1 + 33)
// Other wallets need not look for a low R, without which a signature has one byte more.
const foreignWitnessBytes = inputWitnessBytes + 1
const amountBytes = 8
const shortLengthBytes = 1

/** How the P2WPKH coins of an account are spent. */
export function coinSpending(rules: ChainRules, publicKeyOf: (path: KeyPath) => Uint8Array): CoinSpending {
  const addressAt = (index: number) => p2wpkhAddress(rules, publicKeyOf({ chain: 'own', index }))
  // Cached because every fee estimate uses it, and deriving it takes a millisecond or more.
  let first: string | null = null
  return {
    kind: 'coins',
    changeAddress(index) {
      if (index !== 0) return addressAt(index)
      first ??= addressAt(0)
      return first
    },
    // Never below the size of what `signCoins` produces, and above it only when a signature happens to be shorter.
    sizeOf: (inputs, outputs) => sizeOf(rules, inputs, inputWitnessBytes, outputs),
    refill: refilling(rules, (inputs, outputs) => sizeOf(rules, inputs, foreignWitnessBytes, outputs)),
    dustUnits: rules.dustUnits,
    maxInputs,
    maxOutputs,
    readOutputs(txHash, bytes, indexes) {
      const plain = plainTransaction(bytes, txHash)
      if (plain === null) return null
      const paid = [...outputsOf(plain, indexes)]
      return new Map(
        paid.map(([index, { units, script }]) => [index, { address: addressOf(rules, script), units }]),
      )
    },
  }
}

/** The size of a count in bytes (CompactSize). */
function countBytes(count: number): number {
  return count < 0xfd ? 1 : count <= 0xffff ? 3 : 5
}

/** The virtual size of a transaction whose inputs have witnesses of this size. */
function sizeOf(rules: ChainRules, inputs: number, witnessBytes: number, outputs: readonly string[]): bigint {
  const paid = outputs.map((address) => amountBytes + shortLengthBytes + scriptOf(rules, address).length)
  const plain =
    frameBytes +
    countBytes(inputs) +
    inputs * inputBytes +
    countBytes(outputs.length) +
    paid.reduce((sum, bytes) => sum + bytes, 0)
  const weight = plain * baseWeight + segwitWitnessBytes + inputs * witnessBytes
  return BigInt(Math.ceil(weight / baseWeight))
}
