import type { PreparedAccountRefill } from '../app/spends/cold/write-account-refill.ts'

/** The file of a refill from an account: what a person compares, and the transaction in the forms that wallets take. */
export function accountRefillFile(made: PreparedAccountRefill): string {
  const file = {
    refill: made.id,
    gate: made.gateId,
    from: made.coldAddress,
    hot_wallet: made.hotAddress,
    amount: `${made.amount} ${made.currency}`,
    highest_fee: `${made.fee} ${made.feeCurrency}`,
    transaction: made.transaction,
    unsigned: made.unsigned,
  }
  return `${JSON.stringify(file, null, 2)}\n`
}

export function accountRefillAnswer(made: PreparedAccountRefill, file: string) {
  return {
    refill_id: made.id,
    gate_id: made.gateId,
    currency: made.currency,
    amount: made.amount,
    highest_fee: made.fee,
    fee_currency: made.feeCurrency,
    nonce: made.nonce.toString(),
    cold_address: made.coldAddress,
    hot_address: made.hotAddress,
    file,
  }
}

export function accountRefillInWords(made: ReturnType<typeof accountRefillAnswer>): string {
  return [
    `Refill ${made.refill_id} of ${made.gate_id} is in ${made.file}. It pays`,
    `  ${made.amount} ${made.currency} from ${made.cold_address}, your cold wallet`,
    `  to ${made.hot_address}, your hot wallet`,
    `  ${made.highest_fee} ${made.fee_currency} to the network, at most`,
    `Sign it with the cold wallet (nonce ${made.nonce}), put the signed transaction into a file, then:`,
    `  npx sluice wallet refill --submit FILE`,
  ].join('\n')
}

const textStarts = ['{', '"', '0x']
// The first bytes of a signed EIP-1559 and of a legacy transaction. No PSBT and no Bitcoin transaction begins like this.
const byteStarts = /^(02)?f[89]/i

/** Whether a file that was handed in is for a network with accounts, and no PSBT or transaction of coins. */
export function isAccountRefillFile(file: Uint8Array): boolean {
  const text = Buffer.from(file.subarray(0, 100)).toString('latin1').trimStart()
  const bytes = Buffer.from(file.subarray(0, 2)).toString('hex')
  return textStarts.some((start) => text.startsWith(start)) || byteStarts.test(text) || byteStarts.test(bytes)
}
