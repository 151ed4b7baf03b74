import { base58, hex } from '@scure/base'
import { RawTx, Transaction } from '@scure/btc-signer'
import type { ChainRules } from '../../domain/networks/bitcoin-rules.ts'
import type { Network } from '../../domain/networks/network.ts'
import { scriptOf } from '../../gates/bitcoin/network.ts'

const hashBytes = 32
// Solana identifies a transaction by its first signature.
const signatureBytes = 64
// Amounts are signed integers of 64 bits.
const maxBitcoinUnits = 2n ** 63n - 1n

/** A transaction that brings funds from nowhere. Without bytes where no coins are spent. */
export type MadeTransaction = { readonly hash: string; readonly bytes: Uint8Array | null }
export type MakeTransaction = (
  outputs: readonly { readonly address: string; readonly units: bigint }[],
) => MadeTransaction

/**
 * Makes transactions in the format of the network's explorers, no two the same. On Bitcoin-like networks they have bytes
 * that hash to their hash, because the signer spends nothing else. Throws a `RangeError` for an amount that the network
 * cannot carry.
 */
export function transactionMaker(network: Network, random: (size: number) => Uint8Array): MakeTransaction {
  switch (network.family) {
    case 'bitcoin':
      return (outputs) => bitcoinTransaction(network.rules.test, random(hashBytes), outputs)
    case 'evm':
      return () => ({ hash: `0x${hex.encode(random(hashBytes))}`, bytes: null })
    case 'solana':
      return () => ({ hash: base58.encode(random(signatureBytes)), bytes: null })
    case 'xrp':
      return () => ({ hash: hex.encode(random(hashBytes)).toUpperCase(), bytes: null })
  }
}

/** A transaction that spends the first output of a transaction with this hash. */
export function bitcoinTransaction(
  rules: ChainRules,
  coin: Uint8Array,
  outputs: Parameters<MakeTransaction>[0],
): MadeTransaction & { readonly bytes: Uint8Array } {
  if (outputs.some(({ units }) => units > maxBitcoinUnits))
    throw new RangeError(`An output must have at most ${maxBitcoinUnits} units.`)
  const bytes = RawTx.encode({
    version: 2,
    segwitFlag: false,
    witnesses: undefined,
    inputs: [{ txid: coin, index: 0, finalScriptSig: new Uint8Array(), sequence: 0xffffffff }],
    outputs: outputs.map(({ address, units }) => ({ amount: units, script: scriptOf(rules, address) })),
    lockTime: 0,
  })
  return { hash: Transaction.fromRaw(bytes).id, bytes }
}
