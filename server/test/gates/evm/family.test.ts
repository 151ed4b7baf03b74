import { hex } from '@scure/base'
import { mnemonicToSeedSync } from '@scure/bip39'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evmAccountKey } from '../../../src/gates/evm/account-key.ts'
import { evmFamily } from '../../../src/gates/evm/family.ts'

// The mnemonic of Hardhat and Anvil, which print its accounts at every start.
const accountKey = evmAccountKey(mnemonicToSeedSync(`${'test '.repeat(11)}junk`))
const family = evmFamily({ chainId: 1, accountKey })
const parse = (address: string) => family.parseDestination(address, null)?.address ?? null

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => parse(`0x${hex.encode(bytes)}`))
  .filter((parsed) => parsed !== null)
const isOneCase = (text: string) => {
  const digits = text.slice(2)
  return digits === digits.toLowerCase() || digits === digits.toUpperCase()
}
const replaced = (text: string, at: number, put: string) => text.slice(0, at) + put + text.slice(at + 1)

describe('deposit addresses', () => {
  it("are the known accounts of m/44'/60'/0'/0", () => {
    expect(family.depositAddress(0)).toEqual({
      address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      tag: null,
    })
    expect(family.depositAddress(1)?.address).toBe('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
  })

  it('are the same on every chain', () => {
    expect(evmFamily({ chainId: 137, accountKey }).depositAddress(7)).toEqual(family.depositAddress(7))
  })

  it('are valid destinations in their canonical form', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31 - 1), (index) => {
        const deposit = family.depositAddress(index)
        expect(family.parseDestination(deposit?.address ?? '', null)).toEqual(deposit)
      }),
      { numRuns: 30 },
    )
  })

  it('end at the last index that a public key can derive', () => {
    for (const index of [-1, 1.5, Number.NaN, 2 ** 31])
      expect(() => family.depositAddress(index)).toThrow(RangeError)
  })
})

describe('EIP-55', () => {
  it.each([
    // All upper case, all lower case, and mixed: the vectors of the EIP.
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('%s is read, also from a single case', (vector) => {
    expect(parse(vector)).toBe(vector)
    expect(parse(vector.toLowerCase())).toBe(vector)
    expect(parse(`0x${vector.slice(2).toUpperCase()}`)).toBe(vector)
  })

  it('any change of case is refused, unless a single case is left, which carries no checksum', () => {
    fc.assert(
      fc.property(address, fc.bigInt({ min: 0n, max: 2n ** 40n - 1n }), (good, mask) => {
        const flipped = [...good].map((character, at) => {
          if (at < 2 || ((mask >> BigInt(at - 2)) & 1n) === 0n) return character
          return character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase()
        })
        const text = flipped.join('')
        expect(parse(text)).toBe(text === good || isOneCase(text) ? good : null)
      }),
      { numRuns: 500 },
    )
  })

  it('a changed case of any one letter is refused', () => {
    fc.assert(
      fc.property(address, (good) => {
        for (const [at, character] of [...good].entries()) {
          const other =
            character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase()
          const text = replaced(good, at, other)
          if (text === good || (isOneCase(text) && at >= 2)) continue
          expect(parse(text)).toBeNull()
        }
      }),
    )
  })

  it('a wrong digit in a mixed-case address goes unnoticed less than once in a thousand', () => {
    // The checksum is one bit per letter: the EIP gives 0.0247 % for a mistyped address. Fixed addresses, every position,
    // every other digit in both cases.
    const goods = Array.from({ length: 10 }, (_, index) => family.depositAddress(index)?.address ?? '')
    const mistyped = goods.flatMap((good) =>
      [...good]
        .slice(2)
        .flatMap((_, at) =>
          [...'0123456789abcdefABCDEF']
            .filter((digit) => digit.toLowerCase() !== good.charAt(at + 2).toLowerCase())
            .map((digit) => replaced(good, at + 2, digit)),
        ),
    )
    const unseen = mistyped.filter((text) => parse(text) !== null)
    expect(mistyped.length).toBeGreaterThan(8000)
    expect(unseen.length / mistyped.length).toBeLessThan(0.001)
    // An accepted address is the one that was written, never silently another.
    for (const text of unseen) expect(parse(text)).toBe(text)
  })
})

describe('destinations', () => {
  const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

  it.each([
    ['the zero address', `0x${'0'.repeat(40)}`],
    ['the first precompiled contract', `0x${'1'.padStart(40, '0')}`],
    ['the end of the last byte', `0x${'ff'.padStart(40, '0')}`],
    ['P256VERIFY', `0x${'100'.padStart(40, '0')}`],
    ['the end of the reserved range', `0x${'ffff'.padStart(40, '0')}`],
    ['no prefix', '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['an upper-case prefix', '0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['39 digits', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe'],
    ['41 digits', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed0'],
    ['a line end', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\n'],
    ['a name', 'vitalik.eth'],
    ['a Bitcoin address', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
  ])('refused: %s', (_why, text) => {
    expect(parse(text)).toBeNull()
  })

  it('the first address after the reserved range is accepted', () => {
    expect(parse(`0x${'10000'.padStart(40, '0')}`)).toBe(`0x${'10000'.padStart(40, '0')}`)
  })

  it('the listed token contracts are refused in every spelling, and others are not', () => {
    const strict = evmFamily({ chainId: 1, accountKey, refused: [usdc.toLowerCase()] })
    for (const text of [usdc, usdc.toLowerCase(), `0x${usdc.slice(2).toUpperCase()}`]) {
      expect(strict.parseDestination(text, null)).toBeNull()
      expect(parse(text)).toBe(usdc)
    }
    expect(strict.parseDestination('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', null)).not.toBeNull()
  })

  it('a tag is refused, because this network has none', () => {
    for (const tag of ['', '0', '1']) expect(family.parseDestination(usdc, tag)).toBeNull()
  })

  it('no text makes it throw, and every accepted address has one form', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^0x[0-9a-fA-F]{38,42}$/))
    fc.assert(
      fc.property(text, (input) => {
        const read = parse(input)
        if (read === null) return
        expect(read.toLowerCase()).toBe(input.toLowerCase())
        expect(parse(read)).toBe(read)
      }),
      { numRuns: 500 },
    )
  })
})

describe('options', () => {
  it('a wrong chain id, account key or refused address throws at once', () => {
    for (const chainId of [0, -1, 1.5, Number.NaN, 2 ** 53])
      expect(() => evmFamily({ chainId, accountKey })).toThrow(RangeError)
    expect(() => evmFamily({ chainId: 1, accountKey: '0x' })).toThrow('not an extended key')
    expect(() => evmFamily({ chainId: 1, accountKey, refused: ['0x1'] })).toThrow('not an address')
  })
})
