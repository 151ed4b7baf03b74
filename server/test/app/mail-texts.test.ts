import { describe, expect, it } from 'vitest'
import { languages } from '../../../web/dashboard/src/messages.ts'
import { mailLanguages, mailTextsIn } from '../../src/app/mail/mail-texts.ts'
import type { MailText, MailTexts } from '../../src/app/mail/mail-words.ts'
import { shownTime } from '../../src/app/mail/shown-values.ts'
import type { Notice, PolicyNotice } from '../../src/domain/notices.ts'
import { roles } from '../../src/domain/roles.ts'

const url = 'https://pay.example.com'
const link = `${url}/dashboard/reset#token`
const at = '2026-11-19T15:05:09.123Z'
const device = { at, browser: 'Firefox on Linux', ip: '203.0.113.9' }
const passkey = { merchant: 'Bakery', person: 'Ann', name: 'Phone', fingerprint: 'SHA256:abc', from: at }
const change: PolicyNotice = {
  stage: 'proposed',
  merchant: 'Bakery',
  by: 'Ann',
  rules: [
    { rule: 'maxPayout', before: '12345.50 USD', after: null },
    { rule: 'maxDay', before: '0.00 USD', after: '1.00 USD' },
    { rule: 'onlyKnownDestinations', before: true, after: false },
    { rule: 'approvalsRequired', before: 2, after: 1 },
    { rule: 'coolingOffSeconds', before: 5400, after: 0 },
    { rule: 'approval', before: 'passkey', after: 'any' },
  ],
  destination: 'bc1qplace on Bitcoin',
  appliesAt: at,
  approvalsMissing: 1,
  page: '/dashboard/policy',
}
// The compiler finds the kind that is missing here.
const notices = Object.keys({
  password_changed: true,
  password_reset: true,
  totp_added: true,
  totp_removed: true,
  passkey_added: true,
  passkey_removed: true,
  recovery_codes_made: true,
  recovery_code_used: true,
  sign_in_slowed: true,
} satisfies Record<Notice, true>) as Notice[]
const stages = Object.keys({
  proposed: true,
  agreed: true,
  applied: true,
  withdrawn: true,
  superseded: true,
} satisfies Record<PolicyNotice['stage'], true>) as PolicyNotice['stage'][]

type Case = { readonly write: (texts: MailTexts) => MailText; readonly says: readonly string[] }
/** Every kind of mail, with what its text must hold in any language. */
const kinds: Readonly<Record<string, Case>> = {
  reset: { write: (texts) => texts.reset(link), says: [link] },
  ...Object.fromEntries(
    roles.map((role) => [
      `invitation of ${role}`,
      {
        write: (texts: MailTexts) => texts.invitation(link, 'Bakery', texts.roles[role]),
        says: [link, 'Bakery'],
      },
    ]),
  ),
  ...Object.fromEntries(
    notices.map((notice) => [
      notice,
      { write: (texts: MailTexts) => texts.notice(notice, url), says: [`${url}/dashboard`] },
    ]),
  ),
  new_device: {
    write: (texts) => texts.newDevice(device, url),
    says: [device.browser, device.ip, `${url}/dashboard/account`],
  },
  passkey_waits: {
    write: (texts) => texts.passkeyWaits(passkey, url),
    says: ['Bakery', 'Ann', 'Phone', 'SHA256:abc', `${url}/dashboard`],
  },
  ...Object.fromEntries(
    stages.map((stage) => [
      `policy_change ${stage}`,
      {
        write: (texts: MailTexts) => texts.policyChange({ ...change, stage }, url),
        says: ['Bakery', 'Ann', 'bc1qplace', ' → ', `${url}/dashboard/policy`],
      },
    ]),
  ),
  'policy_change of the service': {
    write: (texts) => texts.policyChange({ ...change, by: null, appliesAt: null, approvalsMissing: 3 }, url),
    says: ['Bakery', '3'],
  },
}

it('mails are written in every language of the dashboard, and in English for any other', () => {
  expect([...mailLanguages.keys()].sort()).toEqual([...languages].sort())
  const english = mailTextsIn('en')
  expect([mailTextsIn(null), mailTextsIn('xx')]).toEqual([english, english])
})

describe.each([...mailLanguages])('in %s', (language, texts) => {
  it.each(Object.entries(kinds))('%s says everything, briefly', (_kind, { write, says }) => {
    const { subject, text } = write(texts)
    for (const each of says) expect(`${subject}\n${text}`).toContain(each)
    expect(subject).toMatch(/^\S.{9,139}$/)
    expect(text).toMatch(/[^\n]\n$/)
    expect(text.length).toBeGreaterThan(60)
    expect(text.length).toBeLessThan(1_000)
    expect(`${subject}${text}`).not.toMatch(/undefined|null|NaN|\[object|[{}]/)
  })

  it('no mail reads as in another language', () => {
    for (const [kind, { write }] of Object.entries(kinds)) {
      const others = [...mailLanguages].filter(([other]) => other !== language)
      const { subject, text } = write(texts)
      for (const [, other] of others) {
        expect(write(other).subject, kind).not.toBe(subject)
        expect(write(other).text, kind).not.toBe(text)
      }
    }
  })

  it('times are in UTC as the language writes them', () => {
    const locale = language === 'pt' ? 'pt-PT' : language
    const when = shownTime(locale, at)
    expect(texts.newDevice(device, url).text).toContain(when)
    expect(texts.passkeyWaits(passkey, url).text).toContain(when)
    expect(texts.policyChange(change, url).text).toContain(when)
  })
})

it.each([
  ['en', 'November 19, 2026 at 15:05 UTC', '12,345.50 USD', '1.5'],
  ['de', '19. November 2026 um 15:05 UTC', '12.345,50 USD', '1,5'],
  ['es', '19 de noviembre de 2026 a las 15:05 UTC', '12.345,50 USD', '1,5'],
  ['fr', '19 novembre 2026 à 15:05 UTC', '12\u202f345,50 USD', '1,5'],
  ['pt', '19 de novembro de 2026 às 15:05 UTC', '12\u00a0345,50 USD', '1,5'],
])('in %s, amounts, hours and times look as they are written there', (language, when, amount, hours) => {
  const { text } = mailTextsIn(language).policyChange(change, url)
  expect(text).toContain(when)
  expect(text).toContain(`${amount} → `)
  expect(text).toMatch(new RegExp(`: ${hours.replace('.', '\\.')} → 0\n`))
})
