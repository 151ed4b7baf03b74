import type { NotedEnding } from '../../store/audit/audit-log.ts'
import type { Store } from '../../store/store.ts'
import type { Happening } from './happening.ts'

/** The names of those who did something. Former members have the name in the audit log. */
export async function namesIn(
  { approvalFacts }: Store,
  happenings: readonly Happening[],
  endings: readonly NotedEnding[],
): Promise<ReadonlyMap<string, string>> {
  const actors = new Set(happenings.flatMap(({ by }) => (by == null ? [] : [by])))
  const noted = endings.map(({ actor, name }) => [actor, name] as const)
  return new Map([...noted, ...(await approvalFacts.namesOf([...actors]))])
}
