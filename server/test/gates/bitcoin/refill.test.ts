import { secp256k1 } from '@noble/curves/secp256k1.js'
import { p2tr, p2wsh, SigHash, Transaction } from '@scure/btc-signer'
import { expect, it } from 'vitest'
import { bitcoin } from '../../../src/domain/networks/bitcoin.ts'
import type { CoinPlan } from '../../../src/domain/spends.ts'
import { p2wpkhAddress } from '../../../src/gates/bitcoin/address.ts'
import { addressOf, scriptOf } from '../../../src/gates/bitcoin/network.ts'
import { coinSpending } from '../../../src/gates/bitcoin/spending.ts'

const rules = bitcoin.rules.test
const privateKey = new Uint8Array(32).fill(5)
const publicKey = secp256k1.getPublicKey(privateKey)
const { refill, sizeOf } = coinSpending(rules, () => publicKey)
const schnorrKey = publicKey.slice(1)
const output = p2tr(schnorrKey)
const taproot = addressOf(rules, output.script) ?? ''
const own = p2wpkhAddress(rules, publicKey)

const plan = (inputs: number): CoinPlan => ({
  kind: 'coins',
  inputs: Array.from({ length: inputs }, (_, outputIndex) => ({
    txHash: '11'.repeat(32),
    outputIndex,
    units: 100_000n,
    key: { chain: 'deposit', index: 0 },
  })),
  outputs: [{ address: own, units: 50_000n, payoutId: null }],
  change: { outputIndex: 0, index: 0 },
  feeUnits: BigInt(inputs) * 100_000n - 50_000n,
})

/** The plan's transaction, signed with the key of a Taproot address. */
function signed(given: CoinPlan, sighash: number) {
  const transaction = new Transaction({ version: 2 })
  for (const { txHash, outputIndex, units } of given.inputs)
    transaction.addInput({
      txid: txHash,
      index: outputIndex,
      sequence: 0xfffffffe,
      witnessUtxo: { script: output.script, amount: units },
      tapInternalKey: schnorrKey,
      ...(sighash === SigHash.DEFAULT ? {} : { sighashType: sighash }),
    })
  for (const { address, units } of given.outputs)
    transaction.addOutput({ script: scriptOf(rules, address), amount: units })
  transaction.sign(privateKey, [sighash])
  return transaction.toPSBT()
}

function complete(given: CoinPlan, psbt: Uint8Array) {
  const file = refill.read(psbt)
  if ('refused' in file) throw new Error(file.refused)
  return refill.complete(
    given,
    given.inputs.map(() => taproot),
    file,
  )
}

it('coins come back from P2WPKH and P2TR, and from no address whose script is unknown', () => {
  const script = p2wsh({ type: 'wsh', script: new Uint8Array([0x51]) }).script
  expect(refill.canSpend(own)).toBe(true)
  expect(refill.canSpend(taproot)).toBe(true)
  expect(refill.canSpend(addressOf(rules, script) ?? '')).toBe(false)
  expect(refill.canSpend('mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn')).toBe(false)
})

it.each([SigHash.DEFAULT, SigHash.ALL])(
  'signatures of Taproot over the whole transaction are taken (hash type %i)',
  (sighash) => {
    const made = complete(plan(2), signed(plan(2), sighash))
    expect(made).toMatchObject({ hash: refill.hashOf(plan(2)) })
  },
)

it('signatures of Taproot that cover less, are of another transaction or by another key are refused', () => {
  expect(complete(plan(2), signed(plan(2), SigHash.NONE))).toMatchObject({
    refused: expect.stringMatching(/input 0 does not cover the whole transaction/),
  })
  const other = { ...plan(2), outputs: [{ address: own, units: 49_999n, payoutId: null }] }
  const moved = Transaction.fromPSBT(signed(other, SigHash.DEFAULT))
  const swapped = Transaction.fromPSBT(signed(plan(2), SigHash.DEFAULT))
  swapped.updateInput(0, { tapKeySig: moved.getInput(0).tapKeySig ?? new Uint8Array() }, true)
  expect(complete(plan(2), swapped.toPSBT())).toMatchObject({
    refused: expect.stringMatching(/signature of input 0 is invalid/),
  })
  expect(complete(plan(2), refill.write(plan(2), [], null))).toMatchObject({
    refused: expect.stringMatching(/Input 0 is not signed/),
  })
})

it('the size allows for signatures that are a byte longer than ours, so that the fee is never too low', () => {
  expect(refill.sizeOf(200, [own, own]) - sizeOf(200, [own, own])).toBe(50n)
})
