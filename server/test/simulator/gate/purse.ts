import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { nonceAccountName, nonceValueAt } from '../../../src/domain/simulated-nonces.ts'
import { hotKey, type KeyPath, type SpendPlan } from '../../../src/domain/spends.ts'
import type { Gate, GateAsset } from '../../../src/gates/gate.ts'
import type { Paid, Purse, Sending } from '../../gates/harness.ts'
import { keysOf } from './plans.ts'

export const pursesCoins = 3
const coinUnits = 10_000_000n
const leastFeeUnits = 1_000n
const leastDrops = 10n

/** A purse with funds on our deposit address with this index. If one account has all the funds, its nonces continue. */
export function makePurse(
  gate: Gate,
  index: number,
  firstNonce: bigint,
): Purse & { readonly sender: string; readonly coins: string[]; readonly coin: Paid } {
  const native = nativeOf(gate)
  const { currency } = native
  const key: KeyPath = { chain: 'deposit', index }
  const keyOf = keysOf(gate.network)
  const to = gate.depositAddress(index) ?? {
    address: base58.encode(ed25519.getPublicKey(keyOf(key))),
    tag: null,
  }
  const { spending } = gate
  const hot = spending.kind === 'solana' ? (spending.hotAddress ?? '') : null
  const address = hot ?? to.address
  // On Solana transactions take turns by a nonce account.
  const nonceIndex = index % 16
  const sender = hot === null ? address : nonceAccountName(hot, nonceIndex)
  const coins: string[] = []

  function plan({ to, units, feeTimes = 1n, nth = 0 }: Sending): SpendPlan {
    if (spending.kind === 'account')
      return {
        kind: 'account',
        from: { address, key: spending.depositsAreHot ? { chain: 'own', index: 0 } : key },
        nonce: firstNonce + BigInt(nth),
        to,
        currency,
        contractAddress: null,
        units,
        gasLimit: spending.gasOf(native),
        gasPrice: gate.network.family === 'xrp' ? leastDrops * feeTimes : feeTimes,
        payoutId: null,
      }
    if (spending.kind === 'solana')
      return {
        kind: 'solana',
        from: { address, key: hotKey },
        to,
        currency,
        contractAddress: null,
        units,
        payoutId: null,
        lifetime: { kind: 'nonce', index: nonceIndex, value: nonceValueAt(sender, firstNonce + BigInt(nth)) },
        token: null,
        rentUnits: 0n,
        computeLimit: spending.payoutBudget(native).computeLimit,
        computePrice: 1_000n * feeTimes,
      }
    const txHash = coins[nth]
    if (txHash === undefined) throw new Error(`The purse has no coin ${nth}.`)
    const fee = leastFeeUnits * feeTimes
    return {
      kind: 'coins',
      inputs: [{ txHash, outputIndex: 0, units: coinUnits, key }],
      outputs: [
        { address: to.address, units, payoutId: 'payout' },
        { address: spending.changeAddress(index), units: coinUnits - units - fee, payoutId: null },
      ],
      change: { outputIndex: 1, index },
      feeUnits: fee,
    }
  }

  return {
    address,
    sender,
    coins,
    coin: { to: hot === null ? to : { address: hot, tag: null }, currency, units: coinUnits },
    sign(sending) {
      const made = plan(sending)
      return { plan: made, signed: gate.sign(made, keyOf) }
    },
  }
}

function nativeOf({ assets, network }: Gate): GateAsset {
  const found = assets.find(({ contractAddress }) => contractAddress === null)
  if (found === undefined) throw new Error(`${network.name} has no native asset.`)
  return found
}
