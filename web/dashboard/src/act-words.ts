import type { AuditEntry, Role } from '@sluice/web/contract'
import { fiatText } from '@sluice/web/ui/amounts.ts'
import { type Message, translate } from '@sluice/web/ui/messages.ts'
import { roleValues } from '@sluice/web/values'
import type { Desk } from './desk.svelte.ts'
import { coinText, durationText, nameOrId, plain, shortened } from './formats.ts'
import { loadCode } from './load-code.ts'
import type { Language } from './messages.ts'

/**
 * The words for the audit log. A sentence is found by its action; `payout.rejected+reason` is told instead where an entry has
 * that detail, and the one with the most of them wins. A sentence holds no placeholder but the actor and these details.
 */
export type ActWords = {
  readonly actors: Readonly<Record<'key' | 'service', string>>
  /** What can be changed, such as rules of the payout policy and settings. */
  readonly parts: Readonly<Record<string, string>>
  readonly acts: Readonly<Record<string, Message>>
}

type Speaker = Pick<Desk, 'language' | 't' | 'networkName'>
type Value = AuditEntry['details'][string]
type Spoken = Pick<AuditEntry, 'action' | 'actor' | 'actor_name' | 'details'>

const files: Readonly<Record<Language, () => Promise<{ default: ActWords }>>> = {
  en: () => import('../acts/acts-en.json'),
  de: () => import('../acts/acts-de.json'),
  es: () => import('../acts/acts-es.json'),
  fr: () => import('../acts/acts-fr.json'),
  pt: () => import('../acts/acts-pt.json'),
}

/** The words for a language; null if the file does not arrive in time. */
export async function loadActWords(language: Language): Promise<ActWords | null> {
  return loadCode(files[language]).then(
    (module) => module.default,
    () => null,
  )
}

/** Who did what, as a sentence. An action that has no words, as one of another version, is told by its code. */
export function actText(desk: Speaker, words: ActWords | null, entry: Spoken): string {
  const details = new Map(Object.entries(entry.details).filter(([, value]) => says(value)))
  const key = words === null ? null : sentenceOf(words, entry.action, details)
  if (words === null || key === null) return entry.action
  const actor = actorText(words, entry)
  const values = [...details].map(([name, value]) => [name, valueText(desk, words, name, value)])
  const fiat = fiatIn(desk.language, entry.details)
  const message = words.acts[key] ?? ''
  const told = fiat === null || typeof message !== 'string' ? message : message.replace(sum, '{amount}')
  return translate(desk.language, { [key]: told }, key, {
    ...Object.fromEntries(values),
    ...(fiat !== null && { amount: fiat }),
    actor,
  })
}

// A sum in fiat has its currency's sign.
const sum = '{amount} {currency}'

function fiatIn(language: string, { amount, currency }: Spoken['details']): string | null {
  return isAmount(amount) && Intl.supportedValuesOf('currency').includes(String(currency))
    ? fiatText(language, amount, String(currency))
    : null
}

function isAmount(value: Value | undefined): value is string {
  return typeof value === 'string' && /^\d+(\.\d+)?$/.test(value)
}

/** Who did it: people by their name, with their id if the name could be taken for another's, or for none. */
export function actorText(words: ActWords | null, { actor, actor_name }: Spoken): string {
  if (words !== null && actor.startsWith('key:')) return words.actors.key
  if (words !== null && actor.startsWith('service:')) return words.actors.service
  return nameOrId(actor_name, actor, Object.values(words?.actors ?? {}))
}

/** Whether a detail is worth a sentence of its own. */
function says(value: Value): boolean {
  return value !== null && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0)
}

function sentenceOf({ acts }: ActWords, action: string, details: ReadonlyMap<string, Value>): string | null {
  const [fullest] = Object.keys(acts)
    .map((key) => ({ key, parts: key.split('+') }))
    .filter(({ parts: [of, ...needed] }) => of === action && needed.every((name) => details.has(name)))
    .sort((one, other) => other.parts.length - one.parts.length)
  return fullest?.key ?? null
}

function valueText(desk: Speaker, words: ActWords, name: string, value: Value): string | number {
  const { language, t, networkName } = desk
  if (Array.isArray(value)) return partsText(words, value.map(String))
  if (name === 'count' && typeof value === 'number') return value
  if (name === 'advanced_seconds' && typeof value === 'number') return durationText(language, value)
  const text = plain(String(value))
  if (name === 'amount') return isAmount(text) ? coinText(language, text) : text
  if (name === 'network') return networkName(text)
  if (name === 'role') return isRole(text) ? t(`role_${text}`) : text
  if (name === 'address') return shortened(text)
  if (name === 'destination') return placeText(desk, text)
  return text
}

// More than there are rules of a policy.
const mostParts = 12

/** Our own words stand whole: the last of the rules that were relaxed may be the one that matters. */
function partsText({ parts }: ActWords, names: readonly string[]): string {
  const told = names
    .slice(0, mostParts)
    .map((name) => (Object.hasOwn(parts, name) ? (parts[name] as string) : plain(name)))
  return [...told, ...(names.length > mostParts ? ['…'] : [])].join(', ')
}

function isRole(text: string): text is Role {
  return roleValues.some((role) => role === text)
}

/** A destination is an address, or one in words: `tb1… on bitcoin`. */
function placeText({ networkName }: Speaker, text: string): string {
  const [, address, network] = /^(\S+)(?: tag \S+)? on (\S+)$/.exec(text) ?? []
  return address === undefined || network === undefined
    ? shortened(text)
    : `${shortened(address)} (${networkName(network)})`
}
