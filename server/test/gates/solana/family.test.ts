import { base58 } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Asset } from '../../../src/domain/assets.ts'
import { fullConsent } from '../../../src/gates/family.ts'
import { associatedTokenAccount, nonceAccount } from '../../../src/gates/solana/derived-address.ts'
import { solanaFamily } from '../../../src/gates/solana/family.ts'
import { isProgram } from '../../../src/gates/solana/programs.ts'
import { currencies } from '../../support/shop/registry.ts'

const wallet = '5vftMkHL72JaJG6ExQfGAsT2uGVHpRR7oTNUPMs68Y2N'
const usdcMint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
function assetOf(code: string): Asset {
  const asset = currencies
    .find((currency) => currency.code === code)
    ?.assets.find((a) => a.network.id === 'solana')
  if (asset === undefined) throw new Error(`no ${code} on solana`)
  return asset
}

const family = solanaFamily({ assets: [assetOf('SOL'), assetOf('USDC')] })

describe('parseDestination', () => {
  it('accepts a wallet as it is written', () =>
    expect(family.parseDestination(wallet, null)).toEqual({ address: wallet, tag: null }))

  it.each([
    ['the system program', '11111111111111111111111111111111'],
    ['the neutral point', base58.encode(Uint8Array.of(1, ...new Uint8Array(31)))],
    ['a mint of the refused list', usdcMint],
    ['the wrapped SOL mint, outside the group of keys', 'So11111111111111111111111111111111111111112'],
    ['a sysvar, outside the group of keys', 'SysvarC1ock11111111111111111111111111111111'],
    ['the incinerator, off the curve', '1nc1nerator11111111111111111111111111111111'],
    [
      'a program derived address of the tests of @solana/web3.js',
      '3gF2KMe9KiC6FNVBmfg9i267aMPvK37FewCip4eGBFcT',
    ],
    ['one character less', wallet.slice(1)],
    ['one character more', `${wallet}1`],
    ['a leading zero byte too many', `1${wallet}`],
    ['a space', ` ${wallet}`],
    ['a line end', `${wallet}\n`],
    ['nothing', ''],
    ['a Bitcoin address', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
    ['an Ethereum address', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
    ['an XRP Ledger address', 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf'],
  ])('refuses %s', (_what, address) => expect(family.parseDestination(address, null)).toBeNull())

  it.each([
    'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
    'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
    'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
    'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
    'namesLPneVptA9Z5rqUDD9tMTWEJwofgaYwp8cawRkX',
    'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy',
    'SwaPpA9LAaLfeLi3a68M4DjnLqgtticKg6CnyNwgAC8',
    'Feat1YXHhH6t1juaWF74WLcfv4XoNocjXA6sPWHNgAse',
    'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s',
    'Stake11111111111111111111111111111111111111',
    'Vote111111111111111111111111111111111111111',
    'Config1111111111111111111111111111111111111',
    'ComputeBudget111111111111111111111111111111',
    'BPFLoader1111111111111111111111111111111111',
    'BPFLoader2111111111111111111111111111111111',
    'BPFLoaderUpgradeab1e11111111111111111111111',
    'LoaderV411111111111111111111111111111111111',
    'NativeLoader1111111111111111111111111111111',
    'AddressLookupTab1e1111111111111111111111111',
    'Ed25519SigVerify111111111111111111111111111',
    'KeccakSecp256k11111111111111111111111111111',
    'SysvarRent111111111111111111111111111111111',
    'SysvarS1otHashes111111111111111111111111111',
    'Sysvar1nstructions1111111111111111111111111',
    'SysvarStakeHistory1111111111111111111111111',
    'SysvarEpochSchedu1e111111111111111111111111',
    'SysvarRecentB1ockHashes11111111111111111111',
  ])('refuses a program that is not listed: %s', (address) => {
    expect(base58.decode(address)).toHaveLength(32)
    expect(isProgram(address)).toBe(true)
    expect(solanaFamily().parseDestination(address, null)).toBeNull()
  })

  it.each(['0', 'für 42', 'x'.repeat(512), '漢'.repeat(170)])('accepts the memo %j', (tag) =>
    expect(family.parseDestination(wallet, tag)).toEqual({ address: wallet, tag }),
  )

  it.each([
    ['', 'must have 1 to 512 bytes in UTF-8, and has 0'],
    ['x'.repeat(513), 'and has 513'],
    ['漢'.repeat(171), 'and has 513'],
    ['two\nlines', 'without control characters'],
    ['\ud800', 'must be text'],
  ])('refuses the memo %j and says why', (tag, words) => {
    expect(family.parseDestination(wallet, tag)).toBeNull()
    expect(family.tagRefusal?.(tag)).toContain(words)
  })

  it('a mint that is not an address is an error, not a gap', () =>
    expect(() =>
      solanaFamily({ assets: [{ ...assetOf('USDC'), contractAddress: usdcMint.slice(1, -1) }] }),
    ).toThrow(usdcMint.slice(1, -1)))

  it('accepts an address that a program controls with consent only, and says so', () => {
    const vault = associatedTokenAccount(wallet, 'token', usdcMint)
    expect(family.parseDestination(vault, null)).toBeNull()
    expect(family.parseDestination(vault, null, fullConsent)).toEqual({ address: vault, tag: null })
    expect(family.destinationRefusal?.(vault)).toMatchObject({ needsConsent: true })
    expect(family.destinationRefusal?.(wallet)).toBeNull()
  })

  it.each([
    ['a mint', usdcMint, 'is the mint of a token'],
    ['a program', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'is a program'],
    ['the first nonce account', nonceAccount(wallet, 0), 'is an account of this service'],
    ['the last nonce account', nonceAccount(wallet, 15), 'is an account of this service'],
    ['a token account of the hot wallet', associatedTokenAccount(wallet, 'token', usdcMint), 'is an account'],
    ['a point that no key generates', base58.encode(Uint8Array.of(1, ...new Uint8Array(31))), null],
  ])('no consent makes it pay %s', (_what, address, words) => {
    const own = solanaFamily({ assets: [assetOf('USDC')], hotAddress: wallet })
    expect(own.parseDestination(address, null, fullConsent)).toBeNull()
    const refusal = own.destinationRefusal?.(address) ?? null
    if (words === null) expect(refusal).toBeNull()
    else expect(refusal).toEqual({ words: expect.stringContaining(words), needsConsent: false })
  })

  it('never throws, and repeats an accepted address unchanged', () => {
    const nearlyAddress = fc.string({ unit: fc.constantFrom(...alphabet), minLength: 30, maxLength: 46 })
    const anyKey = fc.uint8Array({ minLength: 31, maxLength: 33 }).map((bytes) => base58.encode(bytes))
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), nearlyAddress, anyKey), (text) => {
        const found = family.parseDestination(text, null)
        if (found === null) return
        expect(found).toEqual({ address: text, tag: null })
        expect(base58.decode(text).length).toBe(32)
      }),
    )
  })

  // There is no checksum: a mutation can be another valid address. The best we can do is to refuse the many that are not.
  it('refuses most single-character mutations, though not all', () => {
    const mutations = [...wallet].flatMap((_, at) =>
      [...alphabet]
        .filter((letter, i) => i % 4 === 0 && letter !== wallet[at])
        .map((letter) => wallet.slice(0, at) + letter + wallet.slice(at + 1)),
    )
    const accepted = mutations.filter((address) => family.parseDestination(address, null) !== null)
    expect(mutations.length).toBeGreaterThan(600)
    expect(accepted.length / mutations.length).toBeLessThan(1 / 8)
  })
})

describe('depositAddress', () => {
  it('needs the seed', () => expect(family.depositAddress(0)).toBeNull())
})

describe('paymentUri is a transfer request of Solana Pay', () => {
  it.each([
    [1n, '0.000000001'],
    [10_000_000n, '0.01'],
    [1_000_000_000n, '1'],
    [123_456_789_012_345_678n, '123456789.012345678'],
  ])('%d lamports are %s SOL', (units, amount) =>
    expect(family.paymentUri({ address: wallet, tag: null }, assetOf('SOL'), units)).toBe(
      `solana:${wallet}?amount=${amount}`,
    ),
  )

  it('a token is named by its mint, and the recipient stays the wallet', () =>
    expect(family.paymentUri({ address: wallet, tag: null }, assetOf('USDC'), 10_500_000n)).toBe(
      `solana:${wallet}?amount=10.5&spl-token=${usdcMint}`,
    ))
})
