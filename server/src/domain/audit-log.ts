import { createHash } from 'node:crypto'
import type { AuditAction } from './audit-actions.ts'
import { canonicalJson } from './canonical-json.ts'
import type { Environment } from './environment.ts'

/** The operator's chain: entries that belong to no merchant. */
export const operatorChain = '00000000-0000-0000-0000-000000000000'

/** The previous hash of a chain's first entry. */
const firstHash = Buffer.alloc(32)

/** Who did something, and from where. */
export type Actor = {
  /** `user:<id>`, `key:<id>`, `cli:<name>`, or `service:<part>`. */
  readonly actor: string
  readonly name: string
  readonly ip: string | null
  readonly userAgent: string | null
}

/** Something that was done. */
export type Act = {
  readonly environment: Environment | null
  readonly action: AuditAction
  /** The id of the resource it was done to. */
  readonly subject: string | null
  /** Further details for people to read; never a secret. */
  readonly details: Readonly<Record<string, string | number | boolean | null | readonly string[]>>
}

export type AuditEntry = Omit<Act, 'action'> & {
  /** An `AuditAction`, or one of another version. */
  readonly action: string
  readonly chain: string
  readonly seq: bigint
  readonly at: Date
  readonly by: Actor
  readonly previousHash: Buffer
  readonly hash: Buffer
}

/** An entry's correct hash: SHA-256 over the canonical JSON of its content and of the previous entry's hash. */
export function auditHash({ hash: _, by, ...entry }: Omit<AuditEntry, 'hash'> & { hash?: Buffer }): Buffer {
  const { chain, seq, at, environment, action, subject, details, previousHash } = entry
  const said = {
    chain,
    seq: seq.toString(),
    at: at.toISOString(),
    environment,
    action,
    subject,
    details,
    actor: by.actor,
    actor_name: by.name,
    ip: by.ip,
    user_agent: by.userAgent,
    previous: previousHash.toString('hex'),
  }
  return createHash('sha256').update(canonicalJson(said)).digest()
}

/** The newest entry of a chain. */
export type AuditHead = { readonly chain: string; readonly seq: bigint; readonly hash: Buffer }

/** The head of a chain that has no entries yet. */
export function chainStart(chain: string): AuditHead {
  return { chain, seq: 0n, hash: firstHash }
}

/** Why an entry does not follow `before`, in words; null when it does. */
export function brokenLink(before: AuditHead, entry: AuditEntry): string | null {
  if (entry.seq !== before.seq + 1n)
    return `entry ${before.seq + 1n} is missing: the next entry is number ${entry.seq}`
  if (!entry.previousHash.equals(before.hash))
    return `entry ${entry.seq} does not follow the entry before it: that entry was replaced after ${entry.seq} was written`
  if (!entry.hash.equals(auditHash(entry)))
    return `entry ${entry.seq} (${entry.action}) was changed after it was written`
  return null
}

/** Why a chain that ends with the entry `last` contradicts its stored head, in words; null when it does not. */
export function brokenEnd(last: AuditHead, head: AuditHead | null): string | null {
  if (head === null)
    return `its head is missing: the log has ${last.seq} entries, and nothing proves that these are all`
  if (head.seq > last.seq)
    return `entry ${last.seq + 1n} is missing, and so are all entries after it up to ${head.seq}`
  if (head.seq < last.seq) return `entry ${head.seq + 1n} was added after the recorded head`
  return head.hash.equals(last.hash) ? null : `entry ${last.seq} is not the recorded head`
}
