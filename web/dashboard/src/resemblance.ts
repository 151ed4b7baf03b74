import { inGroups } from '@sluice/web/ui/amounts.ts'

/** Which groups of an address are not those of another one that looks like it: what an eye skips is marked. */
export function differingGroups(address: string, other: string): readonly boolean[] {
  const known = inGroups(other)
  const groups = inGroups(address)
  const length = Math.max(groups.length, known.length)
  return Array.from({ length }, (_, n) => groups[n] !== known[n])
}
