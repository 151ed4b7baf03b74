/** Why an approval is refused. */
export const approvingSentences = {
  approved_already: 'You have already approved this payout. Another person has to approve it too.',
  created_it: 'You created this payout. Where two approvals are required, its creator cannot approve it.',
  payout_differs: 'The payout differs from the one that was shown. Review it again.',
  passkey_needed:
    'Payouts of this merchant must be approved with a passkey that the signer trusts. Approve this one in the dashboard.',
  not_pending: 'Only a payout that is pending approval can be approved; this one is {status}.',
  fee_rose: "The network's fee has risen: this payout costs {amount} by now, not {seen}. Review it again.",
} as const
