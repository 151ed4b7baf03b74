import { base64, hex } from '@scure/base'
import { Transaction } from '@scure/btc-signer'
import { RawOldTx } from '@scure/btc-signer/script.js'
import { maxRefillFileBytes } from '../../domain/refills.ts'
import type { RefillFile } from '../family.ts'
import { txHashOf } from './plain-transaction.ts'
import { coinsOf, decodeTransaction } from './read-transaction.ts'

// BIP-174: “psbt” and 0xff.
const magic = Buffer.from('70736274ff', 'hex')

const unreadable = {
  refused:
    'The file is neither a PSBT (version 0, binary or base64) nor a signed transaction in hexadecimal. Hand in the file that your wallet has signed.',
}

/** What a file from an offline signer has: a PSBT in binary or base64 (BIP-174), or the finished transaction in hexadecimal. */
export function readRefillFile(file: Uint8Array): RefillFile | { readonly refused: string } {
  if (file.length > maxRefillFileBytes) return unreadable
  const bytes = Buffer.from(file)
  if (bytes.subarray(0, magic.length).equals(magic)) return fromPsbt(bytes)
  const text = bytes.toString('latin1').trim()
  if (/^(?:[0-9a-f]{2})+$/i.test(text)) {
    const decoded = hex.decode(text.toLowerCase())
    return magic.equals(Buffer.from(decoded.subarray(0, magic.length)))
      ? fromPsbt(decoded)
      : fromTransaction(decoded)
  }
  try {
    return fromPsbt(base64.decode(text.replace(/\s/g, '')))
  } catch {
    // Not base64.
    return unreadable
  }
}

function fromPsbt(bytes: Uint8Array): RefillFile | { readonly refused: string } {
  try {
    const psbt = Transaction.fromPSBT(bytes, { allowUnknownInputs: true, allowUnknownOutputs: true })
    const at = (count: number) => Array.from({ length: count }, (_, index) => index)
    const inputs = at(psbt.inputsLength).map((index) => psbt.getInput(index))
    const outputs = at(psbt.outputsLength).map((index) => psbt.getOutput(index))
    return {
      hash: txHashOf(psbt.unsignedTx),
      version: psbt.version,
      lockTime: psbt.lockTime,
      inputs: inputs.map((input) => ({
        txHash: hex.encode(input.txid ?? new Uint8Array()),
        outputIndex: input.index ?? 0,
        sequence: input.sequence ?? 0xffffffff,
        hasScript: (input.finalScriptSig?.length ?? 0) > 0,
        witnesses: witnessesOf(input),
      })),
      outputs: outputs.map(({ script, amount }) => ({
        script: script ?? new Uint8Array(),
        units: amount ?? 0n,
      })),
    }
  } catch {
    // The decoder throws a different error for each kind of invalid input.
    return unreadable
  }
}

/** The final witness; without one, what each signature would make one of. */
function witnessesOf({
  finalScriptWitness,
  partialSig = [],
  tapKeySig,
}: ReturnType<Transaction['getInput']>): Uint8Array[][] {
  if (finalScriptWitness !== undefined && finalScriptWitness.length > 0) return [finalScriptWitness]
  const ofKeys = partialSig.map(([publicKey, signature]) => [signature, publicKey])
  return tapKeySig === undefined ? ofKeys : [...ofKeys, [tapKeySig]]
}

function fromTransaction(bytes: Uint8Array): RefillFile | { readonly refused: string } {
  const decoded = decodeTransaction(bytes)
  if (decoded === null) return unreadable
  const coins = coinsOf(decoded)
  return {
    hash: txHashOf(RawOldTx.encode(decoded)),
    version: decoded.version,
    lockTime: decoded.lockTime,
    inputs: decoded.inputs.map(({ sequence, finalScriptSig }, at) => {
      const witness = decoded.witnesses?.[at] ?? []
      return {
        txHash: coins[at]?.txHash ?? '',
        outputIndex: coins[at]?.outputIndex ?? 0,
        sequence,
        hasScript: finalScriptSig.length > 0,
        witnesses: witness.length === 0 ? [] : [witness],
      }
    }),
    outputs: decoded.outputs.map(({ amount, script }) => ({ script, units: amount })),
  }
}
