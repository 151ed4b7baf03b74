import type { App } from '../app/app.ts'
import { networkIdOf } from '../domain/networks/network.ts'
import { approvalHash } from '../domain/payouts.ts'
import { readPlan } from '../domain/plan-json.ts'
import { maxFeeOf, type Refusal, type SignedTransaction } from '../domain/spends.ts'
import type { Log } from '../log.ts'
import type { UnsignedTransaction } from '../store/spends/spends.ts'
import { type Attempt, forGood, forNow } from './attempt.ts'
import { bytesObjection } from './check-bytes.ts'
import { type Cleared, judge, type Knowledge } from './check-spend.ts'
import type { Journal } from './journal.ts'
import { findGap } from './journal-gaps.ts'
import { planHash, type Signature } from './journal-lines.ts'
import type { PasskeyTrust } from './passkey-trust.ts'
import { latest } from './standing.ts'
import type { Wallet } from './wallet.ts'

export type SigningOptions = Omit<Knowledge, 'trust'> & {
  readonly trust: Omit<PasskeyTrust, 'ownNow'>
  readonly log: Pick<Log, 'error'>
  /** The signer's own clock: an attacker who can forge the database can also set its clock. */
  readonly ownNow?: () => Date
  /** Called when signatures are on disk but not yet in the database. */
  readonly onJournaled?: () => Promise<void>
  /** Why nothing may be signed at all, if that is the case. */
  readonly stopped?: string | null
}

type SigningApp = Pick<App, 'store' | 'now'>

const maxAtOnce = 50
const noPlan = 'It is not a plan that the signer understands.'
const anotherPlan = 'The journal has a different transaction for this attempt of the spend.'

/**
 * Signs the planned attempts of this wallet's environment that are allowed. Each is checked from scratch, recorded durably in
 * the journal, and only then stored for others to send. An attempt that is not allowed is refused with the reason. Returns
 * how many were signed.
 */
export async function signSpends(
  app: SigningApp,
  wallet: Wallet,
  journal: Journal,
  options: SigningOptions,
): Promise<number> {
  const waiting = await app.store.spends.unsigned(wallet.environment, maxAtOnce)
  const gaps = await gapsOf(app, journal, waiting)
  const signed: Signature[] = []
  for (const row of waiting) {
    const plan = row.plan === null ? null : readPlan(row.plan)
    const known = journal.find(row.spendId, row.attempt)
    if (plan !== null && known !== undefined && known.planHash === planHash(plan)) {
      signed.push(await journal.read(known))
      continue
    }
    // A later attempt cancels its nonce, so this one is no longer considered.
    if (row.isGivenUp) continue
    const obstacle = options.stopped ?? (known === undefined ? gaps.get(row.gateId) : anotherPlan)
    const outcome =
      obstacle != null
        ? forNow(obstacle)
        : plan === null
          ? forGood(noPlan)
          : await judgeAndSign(app, wallet, journal, { ...row, plan }, options)
    if ('reason' in outcome) {
      const hasSigned = journal.ofSpend(row.spendId).length > 0
      // While something signed for this spend may be mined, nothing about it is decided for good.
      const refusal = { ...outcome, isForGood: outcome.isForGood && !hasSigned }
      await refuse(app, row, refusal, options.log)
      // This is the only signer, and its journal has nothing for this spend. From now on no signer gets it.
      if (refusal.isForGood && row.isEndAsked) await app.store.givingUp.giveUp(row.spendId)
      continue
    }
    journal.note(outcome)
    signed.push(outcome)
  }
  await options.sights.save()
  await journal.save()
  if (signed.length > 0) await options.onJournaled?.()
  for (const signature of signed) await hand(app, signature, options.log)
  return signed.length
}

async function gapsOf(app: SigningApp, journal: Journal, waiting: readonly UnsignedTransaction[]) {
  const gaps = new Map<string, string>()
  for (const gateId of new Set(waiting.map((attempt) => attempt.gateId))) {
    const gap = await findGap(app, journal, gateId)
    if (gap !== null) gaps.set(gateId, gap)
  }
  return gaps
}

async function judgeAndSign(
  app: SigningApp,
  wallet: Wallet,
  journal: Journal,
  attempt: Attempt,
  options: SigningOptions,
): Promise<Signature | Refusal> {
  const now = ownTime(journal, options)
  // A row may name anything.
  if (!wallet.has(networkIdOf(attempt.gateId)))
    return forNow(`This wallet has no network of the gate ${attempt.gateId}.`)
  const known = { ...options, trust: { ...options.trust, ownNow: now } }
  const judged = await judge(app, wallet, journal, attempt, known)
  return 'reason' in judged ? judged : sign(wallet, attempt, judged, now)
}

function sign(
  wallet: Wallet,
  { spendId, attempt, gateId, kind, plan }: Attempt,
  { payouts, value }: Cleared,
  at: Date,
): Signature | Refusal {
  const network = networkIdOf(gateId)
  let signed: SignedTransaction
  try {
    signed = wallet.sign(network, plan)
  } catch (error) {
    // A plan whose key does not match its coin must not block the others.
    return forGood(`The plan cannot be signed: ${error instanceof Error ? error.message : error}`)
  }
  const objection = bytesObjection(wallet.network(network), plan, signed)
  if (objection !== null) return forNow(objection)
  return {
    spendId,
    attempt,
    kind,
    gateId,
    plan,
    value,
    at,
    ...signed,
    maxFeeUnits: maxFeeOf(plan),
    payouts: payouts.map((payout) => ({
      id: payout.id,
      destination: payout.destination,
      tag: payout.destinationTag,
      units: payout.amountUnits,
      currency: payout.currency,
      approvalHash: approvalHash(payout),
    })),
  }
}

/** Stores the signed bytes. If the attempt already has other bytes, someone else holds our seed. */
async function hand(app: SigningApp, { spendId, attempt, hash, bytes }: Signature, log: Pick<Log, 'error'>) {
  if (await app.store.spends.saveSigned(spendId, attempt, { hash, bytes })) return
  const kept = (await app.store.spends.find(spendId))?.transactions.find((each) => each.attempt === attempt)
  if (kept?.signed?.hash !== hash)
    log.error(
      { spend_id: spendId, attempt, hash, kept: kept?.signed?.hash ?? null },
      'A DIFFERENT TRANSACTION WAS STORED FROM THE ONE THIS SIGNER SIGNED: find out who else holds the seed',
    )
}

/** Records the reason once: at the spend, at its payouts, and in the operator's log. */
async function refuse(
  app: SigningApp,
  { spendId, attempt, gateId, kind, refusal }: UnsignedTransaction,
  refused: Refusal,
  log: Pick<Log, 'error'>,
): Promise<void> {
  const { reason, isForGood } = refused
  if (refusal === reason) return
  await app.store.spends.refuse(spendId, attempt, refused)
  log.error(
    { spend_id: spendId, attempt, gate: gateId, kind, reason, for_good: isForGood },
    'THE SIGNER REFUSES A TRANSACTION',
  )
}

/** The signer's own clock never goes back. */
function ownTime(journal: Journal, { trust: { pins }, ownNow = () => new Date() }: SigningOptions): Date {
  return latest(ownNow(), journal.newestMs(), pins.newestMs())
}
