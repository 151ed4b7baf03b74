import type { MessageValues } from '@sluice/web/ui/messages.ts'
import type { RefusedError } from './api/errors.ts'
import type { Language, MessageKey, Messages } from './messages.ts'
import { type ReasonWords, reasonText } from './reason-words.ts'

/** What it takes to speak to the user. `words` are those of the service’s sentences; null in English, and until they are here. */
type Voice = {
  readonly language: Language
  readonly messages: Messages
  readonly words: ReasonWords | null
  readonly t: (key: MessageKey, values?: MessageValues) => string
}

/**
 * What is wrong with one field of a form, in the page's language; null if nothing is. What the service says about a field is
 * written for programs and in English: our own sentence about the field comes first, then the service's words for readers
 * of English, and for others what the error as a whole means.
 */
export function problemIn(voice: Voice, refused: RefusedError | null, field: string): string | null {
  const said = refused?.problemWith(field) ?? null
  if (refused === null || said === null) return null
  const own = ownText(voice, refused.code, field)
  if (own !== null) return own
  return voice.language === 'en' ? sentence(said) : meaning(voice, refused)
}

/** A refusal as a whole, in words that say what to do. No field is named as programs name it. */
export function refusalText(voice: Voice, refused: RefusedError): string {
  const problems = refused.problems.map(({ field, said }) => ({
    own: ownText(voice, refused.code, field),
    said: sentence(said),
  }))
  if (problems.length > 0 && problems.every(({ own }) => own !== null))
    return all(problems.map(({ own }) => own))
  if (voice.language !== 'en') return meaning(voice, refused)
  // Its message says only that details follow.
  const isGeneral = refused.message.startsWith('The request is not valid')
  return all([...(isGeneral ? [] : [refused.message]), ...problems.map(({ said }) => said)])
}

/** The refusal in another language than the service's, as exactly as its sentences are known there. Never in English. */
function meaning(voice: Voice, { code, reasons }: RefusedError): string {
  const { language, words } = voice
  const isKnown = words !== null && reasons.length > 0 && reasons.every((reason) => reason.code in words)
  return isKnown
    ? reasonText(language, words, reasons)
    : (textOf(voice, `code_${code}`) ?? voice.t('problem_title'))
}

function ownText(voice: Voice, code: string, field: string): string | null {
  const [name = ''] = field.split('/')
  return (
    textOf(voice, `wrong_${code}_${name}`) ??
    (code === 'validation_error' ? textOf(voice, `wrong_${name}`) : null)
  )
}

function textOf({ messages, t }: Voice, key: string): string | null {
  return key in messages ? t(key as MessageKey) : null
}

function all(texts: readonly (string | null)[]): string {
  return [...new Set(texts)].join(' ')
}

function sentence(words: string): string {
  const text = words.charAt(0).toUpperCase() + words.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
