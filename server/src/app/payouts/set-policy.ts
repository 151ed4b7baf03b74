import type { Actor } from '../../domain/audit-log.ts'
import type { Environment } from '../../domain/environment.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fiatMinorDigits } from '../../domain/fiat.ts'
import { parseDecimal } from '../../domain/money.ts'
import { type PayoutPolicy, policyInWords } from '../../domain/payout-policy.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'

type Owner = { readonly merchantId: string; readonly environment: Environment }

/** Changes a merchant's payout policy. `told` informs the signers, in the same transaction. */
export async function setPolicy(
  app: Pick<App, 'transaction'>,
  by: Actor,
  { merchantId, environment }: Owner,
  change: (before: PayoutPolicy) => PayoutPolicy,
  told: (tx: Store, after: PayoutPolicy) => Promise<void> = async () => {},
): Promise<PayoutPolicy> {
  const owner = { merchantId, environment }
  return app.transaction(async (tx) => {
    const merchant = await tx.merchants.find(merchantId)
    if (merchant === null)
      throw new ServiceError('not_found', `There is no merchant ${merchantId}. See: npx sluice merchant list`)
    const before = await tx.payoutPolicies.lock(owner)
    const after = change(before)
    await tx.payoutPolicies.set(owner, after)
    await told(tx, after)
    await noteAct(tx, by, merchantId, {
      environment,
      action: 'policy.changed',
      subject: null,
      details: {
        before: policyInWords(before, merchant.baseCurrency),
        after: policyInWords(after, merchant.baseCurrency),
      },
    })
    return after
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
