import { type GateAsset, nativeOf } from '../../gates/gate.ts'
import { nonceOf } from '../../gates/xrp/sign-plan.ts'
import { readTransaction } from '../../gates/xrp/transaction.ts'
import { debitsOf } from './account-debits.ts'
import type { SignedBytesReader } from './signed-bytes.ts'

// The ledger's lowest transaction cost, in drops.
const baseFee = 10n

/** Reads payments in XRP, and transactions that do nothing, as a server of the XRP Ledger would. */
export function xrpReader(assets: readonly GateAsset[]): SignedBytesReader {
  const native = nativeOf(assets).currency
  return {
    coinsOf: (bytes) => ('refused' in readTransaction(bytes) ? null : []),

    read(bytes) {
      const found = readTransaction(bytes)
      if ('refused' in found) return found
      const { account, fee, payment } = found.transaction
      const nonce = nonceOf(found.transaction)
      if (nonce < 0n) return { refused: 'temSEQ_AND_TICKET: it has no sequence number.' }
      if (fee < baseFee) return { refused: `telINSUF_FEE_P: the fee is below ${baseFee} drops.` }
      if (payment?.amount === 0n) return { refused: 'temBAD_AMOUNT: it pays nothing.' }
      if (payment?.destination === account)
        return { refused: 'temREDUNDANT: it pays the account that sends it.' }
      const units = payment?.amount ?? 0n
      return {
        hash: found.hash,
        bytes: null,
        uses: { kind: 'account', address: account, nonce },
        outputs:
          payment === null
            ? []
            : [
                {
                  address: payment.destination,
                  tag: payment.tag === null ? null : String(payment.tag),
                  currency: native,
                  units,
                },
              ],
        debits: debitsOf(native, fee, native, units),
        feeUnits: fee,
        feeRate: fee,
      }
    },
  }
}
