import type { MessageValues } from '@sluice/web/ui/messages.ts'
import type { Problem, RefusedError } from './api/errors.ts'
import type { Language, MessageKey, Messages } from './messages.ts'
import { type ReasonWords, reasonText } from './reason-words.ts'

/** What it takes to speak to the user. `words` are those of the service’s sentences; null in English, and until they are here. */
type Voice = {
  readonly language: Language
  readonly messages: Messages
  readonly words: ReasonWords | null
  readonly t: (key: MessageKey, values?: MessageValues) => string
}

// What the forms call the fields that a refusal names.
const labels: Readonly<Record<string, MessageKey>> = {
  address: 'address',
  allowed_ips: 'allowed_ips',
  amount: 'amount',
  amount_fiat: 'amount',
  base_currency: 'base_currency',
  colour: 'colour',
  currency: 'currency',
  current_password: 'current_password',
  description: 'description',
  destination: 'destination',
  destination_tag: 'tag',
  email: 'email',
  embed_origins: 'embed_origins',
  external_id: 'external_id',
  fiat_currency: 'fiat_currency',
  label: 'label',
  name: 'name',
  network: 'network',
  note: 'note',
  password: 'password',
  permissions: 'permissions',
  role: 'role',
  tag: 'tag',
  url: 'url',
}

/**
 * What is wrong with one field of a form, in the page's language; null if nothing is. Our own sentence about the field comes
 * first, then the service's; where that has no words in this language, what the error as a whole means.
 */
export function problemIn(voice: Voice, refused: RefusedError | null, field: string): string | null {
  const problem = refused?.problemWith(field) ?? null
  if (refused === null || problem === null) return null
  return ownText(voice, refused.code, field) ?? toldText(voice, problem) ?? meaning(voice, refused)
}

/** A refusal as a whole, in words that say what to do. A field has the name that its form gives it. */
export function refusalText(voice: Voice, refused: RefusedError): string {
  const { problems } = refused
  const own = problems.map(({ field }) => ownText(voice, refused.code, field))
  if (problems.length > 0 && own.every((text) => text !== null)) return all(own)
  const said = problems.map((problem, at) => own[at] ?? labelled(voice, problem))
  if (said.length === 0 || said.includes(null)) return meaning(voice, refused)
  // Its message says only that details follow.
  const isGeneral = refused.message.startsWith('The request is not valid')
  return all([isGeneral ? null : meaning(voice, refused), ...said])
}

/** A problem with the name of its field, as far as the forms have one. Null without words in the page's language. */
function labelled(voice: Voice, problem: Problem): string | null {
  const text = toldText(voice, problem)
  const label = labels[problem.field.split('/')[0] ?? '']
  if (text === null || label === undefined) return text
  const said = voice.language === 'en' ? problem.said : text
  return sentence(voice.t('problem_with', { name: voice.t(label), text: said }))
}

/** What the service says about a field, in the page's language; null where that has no words for it. */
function toldText({ language, words }: Voice, { said, reason }: Problem): string | null {
  if (language === 'en') return sentence(said)
  return reason !== null && words !== null && reason.code in words
    ? reasonText(language, words, [reason])
    : null
}

/** The message of the refusal. In another language than the service's, as exactly as it has words there, and never in English. */
function meaning(voice: Voice, { code, message, reasons }: RefusedError): string {
  const { language, words } = voice
  if (language === 'en') return message
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
  return [...new Set(texts.filter((text) => text !== null))].join(' ')
}

function sentence(words: string): string {
  const text = words.charAt(0).toUpperCase() + words.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
