import type { App } from '../app/app.ts'
import { nativeCurrencyOn } from '../domain/assets.ts'
import { networkIdOf } from '../domain/networks/network.ts'
import { approvalHash } from '../domain/payouts.ts'
import { maxFeeOf } from '../domain/spends.ts'
import type { SignedAttempt } from '../store/spends/signing.ts'
import { addedBy } from './check-limits.ts'
import type { Journal } from './journal.ts'
import { signedInDatabase } from './journal-gaps.ts'
import type { Journaled } from './journal-index.ts'
import type { Signature } from './journal-lines.ts'
import { putBack, Unresolved } from './put-back.ts'
import { WalletError } from './wallet-file.ts'

/** The result for one transaction that only the journal or only the database had. */
export type Finding = {
  readonly hash: string
  readonly gateId: string
  readonly kind: string
  readonly payoutIds: readonly string[]
  /**
   * `journaled`: the journal has it now. `restored`: the database has it now. `lost`: the database has it now, without the
   * payouts that it has lost. `unresolved`: see `reason`.
   */
  readonly outcome: 'journaled' | 'restored' | 'lost' | 'unresolved'
  readonly reason: string | null
}

export type Reconciling = Pick<App, 'store' | 'transaction' | 'assets' | 'now' | 'present'>

const page = 1_000

/**
 * Brings journal and database to the same transactions. Those that the journal lacks are recorded there. Those that the
 * database lacks, because it was restored from an older backup, are put back, each in one database transaction: spend, plan,
 * bytes, coins and payouts. Those that cannot be put back are reported and stay refused. Safe to repeat.
 */
export async function reconcile(app: Reconciling, journal: Journal): Promise<Finding[]> {
  const findings: Finding[] = []
  for await (const signed of signedInDatabase(app, journal))
    if (!journal.has(signed.txHash)) {
      const signature = await signatureOf(app, journal, signed)
      journal.note(signature)
      findings.push(finding(signature, 'journaled'))
    }
  await journal.save()
  for (const journaled of await forgottenBy(app, journal))
    findings.push(await restore(app, journal, await journal.read(journaled)))
  return findings
}

/** The transactions that the journal has and the database lacks, the oldest first. */
export async function forgottenBy({ store }: Pick<App, 'store'>, journal: Journal): Promise<Journaled[]> {
  const unknown: Journaled[] = []
  const all = journal.all().filter(({ hash }) => !journal.isAccepted(hash))
  for (let from = 0; from < all.length; from += page) {
    const some = all.slice(from, from + page)
    const known = await store.spends.ownHashes(some.map(({ hash }) => hash))
    unknown.push(...some.filter(({ hash }) => !known.has(hash)))
  }
  return unknown
}

/** Puts one of them back. No signer other than the caller may be running. */
export async function restore(app: Reconciling, journal: Journal, signature: Signature): Promise<Finding> {
  const { gateId, plan, hash } = signature
  // From now on its nonce and change index are used.
  await app.store.spendRestore.raiseCounters(gateId, plan)
  try {
    const outcome = await app.transaction(async (tx) => {
      if (!(await tx.spendRestore.keepSignersAway(journal.header.environment)))
        throw new WalletError('A signer is running on this database. Stop it, reconcile, and start it again.')
      return putBack(app, tx, signature, { isLost: journal.isLost(hash) })
    })
    return finding(signature, outcome)
  } catch (error) {
    if (error instanceof Unresolved) return { ...finding(signature, 'unresolved'), reason: error.message }
    throw error
  }
}

/** A transaction in the database, as the journal would have recorded it. */
async function signatureOf(
  { store, assets }: Reconciling,
  journal: Journal,
  signed: SignedAttempt,
): Promise<Signature> {
  const { spendId, attempt, gateId, kind, plan, txHash, bytes, signedAt } = signed
  const payouts = kind === 'payout' ? await store.signing.payoutsOf(spendId) : []
  const native = nativeCurrencyOn(assets, networkIdOf(gateId)).currency.code
  return {
    spendId,
    attempt,
    kind,
    gateId,
    plan,
    bytes,
    hash: txHash,
    maxFeeUnits: maxFeeOf(plan),
    value: addedBy(journal, signed, native, payouts),
    at: new Date(Math.max(signedAt.getTime(), journal.newestMs())),
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

function finding({ hash, gateId, kind, payouts }: Signature, outcome: Finding['outcome']): Finding {
  return { hash, gateId, kind, payoutIds: payouts.map(({ id }) => id), outcome, reason: null }
}
