import { mnemonicToSeedSync } from '@scure/bip39'
import { bitcoinAccountKey } from '../../../src/gates/bitcoin/account-key.ts'
import { evmAccountKey } from '../../../src/gates/evm/account-key.ts'
import type { TestPublicKeys } from '../../../src/gates/simulated/test-families.ts'
import { solanaHotAddress } from '../../../src/gates/solana/spend-key.ts'
import { xrpAccount } from '../../../src/gates/xrp/deposit-account.ts'

/** The mnemonic that every wallet's tests use. */
export const seed = mnemonicToSeedSync(`${'abandon '.repeat(11)}about`)

export const publicKeys: TestPublicKeys = {
  bitcoin: bitcoinAccountKey(seed, 'bitcoin', 'test'),
  litecoin: bitcoinAccountKey(seed, 'litecoin', 'test'),
  evm: evmAccountKey(seed),
  xrp: xrpAccount(seed),
  solana: solanaHotAddress(seed),
}
