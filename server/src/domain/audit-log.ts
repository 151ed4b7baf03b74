import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import type { Environment } from './environment.ts'

/** The chain of who runs the service: what belongs to no merchant. */
export const operatorChain = '00000000-0000-0000-0000-000000000000'

/** Before the first entry. */
export const firstHash = Buffer.alloc(32)

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
    ...{ chain, seq: seq.toString(), at: at.toISOString(), environment, action, subject, details },
    ...{ actor: by.actor, actor_name: by.name, ip: by.ip, user_agent: by.userAgent },
    previous: previousHash.toString('hex'),
  }
  return createHash('sha256').update(canonicalJson(said)).digest()
}
