/** A destination tag is a UInt32 of the XRP Ledger. */
export const maxTag = 2 ** 32 - 1

/** How many deposit addresses one account has. */
export const maxDepositTags = 2 ** 31 - 2

// Tags are given out in scattered order: (index + 1) · multiplier modulo a prime, which never repeats and never gives 0.
// With consecutive tags, a payer who mistypes one digit would pay another invoice. With this multiplier, no two of the
// first 117 million tags differ in only one digit or by two swapped neighbours, so such a mistake hits no tag in use. The
// prime is 2^31 - 1, so that software that reads a tag as a signed number is right too. Neither number may ever change:
// tags are already in use.
const prime = 2n ** 31n - 1n
const multiplier = 1_930_861_494n

const canonicalTag = /^(?:0|[1-9][0-9]{0,9})$/

/** The tag of the deposit address at `index`, from 0. The tag is never 0, which many treat as no tag at all. */
export function depositTag(index: number): string {
  if (!Number.isInteger(index) || index < 0 || index >= maxDepositTags)
    throw new RangeError(`The index of a deposit address must be 0 to ${maxDepositTags - 1}, not ${index}.`)
  return String(((BigInt(index) + 1n) * multiplier) % prime)
}

/** The tag as a number, 0 included; null when the text is not a tag in plain decimal form. */
export function parseTag(text: string): number | null {
  const tag = canonicalTag.test(text) ? Number(text) : null
  return tag === null || tag > maxTag ? null : tag
}
