import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { OutageError } from '../../../src/domain/errors.ts'
import { tokenPrograms } from '../../../src/gates/solana/derived-address.ts'
import {
  type Script,
  ScriptedError,
  type ScriptedNode,
  startScriptedNode,
} from '../../support/nodes/scripted-rpc.ts'
import { hot, receiver } from './plans.ts'
import {
  accountOf,
  cancel,
  hash,
  inContext,
  knowing,
  nonceData,
  payout,
  slot,
  status,
  usual,
  value,
} from './scripted-answers.ts'
import { creating, openGate, prices, signed, tokenAt } from './spending.ts'

let node: ScriptedNode
let opened: ReturnType<typeof openGate>
const warnings: string[] = []
beforeAll(async () => {
  node = await startScriptedNode()
  opened = openGate([node.url], { warnings })
})
beforeEach(() => {
  node.script = usual
})
afterAll(async () => {
  opened.close()
  await node.close()
})

const answering = (changes: Script) => {
  node.script = { ...usual, ...changes }
}
const odd: Record<string, readonly [ScriptedError, RegExp]> = {
  'without data': [new ScriptedError(-32_602, 'odd\nwords'), /^The node refused it: odd words\.$/],
  'with data of another kind': [new ScriptedError(-32_002, 'odd', 'text'), /odd/],
  'without a message': [new ScriptedError(-32_603, null), /refused it: nothing/],
  'with a strange error': [new ScriptedError(-32_002, 'odd', { err: { Strange: [1] } }), /Strange/],
  'with an error that is a number': [new ScriptedError(-32_002, 'odd', { err: 5 }), /gives no reason/],
  'with half an instruction error': [
    new ScriptedError(-32_002, 'odd', { err: { InstructionError: [2] }, logs: [5, null] }),
    /refused it/,
  ],
  'of an unknown program': [
    new ScriptedError(-32_002, 'odd', {
      ...{
        err: { InstructionError: [2, { Custom: 77 }] },
        logs: ['Program Abc failed: custom program error: 0x4d'],
      },
    }),
    /the program Abc fails with error 77/,
  ],
  'because funds for the fee are missing': [
    new ScriptedError(-32_002, 'odd', { err: 'InsufficientFundsForFee', logs: [] }),
    /too little SOL to pay the fee/,
  ],
  'because a nonce is used': [
    new ScriptedError(-32_603, 'Blockhash not found'),
    /nonce that it holds has been used/,
  ],
}

it.each(Object.entries(odd))('passes a refusal on %s', async (_, [error, words]) => {
  answering({ sendTransaction: () => error })
  expect(await opened.gate.broadcast(payout)).toMatch(words)
  // What the node knows was not refused.
  answering({ sendTransaction: () => error, ...knowing(status) })
  expect(await opened.gate.broadcast(payout)).toBeNull()
})

it('sends what fails for good a second time, untried', async () => {
  const tried: boolean[] = []
  const logs = [`Program ${tokenPrograms.token} failed: custom program error: 0x11`]
  answering({
    sendTransaction(_: string, { skipPreflight }: { skipPreflight: boolean }) {
      tried.push(!skipPreflight)
      return skipPreflight
        ? payout.hash
        : new ScriptedError(-32_002, 'odd', { err: { InstructionError: [3, { Custom: 17 }] }, logs })
    },
  })
  expect(await opened.gate.broadcast(payout)).toBeNull()
  expect(tried).toEqual([true, false])
})

it('takes "already processed" for success, and another signature for a lie', async () => {
  answering({
    sendTransaction: () => new ScriptedError(-32_603, 'This transaction has already been processed'),
  })
  expect(await opened.gate.broadcast(payout)).toBeNull()
  answering({ sendTransaction: () => cancel.hash })
  await expect(opened.gate.broadcast(payout)).rejects.toThrow(OutageError)
  expect(await opened.gate.broadcast({ ...payout, hash: cancel.hash })).toMatch(/Its first signature is/)
  answering({ sendTransaction: () => new ScriptedError(-32_005, 'Node is behind by 200 slots') })
  await expect(opened.gate.broadcast(payout)).rejects.toThrow(OutageError)
})

