import type { App } from '../app.ts'

export type Audit = { readonly ok: boolean; readonly differences: string[] }

/** Checks every promise of the books against the stored rows and lists the differences, up to a bound for each promise. */
export async function auditBooks(app: Pick<App, 'store'>): Promise<Audit> {
  const results = await app.store.audit.run()
  const differences = results.flatMap(({ promise, differences: named, total }) =>
    total > named.length ? [...named, `and ${total - named.length} more against: ${promise}`] : named,
  )
  return { ok: differences.length === 0, differences }
}
