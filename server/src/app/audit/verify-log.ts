import { type AuditHead, brokenEnd, brokenLink, chainStart, operatorChain } from '../../domain/audit-log.ts'
import type { App } from '../app.ts'

/** The result of verifying one chain of the audit log. */
export type VerifiedChain = {
  /** Null for the operator's chain. */
  readonly merchantId: string | null
  /** The newest entry found. */
  readonly head: AuditHead
  /** The first problem found, in words; null when the chain is intact. */
  readonly broken: string | null
}

/**
 * Verifies every chain of the audit log, from the oldest entry that is kept: no gaps in the numbering, each entry unchanged and linked to the one before it, and
 * the newest entry matching the stored head. An attacker with write access to the database could rebuild a whole chain; to
 * detect that, the operator keeps the newest hashes elsewhere and passes them as `kept`.
 */
export async function verifyLog(
  app: Pick<App, 'store'>,
  kept: readonly AuditHead[] = [],
): Promise<VerifiedChain[]> {
  const chains: VerifiedChain[] = []
  const wanted = new Map(kept.map((head) => [`${head.chain} ${head.seq}`, head]))
  let last = chainStart(operatorChain)
  let keptHead: AuditHead | null = null
  let broken: string | null = null
  await app.store.auditLog.walk({
    begin(chain, head, root) {
      last = root ?? chainStart(chain)
      // What was deleted as too old cannot be compared any more, except for the hash that the rest of the chain follows.
      for (const [name, { seq, hash }] of [...wanted].filter(([, kept]) => kept.chain === chain))
        if (root !== null && (seq < root.seq || (seq === root.seq && hash.equals(root.hash))))
          wanted.delete(name)
      keptHead = head
      broken = null
    },
    entry(entry) {
      broken ??= brokenLink(last, entry)
      const named = wanted.get(`${entry.chain} ${entry.seq}`)
      if (named?.hash.equals(entry.hash)) wanted.delete(`${entry.chain} ${entry.seq}`)
      last = { chain: entry.chain, seq: entry.seq, hash: entry.hash }
    },
    end() {
      const merchantId = last.chain === operatorChain ? null : last.chain
      chains.push({ merchantId, head: last, broken: broken ?? brokenEnd(last, keptHead) })
    },
  })
  return [...chains.map((chain) => missed(chain, wanted)), ...unknown(chains, wanted)]
}

function missed(found: VerifiedChain, wanted: ReadonlyMap<string, AuditHead>): VerifiedChain {
  const other = [...wanted.values()].find(({ chain }) => chain === found.head.chain)
  if (other === undefined) return found
  const broken = `entry ${other.seq} does not have the hash you kept: ${other.hash.toString('hex')}`
  return { ...found, broken: found.broken ?? broken }
}

/** Chains that the operator has kept a hash of but that are missing entirely. */
function unknown(found: readonly VerifiedChain[], wanted: ReadonlyMap<string, AuditHead>): VerifiedChain[] {
  const known = new Set(found.map(({ head }) => head.chain))
  return [...wanted.values()]
    .filter(({ chain }) => !known.has(chain))
    .map(({ chain, seq }) => ({
      merchantId: chain === operatorChain ? null : chain,
      head: chainStart(chain),
      broken: `the whole chain is missing; you kept the hash of entry ${seq}`,
    }))
}
