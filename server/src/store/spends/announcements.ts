// Channels of PostgreSQL that triggers announce changes on. None carries a payload.

/** An attempt waits for the signer. */
export const spendPlanned = 'spend_planned'
/** The signer signed or refused an attempt, or gave up a spend. */
export const signerAnswered = 'signer_answered'
