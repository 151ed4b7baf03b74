import type { AuditHead } from '../../domain/audit-log.ts'
import { GateOutageError } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { checkCoins } from '../spends/planning/check-coins.ts'
import { auditAddresses } from './audit-addresses.ts'
import { auditBooks } from './audit-books.ts'
import { type VerifiedChain, verifyLog } from './verify-log.ts'

/** Asks every node that answers which coins of the books exist on its chain; the audit that follows includes the result. */
async function lookAtCoins(app: Pick<App, 'store' | 'reports' | 'gates'>): Promise<void> {
  for (const gate of app.gates.list()) {
    try {
      await checkCoins(app, gate, { evenIfBehind: true, evenIfUnproven: true })
    } catch (error) {
      if (!(error instanceof GateOutageError)) throw error
    }
  }
}

/** Checks the books, the deposit addresses and every chain of the audit log, and records the audit and its result. */
export async function auditEverything(
  app: Pick<App, 'store' | 'reports' | 'gates' | 'proofs'>,
  kept: readonly AuditHead[] = [],
): Promise<{
  readonly ok: boolean
  readonly differences: string[]
  readonly chains: readonly VerifiedChain[]
}> {
  await lookAtCoins(app)
  const books = await auditBooks(app)
  const chains = await verifyLog(app, kept)
  const broken = chains.flatMap(({ merchantId, broken: what }) =>
    what === null
      ? []
      : [`audit log of ${merchantId === null ? 'the operator' : `merchant ${merchantId}`}: ${what}`],
  )
  const differences = [...books.differences, ...(await auditAddresses(app)), ...broken]
  const ok = differences.length === 0
  await app.store.auditLog.noteAudit(ok)
  return { ok, differences, chains }
}
