import type { Call, CallOptions } from '../call.ts'
import type {
  Invoice,
  NewTestDeposit,
  Payout,
  TestActivation,
  TestBlocks,
  TestChainTip,
  TestClock,
  TestClockAdvance,
  TestClockMove,
  TestDeposit,
  TestGate,
  TestGateStatus,
  TestReorg,
} from '../contract.generated.ts'

/**
 * Acts as payer, network and approver in the test environment. Each call returns when its effect is visible through the
 * API, so your tests need no waiting. None of them is sent twice, except `advanceClock` with an idempotency key. A live key
 * is refused.
 */
export type TestEnvironment = {
  /** Pays to one of your deposit addresses. The payment is in no block until you `mine`. */
  deposit(deposit: NewTestDeposit, options?: CallOptions): Promise<TestDeposit>
  /** Mines blocks on a network. */
  mine(blocks: TestBlocks, options?: CallOptions): Promise<TestChainTip>
  /** Replaces the newest blocks of a network. The transactions in `drop` never return. */
  reorganise(reorganisation: TestReorg, options?: CallOptions): Promise<TestChainTip>
  /** Takes a network offline, or back online. */
  setGate(gate: TestGateStatus, options?: CallOptions): Promise<TestGate>
  /** The time in your test environment. */
  getClock(options?: CallOptions): Promise<TestClock>
  /**
   * Moves time forward in your test environment, for good. Payment windows that this ends have ended when it returns;
   * payouts that have cooled off and webhooks that waited follow within moments.
   */
  advanceClock(advance: TestClockAdvance, options?: CallOptions): Promise<TestClockMove>
  /** Picks the asset of a deferred invoice, as its payer would. */
  activateInvoice(id: string, asset: TestActivation, options?: CallOptions): Promise<Invoice>
  /** Ends the payment window of an invoice now. */
  expireInvoice(id: string, options?: CallOptions): Promise<Invoice>
  /** Approves a payout as a person would, under the same policy. */
  approvePayout(id: string, options?: CallOptions): Promise<Payout>
  /** Rejects a payout as a person would. */
  rejectPayout(id: string, options?: CallOptions): Promise<Payout>
  /** Makes a payout fail. */
  failPayout(id: string, options?: CallOptions): Promise<Payout>
}

export function testEnvironmentOf(request: Call): TestEnvironment {
  const ofInvoice = (id: string, call: CallOptions) => ({ ...call, path: { invoiceID: id } })
  const ofPayout = (id: string, call: CallOptions) => ({ ...call, path: { payoutID: id } })
  return {
    deposit: async (deposit, call = {}) =>
      (await request('createTestDeposit', { ...call, body: deposit })).data,
    mine: async (blocks, call = {}) => (await request('mineTestBlocks', { ...call, body: blocks })).data,
    reorganise: async (reorganisation, call = {}) =>
      (await request('reorganiseTestChain', { ...call, body: reorganisation })).data,
    setGate: async (gate, call = {}) => (await request('setTestGate', { ...call, body: gate })).data,
    getClock: async (call = {}) => (await request('getTestClock', call)).data,
    advanceClock: async (advance, call = {}) =>
      (await request('advanceTestClock', { ...call, body: advance })).data,
    activateInvoice: async (id, asset, call = {}) =>
      (await request('activateTestInvoice', { ...ofInvoice(id, call), body: asset })).data,
    expireInvoice: async (id, call = {}) => (await request('expireTestInvoice', ofInvoice(id, call))).data,
    approvePayout: async (id, call = {}) => (await request('approveTestPayout', ofPayout(id, call))).data,
    rejectPayout: async (id, call = {}) => (await request('rejectTestPayout', ofPayout(id, call))).data,
    failPayout: async (id, call = {}) => (await request('failTestPayout', ofPayout(id, call))).data,
  }
}
