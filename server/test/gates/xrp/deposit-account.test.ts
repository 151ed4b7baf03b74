import { hexToBytes } from '@noble/hashes/utils.js'
import { mnemonicToSeedSync } from '@scure/bip39'
import { describe, expect, it } from 'vitest'
import { classicAddressOf } from '../../../src/gates/xrp/address.ts'
import { xrpAccount } from '../../../src/gates/xrp/deposit-account.ts'

describe('xrpAccount', () => {
  it.each([
    // trezor-connect, rippleGetAddress: mnemonic_12; the python tests of Trezor: all all all …
    [
      'alcohol woman abuse must during monitor noble actual mixed trade anger aisle',
      'rh5ZnEVySAy7oGd3nebT3wrohGDrsNS83E',
    ],
    ['all all all all all all all all all all all all', 'rNaqKtKrMSwpwZSzRckPf7S96DkimjkF4H'],
  ])('%s', (mnemonic, address) => expect(xrpAccount(mnemonicToSeedSync(mnemonic))).toBe(address))

  it('is the account of the key that xrpl.js derives (its test of Wallet.fromMnemonic)', () =>
    expect(
      xrpAccount(
        mnemonicToSeedSync('assault rare scout seed design extend noble drink talk control guitar quote'),
      ),
    ).toBe(
      classicAddressOf(hexToBytes('035953fcd81d001cf634eb44a87940f3f98adf2483d09c914baed0539be50f385d')),
    ))
})
