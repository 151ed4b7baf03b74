import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AccountPlan, hotKey } from '../../../src/domain/spends.ts'
import { xrpKey } from '../../../src/gates/xrp/deposit-account.ts'
import { xrpFamily } from '../../../src/gates/xrp/family.ts'
import { depositTag, maxDepositTags, maxTag, parseTag } from '../../../src/gates/xrp/tag.ts'
import { publicKeys, seed } from '../../simulator/gate/keys.ts'
import { assetsOn, familyOn } from '../../simulator/gate/plans.ts'
import { currencies } from '../../support/shop/registry.ts'

const account = 'rNaqKtKrMSwpwZSzRckPf7S96DkimjkF4H'
const other = 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf'
const live = xrpFamily({ environment: 'live', account })
const test = xrpFamily({ environment: 'test', account })
const lenient = xrpFamily({ environment: 'live', account, requireTag: false })

describe('depositAddress', () => {
  it('all share the account, and each has a tag of its own, from 1 up', () => {
    const tags = Array.from({ length: 20_000 }, (_, index) => live.depositAddress(index))
    expect(new Set(tags.map((made) => made?.address))).toEqual(new Set([account]))
    expect(new Set(tags.map((made) => made?.tag)).size).toBe(20_000)
  })

  it('the sequence of tags never changes, because payers already have them', () =>
    expect([0, 1, 2, 3, maxDepositTags - 1].map(depositTag)).toEqual([
      '1930861494',
      '1714239341',
      '1497617188',
      '1280995035',
      '216622153',
    ]))

  it('every tag is a plain integer that fits a signed 32-bit integer and is not 0', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: maxDepositTags - 1 }), (index) => {
        const tag = parseTag(depositTag(index))
        expect(tag).toBeGreaterThan(0)
        expect(tag).toBeLessThan(2 ** 31)
      }),
    ))

  it('a wrong digit or two swapped neighbours never yield one of the first 117 million tags', () => {
    const prime = 2n ** 31n - 1n
    const inverse = 505_417_982n // of the first tag, modulo the prime
    expect((inverse * BigInt(depositTag(0))) % prime).toBe(1n)
    // Two tags that differ by this much belong to indexes this far apart, in either direction.
    const near = (difference: bigint) =>
      [difference, prime - difference].some((apart) => (apart * inverse) % prime <= 117_000_000n)
    const places = Array.from({ length: 10 }, (_, power) => 10n ** BigInt(power))
    const digits = Array.from({ length: 9 }, (_, digit) => BigInt(digit + 1))
    const slips = places.flatMap((place) => digits.flatMap((digit) => [digit * place, 9n * digit * place]))
    expect(slips.filter((slip) => slip < prime && near(slip))).toEqual([])
  })

  it.each([-1, 0.5, Number.NaN, maxDepositTags])('index %d is an error', (index) =>
    expect(() => live.depositAddress(index)).toThrow(RangeError),
  )

  it.each(['', 'rNaqKtKrMSwpwZSzRckPf7S96DkimjkF4h', 'rrrrrrrrrrrrrrrrrrrrrhoLvTp'])(
    'a family with the account %j is an error',
    (wrong) => expect(() => xrpFamily({ environment: 'live', account: wrong })).toThrow('classic'),
  )
})

