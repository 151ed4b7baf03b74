import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { base58xrp } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  classicAddressOf,
  decodeClassicAddress,
  decodeXAddress,
  encodeClassicAddress,
} from '../../../src/gates/xrp/address.ts'
import { xAddressVectors } from './x-address-vectors.ts'

const alphabet = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz'

const checked = (...parts: Uint8Array[]) => {
  const payload = concatBytes(...parts)
  return base58xrp.encode(concatBytes(payload, sha256(sha256(payload)).slice(0, 4)))
}
const accountId = fc.uint8Array({ minLength: 20, maxLength: 20 })
const tagBytes = (tag: number) => new Uint8Array(Uint32Array.of(tag, 0).buffer)
const xPrefix = { live: Uint8Array.of(5, 0x44), test: Uint8Array.of(4, 0x93) } as const

describe('classic addresses', () => {
  it.each([
    // xrpl.org, "Address Encoding" and its code sample encode_address.js: secp256k1, then ed25519
    [
      '0303e20ec6b4a39a629815ae02c0a1393b9225e3b890cae45b59f42fa29be9668d',
      'rnBFvgZphmN39GWzUJeUitaP22Fr9be75H',
    ],
    [
      'ed9434799226374926eda3b54b1b461b4abf7237962eae18528fea67595397fa32',
      'rDTXLQ7ZKZVKz33zJbHjgVShjsBnqMBhmN',
    ],
    // ripple-keypairs, test/fixtures/api.json, and the genesis account's key
    [
      '030d58eb48b4420b1f7b9df55087e0e29fef0e8468f9a6825b01ca2c361042d435',
      'rU6K7V3Po4snVhBBaU29sesqs2qTQJWDw1',
    ],
    [
      '0330e7fc9d56bb25d6893ba3f317ae5bcf33b3291bd63db32654a313222f7fd020',
      'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    ],
  ])('the public key %s belongs to %s', (key, address) =>
    expect(classicAddressOf(hexToBytes(key))).toBe(address),
  )

  it.each([
    ['ba8e78626ee42c41b46d46c3048df3a1c3c87072', 'rJrRMgiRgrU6hDF4pgu5DXQdWyPbY35ErN'],
    ['2decab42ca805119a9ba2ff305c9afa12f0b86a1', 'rnBFvgZphmN39GWzUJeUitaP22Fr9be75H'],
    ['00'.repeat(20), 'rrrrrrrrrrrrrrrrrrrrrhoLvTp'],
    [`${'00'.repeat(19)}01`, 'rrrrrrrrrrrrrrrrrrrrBZbvji'],
  ])('the account %s is %s, in both directions', (hex, address) => {
    expect(encodeClassicAddress(hexToBytes(hex))).toBe(address)
    expect(bytesToHex(decodeClassicAddress(address) ?? new Uint8Array())).toBe(hex)
  })

  it('an encoded address decodes to itself', () =>
    fc.assert(
      fc.property(accountId, (id) => {
        expect(decodeClassicAddress(encodeClassicAddress(id))).toEqual(id)
      }),
    ))

  it('another version byte or length is refused, even with a valid checksum', () => {
    expect(decodeClassicAddress(checked(Uint8Array.of(5), new Uint8Array(20)))).toBeNull()
    expect(decodeClassicAddress(checked(Uint8Array.of(0), new Uint8Array(21).fill(7)))).toBeNull()
    expect(decodeClassicAddress(checked(Uint8Array.of(0), new Uint8Array(19).fill(7)))).toBeNull()
    expect(() => encodeClassicAddress(new Uint8Array(19))).toThrow(RangeError)
  })
})

describe('X-addresses', () => {
  it.each(xAddressVectors)('%s with tag %s', (classic, tag, live, test) => {
    const id = decodeClassicAddress(classic)
    expect(decodeXAddress(live)).toEqual({ accountId: id, tag, environment: 'live' })
    expect(decodeXAddress(test)).toEqual({ accountId: id, tag, environment: 'test' })
  })

  it.each([
    ['a bad checksum', 'XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXa'],
    ['a bad prefix', 'dGzKGt8CVpWoa8aWL1k18tAdy9Won3PxynvbbpkAqp3V47g'],
    ['a 64-bit tag', 'XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8zeUygYrCgrPh'],
    ['a flag not in use', checked(xPrefix.live, new Uint8Array(20), Uint8Array.of(2), tagBytes(1))],
    [
      'a tag that is flagged as absent',
      checked(xPrefix.live, new Uint8Array(20), Uint8Array.of(0), tagBytes(1)),
    ],
    [
      'a reserved bit',
      checked(xPrefix.live, new Uint8Array(20), Uint8Array.of(1), Uint8Array.of(1, 0, 0, 0, 1, 0, 0, 0)),
    ],
    ['a classic address', 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf'],
  ])('%s is refused', (_what, text) => expect(decodeXAddress(text)).toBeNull())

  it('an encoded address decodes to itself', () =>
    fc.assert(
      fc.property(accountId, fc.nat(0xffffffff), fc.constantFrom('live', 'test'), (id, tag, environment) => {
        const packed = (flag: number, number: number) =>
          checked(xPrefix[environment], id, Uint8Array.of(flag), tagBytes(number))
        expect(decodeXAddress(packed(1, tag))).toEqual({ accountId: id, tag, environment })
        expect(decodeXAddress(packed(0, 0))).toEqual({ accountId: id, tag: null, environment })
      }),
    ))
})

describe('mistakes', () => {
  const mutations = (good: string) =>
    [...good].flatMap((_, at) =>
      [...`${alphabet}0OIl `]
        .filter((letter) => letter !== good[at])
        .map((letter) => good.slice(0, at) + letter + good.slice(at + 1)),
    )
  const decodes = (text: string) => decodeClassicAddress(text) !== null || decodeXAddress(text) !== null

  it.each([
    'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf',
    'rrrrrrrrrrrrrrrrrrrrBZbvji',
    'XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb',
    'TVE26TYGhfLC7tQDno7G8dGtxSkYQnVsw45sDtGHhLi27Qa',
  ])('every single-character mutation of %s is refused', (good) =>
    expect(mutations(good).filter(decodes)).toEqual([]),
  )

  it('a single-character mutation of any classic address is refused', () =>
    fc.assert(
      fc.property(accountId, fc.nat(), fc.constantFrom(...alphabet), (id, place, letter) => {
        const good = encodeClassicAddress(id)
        const at = place % good.length
        const bad = good.slice(0, at) + letter + good.slice(at + 1)
        expect(decodes(bad)).toBe(bad === good)
      }),
    ))

  it('no string makes decoding throw', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ unit: fc.constantFrom(...alphabet), minLength: 20, maxLength: 50 }),
        ),
        (text) => {
          expect(decodes(text)).toBe(false)
        },
      ),
    ))
})
