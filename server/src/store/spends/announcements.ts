// Channels of PostgreSQL that announce changes, most of them by triggers. None carries a payload.

/** An attempt waits for the signer, or an invoice for an address that the signer has not granted yet. */
export const spendPlanned = 'spend_planned'
/** A payout was approved. */
export const payoutApproved = 'payout_approved'
/** The signer signed or refused an attempt, or gave up a spend. */
export const signerAnswered = 'signer_answered'
