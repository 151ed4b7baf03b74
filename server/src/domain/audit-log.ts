import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import type { Environment } from './environment.ts'

/** The chain of who runs the service: what belongs to no merchant. */
export const operatorChain = '00000000-0000-0000-0000-000000000000'

/** Before the first entry. */
const firstHash = Buffer.alloc(32)

/** In whose name something was done, and from where. */
export type Actor = {
  /** `user:<id>`, `cli:<name>`, or `service:<part>`. */
  readonly actor: string
  readonly name: string
  readonly ip: string | null
  readonly userAgent: string | null
}

/** Something a person did. */
export type Act = {
  readonly environment: Environment | null
  /** `<noun>.<what was done>`: `payout.approved`. */
  readonly action: string
  /** The id of what it was done to. */
  readonly subject: string | null
  /** More, for people to read; never a secret. */
  readonly details: Readonly<Record<string, string | number | boolean | null | readonly string[]>>
}

export type AuditEntry = Act & {
  readonly chain: string
  readonly seq: bigint
  readonly at: Date
  readonly by: Actor
  readonly previousHash: Buffer
  readonly hash: Buffer
}

/** What an entry's hash must be: SHA-256 over the canonical JSON of all it says, and of the hash before it. */
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

/** Where a chain stands: its newest entry. */
export type AuditHead = { readonly chain: string; readonly seq: bigint; readonly hash: Buffer }

/** Before the first entry of a chain. */
export function chainStart(chain: string): AuditHead {
  return { chain, seq: 0n, hash: firstHash }
}

/** What is wrong with an entry that should follow what came before it, in words; null when nothing is. */
export function brokenLink(before: AuditHead, entry: AuditEntry): string | null {
  if (entry.seq !== before.seq + 1n)
    return `entry ${before.seq + 1n} is missing: the next one there is has the number ${entry.seq}`
  if (!entry.previousHash.equals(before.hash))
    return `entry ${entry.seq} does not follow the one before it: another stood there when it was written`
  if (!entry.hash.equals(auditHash(entry)))
    return `entry ${entry.seq} (${entry.action}) is not what it was when it was written`
  return null
}

/** What is wrong with the end of a chain, whose kept head is `head` and whose last entry is `last`; null when nothing is. */
export function brokenEnd(last: AuditHead, head: AuditHead | null): string | null {
  if (head === null)
    return `its newest entry was not kept: the log says ${last.seq} entries, and nothing says that these are all`
  if (head.seq > last.seq)
    return `entry ${last.seq + 1n} is missing, and so is everything after it up to ${head.seq}`
  if (head.seq < last.seq) return `entry ${head.seq + 1n} was added past the newest one that was kept`
  return head.hash.equals(last.hash) ? null : `entry ${last.seq} is not the newest one that was kept`
}
