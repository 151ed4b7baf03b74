import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MessageValues, translate } from '@sluice/web/ui/messages.ts'
import { describe, expect, it } from 'vitest'
import { fieldProblem } from '../../../server/src/domain/reasons/field-problems.ts'
import { RefusedError } from '../src/api/errors.ts'
import type { Language, Messages } from '../src/messages.ts'
import { loadRefusalWords } from '../src/reason-words.ts'
import { problemIn, refusalText } from '../src/refusals.ts'

function voice(language: Language) {
  const file = join(import.meta.dirname, `../messages/${language}.json`)
  const messages = JSON.parse(readFileSync(file, 'utf8')) as Messages
  return {
    language,
    messages,
    words: null,
    t: (key: keyof Messages, values?: MessageValues) => translate(language, messages, key, values),
  }
}
const [english, german] = [voice('en'), voice('de')]
const knowing = { ...german, words: await loadRefusalWords('de') }
const refused = (
  code: string,
  details: string[],
  message = 'The request is not valid. Correct the problems listed in details.',
  reasons: { code: string; message: string; values: Record<string, string> }[] = [],
) => {
  const problems = details.map(fieldProblem).map((each) => ({ ...each, values: { ...each.values } }))
  return new RefusedError(400, { code, message, details, problems, reasons }, 'req_1', null)
}

describe('what is wrong with a field', () => {
  const password = refused('validation_error', ['/current_password: is wrong'], 'The password is wrong.')

  it('is said about that field alone, in the language of the page', () => {
    expect(problemIn(english, password, 'current_password')).toBe('This password is wrong.')
    expect(problemIn(german, password, 'current_password')).toBe('Dieses Passwort ist falsch.')
    expect(problemIn(english, password, 'password')).toBeNull()
    expect(problemIn(english, null, 'password')).toBeNull()
  })

  it('is found in a part of the field', () => {
    const site = refused('validation_error', ['/embed_origins/1: must look like https://shop.example.com'])
    expect(problemIn(english, site, 'embed_origins')).toBe(english.t('wrong_embed_origins'))
  })

  it('is what only the service knows, in the language of the page', () => {
    const low = refused(
      'insufficient_balance',
      ['/amount: needs 1234.5 BTC including fees, and 1 BTC is available'],
      'The available balance is too low.',
    )
    expect(problemIn(english, low, 'amount')).toBe('Needs 1234.5 BTC including fees, and 1 BTC is available.')
    expect(problemIn(knowing, low, 'amount')).toBe(
      'Mit Gebühren sind 1.234,5 BTC nötig, verfügbar sind 1 BTC.',
    )
    const target = refused('webhook_target_refused', ['/url: must name a host that resolves'])
    expect(problemIn(knowing, target, 'url')).toBe('Diesen Host gibt es nicht. Prüfen Sie die Schreibweise.')
    // Until the words are here, and for words of a newer service: less, but no English.
    expect(problemIn(german, low, 'amount')).toBe(german.t('code_insufficient_balance'))
    const newer = refused('insufficient_balance', ['/amount: is under a new rule'], 'A new rule.')
    expect(problemIn(knowing, newer, 'amount')).toBe(german.t('code_insufficient_balance'))
    expect(problemIn(english, newer, 'amount')).toBe('Is under a new rule.')
  })
})

describe('a refusal as a whole', () => {
  it('says what is wrong without the names that programs use', () => {
    const two = refused('validation_error', [
      '/password: must have at least 12 characters',
      '/name: is required',
    ])
    expect(refusalText(german, two)).toBe(`${german.t('wrong_password')} ${german.t('wrong_name')}`)
    const unknown = refused('validation_error', [
      '/events/0: must be one of invoice.paid',
      '/url: is required',
    ])
    expect(refusalText(english, unknown)).toBe('Must be one of invoice.paid. URL: is required.')
    expect(refusalText(knowing, unknown)).toBe(
      'Möglich ist nur: invoice.paid. Adresse (URL): Das fehlt noch.',
    )
    expect(refusalText(german, unknown)).toBe(german.t('code_validation_error'))
    const one = refused('validation_error', ['/name: is required', '/role: is required'])
    expect(refusalText(knowing, one)).toBe(`${german.t('wrong_name')} Rolle: Das fehlt noch.`)
  })

  it('says first what it is about, where its message says more than that details follow', () => {
    const message = 'This destination cannot be paid. Check the address, its network and its tag.'
    const reasons = [{ code: 'destination_refused', message, values: {} }]
    const own = refused(
      'invalid_destination',
      ['/destination: is an address of this service'],
      message,
      reasons,
    )
    expect(refusalText(english, own)).toBe(`${message} Destination: is an address of this service.`)
    expect(refusalText(knowing, own)).toBe(
      'An dieses Ziel kann nicht gezahlt werden. Prüfen Sie Adresse, Netzwerk und Tag. Ziel: Das ist eine Adresse dieses Dienstes.',
    )
  })

  it('without details is the message of the service, in the language of the page', () => {
    const message = 'This is the last owner. Make another member an owner first.'
    const reasons = [{ code: 'last_owner', message, values: {} }]
    const last = new RefusedError(409, { code: 'conflict', message, reasons }, 'req_1', null)
    expect(refusalText(english, last)).toBe(message)
    expect(refusalText(knowing, last)).toBe(
      'Das ist der letzte Inhaber. Machen Sie zuerst ein anderes Mitglied zum Inhaber.',
    )
    // Until the words are here, and for a sentence of a newer service: less, but no English.
    expect(refusalText(german, last)).toBe(german.t('code_conflict'))
    const newer = refused('conflict', [], 'A new rule.')
    expect(refusalText(knowing, newer)).toBe(german.t('code_conflict'))
    expect(refusalText(knowing, refused('of_a_newer_service', []))).toBe(german.t('problem_title'))
  })

  it('says amounts as the reader writes them', () => {
    const reasons = [
      {
        code: 'balance_too_low',
        message: '',
        values: { amount: '1234.5 USDT', seen: '0.25 USDT', network: 'Tron' },
      },
    ]
    const low = new RefusedError(422, { code: 'insufficient_balance', reasons }, 'req_1', null)
    expect(refusalText(knowing, low)).toBe(
      'Das verfügbare Guthaben reicht nicht: Mit Gebühren sind 1.234,5 USDT nötig, und auf Tron haben Sie 0,25 USDT.',
    )
  })
})
