export type Amount = { readonly address: string; readonly currency: string; readonly units: bigint }

/** A transaction that may go into a block, and what it depends on. */
export type Candidate = {
  readonly hash: string
  readonly height: bigint | null
  /** Transactions whose outputs it spends and that are in no block below. */
  readonly needs: readonly string[]
  readonly account: { readonly address: string; readonly nonce: bigint } | null
  readonly debits: readonly Amount[]
  /** What it pays to accounts that are senders among the candidates. */
  readonly credits: readonly Amount[]
  /** Its network fee, in the native currency; where it is known. */
  readonly feeUnits?: bigint
}

/**
 * Places transactions into blocks by the rules of a chain: a coin exists before it is spent, an account's nonces are used in
 * order, and no account pays what it does not have. With `failing`, a transfer of tokens that the account does not have is
 * executed anyway: it fails, and takes its nonce and its fee. Otherwise it would hold up everything that the account sends
 * after it.
 */
export class BlockOrder {
  readonly #nonces: Map<string, bigint>
  readonly #balances: Map<string, bigint>
  readonly #placed = new Set<string>()

  /** The state at the tip of the chain to build on. */
  constructor(nonces: Iterable<readonly [string, bigint]>, balances: Iterable<Amount>) {
    this.#nonces = new Map(nonces)
    this.#balances = new Map([...balances].map((amount) => [purse(amount), amount.units]))
  }

  /**
   * Fills the next block with as many of these as can follow, in their order. `left` are those that cannot, or found no
   * room.
   */
  fill(
    candidates: readonly Candidate[],
    room: number,
    { failing = false }: { readonly failing?: boolean } = {},
  ): { taken: Candidate[]; left: Candidate[]; failed: string[] } {
    const taken: Candidate[] = []
    const failed: string[] = []
    let left = [...candidates]
    // Each round may unblock transactions that depend on others. A round that places none is the last.
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
      const fails = failing && before === taken.length ? left.find((each) => this.#fails(each)) : undefined
      if (fails === undefined) continue
      this.#place({
        ...fails,
        debits: fails.debits.filter((debit) => isFee(fails.feeUnits, debit)),
        credits: [],
      })
      taken.push(fails)
      failed.push(fails.hash)
      left = left.filter((each) => each !== fails)
    }
    return { taken, left, failed }
  }

  /** Whether it is its turn, and the account has the fee but not the tokens. */
  #fails({ needs, account, debits, feeUnits }: Candidate): boolean {
    const isThere = (debit: Amount) => (this.#balances.get(purse(debit)) ?? 0n) >= debit.units
    return (
      needs.length === 0 &&
      account !== null &&
      account.nonce === (this.#nonces.get(account.address) ?? 0n) &&
      debits.some((debit) => isFee(feeUnits, debit) && isThere(debit)) &&
      debits.some((debit) => !isThere(debit))
    )
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

// A transfer of the native currency has a single debit, of amount and fee together.
const isFee = (feeUnits: bigint | undefined, { units }: Amount) => units === feeUnits

const purse = ({ address, currency }: Amount) => `${address} ${currency}`
