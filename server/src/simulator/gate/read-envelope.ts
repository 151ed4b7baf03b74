import { type EnvelopeScheme, readEnvelope } from '../../gates/account-envelope.ts'
import { type GateAsset, nativeOf } from '../../gates/gate.ts'
import { debitsOf } from './account-debits.ts'
import type { SignedBytesReader } from './signed-bytes.ts'

export type EnvelopeReaderOptions = {
  readonly scheme: EnvelopeScheme
  readonly assets: readonly GateAsset[]
  /** Whether this can be paid at all: a canonical address of the network, with a valid tag. */
  readonly isDestination: (address: string, tag: string | null) => boolean
}

// Both networks count amounts and transactions in 64 bits.
const maxCount = 2n ** 64n - 1n

/** Reads the stand-in for transactions of networks for which we have no node. */
export function envelopeReader({ scheme, assets, isDestination }: EnvelopeReaderOptions): SignedBytesReader {
  const native = nativeOf(assets).currency
  return {
    coinsOf: (bytes) => ('refused' in readEnvelope(scheme, bytes) ? null : []),

    read(bytes) {
      const found = readEnvelope(scheme, bytes)
      if ('refused' in found) return found
      const { from, nonce, to, tag, currency, contract, units, gasLimit, gasPrice } = found.envelope
      if (!assets.some((asset) => asset.currency === currency && asset.contractAddress === contract))
        return { refused: `There is no ${currency} at ${contract} on this network.` }
      // A transfer of zero to the sender itself only uses up the nonce.
      const cancels = units === 0n && to === from
      if (!cancels && !isDestination(to, tag))
        return { refused: `${to} with tag ${tag} is not a valid destination.` }
      if ((units === 0n && !cancels) || gasLimit === 0n) return { refused: 'The transaction pays nothing.' }
      const feeUnits = gasLimit * gasPrice
      if (units + feeUnits > maxCount || nonce > maxCount)
        return { refused: 'The transaction contains a number that is too large for the network.' }
      return {
        hash: found.hash,
        bytes: null,
        uses: { kind: 'account', address: from, nonce },
        outputs: cancels ? [] : [{ address: to, tag, currency, units }],
        debits: debitsOf(native, feeUnits, currency, units),
        feeUnits,
        feeRate: gasPrice,
      }
    },
  }
}
