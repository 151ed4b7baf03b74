/** Why a payout waits, as the service itself finds. Stored sentences are read by these: a sentence that changes gets a new code. */
export const waitingSentences = {
  approval_second: 'It is waiting for a second approval.',
  approvers_missing_one:
    'As things are, this payout cannot be approved: a person has to approve it with a passkey that the signer trusts, and {able} can. Have another approver add a passkey, and vouch for it under Payout policy; if too few can vouch, ask the operator to trust it.',
  approvers_missing:
    'As things are, this payout cannot be approved: {needed} people besides its creator have to approve it with a passkey that the signer trusts, and {able} can. Have another approver add a passkey, and vouch for it under Payout policy; if too few can vouch, ask the operator to trust it.',
  policy_destination: 'Its destination is not on the list of allowed destinations.',
  policy_no_value:
    'There was no exchange rate when it was created, so its value cannot be checked against the limits.',
  policy_other_currency: 'Its value was recorded in {currency}, but the limits are in {base}.',
  policy_max_payout: 'It is worth {amount}, which is over the limit of {limit} per payout.',
  policy_max_day:
    'It is worth {amount}. With {approved} approved in the last 24 hours, it is over the limit of {limit} per 24 hours.',
  balance_negative:
    'The balance on {network} is {amount} because a reorganisation of the chain took back a deposit. No payout leaves until the shortfall is covered. Pay in the missing amount, or cancel payouts.',
  credit_too_low:
    'Its invoice is now credited with {amount}, of which other refunds took {refunded}. A refund cannot exceed the rest. It continues if the invoice is paid again; cancel it to release its funds.',
  reserve_too_low:
    'The network asks for a higher fee than was reserved, and the balance does not cover the difference. The payout continues once it does, or the fee falls.',
  no_rate:
    'There is no exchange rate right now to convert the network fee to {currency}. The payout continues by itself once there is one.',
  no_worker:
    'No worker has picked it up yet: the worker is busy or not running. It continues by itself, and can be cancelled until then.',
  no_signer:
    'It is waiting for the signer, which has not answered yet: it is not running, or another signer is active. It continues by itself once the signer answers.',
  not_accepted_yet:
    'Its transaction is signed, but the network has not accepted it yet. It is sent again by itself.',
  no_gate:
    'There is no gate {gate} here right now. The payout continues by itself once the operator has configured it again.',
  halted:
    '{network} is halted: a reorganisation was deeper than allowed. Payouts continue once the operator has resumed it.',
  gate_offline: '{network} cannot be reached right now. The payout continues by itself once it can.',
  gate_not_followed: '{network} is not followed yet. The payout continues by itself once it is.',
  node_wrong: 'The node of {network} does not answer correctly: {detail} The payout is retried by itself.',
  database_unchecked:
    'The signer has not checked this database since the database started. The payout continues by itself once the signer runs.',
  database_restored:
    'This database was restored from a backup, and transactions on {network} that were signed since then are missing from it. The signer’s log lists them. The operator has to run: npx sluice wallet reconcile',
  hot_wallet_unknown: 'The hot wallet of {network} is not known yet: the signer has to start once.',
  coins_checked:
    'The wallet’s coins are being checked against the node of {network}. The payout continues by itself.',
  coins_short:
    'The wallet has too few confirmed coins right now. The payout continues by itself once more are confirmed.',
  coins_unproven:
    'The wallet has too few coins that it can spend right now, because the node cannot show the transactions that made some of them. The payout continues by itself once the node can, or once more coins are confirmed. The operator sees the coins with: npx sluice wallet coins',
  nonce_accounts_taken:
    'No nonce account of the hot wallet is free: all are held by transactions that are on their way, or still being created. The payout continues by itself once one is free.',
  sweeping:
    'Funds are being swept from deposit addresses into the hot wallet. The payout continues by itself once they arrive.',
  hot_short:
    'The hot wallet is short of {amount}. The operator can send it to {address}; the payout then continues by itself.',
  hot_too_low:
    'The network asks for a higher fee than was paid, and the hot wallet is short of native currency for it. The payout continues once the operator sends some, or the fee falls.',
  coins_too_dear:
    'The node of {network} currently requires at least {least} units per virtual byte, but the operator allows at most {most} ("fee_ceiling"). It continues by itself when the fee falls or the operator allows more.',
  gas_too_dear:
    '{network} currently requires at least {least} wei per unit of gas, but the operator allows at most {most} ("fee_ceiling"). It continues by itself when the fee falls or the operator allows more.',
  xrp_too_dear:
    '{network} currently requires at least {least} drops for a transaction, but the operator allows at most {most} ("fee_ceiling"). It continues by itself when the fee falls or the operator allows more.',
  deposit_stuck: 'The funds on {address} cannot be moved: {detail}.',
  would_fail:
    'The network would refuse it right now: {detail}. Nothing was sent. It is retried by itself, and can be cancelled until it succeeds.',
  behind_refused:
    'An earlier transaction on this network must be signed first, but the signer does not sign it:',
  key_used_outside:
    'The hot wallet has sent transactions that Sluice does not know: its key was used outside Sluice. Payouts continue once the operator has resolved this.',
  behind_gap:
    'A nonce of the hot wallet is free again on the chain although its spend has ended, so nothing after it can be mined. Sluice fills it with a transaction that pays no one, which costs the hot wallet a little native currency; payouts then continue. Nonce: {nonce}.',
  waits_for_block: 'Its transaction is known to {network} and waits for a block. It continues by itself.',
  nonce_order:
    '{network} mines transactions in nonce order, and nonce {nonce} of the hot wallet, before this one ({own}), is not mined yet.',
  nonce_filled: 'It is being filled with a transaction that pays no one.',
  not_accepted:
    'The network does not accept its transaction right now: {detail}. It is sent again by itself.',
  coin_reorganised:
    'A coin that it spends was reorganised away ({coins}). It continues by itself if the coin comes back; the operator can end it if it never will.',
  gate_unreachable: '{gate} cannot be reached right now: {detail} It is checked again by itself.',
  state_unknown: 'The state of its transaction could not be determined. It is checked again by itself.',
  never_mined: 'As things stand, it can never be mined:',
  then_fails: 'Once that is confirmed, it fails and everything reserved for it is available again.',
  signer_refuses: 'The signer does not sign it:',
  being_cancelled:
    'It is being cancelled: a transaction that pays no one uses its nonce. Once that is confirmed, the payout fails and everything reserved for it is available again.',
  cancelling_short:
    'To cancel it, the hot wallet is short of {amount}. The operator can send it to {address}.',
  funds_reorganised:
    'The hot wallet is short of {amount} for this payout: a reorganisation removed funds that it needs.',
  continues_or_cancelled: 'It continues by itself if they come back, and is cancelled if they do not.',
  cancelling_takes: 'Cancelling it takes {amount}. The operator can send that to {address}.',
} as const
