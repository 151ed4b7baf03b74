import { networkIn } from '../../domain/assets.ts'
import { fiatMinorDigits } from '../../domain/fiat.ts'
import { formatFixed } from '../../domain/money.ts'
import type { PolicyNotice, RuleValue } from '../../domain/notices.ts'
import type { PayoutPolicy } from '../../domain/payout-policy.ts'
import type { PolicyChange } from '../../domain/policy-changes.ts'
import { plainMail } from '../../store/people/mails.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { placeInWords } from '../payouts/read-destination.ts'
import { askMail } from '../people/ask-mail.ts'

type Telling = {
  readonly stage: PolicyNotice['stage']
  readonly by: string | null
  /** The policy in force before the change. */
  readonly inForce: PayoutPolicy
}

/** Queues a mail about a change to everyone who may approve payouts, in the transaction that makes it necessary. */
export async function tellChange(
  app: Pick<App, 'now' | 'people' | 'assets'>,
  tx: Store,
  change: PolicyChange,
  { stage, by, inForce }: Telling,
): Promise<void> {
  if (!app.people.sendsMail) return
  const merchant = await tx.merchants.find(change.merchantId)
  const given = await tx.policyChanges.approvals(change.id)
  const { wanted } = change
  const policyChange: PolicyNotice = {
    stage,
    merchant: merchant?.name ?? change.merchantId,
    by,
    rules: wanted.kind === 'policy' ? changedRules(inForce, wanted.policy, wanted.baseCurrency) : [],
    destination:
      wanted.kind === 'destination'
        ? placeInWords({ ...wanted.place, network: networkIn(app.assets, wanted.place.network).name })
        : null,
    appliesAt: change.appliesAt?.toISOString() ?? null,
    approvalsMissing: Math.max(0, change.approvalsNeeded - given.length),
    page: `/dashboard/${change.merchantId}/${change.environment}/policy`,
  }
  for (const { email: recipient } of await tx.members.approvers(change.merchantId))
    await askMail(app, tx, { ...plainMail, kind: 'policy_change', recipient, policyChange })
}

function changedRules(
  before: PayoutPolicy,
  after: PayoutPolicy,
  baseCurrency: string,
): PolicyNotice['rules'] {
  const shown = (value: PayoutPolicy[keyof PayoutPolicy]): RuleValue =>
    typeof value === 'bigint'
      ? `${formatFixed(value, fiatMinorDigits(baseCurrency) ?? 2)} ${baseCurrency}`
      : value
  return (Object.keys(after) as (keyof PayoutPolicy)[])
    .filter((rule) => before[rule] !== after[rule])
    .map((rule) => ({ rule, before: shown(before[rule]), after: shown(after[rule]) }))
}
