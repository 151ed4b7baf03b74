import { Transaction } from '@scure/btc-signer'
import type { ColdKey } from '../../domain/cold-wallets.ts'
import type { ChainRules } from '../../domain/networks/bitcoin-rules.ts'
import type { CoinPlan } from '../../domain/spends.ts'
import { coinName } from '../../domain/uses.ts'
import type { RefillFile, Refilling } from '../family.ts'
import { sameBytes } from '../same-bytes.ts'
import { checkTaproot, type SpentOutputs } from './check-taproot.ts'
import { checkWitness } from './check-witness.ts'
import { addressOf, scriptOf } from './network.ts'
import { txHashOf } from './plain-transaction.ts'
import { readRefillFile } from './refill-file.ts'

const version = 2
// Not the mark of BIP-125: a replacement would have another hash, and no one would recognise it. Also disables BIP-68's
// time locks.
const sequence = 0xfffffffe
// A version and the 20 bytes of a key's hash (BIP-141), or the 32 bytes of a key (BIP-341).
const p2wpkhStart = [0x00, 20]
const p2trStart = [0x51, 32]

/**
 * Refills from a cold wallet with P2WPKH or P2TR addresses, whose transactions have the same hash before and after signing.
 * That is so for P2WSH too, but the size of its witnesses, and so the fee, depends on a script that only its owner knows.
 */
export function refilling(rules: ChainRules, sizeOf: Refilling['sizeOf']): Refilling {
  return {
    canSpend(address) {
      const script = scriptOf(rules, address)
      return isP2wpkh(script) || isP2tr(script)
    },
    // A witness of P2TR is smaller than one of P2WPKH.
    sizeOf,
    hashOf: (plan) => txHashOf(unsigned(rules, plan).unsignedTx),
    write(plan, coins, changeKey) {
      const psbt = unsigned(rules, plan)
      for (const [at, { address, previous, key }] of coins.entries())
        psbt.updateInput(at, {
          nonWitnessUtxo: previous,
          witnessUtxo: { script: scriptOf(rules, address), amount: plan.inputs[at]?.units ?? 0n },
          ...derivation(key),
        })
      if (plan.cold !== undefined) psbt.updateOutput(plan.cold.outputIndex, derivation(changeKey))
      return psbt.toPSBT(0)
    },
    read: readRefillFile,
    complete(plan, addresses, file) {
      const difference = differenceFrom(rules, plan, file)
      if (difference !== null) return { refused: `${difference} ${handInOurs}` }
      const transaction = unsigned(rules, plan)
      const spent = {
        addresses,
        scripts: addresses.map((address) => scriptOf(rules, address)),
        units: plan.inputs.map(({ units }) => units),
      }
      const signed: (readonly Uint8Array[])[] = []
      for (const at of plan.inputs.keys()) {
        const { witnesses = [] } = file.inputs[at] ?? {}
        if (witnesses.length === 0)
          return {
            refused: `Input ${at} is not signed. Sign every input with the cold wallet, and hand the file in again.`,
          }
        const problems = witnesses.map((witness) => problemWith(rules, transaction, at, witness, spent))
        const good = witnesses[problems.indexOf(null)]
        if (good === undefined)
          return {
            refused: `${problems[0]} Sign it with the cold wallet’s own key and the usual SIGHASH_ALL.`,
          }
        signed.push(good)
      }
      // Only the signatures come from the file. Everything else is what the refill says.
      for (const [at, witness] of signed.entries()) {
        const witnessUtxo = { script: spent.scripts[at] ?? new Uint8Array(), amount: spent.units[at] ?? 0n }
        transaction.updateInput(at, { witnessUtxo, finalScriptWitness: [...witness] }, true)
      }
      return { hash: transaction.id, bytes: transaction.extract() }
    },
  }
}

function isP2wpkh(script: Uint8Array): boolean {
  return isProgram(script, p2wpkhStart)
}

function isP2tr(script: Uint8Array): boolean {
  return isProgram(script, p2trStart)
}

function isProgram(script: Uint8Array, start: readonly number[]): boolean {
  return script.length === start.length + (start[1] ?? 0) && start.every((byte, at) => script[at] === byte)
}

/** Why a witness does not unlock its input; null when it does. */
function problemWith(
  rules: ChainRules,
  transaction: Transaction,
  at: number,
  witness: readonly Uint8Array[],
  { addresses, scripts, units }: SpentOutputs & { readonly addresses: readonly string[] },
): string | null {
  if (isP2tr(scripts[at] ?? new Uint8Array()))
    return checkTaproot(transaction, at, witness, { scripts, units })
  return checkWitness(rules, transaction, at, witness, {
    address: addresses[at] ?? '',
    units: units[at] ?? 0n,
  })
}

const handInOurs = 'Sign the file that this refill was prepared with, unchanged, or prepare another.'

function unsigned(rules: ChainRules, plan: CoinPlan): Transaction {
  const transaction = new Transaction({ version })
  for (const { txHash, outputIndex } of plan.inputs)
    transaction.addInput({ txid: txHash, index: outputIndex, sequence })
  for (const { address, units } of plan.outputs)
    transaction.addOutput({ script: scriptOf(rules, address), amount: units })
  return transaction
}

function derivation(key: ColdKey | null) {
  if (key === null) return {}
  const { fingerprint, path } = key.origin
  return {
    bip32Derivation: [
      [key.publicKey, { fingerprint, path: [...path] }] as [
        Uint8Array,
        { fingerprint: number; path: number[] },
      ],
    ],
  }
}

/** The first difference between the file's transaction and the refill's; null when there is none. */
function differenceFrom(rules: ChainRules, plan: CoinPlan, file: RefillFile): string | null {
  if (file.inputs.length !== plan.inputs.length)
    return `The file has ${file.inputs.length} inputs, and the refill ${plan.inputs.length}.`
  for (const [at, coin] of plan.inputs.entries()) {
    const given = file.inputs[at]
    if (given === undefined || coinName(given) !== coinName(coin))
      return `Input ${at} of the file does not spend ${coinName(coin)}, as the refill does.`
    if (given.sequence !== sequence || given.hasScript)
      return `Input ${at} of the file has another sequence or script than the refill’s.`
  }
  if (file.outputs.length !== plan.outputs.length)
    return `The file has ${file.outputs.length} outputs, and the refill ${plan.outputs.length}.`
  for (const [at, { address, units }] of plan.outputs.entries()) {
    const given = file.outputs[at]
    if (given === undefined || !sameBytes(given.script, scriptOf(rules, address)))
      return `Output ${at} of the file pays ${addressIn(rules, given?.script)}, and the refill pays ${address}.`
    if (given.units !== units)
      return `Output ${at} of the file pays ${given.units} units, and the refill ${units}.`
  }
  return file.version === version && file.lockTime === 0
    ? null
    : 'The file has another version or lock time than the refill.'
}

function addressIn(rules: ChainRules, script: Uint8Array = new Uint8Array()): string {
  return addressOf(rules, script) ?? 'something that is not an address of this network'
}
