import type { Store } from '../../store/store.ts'

/**
 * Offers a person's passkeys to the signers of all merchants whose payouts they approve, or of one. Call it in the
 * transaction that adds a passkey, makes the person a member or changes their role. A signer trusts a merchant's first
 * passkey on first use; any other only after a trusted passkey has vouched for it.
 */
export async function offerPasskeys(
  tx: Store,
  userId: string,
  merchantId: string | null = null,
): Promise<void> {
  await tx.passkeyEnrolments.offer(userId, merchantId)
}
