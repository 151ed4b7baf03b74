import type { App } from '../app/app.ts'
import { networkIdOf } from '../domain/networks/network.ts'
import { approvalHash } from '../domain/payouts.ts'
import { maxFeeOf, type Refusal, type SignedTransaction } from '../domain/spends.ts'
import type { Log } from '../log.ts'
import type { UnsignedTransaction } from '../store/spends/spends.ts'
import { type Cleared, judge, type SignerLimits } from './check-spend.ts'
import type { Journal } from './journal.ts'
import { findGap } from './journal-gaps.ts'
import { planHash, type Signature } from './journal-lines.ts'
import type { PasskeyTrust } from './passkey-trust.ts'
import type { Wallet } from './wallet.ts'

export type SigningOptions = {
  readonly limits: SignerLimits
  readonly trust: PasskeyTrust
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
  for (const attempt of waiting) {
    const known = journal.find(attempt.spendId, attempt.attempt)
    if (known !== undefined && known.planHash === planHash(attempt.plan)) {
      signed.push(await journal.read(known))
      continue
    }
    // A later attempt cancels its nonce, so this one is no longer considered.
    if (attempt.isGivenUp) continue
    const now = ownTime(journal, options)
    const obstacle = options.stopped ?? (known === undefined ? gaps.get(attempt.gateId) : anotherPlan)
    const judged: Cleared | Refusal =
      obstacle == null
        ? await judge(app, wallet, journal, attempt, options.limits, options.trust, now)
        : { reason: obstacle, isForGood: false }
    if ('reason' in judged) {
      await refuse(app, attempt, judged, options.log)
      // This is the only signer, and its journal has nothing for this spend. From now on no signer gets it.
      if (judged.isForGood && attempt.isEndAsked && journal.ofSpend(attempt.spendId).length === 0)
        await app.store.givingUp.giveUp(attempt.spendId)
      continue
    }
    const signature = sign(wallet, attempt, judged, now)
    if ('reason' in signature) {
      await refuse(app, attempt, signature, options.log)
      continue
    }
    journal.note(signature)
    signed.push(signature)
  }
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

function sign(
  wallet: Wallet,
  { spendId, attempt, gateId, kind, plan }: UnsignedTransaction,
  { payouts, value }: Cleared,
  at: Date,
): Signature | Refusal {
  let signed: SignedTransaction
  try {
    signed = wallet.sign(networkIdOf(gateId), plan)
  } catch (error) {
    // A plan whose key does not match its coin must not block the others.
    return {
      reason: `The plan cannot be signed: ${error instanceof Error ? error.message : error}`,
      isForGood: true,
    }
  }
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

function ownTime(journal: Journal, { ownNow = () => new Date() }: SigningOptions): Date {
  return new Date(Math.max(ownNow().getTime(), journal.newestMs()))
}
