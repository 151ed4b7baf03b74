import { HDKey } from '@scure/bip32'
import { Transaction } from '@scure/btc-signer'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { writeRefill } from '../../../src/app/spends/cold/write-refill.ts'
import { planToJson } from '../../../src/domain/plan-json.ts'
import { maxRefillFileBytes } from '../../../src/domain/refills.ts'
import type { CoinPlan } from '../../../src/domain/spends.ts'
import { query } from '../../support/database/database.ts'
import { forge } from '../../support/database/forge.ts'
import { gateOf } from '../../support/shop/money-out.ts'
import { finished, openRefillBench, type RefillBench, sign } from '../../support/shop/refills.ts'

let opened: RefillBench | null = null
let bench: RefillBench
beforeEach(async () => {
  opened ??= await openRefillBench()
  bench = opened
})
afterEach(() => bench.check())
afterAll(() => opened?.stop())

function refillOf({ service }: RefillBench) {
  const { spending } = gateOf(service, 'bitcoin')
  if (spending.kind !== 'coins') throw new Error('The gate has coins.')
  return spending.refill
}

const handedIn = () =>
  query(bench.service.database.url, `select from audit_entries where action = 'refill.submitted'`)

/** Nothing was signed, sent or noted, and the books are as before. */
async function expectUntouched({ id }: { readonly id: string }): Promise<void> {
  const spend = await bench.spend(id)
  expect(spend.transactions.map(({ signed, sentAt }) => [signed, sentAt])).toEqual([[null, null]])
  expect(spend.status).toBe('open')
  expect(await handedIn()).toEqual([])
  await bench.expectNothingBooked()
}

const withChange = (change: (transaction: Transaction) => void) => (psbt: Uint8Array) => sign(psbt, change)
const scriptOf = (transaction: Transaction, at: number) =>
  transaction.getOutput(at).script ?? new Uint8Array()
/** The same transaction, but with inputs and outputs as they are given. */
function rebuilt(
  psbt: Uint8Array,
  lockTime: number,
  inputs: (given: Transaction, made: Transaction) => void,
) {
  const given = Transaction.fromPSBT(psbt)
  const made = new Transaction({ version: 2, lockTime })
  inputs(given, made)
  for (const at of [0, 1]) made.addOutput(given.getOutput(at))
  return made.toPSBT()
}

it.each<[name: string, message: RegExp, file: (psbt: Uint8Array) => Uint8Array]>([
  ['without signatures', /Input 0 is not signed\. Sign every input/, (psbt) => psbt],
  ['that is empty', /neither a PSBT/, () => new Uint8Array()],
  ['that is something else', /neither a PSBT/, () => Buffer.from('{"hello": 1}')],
  ['that is far too large', /neither a PSBT/, () => Buffer.alloc(maxRefillFileBytes + 1, 'a')],
  ['of random bytes after the mark', /neither a PSBT/, () => Buffer.from('70736274ff0100ffffffff', 'hex')],
  ['that is cut off', /neither a PSBT/, (psbt) => psbt.subarray(0, -20)],
  ['that is cut off base64', /neither a PSBT/, (psbt) => Buffer.from(psbt).subarray(0, -20)],
  [
    'with another amount',
    /Output 0 of the file pays 299999 units.*prepare another/,
    withChange((transaction) => transaction.updateOutput(0, { amount: 299_999n })),
  ],
  [
    'that pays someone else',
    /Output 0 of the file pays tb1q/,
    withChange((transaction) => transaction.updateOutput(0, { script: scriptOf(transaction, 1) })),
  ],
  [
    'with a further output',
    /The file has 3 outputs/,
    withChange((transaction) => transaction.addOutput({ script: scriptOf(transaction, 1), amount: 1n })),
  ],
  [
    'with another sequence',
    /another sequence/,
    withChange((transaction) => transaction.updateInput(0, { sequence: 0xfffffffd })),
  ],
  [
    'with a further input',
    /The file has 2 inputs/,
    (psbt) =>
      rebuilt(psbt, 0, (given, made) => {
        made.addInput(given.getInput(0))
        made.addInput({ txid: '11'.repeat(32), index: 0, sequence: 0xfffffffe })
      }),
  ],
  [
    'with a lock time',
    /another version or lock time/,
    (psbt) => rebuilt(psbt, 500, (given, made) => made.addInput(given.getInput(0))),
  ],
])('a file %s is refused, and nothing is written', async (_, message, file) => {
  const refill = await bench.prepare('0.003')
  await expect(bench.submit(file(refill.psbt))).rejects.toThrow(message)
  await expectUntouched(refill)
  await bench.giveUp(refill)
})

