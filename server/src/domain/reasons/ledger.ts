/** Why an entry is in a merchant's ledger. What a person wrote in one stands last, and stays as it was typed. */
export const ledgerSentences = {
  ledger_payment_removed: 'A reorganisation removed the payment in {hash}.',
  ledger_released: 'Released from suspense, paid in {hash}: {note}',
  ledger_release_removed:
    'A reorganisation removed the payment in {hash}, which had been released from suspense.',
  ledger_fee_lower: 'The network fee was lower than the amount reserved for it.',
  ledger_payout_undone: 'The payout was completed, but a reorganisation removed its transaction for good.',
  ledger_payout_failed: 'The payout failed.',
  ledger_payout_cancelled: 'The payout was cancelled.',
  // Before the sentences without a reason, which fit the same words.
  ledger_rejected_by_because: 'The payout was rejected by {actor}: {note}',
  ledger_rejected_because: 'The payout was rejected: {note}',
  ledger_rejected_by: 'The payout was rejected by {actor}.',
  ledger_rejected: 'The payout was rejected.',
} as const
