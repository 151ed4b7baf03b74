import type { Notice } from '../../../domain/notices.ts'
import { type MailTexts, sentence } from '../mail-words.ts'
import { type PolicyWords, policyMail } from '../policy-mail.ts'
import { shownTime } from '../shown-values.ts'

const locale = 'en'

const notices: Record<Notice, string> = {
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

const policy: PolicyWords = {
  subjects: {
    proposed: (merchant) => `${merchant}: relaxing the live payout policy was proposed`,
    agreed: (merchant) => `${merchant}: relaxing the live payout policy was approved`,
    applied: (merchant) => `${merchant}: the live payout policy was relaxed`,
    withdrawn: (merchant) => `${merchant}: a change of the live payout policy was withdrawn`,
    superseded: (merchant) =>
      `${merchant}: a change of the live payout policy was replaced and will not apply`,
  },
  rules: {
    maxPayout: 'Limit per payout',
    maxDay: 'Limit per 24 hours',
    onlyKnownDestinations: 'Only known destinations',
    approvalsRequired: 'People who must approve',
    coolingOffSeconds: 'Cooling-off in hours',
    approval: 'Approvals signed with a passkey',
  },
  values: { yes: 'yes', no: 'no', none: 'none' },
  destination: (place) => `New allowed destination: ${place}`,
  by: 'By',
  service: 'the service itself',
  changes: 'The change',
  takesEffect: 'Takes effect',
  colon: ': ',
  missing: (count) =>
    count === 1
      ? 'once one more person has approved it and the waiting time is over'
      : `once ${count} more people have approved it and the waiting time is over`,
  stop: (url) =>
    `If you did not expect this, withdraw the change before it takes effect, and talk to the person who proposed it:\n${url}`,
  undo: (url) => `If you did not expect this, tighten the policy again, which applies at once:\n${url}`,
  look: (url) => `The policy in force: ${url}`,
}

export const english: MailTexts = {
  policyChange: (notice, url) => policyMail(policy, locale, notice, url),
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
    subject: `Your account: ${notices[notice]}`,
    text: `${sentence(notices[notice])}.\n\nIf this was you, you do not have to do anything. If it was not, set a new password at ${url}/dashboard and tell the operator of the service.\n`,
  }),
  newDevice: ({ at, browser, ip }, url) => ({
    subject: 'Your account: a sign-in from a new device',
    text: `Your account was signed in to from a device that was not used for it before.\n\nWhen: ${shownTime(locale, at)}\nBrowser: ${browser}\nIP address: ${ip}\n\nIf this was you, you do not have to do anything. If it was not, end all other sessions and set a new password at ${url}/dashboard/account, and tell the operator of the service.\n`,
  }),
  passkeyWaits: ({ merchant, person, name, fingerprint, from }, url) => ({
    subject: `${merchant}: the signer will trust another passkey`,
    text: `From ${shownTime(locale, from)} on, the signer accepts approvals of ${merchant} that are signed with this passkey:\n\nOf: ${person}\nName: ${name}\nFingerprint: ${fingerprint}\n\nIf you expected this, you do not have to do anything. If not, withdraw the passkey before then, on the policy page at ${url}/dashboard, and tell the operator of the service.\n`,
  }),
}
