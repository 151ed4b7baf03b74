import { type Email, MailRefused, type Post } from '../../outbound/mail/post.ts'
import type { ClaimedJob } from '../../store/jobs.ts'
import type { Mail } from '../../store/people/mails.ts'
import type { App } from '../app.ts'
import { makeResetToken, resetUrl } from '../people/reset-password.ts'
import { invitationUrl, makeInvitationToken } from '../team/invite-member.ts'
import { mailTextsIn } from './mail-texts.ts'

const batchSize = 5
// Longer than sending a whole batch may take.
const claimMs = 5 * 60_000
const firstRetryMs = 30_000
const longestRetryMs = 60 * 60_000
const maxAttempts = 10

/**
 * Sends mails that are due until none is left. Safe to run in several processes at once. A failed mail is retried over some
 * hours, ten attempts in all. Each attempt creates a new link, so that links are never stored. Returns how many were sent.
 */
export async function sendMails(
  app: App,
  post: Post,
  options: {
    readonly signal: AbortSignal
    readonly onFailed: (mail: Mail, error: unknown, isLast: boolean) => void
  },
): Promise<number> {
  let sent = 0
  while (!options.signal.aborted) {
    const claimed = await app.store.jobs.claim('send_mail', batchSize, claimMs)
    if (claimed.length === 0) break
    for (const job of claimed) sent += (await sendOne(job)) ? 1 : 0
  }
  return sent

  async function sendOne(job: ClaimedJob): Promise<boolean> {
    const mail = await app.store.mails.find(job.subject)
    if (mail === null) {
      await app.store.jobs.finish('send_mail', [job])
      return false
    }
    try {
      const email = await write(app, mail)
      if (email !== null) await post.send(email)
      await app.transaction(async (tx) => {
        await tx.mails.saveSent(mail.id)
        await tx.jobs.finish('send_mail', [job])
      })
      return email !== null
    } catch (error) {
      const isLast = job.attempts >= maxAttempts || error instanceof MailRefused
      options.onFailed(mail, error, isLast)
      if (isLast) await giveUp(mail, job, error)
      else await app.store.jobs.postpone('send_mail', mail.id, waitAfter(job.attempts))
      return false
    }
  }

  async function giveUp(mail: Mail, job: ClaimedJob, error: unknown): Promise<void> {
    await app.transaction(async (tx) => {
      await tx.mails.saveFailed(mail.id, error instanceof Error ? error.message : String(error))
      await tx.jobs.finish('send_mail', [job])
    })
  }
}

function waitAfter(attempts: number): number {
  return Math.min(firstRetryMs * 2 ** (attempts - 1), longestRetryMs)
}

/** The text of a mail, with its link; null when its recipient or its subject is gone. */
async function write(app: App, mail: Mail): Promise<Email | null> {
  const { id, kind, recipient: to, linkId, notice } = mail
  const user = await app.store.users.findByEmail(to)
  const texts = mailTextsIn(user?.language ?? null)
  if (kind === 'new_device') return { to, ...texts.newDevice(mail.device, app.people.url()) }
  if (kind === 'policy_change') return { to, ...texts.policyChange(mail.policyChange, app.people.url()) }
  if (kind === 'passkey_waits') return { to, ...texts.passkeyWaits(mail.passkey, app.people.url()) }
  if (kind === 'notice') return { to, ...texts.notice(notice, app.people.url()) }
  if (kind === 'reset') {
    if (user === null || user.disabledAt !== null) return null
    const token = await app.transaction((tx) => makeResetToken(app, tx, id, user.email, 'service:mail'))
    return { to: user.email, ...texts.reset(resetUrl(app, token)) }
  }
  const made = await app.transaction((tx) => makeInvitationToken(app, tx, linkId))
  if (made === null) return null
  const { token, invitation } = made
  const { merchantName, role } = invitation
  return { to, ...texts.invitation(invitationUrl(app, token), merchantName, texts.roles[role]) }
}
