import { Transaction } from '@scure/btc-signer'
import { type Hex, parseTransaction } from 'viem'
import { writeAccountRefill } from '../../src/app/spends/cold/write-account-refill.ts'
import { writeRefill } from '../../src/app/spends/cold/write-refill.ts'
import { hashOf } from '../../src/gates/evm/hex.ts'
import type { Random } from '../simulation/random.ts'
import { operator, signWith } from '../support/shop/account-refills.ts'
import { sign } from '../support/shop/refills.ts'
import type { Side } from './refill-desk.ts'

// An output script that is not ours: P2WPKH of any twenty bytes.
const elsewhere = Buffer.from(`0014${'77'.repeat(20)}`, 'hex')
const moreFee = 50_000n

/** A cold wallet of coins, whose files are PSBTs. */
export function coinSide(random: Random): Side {
  return {
    gateId: 'bitcoin-test',
    prepare: () => ({
      kind: 'prepare',
      from: 'coins',
      gateId: 'bitcoin-test',
      amount: `0.${random.between(11, 30)}`,
    }),
    submit: (file) => ({ kind: 'submit', from: 'coins', file: Buffer.from(file).toString('base64') }),
    async write(app, id) {
      const { psbt } = await writeRefill(app, id)
      const made = (file: Uint8Array) => {
        const transaction = Transaction.fromPSBT(file)
        transaction.finalize()
        return { hash: transaction.id, bytes: transaction.extract(), file }
      }
      return {
        sign: async () => made(sign(psbt)),
        spendOtherwise: async () =>
          made(
            sign(psbt, (transaction) => {
              const { amount = 0n } = transaction.getOutput(0)
              transaction.updateOutput(0, { script: elsewhere, amount: amount - moreFee })
            }),
          ),
      }
    },
  }
}

/** A cold wallet that is an account, whose files are unsigned transactions. */
export function accountSide(random: Random): Side {
  return {
    gateId: 'ethereum-test',
    prepare: () => ({
      kind: 'prepare',
      from: 'account',
      gateId: 'ethereum-test',
      // Few amounts, so that two refills may be the same.
      ...random.pick<{ currency: string; amount: string }>([
        { currency: 'ETH', amount: '3' },
        { currency: 'USDT', amount: '7' },
        { currency: 'USDT', amount: '8' },
      ]),
    }),
    submit: (file) => ({ kind: 'submit', from: 'account', file: Buffer.from(file).toString('base64') }),
    async write(app, id) {
      const { unsigned } = await writeAccountRefill(app, id)
      const { maxFeePerGas = 0n } = parseTransaction(unsigned as Hex)
      const at = (times: bigint) => ({
        maxFeePerGas: maxFeePerGas * times,
        maxPriorityFeePerGas: maxFeePerGas * times,
      })
      const signed = async (changes: object) => {
        const text = await signWith(operator, unsigned, changes)
        const bytes = Buffer.from(text.slice(2), 'hex')
        return { hash: hashOf(bytes), bytes, file: Buffer.from(text) }
      }
      return {
        sign: (isDear) => signed(isDear ? at(2n) : {}),
        spendOtherwise: () => signed({ ...at(3n), to: operator.address, value: 0n, data: '0x' }),
      }
    },
  }
}
