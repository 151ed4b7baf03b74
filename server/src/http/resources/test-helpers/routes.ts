import type { App } from '../../../app/app.ts'
import { activateInvoice } from '../../../app/invoices/activate-invoice.ts'
import { approvePayout } from '../../../app/payouts/approve-payout.ts'
import { cancelPayout } from '../../../app/payouts/cancel-payout.ts'
import type { Caller } from '../../../domain/caller.ts'
import type { BlockRef } from '../../../domain/chain.ts'
import { advanceTime } from '../../../simulator/helpers/advance-time.ts'
import { deposit } from '../../../simulator/helpers/deposit.ts'
import { endWindow } from '../../../simulator/helpers/end-window.ts'
import { failPayout } from '../../../simulator/helpers/fail-payout.ts'
import { mineBlocks } from '../../../simulator/helpers/mine-blocks.ts'
import { reorganise } from '../../../simulator/helpers/reorganise.ts'
import { setGate } from '../../../simulator/helpers/set-gate.ts'
import type { ClockMove } from '../../../store/test-clocks.ts'
import { created, type Handlers, ok, replayed } from '../../reply.ts'
import type { InvoiceViewer } from '../invoices/view.ts'
import { payoutView } from '../payouts/view.ts'

export function testHelpers(
  app: App,
  view: InvoiceViewer,
): Pick<
  Handlers,
  | 'getTestClock'
  | 'advanceTestClock'
  | 'createTestDeposit'
  | 'mineTestBlocks'
  | 'reorganiseTestChain'
  | 'activateTestInvoice'
  | 'expireTestInvoice'
  | 'setTestGate'
  | 'approveTestPayout'
  | 'rejectTestPayout'
  | 'failTestPayout'
> {
  return {
    getTestClock: async ({ caller }) => {
      const realNow = app.now().getTime()
      const aheadMs = await app.store.testClocks.aheadMs(caller)
      return ok({ now: new Date(realNow + aheadMs).toISOString(), ahead_seconds: aheadMs / 1000 })
    },
    advanceTestClock: async ({ caller, body }) => {
      const { advance_seconds: seconds = null, advance_to: to = null, idempotency_key: key = null } = body
      const advance = { seconds, to: to === null ? null : new Date(to), idempotencyKey: key }
      const { move, replayed: isReplay } = await advanceTime(app, caller, advance, { ...body })
      const reply = ok(moveView(move))
      return isReplay ? replayed(reply) : reply
    },
    createTestDeposit: async ({ caller, body }) => {
      const { address, address_tag: tag = null, amount, currency, network = null } = body
      const { txHash } = await deposit(app, caller, { address, tag, amount, currency, network })
      return created({ tx_hash: txHash })
    },
    mineTestBlocks: async ({ caller, body }) => ok(tipView(await mineBlocks(app, caller, body))),
    reorganiseTestChain: async ({ caller, body }) =>
      ok(tipView(await reorganise(app, caller, { ...body, drop: body.drop ?? [] }))),
    activateTestInvoice: async ({ caller, path, body }) =>
      ok(
        view(
          await activateInvoice(app, caller, path.invoiceID, {
            currency: body.currency,
            network: body.network ?? null,
          }),
        ),
      ),
    expireTestInvoice: async ({ caller, path }) => ok(view(await endWindow(app, caller, path.invoiceID))),
    approveTestPayout: async ({ caller, path }) =>
      ok(
        payoutView(
          app.assets,
          await approvePayout(app, caller, path.payoutID, { approver: helperFor(caller) }),
        ),
      ),
    rejectTestPayout: async ({ caller, path }) =>
      ok(payoutView(app.assets, await cancelPayout(app, caller, path.payoutID, { by: helperFor(caller) }))),
    failTestPayout: async ({ caller, path }) =>
      ok(payoutView(app.assets, await failPayout(app, caller, path.payoutID))),
    setTestGate: async ({ caller, body }) => {
      const { id, network } = await setGate(app, caller, body)
      return ok({ network: network.id, gate_id: id, status: body.status })
    },
  }
}

function moveView({ movedAt, aheadSeconds, advancedSeconds, brought }: ClockMove) {
  return {
    now: new Date(movedAt.getTime() + aheadSeconds * 1000).toISOString(),
    ahead_seconds: aheadSeconds,
    advanced_seconds: advancedSeconds,
    due: {
      invoices: brought.invoices,
      payouts: brought.payouts,
      webhook_deliveries: brought.deliveries,
    },
  }
}

/** The helper acts for the key it is called with. */
function helperFor({ actor }: Caller): string {
  return actor.replace(/^key:/, 'test:')
}

function tipView({ network, tip }: { network: string; tip: BlockRef }) {
  return { network, height: Number(tip.height), hash: tip.hash }
}
