// The prefix that all addresses of a kind share does not tell owners apart.
const commonStart = /^(0x|(?:bc|tb|bcrt|ltc|tltc|rltc)1[qp]?)/i
const shownEnds = 4
const smallDistance = 3

/** How one address resembles a different one. */
export type Likeness = 'case' | 'ends' | 'typing'

/**
 * How two different addresses could be mistaken for each other; null when they could not. Either only upper and lower
 * case differ; or start and end are equal, which is all that many people compare and what address poisoning exploits;
 * or they are a few typing mistakes apart.
 */
export function likenessOf(address: string, other: string): Likeness | null {
  if (address === other) return null
  if (address.toLowerCase() === other.toLowerCase()) return 'case'
  const [own, its] = [address, other].map((each) => each.replace(commonStart, '').toLowerCase()) as [
    string,
    string,
  ]
  if (own.slice(0, shownEnds) === its.slice(0, shownEnds) && own.slice(-shownEnds) === its.slice(-shownEnds))
    return 'ends'
  return editDistanceWithin(own, its, smallDistance) ? 'typing' : null
}

/** Whether at most `most` insertions, removals and replacements turn one text into the other. */
export function editDistanceWithin(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    // No later value can be lower than the minimum of this row.
    if (Math.min(...next) > most) return false
    row = next
  }
  return (row[b.length] as number) <= most
}
