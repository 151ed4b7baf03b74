import fc from 'fast-check'
import { expect, it } from 'vitest'
import { languages } from '../src/messages.ts'
import { amountForField, typedAmount } from '../src/typed-amounts.ts'

it.each([
  ['12,50', '12.50', '12.50'],
  ['12.50', '12.50', '12.50'],
  ['0,005', '0.005', '0.005'],
  ['0.005', '0.005', '0.005'],
  ['  7 ', '7', '7'],
  ['1.234,56', '1234.56', '1234.56'],
  ['1,234.56', '1234.56', '1234.56'],
  ['1.234.567', '1234567', '1234567'],
  ['1,234,567', '1234567', '1234567'],
  ['1234,5678', '1234.5678', '1234.5678'],
  ['12.3456', '12.3456', '12.3456'],
  // A thousand and more to one reader, little more than one to another: only the own point is understood.
  ['1.234', null, '1.234'],
  ['1,234', '1.234', null],
  ['12.34.56', null, null],
  ['1,23,456', null, null],
  ['1.2,3.4', null, null],
  ['1.234,567,8', null, null],
  ['-1', null, null],
  ['1e3', null, null],
  ['1 000', null, null],
  ['.5', null, null],
  ['5.', null, null],
  ['', null, null],
])('typed %j is %j in German and %j in English', (typed, german, english) => {
  expect([typedAmount('de', typed), typedAmount('en', typed)]).toEqual([german, english])
})

it.each([
  ['12,50', '12.50'],
  ['12.50', '12.50'],
  ['1.234,56', '1234.56'],
  ['1 234,56', '1234.56'],
  ['1\u202f234\u202f567', '1234567'],
  ['1\u00a0000', '1000'],
  ['1.234', null],
  ['1,234', '1.234'],
  ['12 34', null],
  ['1 23', null],
  ['1234 567', null],
])('typed %j is %j in Spanish, French and Portuguese', (typed, amount) => {
  for (const language of ['es', 'fr', 'pt']) expect(typedAmount(language, typed)).toBe(amount)
})

it('what a field shows of an amount is read back as that amount', () => {
  const amounts = fc.tuple(fc.bigInt(0n, 10n ** 12n), fc.stringMatching(/^(\.\d{1,18})?$/))
  fc.assert(
    fc.property(amounts, fc.constantFrom(...languages), ([whole, fraction], language) => {
      const amount = `${whole}${fraction}`
      expect(typedAmount(language, amountForField(language, amount))).toBe(amount)
    }),
  )
})