it('a file that spends another coin is of no refill, and refused', async () => {
  const foreign = new Transaction({ version: 2 })
  foreign.addInput({ txid: '11'.repeat(32), index: 0 })
  foreign.addOutput({ script: Buffer.from(`0014${'22'.repeat(20)}`, 'hex'), amount: 1_000n })
  await expect(bench.submit(foreign.toPSBT())).rejects.toThrow(/no coin of a refill.*wallet cold/)
})

it('signatures by a wrong key, or of another transaction, are refused, and nothing is written', async () => {
  const refill = await bench.prepare('0.003')
  const witnessOf = (file: Uint8Array) => Transaction.fromPSBT(file).getInput(0).partialSig?.[0]
  const [publicKey, signature] = witnessOf(sign(refill.psbt)) ?? []
  const [, other] =
    witnessOf(sign(refill.psbt, (transaction) => transaction.updateOutput(0, { amount: 1_000n }))) ?? []
  const given = (witness: (Uint8Array | undefined)[]) => {
    const transaction = Transaction.fromPSBT(refill.psbt)
    transaction.updateInput(0, { finalScriptWitness: witness as Uint8Array[] }, true)
    return transaction.toPSBT()
  }
  const stranger = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).publicKey ?? undefined
  const refusals: [RegExp, (Uint8Array | undefined)[]][] = [
    [/key of input 0 is not the key of its coin/, [signature, stranger]],
    [/signature of input 0 is invalid/, [other, publicKey]],
    [
      /does not cover the whole transaction/,
      [Uint8Array.from([...(signature ?? []).slice(0, -1), 2]), publicKey],
    ],
    [
      /does not cover the whole transaction/,
      [Uint8Array.from([...(signature ?? []).slice(0, -1), 0x81]), publicKey],
    ],
    [/is not a signature and a public key/, [publicKey]],
    [/signature of input 0 is invalid/, [Uint8Array.from([1]), publicKey]],
  ]
  for (const [message, witness] of refusals)
    await expect(bench.submit(given(witness))).rejects.toThrow(message)
  await expectUntouched(refill)
  await bench.giveUp(refill)
})

it('a refill that was changed in the database is neither written again nor taken', async () => {
  const refill = await bench.prepare('0.003')
  const file = sign(refill.psbt)
  const { url } = bench.service.database
  const planOf = async () => {
    const [first] = (await bench.spend(refill.id)).transactions
    if (first?.plan.kind !== 'coins') throw new Error('It spends coins.')
    return first.plan
  }
  const rewrite = async (plan: CoinPlan) => {
    const set = 'set plan = $2::jsonb where spend_id = $1'
    await forge(url, 'spend_transactions', `update spend_transactions ${set}`, [refill.id, planToJson(plan)])
    const hash = refillOf(bench).hashOf(plan)
    await forge(url, 'refills', 'update refills set tx_hash = $2 where spend_id = $1', [refill.id, hash])
  }
  const kept = await planOf()
  const changed = (at: number, change: object): CoinPlan => ({
    ...kept,
    outputs: kept.outputs.map((output, index) => (index === at ? { ...output, ...change } : output)),
  })
  const foreign = { address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' }
  const forged = [
    changed(0, foreign),
    changed(1, foreign),
    // The rest goes to the network.
    changed(1, { units: 1_000n }),
  ]
  for (const plan of forged) {
    await rewrite(plan)
    await expect(writeRefill(bench.service.app, refill.id)).rejects.toThrow(/DO NOT SIGN IT/)
    await expect(bench.submit(file)).rejects.toThrow(/DO NOT SIGN IT/)
  }
  await rewrite(kept)
  await expectUntouched(refill)
  await bench.giveUp(refill)
})

it('binary, base64, hexadecimal and the finished transaction are accepted', async () => {
  const forms: ((refill: Awaited<ReturnType<typeof bench.prepare>>) => Uint8Array)[] = [
    ({ psbt }) => sign(psbt),
    ({ psbt }) => Buffer.from(`${Buffer.from(sign(psbt)).toString('base64')}\n`),
    ({ psbt }) => Buffer.from(`${Buffer.from(sign(psbt)).toString('hex')}\r\n`),
    (refill) => Buffer.from(Buffer.from(finished(refill).bytes).toString('hex')),
  ]
  for (const form of forms) {
    const refill = await bench.prepare('0.001')
    await bench.submit(form(refill))
    await bench.until(refill.id, 'final')
  }
})
