import type { Actor } from '../../domain/audit-log.ts'
import type { Environment } from '../../domain/environment.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { PayoutPolicy } from '../../domain/payout-policy.ts'
import type { Store } from '../../store/store.ts'
import { isOperator } from './propose-change.ts'

type Owner = { readonly merchantId: string; readonly environment: Environment }

/**
 * Throws if a person asks for more approvals with a passkey than there are people with passkeys that the signer trusts: no
 * payout could be approved then, and no one could vouch for another passkey. The operator may, at the console.
 */
export async function demandApprovers(
  tx: Pick<Store, 'passkeyEnrolments'>,
  owner: Owner,
  by: Actor,
  before: PayoutPolicy,
  after: PayoutPolicy,
): Promise<void> {
  const { approval, approvalsRequired } = after
  const isMore = approvalsRequired > before.approvalsRequired || approval !== before.approval
  if (!isMore || approval !== 'passkey' || approvalsRequired < 2 || isOperator(by)) return
  const { length } = await tx.passkeyEnrolments.approvers(owner)
  if (length >= approvalsRequired) return
  throw new ServiceError(
    'conflict',
    `This policy needs ${approvalsRequired} people whose passkeys the signer trusts, and there ${length === 1 ? 'is 1' : `are ${length}`}: no ` +
      'payout could be approved. First have another approver add a passkey, and vouch for it under Payout policy.',
  )
}
