import { hex } from '@scure/base'
import fc from 'fast-check'
import { decode, encode } from 'ripple-binary-codec'
import { describe, expect, it } from 'vitest'
import {
  exactUnits,
  floorToUnits,
  isRepresentable,
  issuedFromBytes,
  issuedToBytes,
  readValue,
  shownAtoms,
  toAtoms,
} from '../../../src/gates/xrp/issued-amount.ts'
import {
  codeFromBytes,
  codeToBytes,
  contractOf,
  readContract,
} from '../../../src/gates/xrp/issued-currency.ts'

const issuer = 'rMxCKbEDwqr76QuheSUMdEGf4B9xJ8m5De'
const long = '524C555344000000000000000000000000000000'
const amounts = fc.record({
  currency: fc.constantFrom('USD', long, 'a$!'),
  mantissa: fc.bigInt({ min: 1n, max: 10n ** 16n - 1n }),
  exponent: fc.integer({ min: -80, max: 64 }),
})
const said = (mantissa: bigint, exponent: number) => `${mantissa}e${exponent}`

describe('amounts of issued currencies', () => {
  it('have the bytes of the ledger’s own library, and are read from them and from the words of servers', () => {
    fc.assert(
      fc.property(amounts, ({ currency, mantissa, exponent }) => {
        const value = said(mantissa, exponent)
        const library = encode({ Amount: { currency, issuer, value } } as never).slice(2)
        const atoms = readValue(value)
        if (atoms === null) throw new Error(`${value} is not read.`)
        const bytes = issuedToBytes({ currency, issuer, atoms })
        expect(hex.encode(bytes).toUpperCase()).toBe(library)
        expect(issuedFromBytes(bytes)).toEqual({ currency, issuer, atoms })
        const shown = (decode(`61${library}`) as { Amount: { value: string } }).Amount
        expect(shown).toMatchObject({ currency, issuer })
        expect(readValue(shown.value)).toBe(atoms)
      }),
      { numRuns: 200 },
    )
  })

  it('nothing at all is one too', () => {
    const bytes = issuedToBytes({ currency: 'USD', issuer, atoms: 0n })
    expect(hex.encode(bytes).toUpperCase()).toBe(
      encode({ Amount: { currency: 'USD', issuer, value: '0' } } as never).slice(2),
    )
    expect(issuedFromBytes(bytes)?.atoms).toBe(0n)
  })

  it('below zero are read as such', () => {
    const bytes = hex.decode(
      encode({ Amount: { currency: 'USD', issuer, value: '-12.5' } } as never)
        .slice(2)
        .toLowerCase(),
    )
    expect(issuedFromBytes(bytes)?.atoms).toBe(readValue('-12.5'))
  })

  it('that the ledger cannot hold exactly are never written', () => {
    const digits = toAtoms(10n ** 16n + 1n, 6)
    expect(isRepresentable(digits)).toBe(false)
    expect(() => issuedToBytes({ currency: 'USD', issuer, atoms: digits })).toThrow(RangeError)
    expect(isRepresentable(toAtoms(10n ** 16n - 1n, 6))).toBe(true)
    expect(isRepresentable(1n)).toBe(false)
  })

  it('are floored to units, which is what is credited, and are exact only without a rest', () => {
    const atoms = readValue('1.2345678') ?? 0n
    expect(floorToUnits(atoms, 6)).toBe(1_234_567n)
    expect(exactUnits(atoms, 6)).toBeNull()
    expect(floorToUnits(readValue('0.0000009999') ?? 0n, 6)).toBe(0n)
    expect(exactUnits(toAtoms(1_234_567n, 6), 6)).toBe(1_234_567n)
    expect(shownAtoms(readValue('-1.50') ?? 0n)).toBe('-1.5')
  })

  it.each([
    '',
    '1,5',
    '0x10',
    '1e99',
    '1e-97',
    '9999999999999999e81',
    '١',
    ' 1',
    '1 ',
    '--1',
    '+1',
    'NaN',
    null,
    5,
    {},
  ])('a value of %j is none', (value) => expect(readValue(value)).toBeNull())

  it('any bytes are read without throwing, and written the same again', () =>
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 48, maxLength: 48 }), (bytes) => {
        const read = issuedFromBytes(bytes)
        if (read !== null && read.atoms > 0n && readContract(contractOf(read)) !== null)
          expect(issuedToBytes(read)).toEqual(bytes)
      }),
    ))
})

describe('codes of issued currencies', () => {
  it.each(['USD', 'usd', 'a$!', long])('%s is the same after its bytes', (code) =>
    expect(codeFromBytes(codeToBytes(code))).toBe(code),
  )

  it.each([
    ['XRP, which no one issues', 'XRP'],
    ['hexadecimal in lower case', long.toLowerCase()],
    ['hexadecimal that begins with 00', `00${long.slice(2)}`],
    ['too short', 'US'],
    ['too long', 'USDC'],
  ])('%s is no code', (_, code) => {
    expect(readContract(`${code}.${issuer}`)).toBeNull()
    expect(() => codeToBytes(code)).toThrow(TypeError)
  })

  it.each(['', '.', long, `${long}.`, `${long}.${issuer}x`, `${long}.${issuer.slice(0, -1)}f`])(
    'the contract %j names nothing',
    (contract) => expect(readContract(contract)).toBeNull(),
  )
})
