import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { approvalHash } from '../../src/domain/payouts.ts'
import { isCancelling, maxFeeOf, type SolanaPlan, type SpendKind } from '../../src/domain/spends.ts'
import type { Attempt } from '../../src/signer/attempt.ts'
import { journalObjection } from '../../src/signer/check-journal.ts'
import { limitObjection } from '../../src/signer/check-limits.ts'
import { type Journal, openJournal } from '../../src/signer/journal.ts'
import type { PayoutToSign } from '../../src/store/spends/signing.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { limitsOf } from '../support/signer/signer-limits.ts'
import {
  cancelling,
  creation,
  hashOf,
  payoutId,
  payoutOf,
  sol,
  solanaNetwork,
  stranger,
  sweepOf,
  wallet,
} from './solana-plans.ts'

const gateId = 'solana-test'
const at = new Date('2026-01-01T00:00:00Z')
const plan = payoutOf(sol)
const payout = {
  id: payoutId,
  network: 'solana',
  currency: sol.currency,
  amountUnits: plan.units,
  destination: stranger(1),
  destinationTag: null,
} as PayoutToSign
let folder: TemporaryFolder
let journal: Journal
beforeEach(async () => {
  folder = await makeTemporaryFolder()
  journal = await openJournal(join(folder.path, 'test-journal.jsonl'), {
    environment: 'test',
    wallet: 'a'.repeat(16),
  })
})
afterEach(async () => {
  await journal.close()
  await folder.remove()
})

function attemptOf(over: Partial<Attempt> = {}): Attempt {
  return {
    spendId: 'spend 1',
    attempt: 1,
    gateId,
    kind: 'payout',
    plan,
    refusal: null,
    isGivenUp: false,
    isEndAsked: false,
    isUnfunded: false,
    ...over,
  }
}

/** Signs an attempt, and writes it down. */
function note(attempt: Attempt): void {
  const { spendId, attempt: number, kind } = attempt
  const payouts = kind === 'payout' ? [payout] : []
  const signed = wallet.sign('solana', attempt.plan)
  journal.note({
    spendId,
    attempt: number,
    kind,
    gateId,
    plan: attempt.plan,
    at,
    value: new Map(),
    ...signed,
    maxFeeUnits: maxFeeOf(attempt.plan),
    payouts: payouts.map((each) => ({
      id: each.id,
      destination: each.destination,
      tag: null,
      units: each.amountUnits,
      currency: each.currency,
      approvalHash: approvalHash(each),
    })),
  })
}

// Only fills are looked up in the store, and there are none on Solana.
const objectionTo = (attempt: Attempt) =>
  journalObjection({} as never, journal, attempt, attempt.kind === 'payout' ? [payout] : [])
const withValue = (number: number, index = 0): SolanaPlan => ({
  ...plan,
  lifetime: { kind: 'nonce', index, value: hashOf(number) },
})

it('a payout whose first attempt was mined is not paid again with the next value of the nonce', async () => {
  expect(await objectionTo(attemptOf())).toBeNull()
  note(attemptOf())
  // The same attempt may be handed over again.
  expect(await objectionTo(attemptOf({ attempt: 2 }))).toBeNull()
  for (const other of [withValue(8), withValue(7, 1)]) {
    expect(await objectionTo(attemptOf({ attempt: 2, plan: other }))).toMatch('a second time')
    expect(await objectionTo(attemptOf({ spendId: 'spend 2', plan: other }))).toMatch('a second time')
  }
})

it('a sweep keeps its value too', async () => {
  const sweep = sweepOf(sol)
  note(attemptOf({ kind: 'sweep', plan: sweep }))
  const other: SolanaPlan = { ...sweep, lifetime: { kind: 'nonce', index: 0, value: hashOf(8) } }
  expect(await objectionTo(attemptOf({ attempt: 2, kind: 'sweep', plan: other }))).toMatch('same spend')
  expect(await objectionTo(attemptOf({ spendId: 'spend 2', kind: 'sweep', plan: other }))).toBeNull()
})

it('no second transaction is signed for a value, which may be the hash of a block', async () => {
  note(attemptOf())
  const dearer = { ...plan, computePrice: plan.computePrice * 2n }
  expect(await objectionTo(attemptOf({ attempt: 2, plan: dearer }))).toMatch('both might be executed')
  expect(await objectionTo(attemptOf({ spendId: 'spend 2', plan: dearer }))).toMatch('both might be executed')
  const sweep = attemptOf({ spendId: 'spend 3', kind: 'sweep', plan: sweepOf(sol) })
  expect(await objectionTo(sweep)).toMatch('both might be executed')
})

it('a value is cancelled once, and pays no one after that', async () => {
  const cancel = attemptOf({ attempt: 2, plan: cancelling })
  note(attemptOf())
  expect(await objectionTo(cancel)).toMatch('can no longer be cancelled')
  expect(await objectionTo({ ...cancel, isUnfunded: true })).toBeNull()
  note(cancel)
  const dearer = { ...cancelling, computePrice: 2_000n }
  expect(await objectionTo(attemptOf({ attempt: 3, plan: dearer, isUnfunded: true }))).toMatch(
    'both might be executed',
  )
  expect(await objectionTo(attemptOf({ attempt: 3 }))).toMatch('was cancelled')
  expect(await objectionTo(attemptOf({ attempt: 3, plan: withValue(8) }))).toMatch('a second time')
})

it('a creation may be signed anew with another hash, and each counts towards the fees of its day', async () => {
  const anew: SolanaPlan = {
    ...creation,
    lifetime: { kind: 'creation', index: 3, blockhash: hashOf(9), lastValidHeight: 200n },
  }
  note(attemptOf({ kind: 'nonce', plan: creation }))
  const second = attemptOf({ attempt: 2, kind: 'nonce', plan: anew })
  expect(await objectionTo(second)).toBeNull()
  const fee = maxFeeOf(creation)
  const excess = (perDay: bigint, kind: SpendKind = 'nonce') => {
    const limits = { ...limitsOf(), maxFeesPerDay: new Map([['solana', perDay]]) }
    return limitObjection(journal, 'test', { ...second, kind }, solanaNetwork, limits, [], new Map(), at)
  }
  expect(excess(2n * fee)).toBeNull()
  expect(excess(2n * fee - 1n)).toMatchObject({
    reason: expect.stringMatching('for the fees of new nonce accounts on solana'),
    isForGood: false,
  })
  // Other kinds have a limit of their own.
  expect(excess(fee, 'sweep')).toBeNull()
  note(second)
  expect(journal.feesSince(gateId, 'nonce', at.getTime() - 1)).toBe(2n * fee)
})

it('plans of Solana are written down and read back', async () => {
  const attempts = [plan, sweepOf(sol), cancelling, creation].map((each) =>
    attemptOf({ spendId: randomUUID(), kind: 'payout', plan: each }),
  )
  for (const attempt of attempts) note(attempt)
  await journal.save()
  for (const { spendId, plan: noted } of attempts) {
    const found = journal.find(spendId, 1)
    if (found === undefined) throw new Error('the journal has lost a transaction')
    expect(found.cancels).toBe(isCancelling(noted))
    expect((await journal.read(found)).plan).toEqual(noted)
  }
})
