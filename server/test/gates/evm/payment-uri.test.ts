import { mnemonicToSeedSync } from '@scure/bip39'
import { describe, expect, it } from 'vitest'
import { evmAccountKey } from '../../../src/gates/evm/account-key.ts'
import { evmFamily } from '../../../src/gates/evm/family.ts'
import { currencies } from '../../support/shop/registry.ts'

const accountKey = evmAccountKey(mnemonicToSeedSync(`${'test '.repeat(11)}junk`))

describe('payment links (EIP-681)', () => {
  const to = { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', tag: null }
  const uri = (chainId: number, code: string, network: string, units: bigint) => {
    const assets = currencies.find((currency) => currency.code === code)?.assets
    const asset = assets?.find((candidate) => candidate.network.id === network)
    if (asset === undefined) throw new Error('The test names an asset that does not exist.')
    return evmFamily({ chainId, accountKey }).paymentUri(to, asset, units)
  }

  it('pay native currency by value, in wei', () => {
    expect(uri(1, 'ETH', 'ethereum', 2_014_000_000_000_000_000n)).toBe(
      `ethereum:${to.address}@1?value=2014000000000000000`,
    )
    expect(uri(56, 'BNB', 'bsc', 1n)).toBe(`ethereum:${to.address}@56?value=1`)
  })

  it('pay a token by calling its contract', () => {
    expect(uri(1, 'USDC', 'ethereum', 49_990_000n)).toBe(
      `ethereum:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48@1/transfer?address=${to.address}&uint256=49990000`,
    )
    expect(uri(137, 'USDT', 'polygon', 10n ** 24n)).toBe(
      `ethereum:0xc2132D05D31c914a87C6611C10748AEb04B58e8F@137/transfer?address=${to.address}&uint256=1${'0'.repeat(24)}`,
    )
  })
})
