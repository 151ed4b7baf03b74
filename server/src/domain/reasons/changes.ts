/** Why a person may not approve a change of the payout policy, and why one is not applied. */
export const changeSentences = {
  change_applied: 'The change is applied. It can no longer be approved.',
  change_withdrawn: 'The change is withdrawn. It can no longer be approved.',
  change_superseded: 'The change is superseded. It can no longer be approved.',
  change_approved_already: 'You have already approved this change. Another person has to approve it too.',
  change_has_approvals: 'The change has all the approvals it needs.',
  change_role: 'Your role does not approve payouts.',
  change_new_approver:
    'You became an approver after this change was proposed. Someone who was one before has to approve it, or it has to be proposed again.',
  change_other_currency: 'The base currency was changed.',
  change_tightened: 'The policy was tightened after it was proposed.',
  change_lacks_approvals: 'The policy in force asks for approvals that it does not have.',
  change_propose_again: 'Propose the change again.',
} as const
