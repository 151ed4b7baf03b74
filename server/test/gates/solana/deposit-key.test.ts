import { mnemonicToSeedSync } from '@scure/bip39'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { solanaDepositAddress } from '../../../src/gates/solana/deposit-key.ts'
import { solanaFamily } from '../../../src/gates/solana/family.ts'
import { maxHardenedIndex } from '../../../src/gates/solana/slip10.ts'

// The mnemonic is the Solana Cookbook's ("How to Restore a Keypair from a Mnemonic", BIP-44); the addresses
// are those that Blocto's solana-go-sdk documents for it.
const seed = mnemonicToSeedSync(
  'neither lonely flavor argue grass remind eye tag avocado spot unusual intact',
)

describe('solanaDepositAddress', () => {
  it.each([
    [0, '5vftMkHL72JaJG6ExQfGAsT2uGVHpRR7oTNUPMs68Y2N'],
    [1, 'GcXbfQ5yY3uxCyBNDPBbR5FjumHf89E7YHXuULfGDBBv'],
    [2, '7QPgyQwNLqnoSwHEuK8wKy2Y3Ani6EHoZRihTuWkwxbc'],
    [3, '5aE8UprEEWtpVskhxo3f8ETco2kVKiZT9SS3D5Lcg8s2'],
    [4, '5n6afo6LZmzH1J4R38ZCaNSwaztLjd48nWwToLQkCHxp'],
    [5, '2Gr1hWnbaqGXMghicSTHncqV7GVLLddNFJDC7YJoso8M'],
    [6, 'BNMDY3tCyYbayMzBjZm8RW59unpDWcQRfVmWXCJhLb7D'],
    [7, '9CySTpi4iC85gMW6G4BMoYbNBsdyJrfseHoGmViLha63'],
    [8, 'ApteF7PmUWS8Lzm6tJPkWgrxSFW5LwYGWCUJ2ByAec91'],
    [9, '6frdqXQAgJMyKwmZxkLYbdGjnYTvUceh6LNhkQt2siQp'],
  ])('at index %i is the address that wallets derive', (index, address) =>
    expect(solanaDepositAddress(seed, index)).toEqual({ address, tag: null }),
  )

  it('is always an address that can be paid to', () => {
    const family = solanaFamily()
    fc.assert(
      fc.property(fc.integer({ min: 0, max: maxHardenedIndex }), (index) => {
        const made = solanaDepositAddress(seed, index)
        expect(family.parseDestination(made.address, null)).toEqual(made)
      }),
    )
  })

  it.each([-1, 1.5, maxHardenedIndex + 1])('throws for index %d', (index) =>
    expect(() => solanaDepositAddress(seed, index)).toThrow(RangeError),
  )
})
