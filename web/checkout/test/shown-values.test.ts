import { fiatText, inGroups, isNothing, networkText, roughAmount } from '@sluice/web/ui/amounts.ts'
import { describe, expect, it } from 'vitest'
import { walletLink, webLink } from '../src/links.ts'
import { findOffers, groupOffers, lowestFee, notableFee, offerValue } from '../src/offers.ts'
import { offers } from './fixtures.ts'

describe('amounts', () => {
  it('fiat amounts keep every digit, including those that a float would lose', () => {
    expect(fiatText('en', '12345678901234567890.12', 'USD')).toBe('$12,345,678,901,234,567,890.12')
    expect(fiatText('en', '0.000001234', 'USD')).toBe('$0.000001234')
    expect(fiatText('en', '2.1', 'USD')).toBe('$2.10')
    expect(fiatText('ja', '5000', 'JPY')).toBe('￥5,000')
    expect(fiatText('de', '49.90', 'EUR')).toBe('49,90\u00a0€')
  })

  it('digits are the same in every language', () => {
    expect(fiatText('ar', '49.90', 'USD')).toBe('49.90\u00a0US$')
  })

  it('an estimate has only the digits that people compare by', () => {
    const rough = {
      '0.094507575757575758': '0.0945075',
      '226.818181818181818182': '226.818',
      '0.00000012345678': '0.000000123456',
      '1234567.89': '1234567',
      '100.00005': '100',
      '49.9': '49.9',
      '25': '25',
    }
    for (const [exact, shown] of Object.entries(rough)) expect(roughAmount(exact)).toBe(shown)
  })

  it('zero is zero in every notation', () => {
    expect(['0', '0.00'].map(isNothing)).toEqual([true, true])
    expect(['0.00000001', '10'].map(isNothing)).toEqual([false, false])
  })

  it('an address in groups is the same address', () => {
    const address = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
    expect(inGroups(address).join('')).toBe(address)
    expect(inGroups(address)[0]).toBe('tb1q')
  })

  it('a network is shown with its token standard', () => {
    expect(networkText({ network_name: 'Ethereum', token_standard: 'ERC-20' })).toBe('Ethereum (ERC\u201120)')
    expect(networkText({ network_name: 'Bitcoin', token_standard: null })).toBe('Bitcoin')
  })
})

describe('links', () => {
  it('only a web URL leads away from the page', () => {
    expect(webLink('https://shop.example/a?b=c')).toBe('https://shop.example/a?b=c')
    for (const url of [
      'javascript:alert(1)',
      ' JaVaScRiPt:alert(1)',
      'data:text/html,x',
      '//evil.example',
      '/pay',
      '',
    ])
      expect(webLink(url)).toBeNull()
    expect(webLink(null)).toBeNull()
  })

  it('only a wallet scheme opens a wallet', () => {
    for (const uri of [
      'bitcoin:bc1q?amount=1',
      'ethereum:0xabc@1',
      'solana:abc?amount=1',
      'web+stellar:pay?x=y',
    ])
      expect(walletLink(uri)).toBe(uri)
    for (const uri of [
      'javascript:alert(1)',
      'JAVASCRIPT:alert(1)',
      'data:text/html,x',
      'https://evil.example',
      'x',
    ])
      expect(walletLink(uri)).toBeNull()
  })
})

describe('offers', () => {
  it('are grouped by currency in their original order', () => {
    const groups = groupOffers(offers)
    expect(groups.map(({ currency }) => currency)).toEqual(['BTC', 'ETH', 'LTC', 'USDT', 'XRP', 'SOL', 'BNB'])
    expect(groups.flatMap((group) => group.offers)).toHaveLength(offers.length)
  })

  it('the lowest fee of a currency is that of a network that can be chosen, compared as an amount', () => {
    const [first, ...others] = offers.filter(({ currency }) => currency === 'USDT')
    if (first === undefined) throw new Error('The fixture should have USDT.')
    const fees = (...all: (string | null)[]) => all.map((fee) => ({ ...first, network_fee_fiat: fee }))
    expect(lowestFee(fees('10.00', '9.50', null))).toBe('9.50')
    expect(lowestFee(fees(null))).toBeNull()
    expect(lowestFee([{ ...first, network_fee_fiat: '0.01', status: 'offline' }, ...fees('2.30')])).toBe(
      '2.30',
    )
    expect(lowestFee(others)).toBe('0.04')
  })

  it('the lowest fee is worth a mark where another is at least twice as high, and noticeably higher', () => {
    const [first] = offers
    if (first === undefined) throw new Error('The fixture should have offers.')
    const marked = (...fees: (string | null)[]) =>
      notableFee(fees.map((fee) => ({ ...first, network_fee_fiat: fee })))
    expect(notableFee(offers)).toBe('0.01')
    expect(marked('0.85', '0.02', '2.30')).toBe('0.02')
    // As amounts: as texts, 10.00 is lower than 9.50.
    expect(marked('9.50', '10.00', '19.00')).toBe('9.50')
    expect(marked('0.10', '0.20')).toBe('0.10')
    expect(marked('0.10', '0.19')).toBeNull()
    expect(marked('0.01', '0.10')).toBeNull()
    expect(marked('0.01', '0.11')).toBe('0.01')
    // A currency without minor digits.
    expect(marked('1', '10')).toBeNull()
    expect(marked('1', '130')).toBe('1')
    expect(marked('90071992547409930.00', '190071992547409930.01')).toBe('90071992547409930.00')
  })

  it('no fee is marked where it has no other to compare with, or where most are as low', () => {
    const [first] = offers
    if (first === undefined) throw new Error('The fixture should have offers.')
    const fees = (...all: (string | null)[]) => all.map((fee) => ({ ...first, network_fee_fiat: fee }))
    expect(notableFee([])).toBeNull()
    expect(notableFee(fees('0.01'))).toBeNull()
    expect(notableFee(fees('0.01', null, null))).toBeNull()
    expect(notableFee(fees('0.01', '0.01'))).toBeNull()
    expect(notableFee(fees('0.01', '0.01', '2.30'))).toBeNull()
    expect(notableFee(fees('0.01', '0.01', '2.30', '0.85'))).toBe('0.01')
    // One network of most currencies, and a few networks of the others.
    const [cheap, dear] = [fees('0.01'), fees('0.85', '2.30', '0.40', '0.40')]
    const as = (currency: string, all: typeof cheap) => all.map((fee) => ({ ...fee, currency }))
    expect(notableFee([...as('SOL', cheap), ...as('XRP', cheap), ...as('ETH', dear)])).toBeNull()
    expect(notableFee([...as('SOL', cheap), ...as('ETH', dear)])).toBe('0.01')
    // An offer that cannot be chosen is no choice.
    expect(
      notableFee([...fees('0.01'), { ...first, network_fee_fiat: '2.30', status: 'offline' }]),
    ).toBeNull()
  })

  it('are found by currency, name, network and standard, in any case and order', () => {
    const found = (query: string) => findOffers(offers, query).map(offerValue)
    expect(found('tether')).toHaveLength(4)
    expect(found('erc20 usdt')).toEqual(['USDT@ethereum', 'USDT@polygon'])
    expect(found('  BITCOIN ')).toEqual(['BTC@bitcoin'])
    expect(found('')).toHaveLength(offers.length)
    expect(found('doge')).toEqual([])
  })
})
