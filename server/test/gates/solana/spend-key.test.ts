import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { hotKey, type SolanaPlan } from '../../../src/domain/spends.ts'
import { solanaDepositAddress } from '../../../src/gates/solana/deposit-key.ts'
import { solanaFamily } from '../../../src/gates/solana/family.ts'
import { deriveEd25519 } from '../../../src/gates/solana/slip10.ts'
import { solanaHotAddress, solanaKey } from '../../../src/gates/solana/spend-key.ts'
import { seed } from '../../simulator/gate/keys.ts'

const hotAddress = solanaHotAddress(seed)
const addressOf = (key: Uint8Array) => base58.encode(ed25519.getPublicKey(key))

describe('the hot wallet', () => {
  it("stays at m/44'/501'/0'/1' forever, because funds are there", () => {
    expect(addressOf(deriveEd25519(seed, [44, 501, 0, 1]).privateKey)).toBe(hotAddress)
    expect(hotAddress).toBe('GKreMsHvt8A79VApjboYDq3J4ZCXSJRYYQk9BscMbi1H')
  })

  it('is not a deposit address', () => {
    const deposits = Array.from({ length: 100 }, (_, index) => solanaDepositAddress(seed, index).address)
    expect(deposits).not.toContain(hotAddress)
    expect(addressOf(solanaKey(seed, { chain: 'deposit', index: 5 }))).toBe(deposits[5])
  })

  it('is unknown until the signer publishes it', () => {
    expect(solanaFamily().spending).toMatchObject({ hotAddress: null, depositsAreHot: false })
    expect(solanaFamily({ hotAddress }).spending).toMatchObject({ hotAddress })
    expect(() => solanaFamily({ hotAddress: hotAddress.slice(5) })).toThrow('cannot leave')
  })
})

describe('signing', () => {
  const keyOf = () => solanaKey(seed, hotKey)
  const plan: SolanaPlan = {
    kind: 'solana',
    from: { address: hotAddress, key: hotKey },
    to: { address: solanaDepositAddress(seed, 0).address, tag: null },
    currency: 'SOL',
    contractAddress: null,
    units: 5n,
    payoutId: 'payout',
    lifetime: { kind: 'nonce', index: 0, value: base58.encode(new Uint8Array(32).fill(7)) },
    token: null,
    rentUnits: 0n,
    computeLimit: 1_000n,
    computePrice: 10n,
  }

  it('pays only from the hot wallet, and refuses while that is unknown', () => {
    expect(solanaFamily({ hotAddress }).sign(plan, keyOf).hash).toMatch(/^[1-9A-HJ-NP-Za-km-z]+$/)
    expect(() => solanaFamily().sign(plan, keyOf)).toThrow('not our hot wallet')
  })

  it.each([
    ['another hot wallet', { from: { address: hotAddress, key: { chain: 'own', index: 1 } } }, 'hot wallet'],
    ['a memo of two lines', { to: { ...plan.to, tag: 'a\nb' } }, 'not a valid destination'],
    ['a memo without a payout', { to: { ...plan.to, tag: 'x' }, payoutId: null }, 'Only a payout has a memo'],
    [
      'the system program as destination',
      { to: { address: '1'.repeat(32), tag: null } },
      'not a valid destination',
    ],
    ['coins', { kind: 'coins' }, 'its own kind'],
    ['a token without a program', { contractAddress: hotAddress }, 'a mint and a program'],
    ['rent for SOL', { rentUnits: 1n }, 'opens no account'],
    [
      'sources that do not add up',
      { sources: [{ address: hotAddress, key: hotKey, units: 4n }] },
      'do not add up',
    ],
    [
      'a nonce account that is not its own',
      {
        lifetime: { kind: 'creation', index: 1, blockhash: hotAddress, lastValidHeight: 200n },
        to: { address: '1'.repeat(32), tag: null },
      },
      'not a valid destination',
    ],
  ])('refuses a plan with %s', (_, changes, message) =>
    expect(() => solanaFamily({ hotAddress }).sign({ ...plan, ...changes } as SolanaPlan, keyOf)).toThrow(
      message,
    ),
  )
})
