import type { App } from '../app/app.ts'
import { networkIdOf } from '../domain/networks/network.ts'
import { say } from '../domain/reasons/reasons.ts'
import type { Coin, Refusal } from '../domain/spends.ts'
import { coinName } from '../domain/uses.ts'
import type { PaidOutput } from '../gates/family.ts'
import type { CoinSpending } from '../gates/gate.ts'
import { type Attempt, forGood, forNow } from './attempt.ts'
import type { Wallet } from './wallet.ts'

// Consensus: no transaction is larger without its witnesses.
const maxPreviousBytes = 1_000_000
// One query reads the previous transactions of nearly every plan. A larger one is read in parts, which bounds the memory.
const maxReadAtOnce = 50

/**
 * Why the coins of a plan are not proved to be what the plan says; null when they are. A P2WPKH signature commits to the
 * amount of its own coin alone (BIP-143), so amounts that the database misstates would make a fee that no one has checked.
 * A coin's transaction hash covers its amount and script: the signer computes the hash of the previous transaction and reads
 * both from it.
 */
export async function inputObjection(
  app: Pick<App, 'store'>,
  wallet: Wallet,
  { gateId, plan }: Attempt,
): Promise<Refusal | null> {
  const network = networkIdOf(gateId)
  const { spending } = wallet.network(network).family
  // A plan of the wrong kind has no coins to prove here; what may be planned is checked elsewhere.
  if (plan.kind !== 'coins' || spending.kind !== 'coins') return null
  if (plan.inputs.length > spending.maxInputs)
    return forGood(
      `The plan spends ${plan.inputs.length} coins, and at most ${spending.maxInputs} are allowed.`,
    )
  const byTransaction = [...Map.groupBy(plan.inputs, ({ txHash }) => txHash)]
  for (let from = 0; from < byTransaction.length; from += maxReadAtOnce) {
    const part = byTransaction.slice(from, from + maxReadAtOnce)
    const hashes = part.map(([txHash]) => txHash)
    const stored = Map.groupBy(
      await app.store.signing.previous(gateId, hashes, maxPreviousBytes),
      ({ txHash }) => txHash,
    )
    for (const [txHash, coins] of part) {
      const objection = coinsObjection(wallet, network, spending, coins, stored.get(txHash) ?? [])
      if (objection !== null) return objection
    }
  }
  return null
}

/** Why these coins of one transaction are not proved by any of the bytes that are stored for it. */
function coinsObjection(
  wallet: Wallet,
  network: string,
  spending: CoinSpending,
  coins: readonly Coin[],
  stored: readonly { readonly txHash: string; readonly bytes: Uint8Array }[],
): Refusal | null {
  const [first] = coins
  if (first === undefined) return null
  const { txHash } = first
  const indexes = coins.map(({ outputIndex }) => outputIndex)
  for (const { bytes } of stored) {
    const outputs = spending.readOutputs(txHash, bytes, indexes)
    if (outputs === null) continue
    for (const coin of coins) {
      const lie = misstatement(wallet, network, coin, outputs.get(coin.outputIndex))
      // Nothing can change what a transaction pays.
      if (lie !== null) return forGood(lie)
    }
    return null
  }
  return forNow(
    stored.length === 0
      ? say('coin_unproved', { hash: txHash, coin: coinName(first) })
      : `What is stored as the previous transaction ${txHash} does not have that hash, so coin ${coinName(first)} cannot be proved.`,
  )
}

function misstatement(
  wallet: Wallet,
  network: string,
  coin: Coin,
  output: PaidOutput | undefined,
): string | null {
  const name = coinName(coin)
  if (output === undefined) return `There is no coin ${name}: its transaction has no such output.`
  if (output.units !== coin.units)
    return `Coin ${name} has ${output.units} units, but the plan says ${coin.units}.`
  return output.address === wallet.addressAt(network, coin.key)
    ? null
    : `Coin ${name} does not belong to ${coin.key.chain} address ${coin.key.index}, whose key the plan names.`
}
