import { base64, hex } from '@scure/base'
import { TEST_NETWORK, Transaction, WIF } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { bitcoin } from '../../../src/domain/networks/bitcoin.ts'
import { checkWitness } from '../../../src/gates/bitcoin/check-witness.ts'
import { addressOf } from '../../../src/gates/bitcoin/network.ts'
import vectors from './bip174.json' with { type: 'json' }

// `signCoins` creates, fills, signs, finalises and extracts a transaction in one go, all with the library's PSBTs: these are
// the published vectors of those roles. We neither receive nor send PSBTs, so nothing is combined, and an input is only ever
// updated with the output that it spends: the vectors of the combiner and of the updater are not run.

const { invalid, valid, signerMustRefuse, workflow } = vectors

// As strict as the library is, except for scripts that are not ours: the vectors have outputs that we would not pay to.
const read = (psbt: string) =>
  Transaction.fromPSBT(base64.decode(psbt), {
    allowUnknown: true,
    allowUnknownInputs: true,
    allowUnknownOutputs: true,
  })
const written = (transaction: Transaction) => base64.encode(transaction.toPSBT(0))

describe('BIP-174', () => {
  it.each(invalid)('refuses a PSBT published as invalid: $case', ({ psbt }) => {
    expect(() => read(psbt)).toThrow()
  })

  it.each(valid)('reads a PSBT published as valid, and writes the same bytes: $case', ({ psbt }) => {
    expect(written(read(psbt))).toBe(psbt)
  })

  it.each(signerMustRefuse)('a signer refuses: $case', ({ psbt }) => {
    const [key] = workflow.signers[0]?.keys ?? []
    expect(() => read(psbt).signIdx(WIF(TEST_NETWORK).decode(key as string), 0)).toThrow(
      /wrong (redeem|witness)Script hash|legacy|non-?witness/i,
    )
  })

  it('the creator produces the published PSBT from its inputs and outputs', () => {
    const transaction = new Transaction({ version: 2 })
    for (const input of workflow.inputs) transaction.addInput(input)
    for (const { script, amount } of workflow.outputs)
      transaction.addOutput({ script: hex.decode(script), amount: BigInt(amount) })
    expect(written(transaction)).toBe(workflow.created)
  })

  it.each(workflow.signers)(
    'the signer with keys $keys produces the published signatures',
    ({ keys, signed }) => {
      // Unlike ours, those were not ground to a low R.
      const transaction = read(workflow.toSign)
      for (const key of keys) expect(transaction.sign(WIF(TEST_NETWORK).decode(key))).toBe(1)
      expect(written(transaction)).toBe(signed)
    },
  )

  it('the finaliser produces the published PSBT, and the extractor the published transaction', () => {
    const transaction = read(workflow.combined)
    expect(() => transaction.extract()).toThrow()
    transaction.finalize()
    expect(written(transaction)).toBe(workflow.finalized)
    expect(hex.encode(transaction.extract())).toBe(workflow.extracted)
    expect(hex.encode(read(workflow.finalized).extract())).toBe(workflow.extracted)
  })

  it('the published signatures of P2WPKH inputs, our type, unlock their outputs, and no others do', () => {
    const rules = bitcoin.rules.main
    const transaction = read(valid.find(({ case: name }) => name.includes('XPUB'))?.psbt ?? '')
    transaction.finalize()
    expect(transaction.inputsLength).toBe(2)
    for (let at = 0; at < 2; at++) {
      const { finalScriptWitness = [], witnessUtxo } = transaction.getInput(at)
      const address = addressOf(rules, witnessUtxo?.script ?? new Uint8Array()) ?? ''
      const spent = { address, units: witnessUtxo?.amount ?? 0n }
      expect(checkWitness(rules, transaction, at, finalScriptWitness, spent)).toBeNull()
      const more = { ...spent, units: spent.units + 1n }
      expect(checkWitness(rules, transaction, at, finalScriptWitness, more)).toContain('invalid')
    }
  })
})
