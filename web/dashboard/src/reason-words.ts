import type { Reason } from '@sluice/web/contract'
import { minuteTime } from './formats.ts'
import type { Language } from './messages.ts'

/** The sentences of the service's reasons in another language, by code. */
export type ReasonWords = Readonly<Record<string, string>>

// The service itself speaks English. The others are loaded when the first reason is shown.
type Files = Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: ReasonWords }>>>
const files: Files = {
  de: () => import('../reasons/reasons-de.json'),
  es: () => import('../reasons/reasons-es.json'),
  fr: () => import('../reasons/reasons-fr.json'),
  pt: () => import('../reasons/reasons-pt.json'),
}
// What is wrong with a field of a request.
const fieldFiles: Files = {
  de: () => import('../reasons/fields-de.json'),
  es: () => import('../reasons/fields-es.json'),
  fr: () => import('../reasons/fields-fr.json'),
  pt: () => import('../reasons/fields-pt.json'),
}

/** The words for a language; null where the service's own are shown, also when the file does not arrive. */
export async function loadReasonWords(language: Language): Promise<ReasonWords | null> {
  if (language === 'en') return null
  return files[language]().then(
    (module) => module.default,
    () => null,
  )
}

/** The words of a refusal: those of its message, and of what is wrong with each field. */
export async function loadRefusalWords(language: Language): Promise<ReasonWords | null> {
  if (language === 'en') return null
  return Promise.all([files[language](), fieldFiles[language]()]).then(
    ([reasons, fields]) => ({ ...reasons.default, ...fields.default }),
    () => null,
  )
}

/** Reasons in the reader's language. A sentence whose code is not known stays as the service wrote it. */
export function reasonText(
  language: Language,
  words: ReasonWords | null,
  reasons: readonly Reason[],
): string {
  return reasons
    .map(({ code, message, values }) => {
      const sentence = words?.[code]
      return sentence === undefined
        ? message
        : sentence.replace(/\{(\w+)\}/g, (_, name: string) => {
            const value = values[name] ?? ''
            // A person's own words stay as they were typed.
            return name === 'note' ? value : valueText(language, value)
          })
    })
    .join(' ')
}

/** Amounts, with all their digits, and times as the reader's language writes them. */
function valueText(language: Language, value: string): string {
  const [, amount, currency] = /^(-?\d+(?:\.\d+)?) ([A-Z][A-Z0-9]*)$/.exec(value) ?? []
  if (amount !== undefined) {
    const digits = amount.split('.')[1]?.length ?? 0
    const format = new Intl.NumberFormat(language, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
    return `${format.format(amount as Intl.StringNumericLiteral)} ${currency}`
  }
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? minuteTime(language, value) : value
}
