import type {
  MerchantPasskey,
  ApprovalOutcome as OutcomeView,
  PasskeyChallenge,
  PayoutReview as ReviewView,
} from '@sluice/web/contract'
import type { ApprovalOutcome } from '../../../app/payouts/approve-payouts.ts'
import type { PayoutReview } from '../../../app/payouts/review-payout.ts'
import type { PasskeyQuestion } from '../../../app/people/ask-passkey.ts'
import { risksAmong } from '../../../domain/approval-warnings.ts'
import type { AssetRegistry } from '../../../domain/assets.ts'
import { formatDecimal } from '../../../domain/money.ts'
import { policyInWords } from '../../../domain/payout-policy.ts'
import { passkeyFingerprint } from '../../../domain/webauthn.ts'
import type { Enrolment } from '../../../store/payouts/passkey-enrolments.ts'
import { payoutView } from '../payouts/view.ts'
import { rulesView } from '../policy/rules-view.ts'
import { reasonsView, time } from '../values.ts'

const answerWithinMs = 5 * 60_000

export function reviewView(assets: AssetRegistry, review: PayoutReview): ReviewView {
  const { payout, hash, refund, policy, names, warnings, objection, mayNotBecause } = review
  const amount = (units: bigint) => formatDecimal(units, payout.decimals)
  return {
    payout: payoutView(assets, payout),
    hash,
    network_fee: amount(review.cost.feeUnits),
    total: amount(review.cost.totalUnits),
    base_currency: payout.baseCurrency,
    created_by: creatorView(payout.createdBy, names),
    refund:
      refund === null
        ? null
        : { id: refund.id, invoice_id: refund.invoiceId, fee_amount: amount(payout.feeUnits) },
    approvals: review.approvals.map(({ approver, approvalHash, isByPasskey, createdAt }) => ({
      by: approver,
      name: names.get(approver) ?? null,
      is_passkey: isByPasskey,
      is_of_this: approvalHash === hash,
      approved_at: createdAt.toISOString(),
    })),
    rejection: review.rejection,
    policy: {
      text: policyInWords(policy, review.baseCurrency),
      rules: rulesView(policy, review.baseCurrency),
      approval: policy.approval,
      approvals_required: policy.approvalsRequired,
      objection,
      objections: reasonsView(objection),
      may_approve: mayNotBecause === null,
      may_not_because: mayNotBecause?.message ?? null,
      may_not_code: mayNotBecause?.code ?? null,
    },
    warnings: warnings.map(({ code, message, values }) => ({ code, message, values: { ...values } })),
    risks: risksAmong(warnings),
  }
}

export function creatorView(createdBy: string, names: ReadonlyMap<string, string>): ReviewView['created_by'] {
  const [kind = '', ...rest] = createdBy.split(':')
  return {
    kind: kind === 'user' || kind === 'cli' ? kind : 'key',
    id: rest.join(':'),
    name: names.get(createdBy) ?? null,
  }
}

export function outcomeView(assets: AssetRegistry, outcome: ApprovalOutcome): OutcomeView {
  if ('refusal' in outcome) {
    const { code, message } = outcome.refusal
    return {
      id: outcome.id,
      outcome: 'refused',
      payout: null,
      error: { code, message, reasons: reasonsView(message) },
    }
  }
  const { id, payout } = outcome
  const isApproved = payout.status === 'approved'
  return {
    id,
    outcome: isApproved ? 'approved' : 'waiting',
    payout: payoutView(assets, payout),
    error: null,
  }
}

export function challengeView(question: PasskeyQuestion): PasskeyChallenge {
  return {
    statement: question.statement,
    options: {
      challenge: question.challenge.toString('base64url'),
      rpId: question.relyingPartyId,
      timeout: answerWithinMs,
      userVerification: 'required',
      allowCredentials: question.credentialIds.map((id) => ({
        id: id.toString('base64url'),
        type: 'public-key',
      })),
    },
  }
}

export function merchantPasskeyView(enrolment: Enrolment): MerchantPasskey {
  return {
    id: enrolment.passkeyId,
    name: enrolment.name,
    user_id: enrolment.userId,
    user_name: enrolment.userName,
    user_email: enrolment.userEmail,
    fingerprint: passkeyFingerprint(enrolment),
    is_in_use: enrolment.isInUse,
    vouched_by: [...enrolment.vouchedBy],
    vouchers_required: enrolment.vouchersRequired,
    trusted_at: time(enrolment.isTrusted ? enrolment.trustedFrom : null),
    trusted_from: time(enrolment.isTrusted ? null : enrolment.trustedFrom),
    created_at: enrolment.createdAt.toISOString(),
  }
}
