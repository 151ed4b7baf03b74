/** A destination tag is a UInt32 of the XRP Ledger. */
export const maxTag = 2 ** 32 - 1

/** How many deposit addresses one account has. */
export const maxDepositTags = 2 ** 31 - 2

// Tags are handed out in a scattered order: (index + 1) · multiplier modulo a prime, which repeats nothing
// and never gives 0. Counted up one by one, a payer's slip of a digit would pay somebody else's invoice. With
// this multiplier, of the first 117 million tags no two differ in one digit or by two neighbours swapped, so
// a slip finds nobody. The prime is 2^31 - 1, so a reader that takes a tag for a signed number is right too.
// Neither may ever change: tags are out.
const prime = 2n ** 31n - 1n
const multiplier = 1_930_861_494n

const canonicalTag = /^(?:0|[1-9][0-9]{0,9})$/

/** The tag of deposit address number `index`, from 0. Never 0, which many take for no tag at all. */
export function depositTag(index: number): string {
  if (!Number.isInteger(index) || index < 0 || index >= maxDepositTags)
    throw new RangeError(
      `A deposit address of the account has a number from 0 to ${maxDepositTags - 1}, not ${index}.`,
    )
  return String(((BigInt(index) + 1n) * multiplier) % prime)
}

/** The tag's number, 0 included; null when it is none or written in another way than the plain one. */
export function parseTag(text: string): number | null {
  const tag = canonicalTag.test(text) ? Number(text) : null
  return tag === null || tag > maxTag ? null : tag
}
