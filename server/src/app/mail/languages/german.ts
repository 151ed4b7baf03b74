import type { Notice } from '../../../domain/notices.ts'
import { type MailTexts, sentence } from '../mail-words.ts'
import { type PolicyWords, policyMail } from '../policy-mail.ts'
import { shownTime } from '../shown-values.ts'

const locale = 'de'

const notices: Record<Notice, string> = {
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

const policy: PolicyWords = {
  subjects: {
    proposed: (merchant) => `${merchant}: Lockerung der Live-Auszahlungsregeln vorgeschlagen`,
    agreed: (merchant) => `${merchant}: Lockerung der Live-Auszahlungsregeln freigegeben`,
    applied: (merchant) => `${merchant}: Die Live-Auszahlungsregeln wurden gelockert`,
    withdrawn: (merchant) => `${merchant}: Eine Änderung der Live-Auszahlungsregeln wurde zurückgezogen`,
    superseded: (merchant) =>
      `${merchant}: Eine Änderung der Live-Auszahlungsregeln wurde abgelöst und gilt nicht`,
  },
  rules: {
    maxPayout: 'Höchstwert je Auszahlung',
    maxDay: 'Höchstwert in 24 Stunden',
    onlyKnownDestinations: 'Nur bekannte Ziele',
    approvalsRequired: 'Personen, die freigeben müssen',
    coolingOffSeconds: 'Bedenkzeit in Stunden',
    approval: 'Freigaben mit Passkey unterschrieben',
  },
  values: { yes: 'ja', no: 'nein', none: 'keiner' },
  destination: (place) => `Neues erlaubtes Ziel: ${place}`,
  by: 'Von',
  service: 'dem Dienst selbst',
  changes: 'Die Änderung',
  takesEffect: 'Gilt ab',
  colon: ': ',
  missing: (count) =>
    count === 1
      ? 'sobald noch eine Person freigegeben hat und die Wartezeit um ist'
      : `sobald noch ${count} Personen freigegeben haben und die Wartezeit um ist`,
  stop: (url) =>
    `Wenn Sie das nicht erwartet haben, ziehen Sie die Änderung zurück, bevor sie gilt, und sprechen Sie mit der Person, die sie vorgeschlagen hat:\n${url}`,
  undo: (url) =>
    `Wenn Sie das nicht erwartet haben, verschärfen Sie die Regeln wieder. Das gilt sofort:\n${url}`,
  look: (url) => `Die geltenden Regeln: ${url}`,
}

export const german: MailTexts = {
  policyChange: (notice, url) => policyMail(policy, locale, notice, url),
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
    subject: `Ihr Konto: ${notices[notice]}`,
    text: `${sentence(notices[notice])}.\n\nWenn Sie das waren, müssen Sie nichts tun. Wenn nicht, setzen Sie unter ${url}/dashboard ein neues Passwort und sagen Sie dem Betreiber Bescheid.\n`,
  }),
  newDevice: ({ at, browser, ip }, url) => ({
    subject: 'Ihr Konto: Anmeldung von einem neuen Gerät',
    text: `Jemand hat sich bei Ihrem Konto von einem Gerät angemeldet, das dafür noch nie verwendet wurde.\n\nWann: ${shownTime(locale, at)}\nBrowser: ${browser}\nIP-Adresse: ${ip}\n\nWenn Sie das waren, müssen Sie nichts tun. Wenn nicht, beenden Sie unter ${url}/dashboard/account alle anderen Sitzungen, setzen Sie dort ein neues Passwort und sagen Sie dem Betreiber Bescheid.\n`,
  }),
  passkeyWaits: ({ merchant, person, name, fingerprint, from }, url) => ({
    subject: `${merchant}: Der Signierer wird einem weiteren Passkey vertrauen`,
    text: `Ab ${shownTime(locale, from)} nimmt der Signierer Freigaben von ${merchant} an, die mit diesem Passkey signiert sind:\n\nVon: ${person}\nName: ${name}\nFingerabdruck: ${fingerprint}\n\nWenn Sie das erwartet haben, müssen Sie nichts tun. Wenn nicht, entziehen Sie dem Passkey vorher auf der Seite mit den Regeln unter ${url}/dashboard das Vertrauen und sagen Sie dem Betreiber Bescheid.\n`,
  }),
}
