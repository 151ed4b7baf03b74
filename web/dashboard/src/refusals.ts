import type { MessageValues } from '@sluice/web/ui/messages.ts'
import type { RefusedError } from './api/errors.ts'
import type { Language, MessageKey, Messages } from './messages.ts'

/** What it takes to speak to the user. */
type Voice = {
  readonly language: Language
  readonly messages: Messages
  readonly t: (key: MessageKey, values?: MessageValues) => string
}

/**
 * What is wrong with one field of a form, in the page's language; null if nothing is. What the service says about a field is
 * written for programs and in English: our own sentence about the field comes first, then the service's words for readers
 * of English, then what the error as a whole means.
 */
export function problemIn(voice: Voice, refused: RefusedError | null, field: string): string | null {
  const said = refused?.problemWith(field) ?? null
  if (refused === null || said === null) return null
  const own = ownText(voice, refused.code, field)
  if (own !== null) return own
  if (voice.language === 'en') return sentence(said)
  return textOf(voice, `code_${refused.code}`) ?? sentence(said)
}

/** A refusal as a whole, in words that say what to do. No field is named as programs name it. */
export function refusalText(voice: Voice, refused: RefusedError): string {
  const problems = refused.problems.map(({ field, said }) => ({
    own: ownText(voice, refused.code, field),
    said: sentence(said),
  }))
  if (problems.length > 0 && problems.every(({ own }) => own !== null))
    return all(problems.map(({ own }) => own))
  // Its message says only that details follow.
  const isGeneral = refused.message.startsWith('The request is not valid')
  const english = all([...(isGeneral ? [] : [refused.message]), ...problems.map(({ said }) => said)])
  const general = textOf(voice, `code_${refused.code}`)
  return voice.language === 'en' || general === null ? english : `${general} (${english})`
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
