import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { AccountPlan, CoinPlan, SpendPlan } from '../../src/domain/spends.ts'
import { bytesObjection } from '../../src/signer/check-bytes.ts'
import { accountPlans, assetsOn, coinPlans, familyOn, keyOn } from '../simulator/gate/plans.ts'

/** Expects the bytes of a plan to be accepted for this plan, and for none of the others. */
function expectOnly(id: string, plan: SpendPlan, others: readonly SpendPlan[]): void {
  const network = { family: familyOn(id), assets: assetsOn(id) }
  const signed = network.family.sign(plan, keyOn(id))
  expect(bytesObjection(network, plan, signed)).toBeNull()
  for (const other of others)
    expect(bytesObjection(network, other, signed)).toMatch('not do what was planned')
}

it.each(['bitcoin', 'litecoin'])(
  'the bytes of a plan that spends coins of %s do what it says, and nothing else',
  (id) => {
    fc.assert(
      fc.property(coinPlans(id), (plan) => expectOnly(id, plan, otherCoinPlans(plan))),
      { numRuns: 5 },
    )
  },
)

it.each(['ethereum', 'polygon', 'base', 'xrp'])(
  'the bytes of a transfer on %s do what it says, and nothing else',
  (id) => {
    fc.assert(
      fc.property(accountPlans(id), (plan) => expectOnly(id, plan, otherTransfers(plan))),
      { numRuns: 5 },
    )
  },
)

it.each(['bitcoin', 'ethereum', 'xrp'])(
  'bytes that are not a transaction of %s, or have another hash, are refused',
  (id) => {
    const [plan] = fc.sample<SpendPlan>(id === 'bitcoin' ? coinPlans(id) : accountPlans(id), 1) as [SpendPlan]
    const signed = familyOn(id).sign(plan, keyOn(id))
    const check = (bytes: Uint8Array, hash = signed.hash) =>
      bytesObjection({ family: familyOn(id), assets: assetsOn(id) }, plan, { bytes, hash })
    expect(check(signed.bytes)).toBeNull()
    expect(check(signed.bytes, '00'.repeat(32))).toMatch('not do what was planned')
    expect(check(signed.bytes.subarray(1))).toMatch('cannot be read')
    expect(check(Buffer.concat([signed.bytes, Buffer.from([0])]))).toMatch('cannot be read')
  },
)

it('bytes for another chain are refused', () => {
  const [plan] = fc.sample(accountPlans('ethereum'), 1) as [AccountPlan]
  const signed = familyOn('ethereum').sign(plan, keyOn('ethereum'))
  expect(bytesObjection({ family: familyOn('polygon'), assets: assetsOn('polygon') }, plan, signed)).toMatch(
    /cannot be read: .* is for chain/,
  )
})

function otherCoinPlans(plan: CoinPlan): CoinPlan[] {
  const [input, ...inputs] = plan.inputs
  const [output, ...outputs] = plan.outputs
  if (input === undefined || output === undefined) throw new Error('a plan has inputs and outputs')
  return [
    { ...plan, inputs: [{ ...input, outputIndex: input.outputIndex + 1 }, ...inputs] },
    { ...plan, inputs: [{ ...input, txHash: 'ab'.repeat(32) }, ...inputs] },
    { ...plan, inputs: [input, ...inputs, { ...input, txHash: 'ab'.repeat(32) }] },
    { ...plan, inputs },
    { ...plan, outputs: [{ ...output, units: output.units + 1n }, ...outputs] },
    { ...plan, outputs: [{ ...output, address: 'elsewhere' }, ...outputs] },
    { ...plan, outputs: [output, output, ...outputs] },
    { ...plan, outputs },
  ]
}

function otherTransfers(plan: AccountPlan): AccountPlan[] {
  return [
    { ...plan, from: { ...plan.from, address: 'elsewhere' } },
    { ...plan, nonce: plan.nonce + 1n },
    { ...plan, to: { ...plan.to, address: 'elsewhere' } },
    { ...plan, to: { ...plan.to, tag: 'another' } },
    { ...plan, contractAddress: 'elsewhere' },
    { ...plan, units: plan.units + 1n },
    { ...plan, gasLimit: plan.gasLimit + 1n },
    { ...plan, gasPrice: plan.gasPrice + 1n },
  ]
}
