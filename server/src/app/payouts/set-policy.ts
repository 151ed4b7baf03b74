import type { Actor } from '../../domain/audit-log.ts'
import type { Environment } from '../../domain/environment.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fiatMinorDigits } from '../../domain/fiat.ts'
import { parseDecimal } from '../../domain/money.ts'
import { changedRules, type PayoutPolicy, policyInWords } from '../../domain/payout-policy.ts'
import type { PolicyChange } from '../../domain/policy-changes.ts'
import { relaxedRules } from '../../domain/policy-strength.ts'
import { openChangeOf } from '../../store/payouts/policy-changes.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { demandApprovers } from '../policy/demand-approvers.ts'
import { endChange } from '../policy/end-change.ts'
import { demandSignature, proposeChange, type SignedText } from '../policy/propose-change.ts'
import { tellSigners } from '../policy/sign-change.ts'

type Owner = { readonly merchantId: string; readonly environment: Environment }

/**
 * Changes a merchant's payout policy: at once, or, where that relaxes a rule in the live environment, as a proposal, which is
 * returned. Either supersedes a proposal that is still open.
 */
export async function setPolicy(
  app: Pick<App, 'transaction' | 'now' | 'people' | 'assets' | 'weakeningDelayMs'>,
  by: Actor,
  { merchantId, environment }: Owner,
  change: (before: PayoutPolicy) => PayoutPolicy,
  signed: SignedText | null = null,
): Promise<PolicyChange | null> {
  const owner = { merchantId, environment }
  return app.transaction(async (tx) => {
    await tx.members.hold(merchantId)
    const merchant = await tx.merchants.find(merchantId)
    if (merchant === null)
      throw new ServiceError('not_found', `There is no merchant ${merchantId}. See: npx sluice merchant list`)
    const { baseCurrency } = merchant
    const before = await tx.payoutPolicies.lock(owner)
    demandSignature(environment, before, by, signed)
    const after = change(before)
    await demandApprovers(tx, owner, by, before, after)
    const relaxes = environment === 'live' ? relaxedRules(before, after) : []
    const open = openChangeOf(await tx.policyChanges.open(owner), null)
    await tellSigners(app, tx, merchantId, signed)
    if (open !== null)
      await endChange(app, tx, open, {
        trigger: 'supersede',
        by,
        reason: 'The policy was changed again.',
        isTold: relaxes.length === 0,
      })
    if (relaxes.length > 0) {
      const wanted = { kind: 'policy', baseCurrency, policy: after } as const
      return proposeChange(app, tx, by, { ...owner, wanted, relaxes, inForce: before, signed })
    }
    await tx.payoutPolicies.set(owner, after)
    await noteAct(tx, by, merchantId, {
      environment,
      action: 'policy.changed',
      subject: null,
      details: {
        changed: changedRules(before, after),
        before: policyInWords(before, baseCurrency),
        after: policyInWords(after, baseCurrency),
      },
    })
    return null
  })
}

/** Parses a limit as people write it, into minor units of the base currency. */
export function policyLimit(text: string, baseCurrency: string, field: string): bigint {
  const digits = fiatMinorDigits(baseCurrency) ?? 2
  const amount = parseDecimal(text, digits)
  if (amount === null || amount === 0n)
    throw new ServiceError(
      'validation_error',
      `${text} is not a valid limit in ${baseCurrency}: it must be above 0, with at most ${digits} digits after the point.`,
      [`/${field}: must be above 0, with at most ${digits} digits after the point`],
    )
  return amount
}
