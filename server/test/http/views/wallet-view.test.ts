import { describe, expect, it } from 'vitest'
import { networkIn } from '../../../src/domain/assets.ts'
import { walletChain, walletTransactionView } from '../../../src/http/resources/checkout/wallet-view.ts'
import { currencies } from '../../support/shop/registry.ts'

const solana = networkIn(currencies, 'solana')

describe('a wallet on Solana is told the chain that is followed', () => {
  it.each([
    ['5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d', 'solana:mainnet'],
    ['EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG', 'solana:devnet'],
    ['4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY', 'solana:testnet'],
  ])('%s', (genesis, chain) => expect(walletChain(solana, `solana ${genesis}`)).toBe(chain))

  it('but nothing while it is unknown, and nothing of a chain of one’s own or another network', () => {
    expect(walletChain(solana, null)).toBeNull()
    expect(walletChain(solana, 'solana 11111111111111111111111111111111')).toBeNull()
    expect(walletChain(networkIn(currencies, 'ethereum'), 'solana')).toBeNull()
  })
})

it('a wallet learns which token the transaction moves, and of none for the native currency', () => {
  const transfer = { chainId: 8453, to: '0xToken', valueUnits: 0n, data: '0xa9059cbb' }
  const token = { currency: 'USDC', contractAddress: '0xToken', decimals: 6 }
  expect(walletTransactionView(transfer, token)).toEqual({
    chain_id: 8453,
    to: '0xToken',
    value: '0x0',
    data: '0xa9059cbb',
    token: { address: '0xToken', symbol: 'USDC', decimals: 6 },
  })
  const native = { currency: 'ETH', contractAddress: null, decimals: 18 }
  const plain = { chainId: 1, to: '0xDeposit', valueUnits: 10n ** 18n, data: null }
  expect(walletTransactionView(plain, native)).toMatchObject({ value: '0xde0b6b3a7640000', token: null })
})
