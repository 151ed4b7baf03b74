import type { NewDevice, Notice, PolicyNotice, WaitingPasskey } from '../../domain/notices.ts'
import type { Role } from '../../domain/roles.ts'
import { englishPolicyMail, germanPolicyMail } from './policy-mail-texts.ts'

type MailText = { readonly subject: string; readonly text: string }

/** The texts of mails in one language. */
type MailTexts = {
  reset(link: string): MailText
  invitation(link: string, merchant: string, role: string): MailText
  notice(notice: Notice, url: string): MailText
  newDevice(device: NewDevice, url: string): MailText
  policyChange(notice: PolicyNotice, url: string): MailText
  passkeyWaits(passkey: WaitingPasskey, url: string): MailText
  readonly roles: Readonly<Record<Role, string>>
}

const english: MailTexts = {
  policyChange: englishPolicyMail,
  roles: {
    owner: 'owner',
    admin: 'administrator',
    finance: 'finance',
    developer: 'developer',
    viewer: 'viewer',
  },
  reset: (link) => ({
    subject: 'Set a new password for Sluice',
    text: `Someone asked for a new password for your account. If it was you, set it here within an hour:\n\n${link}\n\nThe link works once, and only the newest link is valid. If it was not you, you can ignore this email.\n`,
  }),
  invitation: (link, merchant, role) => ({
    subject: `You are invited to ${merchant}`,
    text: `You are invited to join ${merchant} in Sluice. Your role: ${role}. Accept the invitation here within seven days:\n\n${link}\n\nThe link works once, and only the newest link is valid. If you did not expect this invitation, you can ignore this email.\n`,
  }),
  notice: (notice, url) => ({
    subject: `Your account: ${englishNotices[notice]}`,
    text: `${sentence(englishNotices[notice])}.\n\nIf this was you, you do not have to do anything. If it was not, set a new password at ${url}/dashboard and tell the operator of the service.\n`,
  }),
  newDevice: ({ at, browser, ip }, url) => ({
    subject: 'Your account: a sign-in from a new device',
    text: `Your account was signed in to from a device that was not used for it before.\n\nWhen: ${utc(at)}\nBrowser: ${browser}\nIP address: ${ip}\n\nIf this was you, you do not have to do anything. If it was not, end all other sessions and set a new password at ${url}/dashboard/account, and tell the operator of the service.\n`,
  }),
  passkeyWaits: ({ merchant, person, name, fingerprint, from }, url) => ({
    subject: `${merchant}: the signer will trust another passkey`,
    text: `From ${utc(from)} on, the signer accepts approvals of ${merchant} that are signed with this passkey:\n\nOf: ${person}\nName: ${name}\nFingerprint: ${fingerprint}\n\nIf you expected this, you do not have to do anything. If not, withdraw the passkey before then, on the policy page at ${url}/dashboard, and tell the operator of the service.\n`,
  }),
}

const englishNotices: Record<Notice, string> = {
  password_changed: 'the password was changed, and you were signed out everywhere else',
  password_reset: 'the password was reset by a link, and you were signed out everywhere',
  totp_added: 'an authenticator app was set up',
  totp_removed: 'the authenticator app was removed',
  passkey_added: 'a passkey was added',
  passkey_removed: 'a passkey was removed',
  recovery_codes_made: 'new recovery codes were created',
  recovery_code_used: 'a recovery code was used',
  sign_in_slowed:
    'someone entered wrong passwords or codes several times and now has to wait between attempts',
}

const german: MailTexts = {
  policyChange: germanPolicyMail,
  roles: {
    owner: 'Inhaber',
    admin: 'Administrator',
    finance: 'Finanzen',
    developer: 'Entwickler',
    viewer: 'Betrachter',
  },
  reset: (link) => ({
    subject: 'Neues Passwort für Sluice',
    text: `Jemand hat ein neues Passwort für Ihr Konto angefordert, hoffentlich Sie selbst. Hier können Sie es innerhalb einer Stunde setzen:\n\n${link}\n\nDer Link gilt einmal, und nur der neueste gilt. Wenn Sie es nicht waren, müssen Sie nichts tun.\n`,
  }),
  invitation: (link, merchant, role) => ({
    subject: `Einladung zu ${merchant}`,
    text: `Sie sind eingeladen, in Sluice bei ${merchant} mitzuarbeiten, als ${role}. Hier können Sie innerhalb von sieben Tagen annehmen:\n\n${link}\n\nDer Link gilt einmal, und nur der neueste gilt. Wenn Sie damit nichts anfangen können, müssen Sie nichts tun.\n`,
  }),
  notice: (notice, url) => ({
    subject: `Ihr Konto: ${germanNotices[notice]}`,
    text: `${sentence(germanNotices[notice])}.\n\nWenn Sie das waren, müssen Sie nichts tun. Wenn nicht, setzen Sie unter ${url}/dashboard ein neues Passwort und sagen Sie dem Betreiber Bescheid.\n`,
  }),
  newDevice: ({ at, browser, ip }, url) => ({
    subject: 'Ihr Konto: Anmeldung von einem neuen Gerät',
    text: `Jemand hat sich bei Ihrem Konto von einem Gerät angemeldet, das dafür noch nie verwendet wurde.\n\nWann: ${utc(at)}\nBrowser: ${browser}\nIP-Adresse: ${ip}\n\nWenn Sie das waren, müssen Sie nichts tun. Wenn nicht, beenden Sie unter ${url}/dashboard/account alle anderen Sitzungen, setzen Sie dort ein neues Passwort und sagen Sie dem Betreiber Bescheid.\n`,
  }),
  passkeyWaits: ({ merchant, person, name, fingerprint, from }, url) => ({
    subject: `${merchant}: Der Signierer wird einem weiteren Passkey vertrauen`,
    text: `Ab ${utc(from)} nimmt der Signierer Freigaben von ${merchant} an, die mit diesem Passkey signiert sind:\n\nVon: ${person}\nName: ${name}\nFingerabdruck: ${fingerprint}\n\nWenn Sie das erwartet haben, müssen Sie nichts tun. Wenn nicht, entziehen Sie dem Passkey vorher auf der Seite mit den Regeln unter ${url}/dashboard das Vertrauen und sagen Sie dem Betreiber Bescheid.\n`,
  }),
}

const germanNotices: Record<Notice, string> = {
  password_changed: 'das Passwort wurde geändert, und Sie wurden überall sonst abgemeldet',
  password_reset: 'das Passwort wurde über einen Link neu gesetzt, und Sie wurden überall abgemeldet',
  totp_added: 'eine Authenticator-App wurde eingerichtet',
  totp_removed: 'die Authenticator-App wurde entfernt',
  passkey_added: 'ein Passkey wurde hinzugefügt',
  passkey_removed: 'ein Passkey wurde entfernt',
  recovery_codes_made: 'neue Wiederherstellungscodes wurden erzeugt',
  recovery_code_used: 'ein Wiederherstellungscode wurde benutzt',
  sign_in_slowed: 'jemand hat mehrmals falsche Passwörter oder Codes versucht und muss nun dazwischen warten',
}

/** The mail texts in a language; English if there are none in it. */
export function mailTextsIn(language: string | null): MailTexts {
  return language === 'de' ? german : english
}

function utc(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
