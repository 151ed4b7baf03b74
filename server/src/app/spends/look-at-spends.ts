import { OutageError } from '../../domain/errors.ts'
import {
  type Fate,
  isCancelling,
  type SignedTransaction,
  type Spend,
  type SpendPlan,
  type SpendTransaction,
} from '../../domain/spends.ts'
import { type Gate, GateOutageError } from '../../gates/gate.ts'
import type { ClaimedSpend } from '../../store/spends.ts'
import type { App } from '../app.ts'
import { bumpSpend } from './bump-spend.ts'
import { refusalBehind } from './cancel-refused.ts'
import { endUnfunded } from './end-unfunded.ts'
import { isDeep } from './is-deep.ts'
import { isHalted } from './is-halted.ts'
import { halted, noGate, sayWhy, whyNotMined, whyNotSeen, whyNotTaken } from './say-why.ts'
import { type Ending, settleSpend } from './settle-spend.ts'

const batchSize = 20
const maxBatches = 50
// Long enough for a slow node, short enough that another process soon goes on where one died.
const claimMs = 15_000
// A new block wakes what waits for one; these are for what an announcement may have missed.
const lookEveryMs = 30_000
const sendAgainMs = 10_000
// Refused the first time: its fate, which was never asked for, may say why.
const askSoonMs = 500
const beforeTurnMs = 2_000
// Most are mined sooner, and every question has its price.
const askForFundsMs = 15_000
const withoutGateMs = 60_000
const afterOutageMs = 5_000
// Both ends of a move between accounts of our own are ours: should a block be replaced, its bytes are sent again.
const ownMoveConfirmations = 1

type Signed = SpendTransaction & { readonly signed: SignedTransaction }

/**
 * Looks at every spend that is due: sends what was signed and not yet sent, sends again what the network does not know,
 * and books what the chain has decided. Nothing is held while a node takes its time. Returns how many were looked at.
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
        app.spending.onLookFailed(spend, error)
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
      // A dearer attempt that was signed meanwhile takes the waiting one's place; of a sweep, once the gas for it is there.
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
      // Also for a move of our own: what is given up is given anew, so it must never come back.
      if (!(await isDeep(app, gate, gate.network.confirmations, fate.block))) {
        await sayWhy(app, spend, ruledOut(fate.reason))
        return app.store.spends.lookAgain(spend, lookEveryMs)
      }
      return settleSpend(app, gate, spend.id, { status: 'dead', reason: fate.reason, block: fate.block })
  }
}

/** Does what can be done for a transaction that the network has and does not mine; why it waits, if anything can be said. */
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
  return `It can never be mined as things are: ${reason} It fails, and everything reserved for it is available again, when that is confirmed.`
}

/** What a mined transaction makes of its spend. */
function endOf(
  spend: Spend,
  signed: readonly Signed[],
  { hash, block, feeUnits, succeeded }: Extract<Fate, { kind: 'mined' }>,
): Ending {
  const plan = signed.find((attempt) => attempt.signed.hash === hash)?.plan
  if (plan === undefined || !isCancelling(plan))
    return { status: succeeded ? 'final' : 'reverted', hash, block, feeUnits }
  const reason = signed.some((attempt) => !isCancelling(attempt.plan))
    ? unfunded
    : `The signer did not sign it, and it was cancelled; nothing was paid. ${refusalBehind(spend) ?? ''}`
  return { status: 'reverted', hash, block, feeUnits, reason: reason.trim() }
}

const unfunded =
  'A reorganisation had taken what the hot wallet was to pay it from, and it was cancelled; nothing was paid.'

/** Whether what the newest attempt needs has arrived. */
async function mayBeSent(app: App, { afterSpendId }: Spend): Promise<boolean> {
  if (afterSpendId === null) return true
  return (await app.store.spends.find(afterSpendId))?.status === 'final'
}

/** Hands the bytes to the network. Whatever it answers, or if it does not, only the chain decides what has become of them. */
async function send(
  app: App,
  gate: Gate,
  spend: ClaimedSpend,
  { spendId, attempt, signed, sentAt }: Signed,
): Promise<void> {
  const refusal = await gate.broadcast(signed)
  await app.store.spends.noteSent(spendId, attempt, refusal)
  if (refusal !== null) app.spending.onRefused(gate, spendId, refusal)
  const unfunded = refusal === null ? null : await endUnfunded(app, gate, spend)
  await sayWhy(app, spend, refusal === null ? null : (unfunded ?? (await whyNotTaken(app, spend, refusal))))
  // Nodes forget what pays too little, and do not take it again: that waits too.
  if (refusal !== null && unfunded === null && sentAt !== null) await bumpSpend(app, gate, spend)
  const refusedMs = sentAt === null ? askSoonMs : sendAgainMs
  await app.store.spends.lookAgain(spend, refusal === null ? lookEveryMs : refusedMs)
}

// Of coins that were joined, another attempt may be mined in a block's place: with another fee, and another coin. In place of
// what fills a number, whatever was signed for the number before may be. A payout of coins that are gone again is not mined until
// they are back, but one of tokens is, and fails: so what brings tokens has to be deep.
function confirmationsFor(gate: Gate, { kind, transactions }: Spend): number {
  const isOwnMove = kind === 'sweep' || kind === 'gas'
  const bringsTokens = kind === 'sweep' && transactions.some(({ plan }) => isOfToken(plan))
  return isOwnMove && !bringsTokens ? ownMoveConfirmations : gate.network.confirmations
}

function isOfToken(plan: SpendPlan): boolean {
  return plan.kind === 'account' && plan.contractAddress !== null
}
