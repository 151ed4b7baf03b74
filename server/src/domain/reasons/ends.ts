/** Why a payout failed, and what has ruled its transaction out. */
export const endSentences = {
  network_failed:
    'The network ran the transaction and it failed: the destination did not accept it, or the funds are no longer there.',
  never_included: 'The network can never include the transaction.',
  not_signed: 'The signer did not sign it, so it was cancelled; nothing was paid.',
  never_signed: 'The signer did not sign it, and never will; nothing was paid.',
  unfunded:
    'A reorganisation removed the funds that the hot wallet needed for it, so it was cancelled; nothing was paid.',
  undone: 'It was completed, but a reorganisation removed its transaction for good.',
  cancelled_instead: 'The transaction that cancels it was mined in its place, in block {height}.',
  failed_again: 'The network ran it again in block {height}, and it failed.',
  coin_gone_stated:
    'A coin that it spends was reorganised away for good ({coins}), as {actor} has stated. Nothing was paid.',
  coin_gone: 'A coin that it spends was reorganised away for good, with transaction {hash}.',
  coins_spent_by: 'Its coins were spent by {hash} in block {height}.',
  nonce_used_by: 'Nonce {nonce} of its account was used by {hash} in block {height}.',
  nonce_used_before: 'Nonce {nonce} of its account was used in block {height} or before.',
  nonce_value_used: 'Its nonce was used by {hash} in block {height}.',
  nonce_account_created: 'The nonce account that it creates was created by {hash} in block {height}.',
  too_late: 'It could be executed until block {height}, and was not.',
  used_by_other: 'Transaction {hash} used the same coins or nonce.',
  rejected_for_good: 'The network rejects it for good.',
} as const
