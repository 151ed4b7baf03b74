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
