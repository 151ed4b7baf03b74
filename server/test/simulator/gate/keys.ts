import { mnemonicToSeedSync } from '@scure/bip39'
import { bitcoin } from '../../../src/domain/networks/bitcoin.ts'
import { litecoin } from '../../../src/domain/networks/litecoin.ts'
import { bitcoinAccountKey } from '../../../src/gates/bitcoin/account-key.ts'
import { evmAccountKey } from '../../../src/gates/evm/account-key.ts'
import { solanaHotAddress } from '../../../src/gates/solana/spend-key.ts'
import { xrpAccount } from '../../../src/gates/xrp/deposit-account.ts'

/** The mnemonic that the tests of many wallets use. */
export const seed = mnemonicToSeedSync(`${'abandon '.repeat(11)}about`)

export const publicKeys = {
  bitcoin: bitcoinAccountKey(seed, bitcoin, 'test'),
  litecoin: bitcoinAccountKey(seed, litecoin, 'test'),
  ethereum: evmAccountKey(seed),
  xrp: xrpAccount(seed),
  solana: solanaHotAddress(seed),
}
