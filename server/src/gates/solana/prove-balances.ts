import { shownText } from '../shown-text.ts'
import { UntrueAnswer } from '../trial/untrue.ts'
import { unbelievable } from '../unbelievable.ts'

type Answer = Readonly<Record<string, unknown>>

// Lamports have 64 bits. As a JSON number, the largest is rounded to this.
const mostLamports = 2 ** 64

/**
 * Refuses a transaction whose accounts have more SOL afterwards than before, or balances that are no amounts. Returns whether all
 * were counted exactly: lamports are JSON numbers, and what one above 2^53 loses may have been made.
 */
export function proveBalances(call: string, name: string, accounts: number, meta: Answer): boolean {
  const before = amountsIn(meta.preBalances)
  const after = amountsIn(meta.postBalances)
  if (before.length !== accounts || after.length !== accounts)
    throw new UntrueAnswer({
      call,
      said: `that ${name} has ${before.length} balances before and ${after.length} after`,
      truth: `it has ${accounts} accounts`,
    })
  const fee = lamportsIn('the fee', meta.fee)
  const [had, has] = [sumOf(before), sumOf(after)]
  const made = has + fee - had
  const lost = sumOf([...before, ...after, fee].map(mostLostOf))
  if (made > lost)
    throw new UntrueAnswer({
      call,
      said: `that ${name} leaves ${has} lamports and pays a fee of ${fee}`,
      truth: `its accounts had ${had} before, which is ${made} less`,
    })
  return lost === 0n

  function amountsIn(balances: unknown): readonly bigint[] {
    if (!Array.isArray(balances))
      return unbelievable('a transaction does not have one balance for each account')
    return balances.map((each) => lamportsIn('a balance', each))
  }

  function lamportsIn(what: string, value: unknown): bigint {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= mostLamports)
      return BigInt(value)
    throw new UntrueAnswer({
      call,
      said: `that ${what} of ${name} is ${shownText(value)}`,
      truth: 'it must be a whole number of lamports',
    })
  }
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, each) => sum + each, 0n)
}

/** How much rounding may have taken from it, or added: half of the distance between numbers of its size, or a little more. */
function mostLostOf(amount: bigint): bigint {
  return amount >> 53n
}
