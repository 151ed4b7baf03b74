import type { NewDevice, Notice, PolicyNotice, WaitingPasskey } from '../../domain/notices.ts'
import { type Db, sql } from '../sql.ts'

/** A mail to be sent. Its text is written when it is sent. */
export type Mail = { readonly id: string; readonly recipient: string } & (
  | (Plain & { readonly kind: 'reset' })
  | (Omit<Plain, 'linkId'> & { readonly kind: 'invitation'; readonly linkId: string })
  | (Omit<Plain, 'notice'> & { readonly kind: 'notice'; readonly notice: Notice })
  | (Omit<Plain, 'device'> & { readonly kind: 'new_device'; readonly device: NewDevice })
  | (Omit<Plain, 'policyChange'> & { readonly kind: 'policy_change'; readonly policyChange: PolicyNotice })
  | (Omit<Plain, 'passkey'> & { readonly kind: 'passkey_waits'; readonly passkey: WaitingPasskey })
)

/** What most mails lack. */
type Plain = {
  readonly linkId: null
  readonly notice: null
  readonly device: null
  readonly policyChange: null
  readonly passkey: null
}
export const plainMail: Plain = {
  linkId: null,
  notice: null,
  device: null,
  policyChange: null,
  passkey: null,
}

const maxFailureLength = 500

export function mailsOn(db: Db) {
  return {
    async insert(mail: Mail): Promise<void> {
      const { id, kind, recipient, linkId, notice, device, policyChange, passkey } = mail
      const json = (details: object | null) => (details === null ? null : JSON.stringify(details))
      await sql`
        insert into mails (id, kind, recipient, link_id, notice, device, policy_change, passkey)
        values (${id}, ${kind}, ${recipient}, ${linkId}, ${notice}, ${json(device)}, ${json(policyChange)},
          ${json(passkey)})`.run(db)
    },

    /** A mail that is still to be sent. */
    async find(id: string): Promise<Mail | null> {
      return sql<Mail>`
        select id, kind, recipient, link_id as "linkId", notice, device, policy_change as "policyChange", passkey from mails
        where id = ${id} and sent_at is null and failed_at is null`.maybeOne(db)
    },

    async saveSent(id: string): Promise<void> {
      await sql`update mails set sent_at = clock_timestamp() where id = ${id}`.run(db)
    },

    /** Records a failure that is final: the mail is not retried. */
    async saveFailed(id: string, failure: string): Promise<void> {
      await sql`
        update mails set failed_at = clock_timestamp(), failure = ${failure.slice(0, maxFailureLength)}
        where id = ${id}`.run(db)
    },

    /** Deletes mails that are more than 30 days old, at most `limit` at a time. Returns how many. */
    async forget(limit: number): Promise<number> {
      const changed = await sql`
        delete from mails where id in (
          select id from mails where created_at < clock_timestamp() - interval '30 days'
          order by created_at limit ${limit} for update skip locked)
        returning id`.run(db)
      return changed
    },
  }
}
