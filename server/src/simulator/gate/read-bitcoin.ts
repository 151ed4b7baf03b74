import { Transaction } from '@scure/btc-signer'
import { divide } from '../../domain/money.ts'
import type { ChainRules } from '../../domain/networks/bitcoin-rules.ts'
import { checkWitness } from '../../gates/bitcoin/check-witness.ts'
import { addressOf } from '../../gates/bitcoin/network.ts'
import { coinsOf, decodeTransaction } from '../../gates/bitcoin/read-transaction.ts'
import type { SignedBytesReader, SpentCoin } from './signed-bytes.ts'

const maxUnits = 2n ** 63n - 1n
// BIP-68: from this sequence on there is no time lock.
const noTimeLock = 2 ** 31

/** Reads transactions that spend P2WPKH outputs, which is all we sign. Time locks are not simulated and therefore refused. */
export function bitcoinReader(rules: ChainRules, currency: string): SignedBytesReader {
  return {
    coinsOf(bytes) {
      const decoded = decodeTransaction(bytes)
      return decoded === null ? null : coinsOf(decoded)
    },

    read(bytes, paid) {
      const decoded = decodeTransaction(bytes)
      if (decoded === null) return { refused: 'These bytes are not a transaction.' }
      const { version, inputs, witnesses, lockTime } = decoded
      if (inputs.length === 0 || decoded.outputs.length === 0)
        return { refused: 'The transaction spends or pays nothing.' }
      if (version < 1 || version > 2) return { refused: `Version ${version} is not standard.` }
      if (lockTime !== 0 || inputs.some(({ sequence }) => sequence < noTimeLock))
        return { refused: 'The transaction has a time lock.' }

      const outputs = decoded.outputs.map(({ amount, script }) => ({
        address: addressOf(rules, script),
        tag: null,
        currency,
        units: amount,
      }))
      if (!outputs.every(hasAddress)) return { refused: 'An output pays no address.' }
      if (outputs.some(({ units }) => units <= 0n || units > maxUnits))
        return { refused: 'An output has no valid amount.' }

      const coins = coinsOf(decoded)
      if (new Set(coins.map(nameOf)).size < coins.length) return { refused: 'A coin is spent twice.' }
      const transaction = Transaction.fromRaw(bytes)
      let inputUnits = 0n
      for (const [at, coin] of coins.entries()) {
        const spent = paid(coin)
        if (spent === undefined) return { refused: `There is no output ${nameOf(coin)}.` }
        if (inputs[at]?.finalScriptSig.length !== 0)
          return { refused: `Input ${at} is not spent by a witness alone.` }
        const problem = checkWitness(rules, transaction, at, witnesses?.[at] ?? [], spent)
        if (problem !== null) return { refused: problem }
        inputUnits += spent.units
      }

      const feeUnits = inputUnits - outputs.reduce((sum, { units }) => sum + units, 0n)
      if (feeUnits < 0n) return { refused: 'The transaction pays more than it spends.' }
      return {
        hash: transaction.id,
        bytes,
        uses: { kind: 'coins', coins },
        outputs,
        debits: [],
        feeUnits,
        feeRate: divide(feeUnits, BigInt(transaction.vsize), 'down'),
      }
    },
  }
}

function nameOf({ txHash, outputIndex }: SpentCoin): string {
  return `${txHash}:${outputIndex}`
}

function hasAddress<Output extends { readonly address: string | null }>(
  output: Output,
): output is Output & { readonly address: string } {
  return output.address !== null
}
