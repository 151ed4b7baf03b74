import { bech32, bech32m } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bitcoin } from '../../../src/domain/networks/bitcoin.ts'
import { litecoin } from '../../../src/domain/networks/litecoin.ts'
import { bitcoinAccountKey } from '../../../src/gates/bitcoin/account-key.ts'
import { bitcoinFamily } from '../../../src/gates/bitcoin/family.ts'
import { currencies } from '../../support/shop/registry.ts'
import { addressOf, type Chain, chains, familyOf, nameOf, type Sample, seed } from './addresses.ts'

const families = chains.map((chain) => ({ chain, name: nameOf(chain), family: familyOf(chain) }))
const spliced = (text: string, at: number, gone: number, put: string) =>
  text.slice(0, at) + put + text.slice(at + gone)

describe.each(families)('$name', ({ chain, family }) => {
  const sample = addressOf(chain)
  const parse = (address: string) => family.parseDestination(address, null)?.address ?? null

  it('every deposit address is a valid destination in its canonical form', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31 - 1), (index) => {
        const deposit = family.depositAddress(index)
        expect(deposit?.tag).toBeNull()
        expect(family.parseDestination(deposit?.address ?? '', null)).toEqual(deposit)
      }),
      { numRuns: 30 },
    )
  })

  it('every form of address is accepted and keeps its canonical spelling', () => {
    fc.assert(
      fc.property(sample, ({ form, address }) => {
        expect(parse(address)).toBe(address)
        const isBech32 = form !== 'pkh' && form !== 'sh'
        expect(parse(address.toUpperCase())).toBe(isBech32 ? address : null)
      }),
    )
  })

  it('an address with any one character changed is refused', () => {
    // Certain for bech32, which detects up to four changes; base58 misses one in 2^32.
    const character = fc.oneof(
      fc.string({ minLength: 1, maxLength: 1 }),
      fc.constantFrom('q', 'p', '1', 'K', 'ſ'),
    )
    fc.assert(
      fc.property(sample, fc.nat(), character, ({ address }, at, put) => {
        const changed = spliced(address, at % address.length, 1, put)
        fc.pre(changed !== address)
        expect(parse(changed)).toBeNull()
      }),
      { numRuns: 500 },
    )
  })

  it('an address with a character lost, doubled or added is refused', () => {
    fc.assert(
      fc.property(sample, fc.nat(), fc.constantFrom('', 'q', 'p', '1', ' '), ({ address }, nat, put) => {
        const at = nat % address.length
        expect(parse(spliced(address, at, put === '' ? 1 : 0, put))).toBeNull()
        expect(parse(spliced(address, at, 0, address.charAt(at)))).toBeNull()
      }),
      { numRuns: 300 },
    )
  })

  it('only versions 0 and 1 with their lengths and checksums are accepted', () => {
    const program = fc.uint8Array({ minLength: 0, maxLength: 42 })
    fc.assert(
      fc.property(fc.nat(31), program, fc.boolean(), (version, bytes, old) => {
        const coder = old ? bech32 : bech32m
        const address = coder.encode(chain.params.bech32, [version, ...coder.toWords(bytes)])
        const isV0 = version === 0 && old && (bytes.length === 20 || bytes.length === 32)
        const mayBeV1 = version === 1 && !old && bytes.length === 32
        if (!mayBeV1) expect(parse(address)).toBe(isV0 ? address : null)
      }),
      { numRuns: 500 },
    )
  })

  it('a tag is refused, because this network has none', () => {
    fc.assert(
      fc.property(sample, fc.string(), ({ address }, tag) => {
        expect(family.parseDestination(address, tag)).toBeNull()
      }),
    )
  })

  it('no text makes it throw', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ maxLength: 100 }).map((rest) => `${chain.params.bech32}1${rest}`),
      fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{20,40}$/),
      fc.constantFrom('\0', '\ud800', '__proto__', 'q'.repeat(1e6), '1'.repeat(25), '1'.repeat(35)),
    )
    fc.assert(
      fc.property(text, (address) => {
        expect(parse(address)).toBeNull()
      }),
      { numRuns: 500 },
    )
  })
})

describe('between networks', () => {
  // On test chains, base58 distinguishes no more than this; everything else differs.
  const isShared = (from: Chain, to: Chain, form: Sample['form']) =>
    from.chain !== 'main' &&
    to.chain !== 'main' &&
    (form === 'pkh' || (form === 'sh' && from.coin === to.coin))

  it('an address is refused on every other network, except for the base58 forms that test chains share', () => {
    for (const from of families)
      for (const to of families.filter((other) => other !== from))
        fc.assert(
          fc.property(addressOf(from.chain), ({ form, address }) => {
            const read = to.family.parseDestination(address, null)
            expect(read).toEqual(isShared(from.chain, to.chain, form) ? { address, tag: null } : null)
          }),
          { numRuns: 40 },
        )
  })

  it('an account key of another chain or network is refused', () => {
    const key = bitcoinAccountKey(seed, bitcoin, 'main')
    expect(() => bitcoinFamily({ network: bitcoin, chain: 'test', accountKey: key })).toThrow('vpub, tpub')
    expect(() => bitcoinFamily({ network: litecoin, chain: 'regtest', accountKey: key })).toThrow('ttub')
    const litecoinKey = bitcoinAccountKey(seed, litecoin, 'main')
    expect(() => bitcoinFamily({ network: bitcoin, chain: 'main', accountKey: litecoinKey })).toThrow(
      'zpub, xpub',
    )
    const testKey = bitcoinAccountKey(seed, bitcoin, 'test')
    expect(() => bitcoinFamily({ network: bitcoin, chain: 'main', accountKey: testKey })).toThrow(
      'zpub, xpub',
    )
  })
})

describe('payment links (BIP-21)', () => {
  const uri = (name: string, code: string, units: bigint) => {
    const found = families.find((candidate) => candidate.name === name)
    const asset = currencies.find((currency) => currency.code === code)?.assets[0]
    const deposit = found?.family.depositAddress(0)
    if (!found || !asset || !deposit) throw new Error('The test names an asset that does not exist.')
    return found.family.paymentUri(deposit, asset, units)
  }

  it('name the currency, the address and the amount in whole units of the currency', () => {
    const bitcoin = 'bitcoin:bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu?amount='
    expect(uri('bitcoin main', 'BTC', 1n)).toBe(`${bitcoin}0.00000001`)
    expect(uri('bitcoin main', 'BTC', 1_000_000n)).toBe(`${bitcoin}0.01`)
    expect(uri('bitcoin main', 'BTC', 2_100_000_000_000_000n)).toBe(`${bitcoin}21000000`)
    expect(uri('litecoin main', 'LTC', 150_000_000n)).toBe(
      'litecoin:ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh?amount=1.5',
    )
    expect(uri('litecoin test', 'LTC', 150_000_000n)).toBe(
      'litecoin:tltc1q6rz28mcfaxtmd6v789l9rrlrusdprr9pesrjxk?amount=1.5',
    )
  })
})
