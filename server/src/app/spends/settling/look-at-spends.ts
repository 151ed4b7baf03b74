import { isAccountRefill } from '../../../domain/account-refills.ts'
import { OutageError } from '../../../domain/errors.ts'
import { say, sayAll } from '../../../domain/reasons/reasons.ts'
import {
  type Fate,
  isCancelling,
  type SignedTransaction,
  type Spend,
  type SpendPlan,
  type SpendTransaction,
} from '../../../domain/spends.ts'
import { type Gate, GateOutageError } from '../../../gates/gate.ts'
import type { ClaimedSpend } from '../../../store/spends/spends.ts'
import type { App } from '../../app.ts'
import { traceSending } from '../../tracing/trace-sending.ts'
import { resolveRefill } from '../cold/find-account-refills.ts'
import { bumpSpend } from '../planning/bump-spend.ts'
import { refusalBehind } from './cancel-refused.ts'
import { endUnfunded } from './end-unfunded.ts'
import { isDeep } from './is-deep.ts'
import { isHalted } from './is-halted.ts'
import { halted, noGate, sayWhy, whyNotMined, whyNotSeen, whyNotTaken } from './say-why.ts'
import { type Ending, settleSpend } from './settle-spend.ts'

const batchSize = 20
const maxBatches = 50
// Long enough for a slow node, short enough for another process to take over soon after one dies.
const claimMs = 15_000
// New blocks wake waiting spends; polling covers lost announcements.
const lookEveryMs = 30_000
const sendAgainMs = 10_000
// After a first refusal, the transaction's fate, which was not asked for yet, may say why.
const askSoonMs = 500
const beforeTurnMs = 2_000
// Most transactions are mined sooner, and each call to a node has its price.
const askForFundsMs = 15_000
const withoutGateMs = 60_000
const afterOutageMs = 5_000
// Both ends of a move between our own accounts are ours: if its block is replaced, the same bytes are sent again.
const ownMoveConfirmations = 1

type Signed = SpendTransaction & { readonly signed: SignedTransaction }

/**
 * Checks every spend that is due: sends signed transactions, sends again those the network does not know, and books what the
 * chain has decided. No transaction is open while a node answers. Returns how many were checked.
 */
export async function lookAtSpends(
  app: App,
  options: { readonly signal?: AbortSignal } = {},
): Promise<number> {
  let looked = 0
  for (let batch = 0; batch < maxBatches && !options.signal?.aborted; batch++) {
    const spends = await app.store.spends.claimToLookAt(batchSize, claimMs)
    if (spends.length === 0) break
    for (const spend of spends) {
      try {
        await lookAt(app, spend)
      } catch (error) {
        app.reports.checkFailed(spend, error)
        if (!(error instanceof OutageError) || error instanceof GateOutageError)
          await sayWhy(app, spend, whyNotSeen(spend, error))
        await app.store.spends.lookAgain(spend, afterOutageMs)
      }
    }
    looked += spends.length
  }
  return looked
}

async function lookAt(app: App, spend: ClaimedSpend): Promise<void> {
  const gate = app.gates.find(spend.gateId)
  const signed = spend.transactions.filter((attempt): attempt is Signed => attempt.signed !== null)
  const newest = signed.at(-1)
  if (newest === undefined) return app.store.spends.lookAgain(spend, withoutGateMs)
  if (gate === null) {
    await sayWhy(app, spend, noGate(spend.gateId))
    return app.store.spends.lookAgain(spend, withoutGateMs)
  }
  const mayGo = await mayBeSent(app, spend)
  const lastSent = signed.findLast(({ sentAt }) => sentAt !== null)
  const wasSent = lastSent !== undefined
  if (!wasSent && !mayGo) return app.store.spends.lookAgain(spend, beforeTurnMs)
  if (!wasSent && (await isHalted(app, gate))) {
    await sayWhy(app, spend, halted(gate))
    return app.store.spends.lookAgain(spend, lookEveryMs)
  }
  const fate: Fate = wasSent
    ? await gate.fate(signed.map(({ signed: { hash }, plan }) => ({ hash, plan })))
    : { kind: 'unknown' }
  switch (fate.kind) {
    case 'unknown':
      return send(app, gate, spend, mayGo ? newest : (lastSent ?? newest))
    case 'waiting':
      // A dearer attempt that was signed meanwhile replaces the waiting one; for a sweep, once its gas has arrived.
      if (newest.sentAt === null && !mayGo) return app.store.spends.lookAgain(spend, beforeTurnMs)
      if (newest.sentAt === null) return send(app, gate, spend, newest)
      await sayWhy(app, spend, await helpOn(app, gate, spend, newest))
      return app.store.spends.lookAgain(spend, lookEveryMs)
    case 'mined':
      if (!(await isDeep(app, gate, confirmationsFor(gate, spend), fate.block))) {
        await sayWhy(app, spend, null)
        return app.store.spends.lookAgain(spend, lookEveryMs)
      }
      return settleSpend(app, gate, spend.id, endOf(spend, signed, fate))
    case 'ruled_out':
      // The operator's wallet may have sent the same refill at another fee.
      if (isAccountRefill(spend)) {
        if (!(await resolveRefill(app, gate, spend))) await app.store.spends.lookAgain(spend, lookEveryMs)
        return
      }
      // Full depth even for our own moves: a dead move is planned again, so the old one must never come back.
      if (!(await isDeep(app, gate, gate.network.confirmations, fate.block))) {
        await sayWhy(app, spend, ruledOut(fate.reason))
        return app.store.spends.lookAgain(spend, lookEveryMs)
      }
      return settleSpend(app, gate, spend.id, { status: 'dead', reason: fate.reason, block: fate.block })
  }
}

