import { secp256k1 } from '@noble/curves/secp256k1.js'
import { p2wpkh, SigHash, Transaction } from '@scure/btc-signer'
import type { ChainRules } from '../../domain/networks/bitcoin-rules.ts'
import type { CoinPlan, KeyPath, SignedTransaction } from '../../domain/spends.ts'
import { sameBytes } from '../same-bytes.ts'
import { scriptOf } from './network.ts'
import type { CoinSpending } from './spending.ts'

const version = 2
// BIP-125: signals that a transaction with a higher fee may replace this one. Also disables BIP-68's time locks.
const replaceable = 0xfffffffd
const hashPattern = /^[0-9a-f]{64}$/

export type CoinSigner = {
  readonly rules: ChainRules
  readonly spending: CoinSpending
  readonly publicKeyOf: (path: KeyPath) => Uint8Array
}

/**
 * Signs P2WPKH inputs (BIP-143). Signatures cover all outputs, which are in the plan's order. They are deterministic (RFC
 * 6979), ground to a low R as in Bitcoin Core, so the same plan gives the same bytes. Throws when the plan does not add up,
 * its change is not ours, or a key does not belong to its input.
 */
export function signCoins(
  { rules, spending, publicKeyOf }: CoinSigner,
  plan: CoinPlan,
  keyOf: (path: KeyPath) => Uint8Array,
): SignedTransaction {
  checkPlan(spending, plan)
  const transaction = new Transaction({ version, lowR: true })
  const publicKeys = plan.inputs.map(({ key }) => publicKeyOf(key))
  plan.inputs.forEach(({ txHash, outputIndex, units }, at) => {
    const { script } = p2wpkh(publicKeys[at] as Uint8Array)
    transaction.addInput({
      txid: txHash,
      index: outputIndex,
      sequence: replaceable,
      witnessUtxo: { script, amount: units },
    })
  })
  for (const { address, units } of plan.outputs)
    transaction.addOutput({ script: scriptOf(rules, address), amount: units })

  plan.inputs.forEach(({ key }, at) => {
    const privateKey = keyOf(key)
    if (!sameBytes(secp256k1.getPublicKey(privateKey), publicKeys[at] as Uint8Array))
      throw new Error(`The key for ${key.chain} address ${key.index} does not belong to it.`)
    transaction.signIdx(privateKey, at, [SigHash.ALL])
  })
  transaction.finalize()
  return { hash: transaction.id, bytes: transaction.extract() }
}

function checkPlan(spending: CoinSpending, { inputs, outputs, change, cold, feeUnits }: CoinPlan): void {
  const { maxInputs, maxOutputs } = spending
  if (inputs.length < 1 || inputs.length > maxInputs)
    throw new Error(`A transaction must have 1 to ${maxInputs} inputs, not ${inputs.length}.`)
  if (outputs.length < 1 || outputs.length > maxOutputs)
    throw new Error(`A transaction must have 1 to ${maxOutputs} outputs, not ${outputs.length}.`)
  if (inputs.some(({ txHash }) => !hashPattern.test(txHash)))
    throw new Error('An input has no valid transaction hash.')
  if (new Set(inputs.map(({ txHash, outputIndex }) => `${txHash}:${outputIndex}`)).size < inputs.length)
    throw new Error('A coin is spent twice.')
  if ([...inputs, ...outputs].some(({ units }) => units <= 0n))
    throw new Error('Every input and output must have an amount above zero.')

  const left = total(inputs) - total(outputs)
  if (left < 0n || left !== feeUnits)
    throw new Error(`Inputs minus outputs are ${left}, but the planned fee is ${feeUnits}.`)
  outputs.forEach(({ address, payoutId }, at) => {
    const isChange = change?.outputIndex === at
    const isCold = cold?.outputIndex === at
    if (isChange && isCold) throw new Error(`Output ${at} cannot be our change and the cold wallet's.`)
    if ((isChange || isCold) !== (payoutId === null))
      throw new Error(`Output ${at} must be a payout or our change, or the cold wallet's.`)
    if (isChange && address !== spending.changeAddress(change.index))
      throw new Error(`Output ${at} should be our change, but ${address} is not our address ${change.index}.`)
  })
  if (change !== null && outputs[change.outputIndex] === undefined)
    throw new Error('The change is not one of the outputs.')
  if (cold !== undefined && outputs[cold.outputIndex] === undefined)
    throw new Error("The cold wallet's output is not one of the outputs.")
}

function total(amounts: readonly { readonly units: bigint }[]): bigint {
  return amounts.reduce((sum, { units }) => sum + units, 0n)
}
