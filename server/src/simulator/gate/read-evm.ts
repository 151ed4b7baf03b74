import { maxWord } from '../../gates/evm/abi-words.ts'
import { hashOf } from '../../gates/evm/hex.ts'
import { readTransfer } from '../../gates/evm/transaction.ts'
import { type GateAsset, nativeOf } from '../../gates/gate.ts'
import { debitsOf } from './account-debits.ts'
import type { SignedBytesReader } from './signed-bytes.ts'

// What every transaction takes before anything runs.
const leastGas = 21_000n

/**
 * Reads EIP-1559 transfers of the network's coin and of its tokens, to one or to several at once: the simulator runs no other
 * contract, and asks nobody whether that one was allowed to. All the gas that a transaction allows is taken, so its cost is the
 * most it can be.
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
      if (asset === undefined) return { refused: `No token is known at ${contractAddress}.` }
      if (gasLimit < leastGas) return { refused: `The gas limit is below ${leastGas}.` }
      const feeUnits = gasLimit * gasPrice
      if (feeUnits + units > maxWord) return { refused: 'The transaction costs more than can be counted.' }
      return {
        hash: hashOf(bytes),
        uses: { kind: 'account', address: from, nonce },
        // What pays nothing still uses up its number.
        outputs: units === 0n ? [] : [{ address: to, tag: null, units, currency: asset.currency }],
        debits: debitsOf(native, feeUnits, asset.currency, units),
        feeUnits,
        feeRate: gasPrice,
      }
    },
  }
}
