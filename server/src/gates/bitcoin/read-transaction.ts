import { hex } from '@scure/base'
import { RawTx, Transaction } from '@scure/btc-signer'
import type { ChainRules } from '../../domain/networks/bitcoin-rules.ts'
import type { ReadTransaction } from '../family.ts'
import { sameBytes } from '../same-bytes.ts'
import { addressOf } from './network.ts'

// Nodes relay at most 400,000 weight units, and a byte weighs at least one.
const maxBytes = 400_000

export type DecodedTransaction = ReturnType<typeof RawTx.decode>

/** The parts of a serialised transaction; null when it is none, or not in its one canonical form. */
export function decodeTransaction(bytes: Uint8Array): DecodedTransaction | null {
  if (bytes.length > maxBytes) return null
  try {
    const decoded = RawTx.decode(bytes)
    return sameBytes(RawTx.encode(decoded), bytes) ? decoded : null
  } catch {
    // The decoder throws a different error for each kind of invalid input.
    return null
  }
}

/** The outputs that a transaction spends. */
export function coinsOf({ inputs }: DecodedTransaction): { txHash: string; outputIndex: number }[] {
  return inputs.map(({ txid, index }) => ({ txHash: hex.encode(txid), outputIndex: index }))
}

/** What a transaction spends and pays. */
export function readCoins(rules: ChainRules, bytes: Uint8Array): ReadTransaction | { refused: string } {
  const decoded = decodeTransaction(bytes)
  if (decoded === null) return { refused: 'These bytes are not a transaction.' }
  return {
    kind: 'coins',
    hash: Transaction.fromRaw(bytes).id,
    inputs: coinsOf(decoded),
    outputs: decoded.outputs.map(({ amount, script }) => ({
      address: addressOf(rules, script),
      units: amount,
    })),
  }
}
