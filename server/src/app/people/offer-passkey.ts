import type { Store } from '../../store/store.ts'

/**
 * Offers somebody's passkeys to the signers of all their merchants, or of one. Call it in the transaction that makes a
 * passkey, and in the one that gives somebody a place at a merchant. A signer takes a merchant's first on sight; any other
 * only when somebody has vouched for it.
 */
export async function offerPasskeys(
  tx: Store,
  userId: string,
  merchantId: string | null = null,
): Promise<void> {
  await tx.passkeyEnrolments.offer(userId, merchantId)
}
