export type Amount = { readonly address: string; readonly currency: string; readonly units: bigint }

/** A transaction that may come into a block, and what that depends on. */
export type Candidate = {
  readonly hash: string
  readonly height: bigint | null
  /** Transactions whose outputs it spends and that no block below holds. */
  readonly needs: readonly string[]
  readonly account: { readonly address: string; readonly nonce: bigint } | null
  readonly debits: readonly Amount[]
  /** What it pays to accounts that send something here. */
  readonly credits: readonly Amount[]
}

/**
 * Puts transactions into blocks by the rules of a chain: a coin exists before it is spent, an account's numbers come
 * one after the other, and no account pays what it does not have.
 */
export class BlockOrder {
  readonly #nonces: Map<string, bigint>
  readonly #balances: Map<string, bigint>
  readonly #placed = new Set<string>()

  /** What holds at the end of the chain that is built on. */
  constructor(nonces: Iterable<readonly [string, bigint]>, balances: Iterable<Amount>) {
    this.#nonces = new Map(nonces)
    this.#balances = new Map([...balances].map((amount) => [purse(amount), amount.units]))
  }

  /** Fills the next block with as many of these as can follow, in their order; `left` cannot, or found no room. */
  fill(candidates: readonly Candidate[], room: number): { taken: Candidate[]; left: Candidate[] } {
    const taken: Candidate[] = []
    let left = [...candidates]
    // Each round may make room for what waited on another: a round without any is the last.
    for (let before = -1; before < taken.length && taken.length < room; ) {
      before = taken.length
      const later: Candidate[] = []
      for (const candidate of left) {
        if (taken.length < room && this.#canFollow(candidate)) {
          this.#place(candidate)
          taken.push(candidate)
        } else later.push(candidate)
      }
      left = later
    }
    return { taken, left }
  }

  #canFollow({ needs, account, debits }: Candidate): boolean {
    return (
      needs.every((hash) => this.#placed.has(hash)) &&
      (account === null || account.nonce === (this.#nonces.get(account.address) ?? 0n)) &&
      debits.every((debit) => (this.#balances.get(purse(debit)) ?? 0n) >= debit.units)
    )
  }

  #place({ hash, account, debits, credits }: Candidate): void {
    this.#placed.add(hash)
    if (account !== null) this.#nonces.set(account.address, account.nonce + 1n)
    for (const debit of debits) this.#add(debit, -debit.units)
    for (const credit of credits) this.#add(credit, credit.units)
  }

  #add(amount: Amount, units: bigint): void {
    this.#balances.set(purse(amount), (this.#balances.get(purse(amount)) ?? 0n) + units)
  }
}

const purse = ({ address, currency }: Amount) => `${address} ${currency}`
