import type { PolicyNotice, RuleValue } from '../../domain/notices.ts'
import type { PayoutPolicy } from '../../domain/payout-policy.ts'
import type { Email } from '../../outbound/mail/post.ts'

type MailText = Omit<Email, 'to'>
type Rule = keyof PayoutPolicy

/** The words for changes of the payout policy in one language. */
type Words = {
  readonly subjects: Readonly<Record<PolicyNotice['stage'], (merchant: string) => string>>
  readonly rules: Readonly<Record<Rule, string>>
  value(rule: Rule, value: RuleValue): string
  destination(place: string): string
  readonly by: string
  readonly service: string
  readonly changes: string
  readonly takesEffect: string
  missing(count: number): string
  stop(url: string): string
  undo(url: string): string
  look(url: string): string
}

/** What the reader can do at each stage. */
const ways: Readonly<Record<PolicyNotice['stage'], 'stop' | 'undo' | 'look'>> = {
  proposed: 'stop',
  agreed: 'stop',
  applied: 'undo',
  withdrawn: 'look',
  superseded: 'look',
}

/** A mail about a change that relaxes the payout policy: what, who, when it takes effect, and how to stop it. */
function policyMail(words: Words, notice: PolicyNotice, url: string): MailText {
  const { stage, merchant, by, rules, destination, appliesAt, approvalsMissing } = notice
  const page = `${url}${notice.page}`
  const subject = words.subjects[stage](merchant)
  const isOpen = ways[stage] === 'stop'
  const lines = [
    ...(destination === null ? [] : [words.destination(destination)]),
    ...rules.map(
      ({ rule, before, after }) =>
        `${words.rules[rule]}: ${words.value(rule, before)} → ${words.value(rule, after)}`,
    ),
  ]
  const when =
    appliesAt === null ? words.missing(approvalsMissing) : `${appliesAt.slice(0, 16).replace('T', ' ')} UTC`
  return {
    subject,
    text: [
      `${subject}.`,
      '',
      `${words.changes}:`,
      ...lines.map((line) => `- ${line}`),
      '',
      `${words.by}: ${by ?? words.service}`,
      ...(isOpen ? [`${words.takesEffect}: ${when}`] : []),
      '',
      words[ways[stage]](page),
      '',
    ].join('\n'),
  }
}

const english: Words = {
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
  value: (rule, value) => shownValue(rule, value, { yes: 'yes', no: 'no', none: 'none' }),
  destination: (place) => `New allowed destination: ${place}`,
  by: 'By',
  service: 'the service itself',
  changes: 'The change',
  takesEffect: 'Takes effect',
  missing: (count) =>
    count === 1
      ? 'once one more person has approved it and the waiting time is over'
      : `once ${count} more people have approved it and the waiting time is over`,
  stop: (url) =>
    `If you did not expect this, withdraw the change before it takes effect, and talk to the person who proposed it:\n${url}`,
  undo: (url) => `If you did not expect this, tighten the policy again, which applies at once:\n${url}`,
  look: (url) => `The policy in force: ${url}`,
}

const german: Words = {
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
  value: (rule, value) => shownValue(rule, value, { yes: 'ja', no: 'nein', none: 'keiner' }),
  destination: (place) => `Neues erlaubtes Ziel: ${place}`,
  by: 'Von',
  service: 'dem Dienst selbst',
  changes: 'Die Änderung',
  takesEffect: 'Gilt ab',
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

function shownValue(
  rule: Rule,
  value: RuleValue,
  { yes, no, none }: Readonly<Record<'yes' | 'no' | 'none', string>>,
): string {
  if (value === null) return none
  if (typeof value === 'boolean') return value ? yes : no
  if (rule === 'approval') return value === 'passkey' ? yes : no
  return rule === 'coolingOffSeconds' ? String(Math.round((Number(value) / 3600) * 100) / 100) : String(value)
}

export const englishPolicyMail = (notice: PolicyNotice, url: string) => policyMail(english, notice, url)
export const germanPolicyMail = (notice: PolicyNotice, url: string) => policyMail(german, notice, url)
