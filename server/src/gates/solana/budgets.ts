import type { TokenProgram } from '../../domain/solana-transaction.ts'
import type { ComputeBudget } from '../../domain/spends.ts'

// The compute units of each part, with a margin: unused ones are paid, but cost next to nothing.
const base = 1_000n
const transfer = 300n
const tokenTransfer = 10_000n
const opening = 60_000n
const closing = 5_000n
// The program's slower version looks at every byte: 512 of them take 181,000.
const memoBase = 20_000n
const memoByte = 400n

/** The rent of a token account, in lamports: of 165 bytes, which every account of the token program has. */
export const tokenAccountRent = 2_039_280n

// Token-2022 adds what a mint asks of every account: that its owner never changes, fees, hooks. Most take 170 to 190 bytes.
const newerAccountRent = 2_672_640n

/** What to plan for opening a token account, in lamports; for Token-2022 that of 256 bytes. */
export function accountRentOf(program: TokenProgram): bigint {
  return program === 'token' ? tokenAccountRent : newerAccountRent
}

/** The rent of a nonce account, in lamports: of 80 bytes. */
export const nonceAccountRent = 1_447_680n

/** What a wallet keeps, in lamports: the rent of an account without data. */
export const walletRent = 890_880n

/** What using up a value of a nonce account takes. */
export const cancelBudget: ComputeBudget = { computeLimit: base, rentUnits: 0n, signatures: 1 }

// The newer program looks for extensions at every step.
const newerTimes = 2n

/** What the steps of a token's transfer take. */
function stepsOf(program: TokenProgram) {
  const times = program === 'token' ? 1n : newerTimes
  return { moving: times * tokenTransfer, opening: times * opening, closing: times * closing }
}

/** What a payout takes, with the rent of a token account that the receiver may not have yet. `program` is null for SOL. */
export function payoutBudget(program: TokenProgram | null, memo: string | null): ComputeBudget {
  const noted = memo === null ? 0n : memoBase + memoByte * BigInt(Buffer.byteLength(memo))
  if (program === null) return { computeLimit: base + transfer + noted, rentUnits: 0n, signatures: 1 }
  const steps = stepsOf(program)
  return {
    computeLimit: base + steps.moving + steps.opening + noted,
    rentUnits: accountRentOf(program),
    signatures: 1,
  }
}

/** What emptying this number of deposit addresses takes. The hot wallet may not have a token account yet. */
export function sweepBudget(program: TokenProgram | null, sources: number): ComputeBudget {
  const signatures = 1 + sources
  const count = BigInt(sources)
  if (program === null) return { computeLimit: base + count * transfer, rentUnits: 0n, signatures }
  const steps = stepsOf(program)
  return {
    computeLimit: base + count * (steps.moving + steps.closing) + steps.opening,
    rentUnits: accountRentOf(program),
    signatures,
  }
}

/** How many deposit addresses fit into a transaction of 1,232 bytes. */
export function maxSources(isToken: boolean): number {
  return isToken ? 5 : 8
}
