import type { AuditEntry } from '@sluice/web/contract'
import { translate } from '@sluice/web/ui/messages.ts'
import { describe, expect, it } from 'vitest'
import { auditActions } from '../../../server/src/domain/audit-actions.ts'
import { type ActWords, actorText, actText, loadActWords } from '../src/act-words.ts'
import { type Language, languages, loadMessages, type MessageKey } from '../src/messages.ts'

const address = '0x52908400098527886E0F7030069857D2E4169EE7'
const words = Object.fromEntries(
  await Promise.all(languages.map(async (language) => [language, await loadActWords(language)])),
) as Record<Language, ActWords>
const messages = Object.fromEntries(
  await Promise.all(languages.map(async (language) => [language, await loadMessages(language)])),
)

function said(action: string, details: object, language: Language = 'en', by = 'Finn', actor = 'user:1') {
  const desk = {
    language,
    t: (key: MessageKey) => translate(language, messages[language], key),
    networkName: (id: string) => ({ bitcoin: 'Bitcoin' })[id] ?? id,
  }
  const entry = { action, actor, actor_name: by, details: details as AuditEntry['details'] }
  return actText(desk, words[language], entry)
}

const forms = (message: ActWords['acts'][string] = '') =>
  typeof message === 'string' ? [message] : Object.values(message)
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()

describe.each(languages.map((language) => ({ language })))('in $language', ({ language }) => {
  const { acts, parts, actors } = words[language]

  it('every action of the service has a sentence, and nothing else does', () => {
    const told = new Set(Object.keys(acts).map((key) => key.split('+')[0]))
    expect([...told].sort()).toEqual([...auditActions].sort())
    expect(auditActions.filter((action) => !(action in acts))).toEqual([])
  })

  it('the keys are those of English, with the same placeholders', () => {
    for (const [own, wanted] of [
      [acts, words.en.acts],
      [parts, words.en.parts],
      [actors, words.en.actors],
    ] as const)
      expect(Object.keys(own)).toEqual(Object.keys(wanted))
    const unlike = Object.entries(acts).filter(([key, message]) =>
      forms(message).some(
        (text) =>
          placeholders(text).join() !== placeholders(forms(words.en.acts[key])[0] ?? '').join() ||
          text.trim() !== text,
      ),
    )
    expect(unlike).toEqual([])
  })

  it('a sentence names the actor, and takes nothing but the details that it asks for', () => {
    const wrong = Object.entries(acts).filter(([key, message]) => {
      const [, ...details] = key.split('+')
      return forms(message).some((text) => {
        const names = placeholders(text)
        return !names.includes('actor') || names.some((name) => !['actor', ...details].includes(name ?? ''))
      })
    })
    expect(wrong).toEqual([])
  })

  it('what has plural forms has all of the language', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    for (const message of Object.values(acts))
      if (typeof message !== 'string')
        expect(Object.keys(message).sort()).toEqual([...pluralCategories].sort())
  })

  if (language !== 'en')
    it('no sentence is the English one', () => {
      expect(Object.keys(acts).filter((key) => acts[key] === words.en.acts[key])).toEqual([])
    })
})

it('says as much as the details tell', () => {
  const payout = { destination: address, amount: '1065.50', currency: 'USDC' }
  const reason = 'wrong supplier'
  expect(said('payout.rejected', { ...payout, reason })).toBe(
    'Finn rejected a payout of 1,065.5 USDC to 0x529084…169EE7: wrong supplier',
  )
  expect(said('payout.rejected', { ...payout, reason: null })).toBe(
    'Finn rejected a payout of 1,065.5 USDC to 0x529084…169EE7',
  )
  expect(said('payout.rejected', { reason })).toBe('Finn rejected a payout: wrong supplier')
  expect(said('payout.rejected', {})).toBe('Finn rejected a payout')
  expect(said('payout.rejected', { ...payout, reason }, 'de')).toBe(
    'Finn hat eine Auszahlung von 1.065,5 USDC an 0x529084…169EE7 abgelehnt: wrong supplier',
  )
})

it('names a static address by its label, with the address beside it', () => {
  expect(said('address.created', { address, label: 'Ada' })).toBe(
    'Finn created the static address “Ada”: 0x529084…169EE7',
  )
  expect(said('address.created', { address, label: null })).toBe(
    'Finn created the static address 0x529084…169EE7',
  )
})

