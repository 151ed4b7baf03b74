import { expect, it } from 'vitest'
import { loadReasonWords, reasonText } from '../src/reason-words.ts'

const reasons = [
  {
    code: 'policy_max_payout',
    message: 'It is worth 1600.50 USD …',
    values: { amount: '1600.50 USD', limit: '599.99 USD' },
  },
  { code: 'other', message: 'The node says no.', values: {} },
  { code: 'of_a_newer_service', message: 'It has a new reason.', values: {} },
]

it('a reason is said in the language of the page, and what has no words there as the service says it', async () => {
  const german = await loadReasonWords('de')
  expect(reasonText('de', german, reasons)).toBe(
    'Sie ist 1.600,50 USD wert, mehr als das Limit von 599,99 USD je Auszahlung. The node says no. It has a new reason.',
  )
  expect(reasonText('en', await loadReasonWords('en'), reasons)).toBe(
    'It is worth 1600.50 USD … The node says no. It has a new reason.',
  )
})

it('what a person typed stays as it is, even where it looks like an amount', async () => {
  const values = { hash: '0xfa11', note: '1234.5 EUR' }
  const released = [{ code: 'ledger_released', message: '', values }]
  expect(reasonText('de', await loadReasonWords('de'), released)).toBe(
    'Aus den schwebenden Zahlungen gutgeschrieben, gezahlt in 0xfa11: 1234.5 EUR',
  )
})

it('the words of the service inside a value are said in the language of the page, too', async () => {
  const words = await loadReasonWords('de')
  const said = (code: string, values: Record<string, string>) =>
    reasonText('de', words, [{ code, message: '', values }])
  const untrusted = (detail: string) => said('node_untrusted', { detail })
  expect(untrusted('it has no hash')).toBe(
    'Der Antwort des Knotens wird nicht vertraut (sie hat keinen Hash).',
  )
  expect(untrusted('output 1 of ab12 does not pay bc1q9')).toContain(
    '(Ausgang 1 von ab12 zahlt nicht an bc1q9)',
  )
  const history = 'it does not say what its transactions did; it must keep their history'
  expect(untrusted(history)).toContain(
    '(sie sagt nicht, was ihre Transaktionen bewirkt haben; der Knoten muss',
  )
  expect(untrusted('constructor')).toContain('(constructor)')
  const detail =
    'it was given without a passkey; this signer trusts its passkey only from 2026-11-15T08:00:00.000Z on'
  expect(said('passkeys_not_counted', { detail })).toMatch(
    /: sie wurde ohne Passkey erteilt; dieser Signierer vertraut ihrem Passkey erst ab 15\.11\.2026, /,
  )
  const setting = 'limits: BTC on bitcoin, per_day: 1.5 BTC → no limit'
  expect(said('alert_setting_weakened', { setting, at: '' })).toContain('1,5 BTC → kein Limit')
  const others = 'one.example:8545 does not answer; two.example gives a different answer'
  expect(said('nodes_disagree', { others })).toContain(
    'one.example:8545 antwortet nicht; two.example gibt eine andere Antwort',
  )
})

it('a text without words can be quoted in a sentence of the page, but never in English', async () => {
  const quote = (text: string) => `Der Knoten meldet: „${text}“`
  const node = [{ code: 'other', message: 'No peers.', values: {} }]
  expect(reasonText('de', await loadReasonWords('de'), node, quote)).toBe('Der Knoten meldet: „No peers.“')
  expect(reasonText('en', null, node, quote)).toBe('No peers.')
})
