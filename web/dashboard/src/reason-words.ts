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
// What nodes do wrong, which only operators see in full.
const nodeFiles: Files = {
  de: () => import('../reasons/nodes-de.json'),
  es: () => import('../reasons/nodes-es.json'),
  fr: () => import('../reasons/nodes-fr.json'),
  pt: () => import('../reasons/nodes-pt.json'),
}
// The parts of sentences that the service fills in, by their English words.
const partFiles: Files = {
  de: () => import('../reasons/parts-de.json'),
  es: () => import('../reasons/parts-es.json'),
  fr: () => import('../reasons/parts-fr.json'),
  pt: () => import('../reasons/parts-pt.json'),
}
// What is wrong with a field of a request.
const fieldFiles: Files = {
  de: () => import('../reasons/fields-de.json'),
  es: () => import('../reasons/fields-es.json'),
  fr: () => import('../reasons/fields-fr.json'),
  pt: () => import('../reasons/fields-pt.json'),
}

/** The words for a language; null where the service's own are shown, also when a file does not arrive. */
export async function loadReasonWords(language: Language): Promise<ReasonWords | null> {
  return load(language, [files, nodeFiles, partFiles])
}

/** The words of a refusal: those of its message, and of what is wrong with each field. */
export async function loadRefusalWords(language: Language): Promise<ReasonWords | null> {
  return load(language, [files, nodeFiles, partFiles, fieldFiles])
}

async function load(language: Language, from: readonly Files[]): Promise<ReasonWords | null> {
  if (language === 'en') return null
  return Promise.all(from.map((each) => each[language]())).then(
    (modules) => Object.assign(Object.create(null), ...modules.map((module) => module.default)),
    () => null,
  )
}

/**
 * Reasons in the reader's language. A sentence whose code is not known stays as the service wrote it; `quote` puts it into a
 * sentence of ours.
 */
export function reasonText(
  language: Language,
  words: ReasonWords | null,
  reasons: readonly Reason[],
  quote: (text: string) => string = (text) => text,
): string {
  return reasons
    .map(({ code, message, values }) => {
      const sentence = words?.[code]
      if (words === null || sentence === undefined) return language === 'en' ? message : quote(message)
      return sentence.replace(/\{(\w+)\}/g, (_, name: string) => {
        const value = values[name] ?? ''
        if (withParts.has(name)) return inParts(language, words, value)
        // The words of a person and of a node stay as they are.
        return name === 'note' || name === 'said' ? value : valueText(language, value)
      })
    })
    .join(' ')
}

// The values that may hold words of the service.
const withParts = new Set(['detail', 'others', 'setting'])

/** A value whose parts have words of their own; those without stay as they are. */
function inParts(language: Language, words: ReasonWords, value: string): string {
  const whole = partText(language, words, value)
  if (whole !== null) return whole
  return value
    .split(/(; )/)
    .map(
      (part) =>
        partText(language, words, part) ??
        part
          .split(/( → |: )/)
          .map((piece) => partText(language, words, piece) ?? valueText(language, piece))
          .join(''),
    )
    .join('')
}

/** The words of one part, whose numbers, names with digits and times are `{}` in the English ones. */
function partText(language: Language, words: ReasonWords, part: string): string | null {
  const exact = words[part]
  if (exact !== undefined) return exact
  const filled = part.match(/\S*\d\S*/g) ?? []
  const general = words[part.replace(/\S*\d\S*/g, '{}')]
  if (general !== undefined) {
    let at = 0
    return general.replace(/\{\}/g, () => valueText(language, filled[at++] ?? ''))
  }
  // The name of a node, and what it does.
  const [, host, does = ''] = /^(\S+) (.+)$/.exec(part) ?? []
  const done = words[`… ${does}`]
  return done === undefined ? null : `${host} ${done}`
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
