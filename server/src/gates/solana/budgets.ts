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

/** The rent of a nonce account, in lamports: of 80 bytes. */
export const nonceAccountRent = 1_447_680n

/** What a wallet keeps, in lamports: the rent of an account without data. */
export const walletRent = 890_880n

/** What using up a value of a nonce account takes. */
export const cancelBudget: ComputeBudget = { computeLimit: base, rentUnits: 0n, signatures: 1 }

/** What creating a nonce account takes. */
export const creationLimit = base

/** What a payout takes, with the rent of a token account that the receiver may not have yet. */
export function payoutBudget(isToken: boolean, memo: string | null): ComputeBudget {
  const noted = memo === null ? 0n : memoBase + memoByte * BigInt(Buffer.byteLength(memo))
  return isToken
    ? { computeLimit: base + tokenTransfer + opening + noted, rentUnits: tokenAccountRent, signatures: 1 }
    : { computeLimit: base + transfer + noted, rentUnits: 0n, signatures: 1 }
}

/** What emptying so many deposit addresses takes. The hot wallet may not have a token account yet. */
export function sweepBudget(isToken: boolean, sources: number): ComputeBudget {
  const each = isToken ? tokenTransfer + closing : transfer
  return {
    computeLimit: base + BigInt(sources) * each + (isToken ? opening : 0n),
    rentUnits: isToken ? tokenAccountRent : 0n,
    signatures: 1 + sources,
  }
}

/** How many deposit addresses fit into a transaction of 1,232 bytes. */
export function maxSources(isToken: boolean): number {
  return isToken ? 5 : 8
}