it('says roles, networks, rules, settings and counts in the words of the page', () => {
  const user = { email: 'a@example.com', name: 'Demo owner', role: 'admin' }
  expect(said('user.created', user, 'de', 'root', 'cli:root')).toBe(
    'root hat den Benutzer Demo owner mit der Rolle „Verwaltung“ angelegt',
  )
  expect(said('destination.added', { destination: 'tb1qsupplier00000000 tag 7 on bitcoin' })).toBe(
    'Finn added the known destination tb1qsupp…000000 (Bitcoin)',
  )
  expect(said('policy.changed', { changed: ['approvalsRequired', 'maxDay'] })).toBe(
    'Finn changed the payout policy: required approvals, maximum in 24 hours',
  )
  const change = ['Payouts to tb1q on bitcoin are allowed.']
  expect(said('policy.change_proposed', { change, relaxes: [] })).toBe(
    'Finn proposed a change of the payout policy',
  )
  expect(said('policy.change_proposed', { change, relaxes: ['maxDay'] }, 'de')).toBe(
    'Finn hat eine Lockerung der Auszahlungsregeln vorgeschlagen: Höchstbetrag in 24 Stunden',
  )
  expect(said('settings.changed', { changed: [], name: 'New' })).toBe('Finn changed the settings')
  expect(said('test_clock.advanced', { advanced_seconds: 7200 }, 'de')).toContain('um 2 Stunden vorgestellt')
  const sent = (count: number) => said('events.redelivered', { count })
  expect([sent(1), sent(2)]).toEqual(['Finn sent 1 event again', 'Finn sent 2 events again'])
  const invited = { email: 'a@example.com', role: 'viewer' }
  expect(said('team.invited', { ...invited, link_shown: false })).not.toContain('saw the link')
  expect(said('team.invited', { ...invited, link_shown: true })).toContain('saw the link')
  const link = { email: 'a@example.com', second_factors_removed: false }
  expect(said('user.reset_link_made', link)).not.toContain('second factors')
  expect(said('user.reset_link_made', { ...link, second_factors_removed: true })).toContain('second factors')
})

it('names keys and the service itself in the language of the page, and people by their name', () => {
  expect(said('webhook.deleted', {}, 'de', 'API key', 'key:1')).toBe(
    'Ein API-Schlüssel hat einen Webhook-Endpunkt gelöscht',
  )
  expect(said('policy.changed', {}, 'en', 'Payout policy', 'service:policy')).toBe(
    'The service changed the payout policy',
  )
  const user = 'user:019a8667-3bd4-7c21-9a6e-000000000001'
  for (const name of ['The service', 'the \u200bservice', 'An API\u200d key'])
    expect(said('policy.changed', {}, 'en', name, user)).toMatch(
      / \(user:019…000001\) changed the payout policy$/,
    )
  for (const name of ['\u202e', '\u200b\u200d', ' \u00ad '])
    expect(said('policy.changed', {}, 'en', name, user)).toBe('user:019…000001 changed the payout policy')
  const entry = {
    action: 'policy.changed',
    actor: 'service:policy',
    actor_name: 'Payout policy',
    details: {},
  }
  expect(actorText(null, entry)).toBe('Payout policy')
})

it('every rule that was relaxed is named, the last one too', () => {
  const relaxes = [
    'maxPayout',
    'maxDay',
    'onlyKnownDestinations',
    'approvalsRequired',
    'coolingOffSeconds',
    'approval',
  ]
  for (const language of languages)
    expect(said('policy.change_approved', { relaxes }, language)).toContain(words[language].parts.approval)
  expect(said('policy.changed', { changed: ['x'.repeat(500), 'approval'] })).toBe(
    `Finn changed the payout policy: ${'x'.repeat(80)}…, how payouts are approved`,
  )
  expect(said('policy.changed', { changed: Array(500).fill('name') })).toMatch(/(name, ){12}…$/)
})

it('a price in fiat is written as prices are, and an amount in coin as amounts are', () => {
  const price = { amount: '49.9', currency: 'USD' }
  expect(said('invoice.created', price)).toBe('Finn created an invoice for $49.90')
  expect(said('invoice.cancelled', { ...price, external_id: 'A-1' })).toBe(
    'Finn cancelled the invoice “A-1” for $49.90',
  )
  for (const language of languages) {
    const text = said('invoice.created', price, language)
    expect(text).toMatch(/49[.,]90/)
    expect(text).not.toMatch(/USD \$|\$ USD|[{}]/)
  }
  expect(said('invoice.created', { amount: '0.50', currency: 'BTC' })).toBe(
    'Finn created an invoice for 0.5 BTC',
  )
})

it('an action without words is told by its code', () => {
  for (const action of ['payout.paid_twice', 'payout', '__proto__', 'constructor', ''])
    expect(said(action, { reason: 'x' })).toBe(action)
  const entry = { action: 'payout.approved', actor: 'user:1', actor_name: 'Finn', details: {} }
  expect(actText({ language: 'en', t: String, networkName: String }, null, entry)).toBe('payout.approved')
})

it('details that someone made up stay inside their place', () => {
  const rejected = (reason: unknown) => said('payout.rejected', JSON.parse(JSON.stringify({ reason })))
  expect(rejected('{actor} {reason} $& $1')).toBe('Finn rejected a payout: {actor} {reason} $& $1')
  expect(rejected('<b>no</b>')).toBe('Finn rejected a payout: <b>no</b>')
  expect(rejected('a\u202eb\u2066c\r\n\u0000d')).toBe('Finn rejected a payout: abc d')
  expect(rejected('x'.repeat(500))).toBe(`Finn rejected a payout: ${'x'.repeat(80)}…`)
  expect(said('payout.approved', JSON.parse('{"__proto__":{"destination":"x"},"actor":"root"}'))).toBe(
    'Finn approved a payout',
  )
  expect(said('policy.changed', { changed: ['__proto__', 'constructor'] })).toBe(
    'Finn changed the payout policy: __proto__, constructor',
  )
  expect(said('team.joined', { role: 'constructor' })).toBe('Finn joined the team with the role constructor')
  expect(said('invoice.created', { amount: '1e5<', currency: 'BTC' })).toContain('for 1e5< BTC')
})
