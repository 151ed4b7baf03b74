import { type AuditHead, brokenEnd, brokenLink, chainStart, operatorChain } from '../../domain/audit-log.ts'
import type { App } from '../app.ts'

/** A chain of the audit log as it was found. */
export type VerifiedChain = {
  /** Null: the operator's. */
  readonly merchantId: string | null
  /** The newest entry that is there. */
  readonly head: AuditHead
  /** The first thing that is wrong with it, in words; null when nothing is. */
  readonly broken: string | null
}

/**
 * Goes through every chain of the audit log: numbers without gaps, each entry the one that was written, each on top of the
 * one before it, and the newest the one that was kept. Whoever can write to the database can make a whole chain anew:
 * against that an operator keeps the newest hashes elsewhere, and names them as `kept`.
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
    begin(chain, head) {
      last = chainStart(chain)
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
  const broken = `entry ${other.seq} is not the one whose hash you have kept: ${other.hash.toString('hex')}`
  return { ...found, broken: found.broken ?? broken }
}

/** Chains that were kept and are not there at all. */
function unknown(found: readonly VerifiedChain[], wanted: ReadonlyMap<string, AuditHead>): VerifiedChain[] {
  const known = new Set(found.map(({ head }) => head.chain))
  return [...wanted.values()]
    .filter(({ chain }) => !known.has(chain))
    .map(({ chain, seq }) => ({
      merchantId: chain === operatorChain ? null : chain,
      head: chainStart(chain),
      broken: `all of it is missing; you have kept the hash of entry ${seq}`,
    }))
}
