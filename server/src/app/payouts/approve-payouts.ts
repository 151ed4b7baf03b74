import { ServiceError } from '../../domain/errors.ts'
import type { PasskeyStatement } from '../../domain/passkey-statements.ts'
import type { Payout } from '../../domain/payouts.ts'
import type { Person } from '../../domain/people.ts'
import type { Assertion } from '../../domain/webauthn.ts'
import type { App } from '../app.ts'
import { checkAssertion, checkTrustedAssertion, type Speaker } from '../people/check-assertion.ts'
import { type ShownProof, stepUp } from '../people/step-up.ts'
import { approvePayout } from './approve-payout.ts'
import type { FeeReader } from './present-cost.ts'

/** A payout, its approval hash and its total as the approver saw them. */
export type SeenPayout = { readonly id: string; readonly hash: string; readonly total: string }

/** The result for one of several payouts. */
export type ApprovalOutcome =
  | { readonly id: string; readonly payout: Payout }
  | { readonly id: string; readonly refusal: ServiceError }

/** The statement that a passkey signs to approve these payouts. */
export function approving(
  { caller: { environment, merchantId } }: Pick<Speaker, 'caller'>,
  payouts: readonly Pick<SeenPayout, 'id' | 'hash'>[],
): PasskeyStatement {
  return { kind: 'approve', environment, merchantId, approvalHashes: payouts.map(({ hash }) => hash) }
}

/** What an approver shows for these very payouts: a passkey's signature over them, or another factor. */
export type ShownForApproval = {
  readonly assertion: Assertion | null
  readonly proof: ShownProof | null
}

/**
 * Approves payouts in a person's name, one by one, so that a refused payout does not hold up the others. One passkey
 * signature, or one factor shown, covers all of them.
 */
export async function approvePayouts(
  app: App,
  readFee: FeeReader,
  speaker: Speaker & { readonly person: Person },
  payouts: readonly SeenPayout[],
  { assertion, proof }: ShownForApproval,
): Promise<ApprovalOutcome[]> {
  const { caller } = speaker
  if (assertion !== null) {
    const { approval } = await app.store.payoutPolicies.find(caller)
    const check = approval === 'passkey' ? checkTrustedAssertion : checkAssertion
    await check(app, speaker, approving(speaker, payouts), assertion)
  }
  if (proof !== null) await stepUp(app, speaker.person, proof).catch(withinProof)
  const coveredHashes = [...new Set(payouts.map(({ hash }) => hash))].sort()
  const outcomes: ApprovalOutcome[] = []
  for (const { id, hash, total } of payouts) {
    const payout = await app.store.payouts.find(caller, id)
    const now = payout === null ? null : await readFee(payout)
    outcomes.push(
      await approvePayout(app, caller, id, {
        approver: caller.actor,
        expectedHash: hash,
        cost: { seenTotal: total, now },
        isProved: assertion !== null || proof !== null,
        ...(assertion !== null && { assertion: { ...assertion, coveredHashes } }),
        ...(caller.person !== null && { by: caller.person }),
      }).then(
        (payout) => ({ id, payout }),
        (error: unknown) => {
          if (error instanceof ServiceError) return { id, refusal: error }
          throw error
        },
      ),
    )
  }
  return outcomes
}

// What is wrong with the proof is said where the request has it.
function withinProof(error: unknown): never {
  if (!(error instanceof ServiceError) || error.code !== 'validation_error') throw error
  throw new ServiceError(
    error.code,
    error.message,
    error.details?.map((detail) => `/proof${detail}`),
  )
}
