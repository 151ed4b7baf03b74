import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Asset } from '../../domain/assets.ts'
import { type AccountPlan, isCancelling, type KeyPath, type SignedTransaction } from '../../domain/spends.ts'
import type { ReadTransaction } from '../family.ts'
import { classicAddressOf } from './address.ts'
import type { Amount } from './binary-format.ts'
import { exactUnits, type IssuedAmount, toAtoms } from './issued-amount.ts'
import { contractOf, readContract } from './issued-currency.ts'
import { parseTag } from './tag.ts'
import { readTransaction, signTransaction, type XrpTransaction } from './transaction.ts'

/** Every transaction has the same price on the XRP Ledger. */
export const transferGas = 1n

// A nonce counts an account's transactions from 0, its first sequence number is 1: 0 means that a ticket is used instead.
const firstSequence = 1n
const maxSequence = 2n ** 32n - 1n

// In whole units: more than an installation ever holds, and so little that a millionth of a unit still counts in a balance.
const trustedWholes = 10n ** 9n

/** Whether a plan makes the trust line of its currency: it pays nothing to the issuer. */
export function isTrusting({ contractAddress, units, to }: AccountPlan): boolean {
  return contractAddress !== null && units === 0n && readContract(contractAddress)?.issuer === to.address
}

/** Signs a plan of our account, in XRP or one of these assets. Throws when the key is not the account's. */
export function signXrpPlan(
  plan: AccountPlan,
  keyOf: (path: KeyPath) => Uint8Array,
  assets: readonly Asset[],
): SignedTransaction {
  const { from, gasLimit } = plan
  if (plan.units <= 0n && !isCancelling(plan) && !isTrusting(plan))
    throw new RangeError('A plan needs a positive amount, unless it only uses up its nonce.')
  if (gasLimit !== transferGas)
    throw new RangeError(`A transaction on the XRP Ledger is ${transferGas} unit of gas, not ${gasLimit}.`)
  const privateKey = keyOf(from.key)
  if (classicAddressOf(secp256k1.getPublicKey(privateKey)) !== from.address)
    throw new Error(
      `The key for ${from.key.chain} address ${from.key.index} is not the key of ${from.address}.`,
    )
  return signTransaction(transactionOf(plan, assets), privateKey)
}

/** What signed bytes do, in the terms of plans in XRP or one of these assets. */
export function readXrpBytes(
  bytes: Uint8Array,
  assets: readonly Asset[],
): ReadTransaction | { readonly refused: string } {
  const read = readTransaction(bytes)
  if ('refused' in read) return read
  const { account, fee, payment, trust } = read.transaction
  const nonce = nonceOf(read.transaction)
  if (nonce < 0n) return { refused: 'The transaction has no sequence number.' }
  const moved = unitsOf(payment?.amount ?? trust ?? 0n, assets)
  if (moved === null)
    return { refused: 'The transaction is in a currency or an amount that is none of ours.' }
  const common = { kind: 'account', hash: read.hash, from: account, nonce, gasLimit: transferGas } as const
  const { contractAddress, units } = moved
  if (trust !== undefined) {
    if (trust.atoms !== trustIn(contractOf(trust), assets).atoms)
      return { refused: 'The trust line has another limit than ours have.' }
    return { ...common, to: { address: trust.issuer, tag: null }, contractAddress, units: 0n, gasPrice: fee }
  }
  const to =
    payment === null
      ? { address: account, tag: null }
      : { address: payment.destination, tag: payment.tag === null ? null : String(payment.tag) }
  return { ...common, to, contractAddress, units, gasPrice: fee }
}

/** An amount in units of one of these assets; null where it is of none of them, or no whole number of units. */
function unitsOf(
  amount: Amount,
  assets: readonly Asset[],
): { readonly contractAddress: string | null; readonly units: bigint } | null {
  if (typeof amount === 'bigint') return { contractAddress: null, units: amount }
  const contractAddress = contractOf(amount)
  const asset = assets.find((each) => each.contractAddress === contractAddress)
  const units = asset === undefined ? null : exactUnits(amount.atoms, asset.decimals)
  return units === null ? null : { contractAddress, units }
}

/** How many transactions its account has sent before this one. */
export function nonceOf({ sequence }: Pick<XrpTransaction, 'sequence'>): bigint {
  return BigInt(sequence) - firstSequence
}

/** The sequence number of a plan's transaction. */
export function sequenceOf({ nonce }: Pick<AccountPlan, 'nonce'>): number {
  const sequence = nonce + firstSequence
  if (nonce < 0n || sequence > maxSequence)
    throw new RangeError(`The nonce must be 0 to ${maxSequence - firstSequence}.`)
  return Number(sequence)
}

function transactionOf(plan: AccountPlan, assets: readonly Asset[]): XrpTransaction {
  const { from, to, units, gasPrice, contractAddress } = plan
  const common = { account: from.address, sequence: sequenceOf(plan), fee: gasPrice }
  if (isCancelling(plan)) return { ...common, payment: null }
  if (contractAddress !== null && isTrusting(plan))
    return { ...common, payment: null, trust: trustIn(contractAddress, assets) }
  const tag = to.tag === null ? null : parseTag(to.tag)
  if (to.tag !== null && tag === null) throw new Error(`${to.tag} is not a destination tag.`)
  const amount = contractAddress === null ? units : issuedIn(contractAddress, units, assets)
  return { ...common, payment: { destination: to.address, tag, amount } }
}

/** The limit of our trust line for one of these assets. */
function trustIn(contract: string, assets: readonly Asset[]): IssuedAmount {
  return issuedIn(contract, trustedWholes * 10n ** BigInt(decimalsIn(contract, assets)), assets)
}

function issuedIn(contract: string, units: bigint, assets: readonly Asset[]): IssuedAmount {
  const issued = readContract(contract)
  if (issued === null) throw new Error(`${contract} names no currency and issuer.`)
  return { ...issued, atoms: toAtoms(units, decimalsIn(contract, assets)) }
}

function decimalsIn(contract: string, assets: readonly Asset[]): number {
  const asset = assets.find(({ contractAddress }) => contractAddress === contract)
  if (asset === undefined) throw new Error(`${contract} is not a currency of this network.`)
  return asset.decimals
}
