import { mnemonicToSeedSync } from '@scure/bip39'
import { encodeFunctionData, erc20Abi } from 'viem'
import { describe, expect, it } from 'vitest'
import { evmAccountKey } from '../../../src/gates/evm/account-key.ts'
import { evmFamily } from '../../../src/gates/evm/family.ts'
import { transferCall } from '../../../src/gates/evm/transfer-call.ts'
import { currencies } from '../../support/shop/registry.ts'

const accountKey = evmAccountKey(mnemonicToSeedSync(`${'test '.repeat(11)}junk`))
const to = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

describe('the call of a token’s transfer', () => {
  it('is ERC-20’s selector followed by address and amount as words of 32 bytes', () => {
    expect(transferCall('0x5f0bb5e4ba0d9b4ba8a4f7e7d5a2b0e1d4c3b2a1', 49_990_000n)).toBe(
      '0xa9059cbb' +
        '0000000000000000000000005f0bb5e4ba0d9b4ba8a4f7e7d5a2b0e1d4c3b2a1' +
        '0000000000000000000000000000000000000000000000000000000002fac970',
    )
  })

  it.each([1n, 255n, 256n, 10n ** 18n, 2n ** 128n, 2n ** 256n - 1n])(
    'equals viem’s encoding for %d units',
    (units) => {
      expect(transferCall(to, units)).toBe(
        encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, units] }),
      )
    },
  )

  it.each([0n, -1n, 2n ** 256n])('refuses %d units', (units) => {
    expect(() => transferCall(to, units)).toThrow(RangeError)
  })

  it.each(['', '0x', to.slice(0, -1), `${to}0`, to.replace('f39F', 'F39f')])(
    'refuses %j as an address',
    (address) => {
      expect(() => transferCall(address, 1n)).toThrow('is not an address')
    },
  )
})

describe('the transaction requested from a browser wallet', () => {
  const ask = (chainId: number, code: string, network: string, units: bigint) => {
    const asset = currencies
      .find((currency) => currency.code === code)
      ?.assets.find((candidate) => candidate.network.id === network)
    if (asset === undefined) throw new Error('The test names an asset that does not exist.')
    return evmFamily({ chainId, accountKey }).walletTransaction?.({ address: to, tag: null }, asset, units)
  }

  it('pays native currency directly to the address', () => {
    expect(ask(1, 'ETH', 'ethereum', 10n ** 16n)).toEqual({
      chainId: 1,
      to,
      valueUnits: 10n ** 16n,
      data: null,
    })
  })

  it('is a call of the token’s contract, without native currency', () => {
    expect(ask(137, 'USDT', 'polygon', 5_000_000n)).toEqual({
      chainId: 137,
      to: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
      valueUnits: 0n,
      data: transferCall(to, 5_000_000n),
    })
  })
})
