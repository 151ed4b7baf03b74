import { type GateAsset, nativeOf } from '../../gates/gate.ts'
import { readXrpBytes } from '../../gates/xrp/sign-plan.ts'
import { readTransaction } from '../../gates/xrp/transaction.ts'
import { debitsOf } from './account-debits.ts'
import type { SignedBytesReader } from './signed-bytes.ts'

// The ledger's lowest transaction cost, in drops.
const baseFee = 10n

/**
 * Reads payments, trust lines, and transactions that do nothing, as a server of the XRP Ledger would. On the simulated ledger every
 * account trusts every issuer, as all of its accounts exist: the sandbox has no one who could prepare them.
 */
export function xrpReader(assets: readonly GateAsset[]): SignedBytesReader {
  const native = nativeOf(assets).currency
  return {
    coinsOf: (bytes) => ('refused' in readTransaction(bytes) ? null : []),

    read(bytes) {
      const found = readTransaction(bytes)
      if ('refused' in found) return found
      const { account, sequence, fee, payment } = found.transaction
      if (sequence === 0) return { refused: 'temSEQ_AND_TICKET: it has no sequence number.' }
      const read = readXrpBytes(bytes, assets)
      if ('refused' in read) return read
      if (read.kind !== 'account') return { refused: 'The simulated ledger has accounts only.' }
      const { nonce, to, units, contractAddress } = read
      const { currency = native } = assets.find((each) => each.contractAddress === contractAddress) ?? {}
      if (fee < baseFee) return { refused: `telINSUF_FEE_P: the fee is below ${baseFee} drops.` }
      if (payment !== null && units === 0n) return { refused: 'temBAD_AMOUNT: it pays nothing.' }
      if (payment?.destination === account)
        return { refused: 'temREDUNDANT: it pays the account that sends it.' }
      return {
        hash: found.hash,
        bytes: null,
        uses: { kind: 'account', address: account, nonce },
        outputs: payment === null ? [] : [{ ...to, currency, units }],
        debits: debitsOf(native, fee, currency, units),
        feeUnits: fee,
        feeRate: fee,
      }
    },
  }
}
