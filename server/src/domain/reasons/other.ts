/** What else the dashboard shows as a sentence: why an endpoint or a network is off, and what happened to an invoice. */
export const otherSentences = {
  endpoint_silent: 'It accepted nothing for {days} days.',
  endpoint_refused: 'It answered with a status other than 2xx.',
  endpoint_no_answer: 'No answer: {detail}.',
  endpoint_gone: 'It answered 410 Gone.',
  endpoint_disabled: 'It is disabled.',
  chosen: 'The payer chose {currency} on {network}.',
  arrived_late: 'It arrived late: the invoice had already ended.',
  overpaid: 'Overpaid by {amount}.',
  chain_reorganised: 'The chain was reorganised deeper than {depth} blocks below height {height}.',
  gate_catching_up:
    'The gate is catching up: {count} blocks are left. It comes back online by itself; there is nothing to do.',
  gate_no_worker:
    'No worker has recently followed its chain to the tip. Check that a worker is running (sluice start), and read its log about this gate.',
  gate_unchecked: 'It has not been checked yet. Try again in a moment.',
} as const
