import type { NewDevice, Notice, PolicyNotice, WaitingPasskey } from '../../domain/notices.ts'
import type { Role } from '../../domain/roles.ts'
import type { Email } from '../../outbound/mail/post.ts'

export type MailText = Omit<Email, 'to'>

/** The texts of all mails in one language. */
export type MailTexts = {
  reset(link: string): MailText
  invitation(link: string, merchant: string, role: string): MailText
  notice(notice: Notice, url: string): MailText
  newDevice(device: NewDevice, url: string): MailText
  policyChange(notice: PolicyNotice, url: string): MailText
  passkeyWaits(passkey: WaitingPasskey, url: string): MailText
  readonly roles: Readonly<Record<Role, string>>
}

/** The words with a capital at their start. */
export function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
