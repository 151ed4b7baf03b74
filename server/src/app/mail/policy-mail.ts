import type { PolicyNotice, RuleValue } from '../../domain/notices.ts'
import type { PayoutPolicy } from '../../domain/payout-policy.ts'
import type { MailText } from './mail-words.ts'
import { shownNumber, shownTime } from './shown-values.ts'

type Rule = keyof PayoutPolicy

/** The words for changes of the payout policy in one language. */
export type PolicyWords = {
  readonly subjects: Readonly<Record<PolicyNotice['stage'], (merchant: string) => string>>
  readonly rules: Readonly<Record<Rule, string>>
  readonly values: Readonly<Record<'yes' | 'no' | 'none', string>>
  destination(place: string): string
  readonly by: string
  readonly service: string
  readonly changes: string
  readonly takesEffect: string
  /** Between a label and what it names. */
  readonly colon: string
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
export function policyMail(words: PolicyWords, locale: string, notice: PolicyNotice, url: string): MailText {
  const { stage, merchant, by, rules, destination, appliesAt, approvalsMissing } = notice
  const { colon } = words
  const page = `${url}${notice.page}`
  const subject = words.subjects[stage](merchant)
  const isOpen = ways[stage] === 'stop'
  const value = (rule: Rule, shown: RuleValue) => shownValue(words, locale, rule, shown)
  const lines = [
    ...(destination === null ? [] : [words.destination(destination)]),
    ...rules.map(
      ({ rule, before, after }) =>
        `${words.rules[rule]}${colon}${value(rule, before)} → ${value(rule, after)}`,
    ),
  ]
  const when = appliesAt === null ? words.missing(approvalsMissing) : shownTime(locale, appliesAt)
  return {
    subject,
    text: [
      `${subject}.`,
      '',
      `${words.changes}${colon.trimEnd()}`,
      ...lines.map((line) => `- ${line}`),
      '',
      `${words.by}${colon}${by ?? words.service}`,
      ...(isOpen ? [`${words.takesEffect}${colon}${when}`] : []),
      '',
      words[ways[stage]](page),
      '',
    ].join('\n'),
  }
}

function shownValue({ values }: PolicyWords, locale: string, rule: Rule, value: RuleValue): string {
  if (value === null) return values.none
  if (typeof value === 'boolean') return value ? values.yes : values.no
  if (rule === 'approval') return value === 'passkey' ? values.yes : values.no
  if (rule === 'coolingOffSeconds')
    return shownNumber(locale, String(Math.round((Number(value) / 3600) * 100) / 100))
  // An amount is followed by its currency.
  const [digits = '', ...currency] = String(value).split(' ')
  return [shownNumber(locale, digits), ...currency].join(' ')
}
