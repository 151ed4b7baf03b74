import { expect, it } from 'vitest'
import { type AccountPlan, hotKey } from '../../src/domain/spends.ts'
import { bytesObjection } from '../../src/signer/check-bytes.ts'
import { cancellingPlanObjection, ownPlanObjection, trustPlanObjection } from '../../src/signer/check-plan.ts'
import { openWallet } from '../../src/signer/wallet.ts'
import { currencies } from '../support/shop/registry.ts'

const words = `${'abandon '.repeat(11)}about`
const wallet = await openWallet(words, 'test', currencies)
const network = wallet.network('xrp')
const hot = wallet.addressAt('xrp', hotKey) ?? ''
const [rippleUsd, usdCoin] = ['RLUSD', 'USDC'].map((code) =>
  network.assets.find(({ currency }) => currency === code),
)
const issuerOf = (contract: string | null | undefined) => contract?.split('.')[1] ?? ''
const stranger = 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf'
const plan: AccountPlan = {
  kind: 'account',
  from: { address: hot, key: hotKey },
  nonce: 7n,
  to: { address: issuerOf(rippleUsd?.contractAddress), tag: null },
  currency: 'RLUSD',
  contractAddress: rippleUsd?.contractAddress ?? null,
  units: 0n,
  gasLimit: 1n,
  gasPrice: 10n,
  payoutId: null,
}

it('the trust line for a currency of ours is signed, with a fixed limit and nothing passing through it', () => {
  expect(trustPlanObjection(wallet, network, plan)).toBeNull()
  expect(bytesObjection(network, plan, wallet.sign('xrp', plan))).toBeNull()
})

it.each<[string, Partial<AccountPlan>]>([
  ['an amount', { units: 1n }],
  ['a payout', { payoutId: '0198d5c8-1f3a-7000-8000-000000000000' }],
  ['a tag', { to: { ...plan.to, tag: '7' } }],
  ['someone who is not the issuer', { to: { address: stranger, tag: null } }],
  ['the issuer of another currency', { to: { address: issuerOf(usdCoin?.contractAddress), tag: null } }],
  ['the contract of another currency', { contractAddress: usdCoin?.contractAddress ?? null }],
  ['the same code of another issuer', { contractAddress: `USD.${stranger}` }],
  ['a currency that the network does not have', { currency: 'BTC' }],
  ['XRP', { currency: 'XRP', contractAddress: null }],
  ['another account', { from: { address: stranger, key: hotKey } }],
  ['another key', { from: { address: hot, key: { chain: 'own', index: 1 } } }],
])('a trust line with %s is refused', (_, changes) => {
  expect(trustPlanObjection(wallet, network, { ...plan, ...changes })).toEqual(expect.any(String))
})

it('its number can be used up instead, and nothing else can be signed as a trust line or by another name', () => {
  const cancelling = {
    ...plan,
    to: { address: hot, tag: null },
    currency: 'XRP',
    contractAddress: null,
  }
  expect(cancellingPlanObjection(wallet, network, 'trust', cancelling)).toBeNull()
  expect(ownPlanObjection(wallet, network, 'gas', plan, 0, 10n)).toEqual(expect.any(String))
})

it('bytes with another currency do not do what was planned', () => {
  const other = {
    ...plan,
    currency: 'USDC',
    contractAddress: usdCoin?.contractAddress ?? null,
    to: { address: issuerOf(usdCoin?.contractAddress), tag: null },
  }
  expect(bytesObjection(network, plan, wallet.sign('xrp', other))).toMatch('not do what was planned')
  expect(bytesObjection(network, other, wallet.sign('xrp', other))).toBeNull()
})
