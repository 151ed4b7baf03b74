import { inGroups } from '@sluice/web/ui/amounts.ts'

/** Which groups of an address differ from a similar one: the eye skips them, so they are highlighted. */
export function differingGroups(address: string, other: string): readonly boolean[] {
  const known = inGroups(other)
  const groups = inGroups(address)
  const length = Math.max(groups.length, known.length)
  return Array.from({ length }, (_, n) => groups[n] !== known[n])
}