it('pays what was enough for three quarters of the last blocks, within bounds', async () => {
  const rate = (...fees: unknown[]) => {
    answering({ getRecentPrioritizationFees: () => fees.map((each) => ({ slot, prioritizationFee: each })) })
    return opened.gate.feeRate()
  }
  expect(await rate(900, 100, 800, 700, 200, 600, 300, 500)).toBe(700n)
  expect(await rate(0, 0, 0, 5_000)).toBe(prices.floor)
  expect(await rate(2 ** 64)).toBe(prices.ceiling)
  expect(await rate()).toBe(prices.floor)
  for (const wrong of ['1', -1, 0.5, null]) await expect(rate(wrong)).rejects.toThrow(OutageError)
  answering({ getRecentPrioritizationFees: () => new ScriptedError(-32_601, 'Method not found') })
  expect(await opened.gate.feeRate()).toBe(prices.floor)
  answering({ getRecentPrioritizationFees: () => ({}) })
  await expect(opened.gate.feeRate()).rejects.toThrow(OutageError)
})

it('takes only nonce accounts that the hot wallet may advance, and says what else is there', async () => {
  const found = async (shown: unknown) => {
    warnings.length = 0
    answering({ getMultipleAccounts: () => inContext([shown]) })
    return { values: await opened.gate.nonceAccounts.values([0]), warned: warnings.length }
  }
  const none = new Map()
  expect(await found(accountOf(nonceData(value)))).toEqual({ values: new Map([[0, value]]), warned: 0 })
  expect(await found(null)).toEqual({ values: none, warned: 0 })
  expect(await found(accountOf(nonceData(value), { lamports: 0 }))).toEqual({ values: none, warned: 0 })
  expect(await found(accountOf(new Uint8Array()))).toEqual({ values: none, warned: 0 })
  for (const strange of [
    accountOf(nonceData(value, receiver(1))),
    accountOf(nonceData(value), { owner: tokenPrograms.token }),
    accountOf(nonceData(value).subarray(0, 79)),
  ])
    expect(await found(strange)).toEqual({ values: none, warned: 1 })
})

it('believes no rent that is far from the usual one', async () => {
  const latest = inContext({ blockhash: hash(3), lastValidBlockHeight: 200 })
  for (const rent of [0, 1_000_000_000, '1447680']) {
    answering({ getLatestBlockhash: () => latest, getMinimumBalanceForRentExemption: () => rent })
    await expect(opened.gate.nonceAccounts.creation()).rejects.toThrow(OutageError)
  }
  answering({ getLatestBlockhash: () => latest, getMinimumBalanceForRentExemption: () => 1_447_680 })
  expect(await opened.gate.nonceAccounts.creation()).toEqual({
    blockhash: hash(3),
    lastValidHeight: 200n,
    rentUnits: 1_447_680n,
  })
})

it('any answer of a node leads to a result or an outage, and to no other failure', async () => {
  const { gate } = opened
  const usdc = tokenAt(hash(60))
  const questions: Record<string, () => Promise<unknown>> = {
    getSignatureStatuses: () => gate.fate([payout]),
    getTransaction: () => gate.fate([payout]),
    getSignaturesForAddress: () => gate.fate([payout]),
    getMultipleAccounts: () => gate.simulateTransfer(hot.address, receiver(1), usdc, 1n),
    simulateTransaction: () => gate.simulateTransfer(hot.address, receiver(1), usdc, 1n),
    getLatestBlockhash: () => gate.nonceAccounts.creation(),
    getRecentPrioritizationFees: () => gate.feeRate(),
    sendTransaction: () => gate.broadcast(payout),
    getSlot: () => gate.fate([signed(creating(0, creation))]),
    getBlock: () => gate.fate([payout]),
  }
  const creation = { blockhash: hash(3), lastValidHeight: 5n, rentUnits: 1_447_680n }
  // Mostly of the right form, so that some get far.
  const leaves = fc.oneof(fc.jsonValue(), fc.constantFrom(slot, hash(3), cancel.hash, null, [], 'finalized'))
  const values = fc.oneof(leaves, fc.array(leaves, { maxLength: 2 }))
  const answers = fc.oneof(
    values,
    values.map((value) => inContext(value)),
    fc.record({ err: values, logs: values, slot: leaves, signature: leaves, accounts: values, meta: leaves }),
    fc.tuple(fc.integer(), leaves, leaves).map((given) => new ScriptedError(...given)),
    fc.record({ err: leaves, logs: leaves }).map((data) => new ScriptedError(-32_002, 'odd', data)),
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(questions)), answers, async (method, answer) => {
      answering({ [method]: () => answer })
      await questions[method]?.().catch((error: unknown) => expect(error).toBeInstanceOf(OutageError))
    }),
    { numRuns: 150 },
  )
})
