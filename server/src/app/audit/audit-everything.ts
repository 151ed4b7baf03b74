import type { AuditHead } from '../../domain/audit-log.ts'
import type { App } from '../app.ts'
import { auditBooks } from './audit-books.ts'
import { type VerifiedChain, verifyLog } from './verify-log.ts'

/** Checks the books and every chain of the audit log, and notes that it was done and what came of it. */
export async function auditEverything(
  app: Pick<App, 'store'>,
  kept: readonly AuditHead[] = [],
): Promise<{
  readonly ok: boolean
  readonly differences: string[]
  readonly chains: readonly VerifiedChain[]
}> {
  const books = await auditBooks(app)
  const chains = await verifyLog(app, kept)
  const broken = chains.flatMap(({ merchantId, broken: what }) =>
    what === null
      ? []
      : [`audit log of ${merchantId === null ? 'the operator' : `merchant ${merchantId}`}: ${what}`],
  )
  const differences = [...books.differences, ...broken]
  const ok = differences.length === 0
  await app.store.auditLog.noteAudit(ok)
  return { ok, differences, chains }
}