/** Does what it can for a transaction that the network has but does not mine; returns why it waits, if known. */
async function helpOn(app: App, gate: Gate, spend: Spend, newest: Signed): Promise<string | null> {
  const waitsMs = app.now().getTime() - (newest.sentAt ?? app.now()).getTime()
  const isLong = waitsMs >= Math.min(askForFundsMs, app.spending.cancelAfterMs)
  return (
    (isLong ? await endUnfunded(app, gate, spend) : null) ??
    (await bumpSpend(app, gate, spend)) ??
    (await whyNotMined(app, gate, newest))
  )
}

function ruledOut(reason: string): string {
  return sayAll(say('never_mined'), reason, say('then_fails'))
}

/** How a mined transaction ends its spend. */
function endOf(
  spend: Spend,
  signed: readonly Signed[],
  { hash, block, feeUnits, succeeded }: Extract<Fate, { kind: 'mined' }>,
): Ending {
  const plan = signed.find((attempt) => attempt.signed.hash === hash)?.plan
  if (plan === undefined || !isCancelling(plan))
    return { status: succeeded ? 'final' : 'reverted', hash, block, feeUnits }
  const reason = signed.some((attempt) => !isCancelling(attempt.plan))
    ? say('unfunded')
    : sayAll(say('not_signed'), refusalBehind(spend))
  return { status: 'reverted', hash, block, feeUnits, reason }
}

/** Whether the spend that the newest attempt depends on is final. */
async function mayBeSent(app: App, { afterSpendId }: Spend): Promise<boolean> {
  if (afterSpendId === null) return true
  return (await app.store.spends.find(afterSpendId))?.status === 'final'
}

/** Broadcasts the bytes. The network's answer decides nothing: only the chain decides their fate. */
async function send(
  app: App,
  gate: Gate,
  spend: ClaimedSpend,
  { spendId, attempt, signed, sentAt }: Signed,
): Promise<void> {
  const sent = await traceSending(app, spendId, attempt, gate.id)
  const refusal = await gate.broadcast(signed).finally(sent)
  await app.store.spends.noteSent(spendId, attempt, refusal)
  if (refusal !== null) app.reports.rejected(gate, spendId, refusal)
  const unfunded = refusal === null ? null : await endUnfunded(app, gate, spend)
  await sayWhy(app, spend, refusal === null ? null : (unfunded ?? (await whyNotTaken(app, spend, refusal))))
  // Nodes drop transactions that pay too little and refuse them later: those need a higher fee as well.
  if (refusal !== null && unfunded === null && sentAt !== null) await bumpSpend(app, gate, spend)
  const refusedMs = sentAt === null ? askSoonMs : sendAgainMs
  await app.store.spends.lookAgain(spend, refusal === null ? lookEveryMs : refusedMs)
}

// Only sweeps and gas transfers in native currency settle early. After a reorganisation, another attempt of a consolidation
// may be mined, with another fee and another coin; in place of a fill, any transaction signed for its nonce before. If a
// sweep vanishes, a native payout from it is not mined until the funds are back, but a token payout is mined and fails: so
// a sweep of tokens must be deep.
function confirmationsFor(gate: Gate, { kind, transactions }: Spend): number {
  const isOwnMove = kind === 'sweep' || kind === 'gas'
  const bringsTokens = kind === 'sweep' && transactions.some(({ plan }) => isOfToken(plan))
  return isOwnMove && !bringsTokens ? ownMoveConfirmations : gate.network.confirmations
}

function isOfToken(plan: SpendPlan): boolean {
  return plan.kind !== 'coins' && plan.contractAddress !== null
}
