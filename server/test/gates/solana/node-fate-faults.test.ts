import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { OutageError } from '../../../src/domain/errors.ts'
import { nonceAccount, systemProgram } from '../../../src/gates/solana/derived-address.ts'
import {
  type Script,
  ScriptedError,
  type ScriptedNode,
  startScriptedNode,
} from '../../support/nodes/scripted-rpc.ts'
import { hot, receiver } from './plans.ts'
import {
  account,
  accountOf,
  cancel,
  executed,
  feeUnits,
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
import { type Attempt, creating, openGate, signed } from './spending.ts'

let node: ScriptedNode
let opened: ReturnType<typeof openGate>
beforeAll(async () => {
  node = await startScriptedNode()
  opened = openGate([node.url])
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
const fate = (...attempts: Attempt[]) => opened.gate.fate(attempts)
it('rules out by the transaction that has used the nonce', async () => {
  expect(await fate(payout)).toEqual({
    kind: 'ruled_out',
    block: { height: BigInt(slot), hash: hash(slot) },
    reason: `Its nonce was used by ${cancel.hash} in block ${slot}.`,
  })
})

it('is mined when only the history knows it yet', async () => {
  expect(await fate(cancel, payout)).toMatchObject({ kind: 'mined', hash: cancel.hash, feeUnits })
})

it('waits until it is as sure as the chain is followed', async () => {
  for (const confirmationStatus of ['processed', 'confirmed']) {
    answering(knowing({ ...status, confirmationStatus, confirmations: 1 }))
    expect(await fate(payout)).toEqual({ kind: 'waiting', hash: payout.hash })
  }
  // Older nodes name no level.
  answering(knowing({ slot, err: null, confirmations: 3 }))
  expect(await fate(payout)).toEqual({ kind: 'waiting', hash: payout.hash })
})

const undecidable: Record<string, Script> = {
  'history does not go back': { getSignaturesForAddress: () => [] },
  'history names transactions that it no longer has': { getTransaction: () => null },
  'history is full of others': {
    getSignaturesForAddress: (_: string, { limit }: { limit: number }) =>
      Array.from({ length: limit }, () => ({ signature: cancel.hash, slot })),
    getTransaction: () =>
      executed(cancel, { transaction: { ...executed(cancel).transaction, message: other } }),
  },
  'history shows another account’s nonce with the same value': {
    getTransaction: () => {
      const found = executed(cancel)
      const message = {
        ...found.transaction.message,
        accountKeys: [hot.address, nonceAccount(hot.address, 1), systemProgram],
      }
      return { ...found, transaction: { ...found.transaction, message } }
    },
  },
  'history shows a use without our signature': {
    getTransaction: () => {
      const found = executed(cancel)
      const message = {
        ...found.transaction.message,
        accountKeys: [receiver(1), account, systemProgram],
      }
      return { ...found, transaction: { ...found.transaction, message } }
    },
  },
  'account is gone': { getMultipleAccounts: () => inContext([null]), getSignaturesForAddress: () => [] },
}
const other = { ...executed(cancel).transaction.message, recentBlockhash: hash(9) }

it.each(Object.entries(undecidable))('never rules out by guess: its %s', async (_, changes) => {
  answering(changes)
  await expect(fate(payout)).rejects.toThrow(/Nothing is signed anew/)
})

it('never looks further into a history than it must', async () => {
  answering(undecidable['history is full of others'] ?? {})
  node.calls.length = 0
  await expect(fate(payout)).rejects.toThrow(OutageError)
  expect(node.calls.filter((method) => method === 'getTransaction')).toHaveLength(1_000)
})

it('says that a node does not keep transactions long enough', async () => {
  answering({ ...knowing(status), getTransaction: () => null })
  await expect(fate(payout)).rejects.toThrow(/does not show it/)
  answering({ ...knowing(status), getTransaction: () => executed(payout, { meta: null }) })
  await expect(fate(payout)).rejects.toThrow(/must keep their history/)
  answering({ ...knowing(status), getBlock: () => new ScriptedError(-32_001, 'Block cleaned up') })
  await expect(fate(cancel)).rejects.toThrow(/keeps older blocks/)
})

it('asks again when a transaction has moved to another slot, but not forever', async () => {
  let asked = 0
  answering({
    getSignatureStatuses: () => inContext([{ ...status, slot: asked++ === 0 ? slot - 1 : slot }]),
  })
  expect(await fate(cancel)).toMatchObject({ kind: 'mined', block: { height: BigInt(slot) } })
  answering(knowing({ ...status, slot: slot - 1 }))
  await expect(fate(cancel)).rejects.toThrow(/chain changed/)
})

const broken: Record<string, Script> = {
  'statuses are missing': { getSignatureStatuses: () => inContext([]) },
  'statuses have no context': { getSignatureStatuses: () => ({ value: [null] }) },
  'a status has no error': knowing({ slot, confirmationStatus: 'finalized' }),
  'a status has a made-up level': knowing({ ...status, confirmationStatus: 'sure' }),
  'a status has no slot': knowing({ ...status, slot: '50' }),
  'accounts are missing': { getMultipleAccounts: () => inContext([]) },
  'an account has no owner': {
    getMultipleAccounts: () => inContext([accountOf(nonceData(value), { owner: 5 })]),
  },
  'an account is not base64': {
    getMultipleAccounts: () => inContext([accountOf(nonceData(value), { data: ['%', 'base64'] })]),
  },
  'the history is no list': { getSignaturesForAddress: () => ({}) },
  'the history is out of order': {
    getSignaturesForAddress: () => [
      { signature: cancel.hash, slot },
      { signature: payout.hash, slot: slot + 1 },
    ],
  },
  'it shows another transaction': { ...knowing(status), getTransaction: () => executed(payout) },
  'the balances do not add up': {
    ...knowing(status),
    getTransaction: () =>
      executed(cancel, {
        meta: { ...executed(cancel).meta, postBalances: [994_998, 1_447_680, 1] },
      }),
  },
  'balances are missing': {
    ...knowing(status),
    getTransaction: () => executed(cancel, { meta: { ...executed(cancel).meta, preBalances: [1] } }),
  },
  'instructions name no account': {
    ...knowing(status),
    getTransaction: () => {
      const { message, signatures } = executed(cancel).transaction
      return executed(cancel, {
        transaction: { signatures, message: { ...message, instructions: [{ programIdIndex: 9 }] } },
      })
    },
  },
  'everything is nothing': Object.fromEntries(Object.keys(usual).map((method) => [method, () => null])),
}

it.each(Object.entries(broken))('does not trust a node where %s', async (_, changes) => {
  answering({ ...changes, getGenesisHash: () => hash(99) })
  await expect(fate(cancel)).rejects.toThrow(OutageError)
})

it('needs as many nodes as the operator says to rule out a transaction', async () => {
  const second = await startScriptedNode(usual)
  const both = openGate([node.url, second.url], { agreement: 2 })
  try {
    expect(await both.gate.fate([payout])).toMatchObject({ kind: 'ruled_out' })
    second.script = { ...usual, getMultipleAccounts: () => inContext([accountOf(nonceData(value))]) }
    await expect(both.gate.fate([payout])).rejects.toThrow(/do not agree/)
    second.script = { ...usual, getSignaturesForAddress: () => [] }
    await expect(both.gate.fate([payout])).rejects.toThrow(OutageError)
  } finally {
    both.close()
    await second.close()
  }
})

it('rules out a creation only once it cannot be in any block', async () => {
  const creation = { blockhash: hash(3), lastValidHeight: BigInt(slot + 5), rentUnits: 1_447_680n }
  const attempt = signed(creating(0, creation))
  const over = signed(creating(0, { ...creation, lastValidHeight: BigInt(slot + 4) }))
  const nothing = { getMultipleAccounts: () => inContext([null]), getBlocks: () => [slot + 5] }
  answering(nothing)
  expect(await fate(attempt)).toEqual({ kind: 'unknown' })
  expect(await fate(over)).toMatchObject({ kind: 'ruled_out', block: { height: BigInt(slot + 5) } })
  // The node that was asked for it was behind the one that has the newest block.
  answering({ ...nothing, getSignatureStatuses: () => inContext([null], slot + 4) })
  await expect(fate(over)).rejects.toThrow(/behind/)
  answering({ ...nothing, getMultipleAccounts: () => inContext([null], slot + 4) })
  await expect(fate(over)).rejects.toThrow(/behind/)
  // It exists, and the node does not know which transaction made it.
  answering({ getSignaturesForAddress: () => [] })
  await expect(fate(over)).rejects.toThrow(/does not show which transaction has created it/)
  // Something else is there, such as SOL that someone has sent in advance.
  answering({ ...nothing, getMultipleAccounts: () => inContext([accountOf(new Uint8Array())]) })
  expect(await fate(over)).toMatchObject({ kind: 'ruled_out' })
})

it('names the creation that succeeded, whichever of them failed', async () => {
  const creation = { blockhash: hash(3), lastValidHeight: 200n, rentUnits: 1_447_680n }
  const [first, second] = [1n, 2n].map((more) =>
    signed(
      creating(0, {
        ...creation,
        lastValidHeight: creation.lastValidHeight + more,
        blockhash: hash(Number(more)),
      }),
    ),
  ) as [Attempt, Attempt]
  const { transaction, meta } = executed(second)
  const created = { ...meta, preBalances: [2_000_000, 0, 1], postBalances: [547_319, 1_447_680, 1] }
  answering({
    getSignatureStatuses: () => inContext([{ ...status, err: 'AccountInUse' }, status]),
    getTransaction: (signature: string) =>
      signature === second.hash
        ? executed(second, { transaction, meta: created })
        : executed(first, { meta: { ...meta, err: 'AccountInUse' } }),
  })
  expect(await fate(first, second)).toMatchObject({
    kind: 'mined',
    hash: second.hash,
    succeeded: true,
    feeUnits: feeUnits + 1_447_680n,
  })
  const half = {
    getSignatureStatuses: (all: string[]) =>
      inContext([{ ...status, err: 'AccountInUse' }, null].slice(0, all.length)),
    getTransaction: () => executed(first, { meta: { ...meta, err: 'AccountInUse' } }),
    getMultipleAccounts: () => inContext([null]),
    getBlocks: () => [slot + 4, slot + 5],
  }
  answering(half)
  expect(await fate(first, second)).toEqual({ kind: 'unknown' })
  expect(await fate(first)).toMatchObject({ kind: 'mined', hash: first.hash, succeeded: false, feeUnits })
})

it('names the creation that failed once the other cannot be in any block', async () => {
  const creation = { blockhash: hash(3), lastValidHeight: BigInt(slot), rentUnits: 1_447_680n }
  const [first, second] = [1, 2].map((each) =>
    signed(creating(0, { ...creation, blockhash: hash(each) })),
  ) as [Attempt, Attempt]
  answering({
    getSignatureStatuses: () => inContext([{ ...status, err: 'AccountInUse' }, null]),
    getTransaction: () => executed(first, { meta: { ...executed(first).meta, err: 'AccountInUse' } }),
    getMultipleAccounts: () => inContext([null]),
    getBlocks: () => [1, 2, 3, 4].map((more) => slot + more),
  })
  expect(await fate(first, second)).toMatchObject({
    kind: 'mined',
    hash: first.hash,
    succeeded: false,
    feeUnits,
  })
})