describe('parseDestination', () => {
  it.each(['0', '1', '4294967295'])('accepts a classic address with tag %s, in either environment', (tag) => {
    expect(live.parseDestination(other, tag)).toEqual({ address: other, tag })
    expect(test.parseDestination(other, tag)).toEqual({ address: other, tag })
  })

  it('refuses a missing tag, unless the caller does not require one', () => {
    const untaggedX = 'XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb'
    for (const address of [other, untaggedX]) {
      expect(live.parseDestination(address, null)).toBeNull()
      expect(lenient.parseDestination(address, null)).toEqual({ address: other, tag: null })
    }
    expect(lenient.parseDestination(untaggedX, '1')).toBeNull()
  })

  it.each(['', '00', '01', '+1', '-1', '1.0', '1e3', ' 1', '1\n', '0x1', '4294967296', '99999999999', '１'])(
    'refuses the tag %j',
    (tag) => {
      expect(live.parseDestination(other, tag)).toBeNull()
      expect(lenient.parseDestination(other, tag)).toBeNull()
    },
  )

  it('turns an X-address into a classic address and its tag', () => {
    const packed = 'XVLhHMPHU98es4dbozjVtdWzVrDjtVqrDUk2vDpkTjPsY73'
    const expected = { address: other, tag: '16781933' }
    expect(live.parseDestination(packed, null)).toEqual(expected)
    expect(live.parseDestination(packed, '16781933')).toEqual(expected)
    expect(live.parseDestination(packed, '16781934')).toBeNull()
    expect(live.parseDestination('XVLhHMPHU98es4dbozjVtdWzVrDjtV8AqEL4xcZj5whKbmc', null)?.tag).toBe('0')
  })

  it('refuses an X-address of the other environment', () => {
    expect(test.parseDestination('XVLhHMPHU98es4dbozjVtdWzVrDjtVqrDUk2vDpkTjPsY73', null)).toBeNull()
    expect(live.parseDestination('TVE26TYGhfLC7tQDno7G8dGtxSkYQnVsw45sDtGHhLi27Qa', null)).toBeNull()
    expect(test.parseDestination('TVE26TYGhfLC7tQDno7G8dGtxSkYQnVsw45sDtGHhLi27Qa', null)).toEqual({
      address: other,
      tag: '16781933',
    })
  })

  it.each([
    ['ACCOUNT_ZERO', 'rrrrrrrrrrrrrrrrrrrrrhoLvTp'],
    ['ACCOUNT_ONE', 'rrrrrrrrrrrrrrrrrrrrBZbvji'],
    ['the genesis account', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
    ['the genesis account in an X-address, tag 42', 'XVPcpSm47b1CZkf5AkKM9a84dQHe3mTCLZc5ZAoh11sd5nY'],
    ['the name reservation', 'rrrrrrrrrrrrrrrrrNAMEtxvNvQ'],
    ['the NaN address', 'rrrrrrrrrrrrrrrrrrrn5RM1rHd'],
    ['our own account', account],
    ['a Bitcoin address', '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA'],
    ['a Solana address', '5vftMkHL72JaJG6ExQfGAsT2uGVHpRR7oTNUPMs68Y2N'],
    ['a space before', ` ${other}`],
    ['a line end after', `${other}\n`],
  ])('refuses %s', (_what, address) => {
    expect(live.parseDestination(address, '42')).toBeNull()
    expect(lenient.parseDestination(address, null)).toBeNull()
  })

  it('never throws, and accepts an accepted destination again unchanged', () => {
    const anyAddress = fc.oneof(
      fc.string(),
      fc.constantFrom(other, account, 'XVLhHMPHU98es4dbozjVtdWzVrDjtVqrDUk2vDpkTjPsY73'),
    )
    const anyTag = fc.oneof(fc.constant(null), fc.string(), fc.nat(maxTag).map(String))
    fc.assert(
      fc.property(anyAddress, anyTag, (address, tag) => {
        const found = lenient.parseDestination(address, tag)
        if (found !== null) expect(lenient.parseDestination(found.address, found.tag)).toEqual(found)
      }),
    )
  })
})

describe('paymentUri', () => {
  const xrp = currencies.find(({ code }) => code === 'XRP')?.assets[0]
  if (xrp === undefined) throw new Error('no XRP')

  it('has the amount in XRP and the tag as dt', () => {
    expect(live.paymentUri({ address: account, tag: '123' }, xrp, 1n)).toBe(
      `xrpl://${account}?amount=0.000001&dt=123`,
    )
    expect(live.paymentUri({ address: account, tag: null }, xrp, 25_500_000n)).toBe(
      `xrpl://${account}?amount=25.5`,
    )
  })

  it('names issuer and code of an issued currency', () => {
    const rippleUsd = currencies.find(({ code }) => code === 'RLUSD')?.assets[0]
    if (rippleUsd === undefined) throw new Error('no RLUSD')
    expect(live.paymentUri({ address: account, tag: '123' }, rippleUsd, 2_500_000n)).toBe(
      `xrpl://${account}?amount=2.5&issuer=rMxCKbEDwqr76QuheSUMdEGf4B9xJ8m5De&currency=524C555344000000000000000000000000000000&dt=123`,
    )
    const odd = { ...rippleUsd, contractAddress: `a&#.${other}` }
    expect(live.paymentUri({ address: account, tag: null }, odd, 1n)).toBe(
      `xrpl://${account}?amount=0.000001&issuer=${other}&currency=a%26%23`,
    )
  })
})

describe('sign', () => {
  const family = familyOn('xrp')
  const keyOf = () => xrpKey(seed, hotKey)
  const plan: AccountPlan = {
    kind: 'account',
    from: { address: publicKeys.xrp, key: hotKey },
    nonce: 4n,
    to: { address: 'rMQ98K56yXJbDGv49ZSmW51sLn94Xe1mu1', tag: '7' },
    currency: 'XRP',
    contractAddress: null,
    units: 5n,
    gasLimit: 1n,
    gasPrice: 10n,
    payoutId: 'payout',
  }
  const token = assetsOn('xrp').find(({ currency }) => currency === 'RLUSD')?.contractAddress ?? ''
  const issuer = token.split('.')[1] ?? ''
  const strangers = `USD.${plan.to.address}`
  const inToken = { currency: 'RLUSD', contractAddress: token }
  const trustIn = (contractAddress: string) => ({
    contractAddress,
    units: 0n,
    to: { address: contractAddress.split('.')[1] ?? '', tag: null },
  })

  it('pays from the one account that deposits arrive at too', () => {
    expect(family.spending).toMatchObject({
      kind: 'account',
      hotAddress: publicKeys.xrp,
      depositsAreHot: true,
    })
    expect(xrpKey(seed, { chain: 'deposit', index: 12 })).toEqual(keyOf())
    expect(() => xrpKey(seed, { chain: 'own', index: 1 })).toThrow(RangeError)
  })

  it.each([
    ['XRP', {}],
    ['an issued currency', inToken],
    ['a trust line', trustIn(token)],
    ['nothing, to use up the number', { units: 0n, to: { address: publicKeys.xrp, tag: null } }],
  ])('what is signed in %s is read as what was planned', (_, changes) => {
    const { key: _key, ...from } = plan.from
    const { from: __, payoutId, currency, ...said } = { ...plan, ...changes }
    const { hash, bytes } = family.sign({ ...plan, ...changes } as AccountPlan, keyOf)
    expect(family.read(bytes)).toEqual({ ...said, hash, from: from.address })
  })

  it('what another family signs in a currency that we do not know is not read', () => {
    const { bytes } = family.sign({ ...plan, ...inToken }, keyOf)
    const other = xrpFamily({ environment: 'test', account: publicKeys.xrp })
    expect(other.read(bytes)).toEqual({ refused: expect.stringContaining('none of ours') })
  })

  it('a tag of 0 is not the same as no tag', () => {
    const lenient = xrpFamily({ environment: 'test', account: publicKeys.xrp, requireTag: false })
    const tagsOf = ['0', null].map((tag) => {
      const read = lenient.read(lenient.sign({ ...plan, to: { ...plan.to, tag } }, keyOf).bytes)
      return 'to' in read && read.to.tag
    })
    expect(tagsOf).toEqual(['0', null])
  })

  it.each([
    ['another sender', { from: { address: plan.to.address, key: hotKey } }, 'not our account'],
    ['itself', { to: { address: publicKeys.xrp, tag: '1' } }, 'not a valid destination'],
    ['no tag', { to: { ...plan.to, tag: null } }, 'not a valid destination'],
    ['a token', { contractAddress: 'r' }, 'names no currency'],
    ['an unknown token', { contractAddress: strangers }, 'not a currency of this network'],
    ['a trust line for an unknown token', trustIn(strangers), 'not a currency of this network'],
    ['an issuer', { to: { address: issuer, tag: '1' } }, 'not a valid destination'],
    ['more digits than the ledger keeps', { ...inToken, units: 10n ** 16n + 1n }, 'exactly'],
    ['nothing', { units: 0n }, 'a positive amount'],
    ['more than all drops', { units: 10n ** 17n + 1n }, 'no such amount'],
    ['a fee above all drops', { gasPrice: 10n ** 17n + 1n }, 'no such amount'],
    ['a fee below zero', { gasPrice: -1n }, 'no such amount'],
    ['several units of gas', { gasLimit: 2n }, 'unit of gas'],
    ['a nonce without a sequence number', { nonce: 2n ** 32n - 1n }, 'nonce'],
    ['a nonce below zero', { nonce: -1n }, 'nonce'],
    ['coins', { kind: 'coins' }, 'no coins'],
  ])('signs no plan with %s', (_, changes, message) =>
    expect(() => family.sign({ ...plan, ...changes } as AccountPlan, keyOf)).toThrow(message),
  )
})
