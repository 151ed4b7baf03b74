/** The events that an endpoint can ask for, by what they are about. */
export const eventNames = [
  ...(
    ['confirming', 'payment_detected', 'paid', 'underpaid', 'overpaid', 'expired', 'cancelled'] as const
  ).map((name) => `invoice.${name}` as const),
  ...(['late_deposit', 'deposit_reversed', 'deposit_restored'] as const).map(
    (name) => `invoice.${name}` as const,
  ),
  'balance.credited' as const,
  ...(['approved', 'processing', 'completed', 'failed', 'cancelled'] as const).map(
    (name) => `payout.${name}` as const,
  ),
  ...(['completed', 'failed'] as const).map((name) => `refund.${name}` as const),
]
