/** Why the signer does not sign a payout that is in order otherwise. What only tampering can cause stays in its own words. */
export const signerSentences = {
  cooling_off: 'Payout {payout} is still in its cooling-off period.',
  approvals_lacking: 'Payout {payout} has {given} of {required} approvals.',
  passkeys_lacking:
    'Payout {payout} has {given} of {required} approvals with a passkey that this signer trusts.',
  passkeys_not_counted: 'Why others do not count: {detail}.',
  approval_differs: 'An approval of payout {payout} does not match this payout.',
  url_unknown:
    'Payout {payout} needs passkeys, but this signer does not know the public URL of the service. Set SLUICE_PUBLIC_URL for it.',
  not_on_signers_list: "Payout {payout} goes to a destination that is not on the signer's own list.",
  not_on_merchants_list: "Payout {payout} goes to a destination that is not on its merchant's list.",
  over_merchants_limit: "Payout {payout} is over its merchant's limit.",
  value_unknown: "The value of payout {payout} is unknown, so its merchant's limit cannot be checked.",
  value_in_other_currency: "Payout {payout} is valued in {currency}, but its merchant's limit is in {base}.",
  allowed_from: 'The change that allows it counts from {at} on.',
  settings_from: 'The new settings of the signer count from {at} on.',
  over_signers_limit: "It would exceed the signer's own limit of {limit}.",
  signed_later: 'It is signed when the limit allows it.',
  limit_missing:
    'The signer has no limit by hour or by day for {currency} on {network}. Set one in signer.limits of its SLUICE_CONFIG, and restart it.',
  fee_too_high: 'The network fee is higher than the signer allows for one transaction.',
  coin_unproved:
    'The previous transaction {hash} is not stored, so coin {coin} cannot be proved. It is asked of the node by itself.',
  database_older:
    'The journal has transaction {hash}, which this database lacks: it was restored from an older backup. Nothing is signed for this network until the operator runs: npx sluice wallet reconcile',
  journal_older:
    "The database has transaction {hash}, which the journal lacks: the journal is older, or another signer's. Restore the newest journal if there is one, and run: npx sluice wallet reconcile",
} as const
