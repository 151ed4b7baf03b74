import { maxWord } from '../../gates/evm/abi-words.ts'
import { hashOf } from '../../gates/evm/hex.ts'
import { readTransfer } from '../../gates/evm/transaction.ts'
import { type GateAsset, nativeOf } from '../../gates/gate.ts'
import { debitsOf } from './account-debits.ts'
import type { SignedBytesReader } from './signed-bytes.ts'

// The gas that every transaction takes before any code runs.
const leastGas = 21_000n

/**
 * Reads EIP-1559 and EIP-155 transfers of the native currency and of tokens; the simulator runs no other contract calls. It
 * charges the whole gas limit, so a transaction always costs its maximum.
 */
export function evmReader(chainId: number, assets: readonly GateAsset[]): SignedBytesReader {
  const native = nativeOf(assets).currency
  return {
    coinsOf: (bytes) => ('refused' in readTransfer(bytes) ? null : []),

    read(bytes) {
      const found = readTransfer(bytes)
      if ('refused' in found) return found
      const { transfer, from } = found
      if (transfer.chainId !== chainId)
        return { refused: `The transaction is for chain ${transfer.chainId}, not ${chainId}.` }
      const { contractAddress, to, units, nonce, gasLimit, gasPrice } = transfer
      const asset = assets.find((candidate) => candidate.contractAddress === contractAddress)
      if (asset === undefined) return { refused: `There is no known token at ${contractAddress}.` }
      if (gasLimit < leastGas) return { refused: `The gas limit is below ${leastGas}.` }
      const feeUnits = gasLimit * gasPrice
      if (feeUnits + units > maxWord)
        return { refused: 'The amount and fee of the transaction are too large.' }
      return {
        hash: hashOf(bytes),
        bytes,
        uses: { kind: 'account', address: from, nonce },
        // A transfer of zero still uses up its nonce.
        outputs: units === 0n ? [] : [{ address: to, tag: null, units, currency: asset.currency }],
        debits: debitsOf(native, feeUnits, asset.currency, units),
        feeUnits,
        feeRate: gasPrice,
      }
    },
  }
}
