import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coinText, listAmount, paddingIn, roomFor } from '../src/formats.ts'
import { totalText } from '../src/totals.ts'

/** An amount as it is seen. */
function seen(amount: string, language = 'en'): string {
  const { whole, fraction, cut, isLimit } = listAmount(language, amount)
  return `${whole}${fraction}${cut !== '' && !isLimit ? '…' : ''}`
}

describe('an amount in a list', () => {
  it.each([
    ['0', '0'],
    ['0.00', '0'],
    ['12', '12'],
    ['0.00083167', '0.00083167'],
    ['1.20450012', '1.20450012'],
    ['1309.046531', '1,309.046531'],
    ['101309.046531', '101,309.0465…'],
    ['3.141592653589793238', '3.14159265…'],
    ['1.999999999999999999', '1.99999999…'],
    ['0.999999999999999999', '0.99999999…'],
    ['1.100000000000000001', '1.1…'],
    ['1.000000000000000001', '1.…'],
    ['12.0000000001', '12.…'],
    ['-12.0000000001', '-12.…'],
    ['18250.75', '18,250.75'],
    ['1234567.891234', '1,234,567.891…'],
    ['12345678901.9', '12,345,678,901.…'],
    ['123456789012345678901234567890', '123,456,789,012,345,678,901,234,567,890'],
    ['0.00000001', '0.00000001'],
    ['0.000000019', '0.00000001…'],
    ['0.000000000000000042', '<0.00000001'],
    ['-0.000000000000000042', '>-0.00000001'],
    ['-3.141592653589793238', '-3.14159265…'],
    ['-1.5', '-1.5'],
  ])('%s is seen as %s', (amount, text) => {
    expect(seen(amount)).toBe(text)
  })

  it('is written as in the reader’s language', () => {
    expect(seen('1234567.891234', 'de')).toBe('1.234.567,891…')
    expect(seen('0.000000000000000042', 'de')).toBe('<0,00000001')
    expect(seen('12.0000000001', 'de')).toBe('12,…')
    expect(seen('1234567.891234', 'fr').replaceAll('\u202f', ' ')).toBe('1 234 567,891…')
  })

  it('has all its own digits, seen or not', () => {
    const amounts = fc.tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.nat({ max: 18 }))
    fc.assert(
      fc.property(amounts, fc.constantFrom('en', 'de', 'fr'), ([isNegative, units, decimals], language) => {
        const digits = units.toString().padStart(decimals + 1, '0')
        const at = digits.length - decimals
        const amount = `${isNegative ? '-' : ''}${digits.slice(0, at)}${decimals === 0 ? '' : `.${digits.slice(at)}`}`
        const { whole, fraction, cut, isLimit } = listAmount(language, amount)
        expect(isLimit ? cut : `${whole}${fraction}${cut}`).toBe(coinText(language, amount))
        expect(fraction.length).toBeLessThanOrEqual(9)
        if (units !== 0n) expect(`${whole}${fraction}`).toMatch(/[1-9]/)
      }),
    )
  })
})

describe('the room of a column', () => {
  const of = (...amounts: string[]) =>
    roomFor(
      'en',
      amounts.map((amount) => ({ amount, currency: 'BTC' })),
      14,
    )

  it('is its longest fraction, with the sign of what is cut off if any is', () => {
    expect(of('1', '2').fraction).toBe('')
    expect(of('1.25', '12.5', '7').fraction).toBe('.00')
    expect(of('1.5', '3.141592653589793238').fraction).toBe('.00000000…')
    expect(of('1.5', '0.000000000000000042').fraction).toBe('.00000000')
    expect(of('1.000000001', '1.25').fraction).toBe('.00…')
    expect(of('1.000000001', '7').fraction).toBe('.…')
    expect(roomFor('de', [{ amount: '1.5', currency: 'BTC' }], 14).fraction).toBe(',0')
  })

  it('is filled up behind each amount', () => {
    const amounts = ['7', '1.5', '3.141592653589793238', '1.000000001', '0.000000000000000042']
    const room = of(...amounts)
    expect(room.fraction).toBe('.00000000…')
    expect(amounts.map((amount) => paddingIn(room, listAmount('en', amount)))).toEqual([
      '.00000000…',
      '0000000…',
      '',
      '00000000',
      '…',
    ])
    const short = of('1.000000001', '7')
    expect(['1.000000001', '7'].map((amount) => paddingIn(short, listAmount('en', amount)))).toEqual([
      '',
      '.…',
    ])
  })

  it('is none where the column is too narrow for it: what can be read matters more', () => {
    expect(of('18250.75', '0.00083167').fraction).toBe('.00000000')
    expect(of('182500.75', '0.00083167').fraction).toBe('')
    expect(of('250', '3.141592653589793238').fraction).toBe('.00000000…')
    expect(of('125000', '3.141592653589793238').fraction).toBe('')
  })

  it('has each currency once', () => {
    const currencies = ['BTC', 'USDT', 'BTC'].map((currency) => ({ amount: '1', currency }))
    expect(roomFor('en', currencies, 14).currencies).toBe('BTC\nUSDT')
  })
})

describe('the total of what is selected', () => {
  const desk = {
    language: 'en' as const,
    fiat: (amount: string, currency: string) => `${amount} ${currency}`,
  }
  const row = (amount: string, currency: string, value: string | null, base: string | null) => ({
    amount,
    currency,
    worth: { amount_in_base_currency: value, base_currency: base },
  })

  it('keeps every digit, and adds what was recorded in each base currency on its own', () => {
    const [one, two] = [row('0.1', 'BTC', '5280.10', 'EUR'), row('0.2', 'BTC', '10560.20', 'EUR')]
    expect(totalText(desk, [one, two])).toBe('0.3 BTC (≈ 15840.3 EUR)')
    const other = row('3.141592653589793238', 'ETH', '12566.37', 'USD')
    expect(totalText(desk, [one, other])).toBe(
      '0.1 BTC · 3.141592653589793238 ETH (≈ 5280.1 EUR + 12566.37 USD)',
    )
  })

  it('says nothing of a worth that is not known of every row', () => {
    const rows = [row('0.1', 'BTC', '5280.10', 'EUR'), row('7', 'POL', null, null)]
    expect(totalText(desk, rows)).toBe('0.1 BTC · 7 POL')
    expect(totalText(desk, [row('0.1', 'BTC', '5280.10', 'EUR'), null])).toBe('0.1 BTC')
  })
})
