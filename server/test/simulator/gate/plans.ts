import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import fc from 'fast-check'
import type { Network } from '../../../src/domain/networks/network.ts'
import { type AccountPlan, type CoinPlan, hotKey, type KeyPath } from '../../../src/domain/spends.ts'
import { bitcoinKey } from '../../../src/gates/bitcoin/account-key.ts'
import { evmKey } from '../../../src/gates/evm/account-key.ts'
import { solanaKey } from '../../../src/gates/solana/spend-key.ts'
import { xrpKey } from '../../../src/gates/xrp/deposit-account.ts'
import { testAssets } from '../../../src/simulator/gate/test-assets.ts'
import { testFamily } from '../../../src/simulator/gate/test-families.ts'
import { currencies, networkOf } from '../../support/shop/registry.ts'
import { publicKeys, seed } from './keys.ts'

/** The key of a path, derived from the seed. */
export function keysOf(network: Network): (path: KeyPath) => Uint8Array {
  switch (network.family) {
    case 'bitcoin':
      return (path) => bitcoinKey(seed, network, 'test', path)
    case 'evm':
      return (path) => evmKey(seed, path)
    case 'solana':
      return (path) => solanaKey(seed, path)
    case 'xrp':
      return (path) => xrpKey(seed, path)
  }
}

export const keyOn = (networkId: string) => keysOf(networkOf(networkId))
export const familyOn = (networkId: string) => testFamily(networkOf(networkId), publicKeys, currencies)
export const assetsOn = (networkId: string) => testAssets(currencies, networkOf(networkId))

const hash = fc.stringMatching(/^[0-9a-f]{64}$/)
const path = fc.record({ chain: fc.constantFrom('deposit', 'own'), index: fc.nat(3) })

/** The address of an input's coin. */
export function coinAddress(networkId: string, { chain, index }: KeyPath): string {
  const { spending, depositAddress } = familyOn(networkId)
  if (spending.kind !== 'coins') throw new Error(`${networkId} has no coins.`)
  return chain === 'own' ? spending.changeAddress(index) : (depositAddress(index)?.address ?? '')
}

/** Plans for a network with coins. */
export function coinPlans(networkId: string): fc.Arbitrary<CoinPlan> {
  const units = fc.bigInt({ min: 5_000n, max: 2n ** 40n })
  const payouts = fc.array(fc.record({ to: fc.nat(9), units }), { minLength: 1, maxLength: 3 })
  return fc
    .record({
      coins: fc.uniqueArray(fc.record({ txHash: hash, outputIndex: fc.nat(9), key: path }), {
        minLength: 1,
        maxLength: 3,
        selector: ({ txHash }: { txHash: string }) => txHash,
      }),
      payouts,
      change: fc.nat(9),
      left: units,
      feeUnits: fc.bigInt({ min: 0n, max: 100_000n }),
    })
    .map(({ coins, payouts, change, left, feeUnits }) => {
      const paid = payouts.map((payout, at) => ({
        address: coinAddress(networkId, { chain: 'deposit', index: payout.to }),
        units: payout.units,
        payoutId: `payout ${at}`,
      }))
      const address = coinAddress(networkId, { chain: 'own', index: change })
      const outputs = [{ address, units: left, payoutId: null }, ...paid]
      const needed = outputs.reduce((sum, each) => sum + each.units, feeUnits)
      // The first coin carries what the others, with one unit each, do not.
      const inputs = coins.map((coin, at) => ({
        ...coin,
        units: at === 0 ? needed - BigInt(coins.length - 1) : 1n,
      }))
      return { kind: 'coins', inputs, outputs, change: { outputIndex: 0, index: change }, feeUnits }
    })
}

/**
 * Plans for a network with accounts: payouts from the hot wallet and, if deposits have addresses of their own, sweeps into
 * it.
 */
export function accountPlans(networkId: string): fc.Arbitrary<AccountPlan> {
  const { spending, depositAddress } = familyOn(networkId)
  if (spending.kind !== 'account' || spending.hotAddress === null) throw new Error(`${networkId} has coins.`)
  const { hotAddress, depositsAreHot } = spending
  const tagged = networkOf(networkId).tag !== null
  const address = (index: number) =>
    depositAddress(index)?.address ??
    base58.encode(ed25519.getPublicKey(keyOn(networkId)({ chain: 'deposit', index })))
  const isXrp = networkOf(networkId).family === 'xrp'
  const count = fc.bigInt({ min: 1n, max: 2n ** 40n })
  return fc
    .record({
      deposit: depositsAreHot ? fc.constant(null) : fc.option(fc.nat(3)),
      to: fc.nat(9),
      tag: fc.nat(2 ** 32 - 1),
      asset: fc.constantFrom(...assetsOn(networkId)),
      nonce: fc.bigInt({ min: 0n, max: isXrp ? 2n ** 32n - 2n : 2n ** 40n }),
      units: count,
      // On the XRP Ledger a transaction has one price, at least ten drops.
      gasLimit: isXrp ? fc.constant(1n) : fc.bigInt({ min: 21_000n, max: 1_000_000n }),
      gasPrice: fc.bigInt({ min: isXrp ? 10n : 0n, max: 2n ** 30n }),
    })
    .map(({ deposit, to, tag, asset, ...numbers }) => ({
      kind: 'account',
      from:
        deposit === null
          ? { address: hotAddress, key: hotKey }
          : { address: address(deposit), key: { chain: 'deposit', index: deposit } },
      to: {
        address: tagged
          ? 'rMQ98K56yXJbDGv49ZSmW51sLn94Xe1mu1'
          : deposit === null
            ? address(to + 4)
            : hotAddress,
        tag: tagged ? String(tag) : null,
      },
      currency: asset.currency,
      contractAddress: asset.contractAddress,
      ...numbers,
      payoutId: deposit === null ? 'payout' : null,
    }))
}
