-- Comments on the schema in plainer words. Nothing else changes.

comment on table merchants is
  'Merchants accept payments here. Everything else belongs to one of them, or to the operator.';
comment on column api_keys.created_by is '`user:<id>` or `cli:<name>`; null for keys from before this was noted.';
comment on function announce_api_key_change() is
  'Every process holds keys in memory, so a change made with any tool is announced to all of them.';
comment on trigger announce_api_key_change on api_keys is
  'Not on last_used_at: using a key changes nothing that a process remembers of it.';
comment on function deliver_events() is
  'Adds the deliveries in the event''s own transaction: no event goes without them.';
comment on column rate_sources.due_at is
  'The worker that claims a source moves this on, so that several workers ask once between them.';
comment on column followed_chains.began_height is
  'Where following began: nothing up to this block was read. Null for chains from before this was noted.';
comment on column followed_chains.balances_position is
  'From which position of the keychain the next look compares the balances of addresses at which no payment is expected.';
comment on column rescans.revision is
  'The process that takes a rescan up raises it, so that an earlier process still running can write no more.';
comment on column rescan_outputs.taken_at is
  'When it was dealt with. An unspent output becomes a payment in the same transaction.';
comment on column invoices.created_by is 'Who made it; null where a deposit made it, or where this was not noted.';
comment on index invoices_underpaid is
  'Addresses to which payers may still send the rest, for the comparison of balances.';
comment on trigger announce_checkout_change on invoices is
  'Not after an insert: no one can have opened the page before the invoice was there.';
comment on table payments is
  'Transfers to our addresses, as the followed branch has them. The process that follows or rescans the chain writes all but pinned_by.';
comment on column payments.suspense_reason is
  'Why it belongs to no invoice. Such a payment is booked to suspense until a person says whose it is.';
comment on table ledger_numbers is
  'The last number of each ledger. Each posting to its accounts locks the row, so entries are numbered in the order in which they commit.';
comment on column daily_sums.base_currency is 'Empty where the value was not known.';
comment on column daily_sums.base_units is
  'The value when the invoice or payout was made, in minor units of base_currency; 0 where it was not known.';
comment on column payout_policies.approvals_required is 'With two, neither may come from the payout''s creator.';
comment on function refuse_other_payout() is
  'Money goes where it was approved to go: nothing that an approval covers ever changes.';
comment on column spends.give_up_asked_at is
  'On a spend of coins that the signer refused for good: when it was decided not to wait for another answer.';
comment on column spends.lost_units is
  'What a signed transaction pays for payouts that were lost with a newer database. It is booked to the operator''s float when the transaction is final.';
comment on table missing_coins is
  'Coins of the books that the node says cannot be spent: they never were on its chain, or were spent without this database knowing. Nothing is planned with them until the node has them again.';
comment on table simulated_chains is
  'The simulated chains. Each change of one locks its row for the whole transaction: everything else about the chain is written under that lock.';
comment on table policy_change_approvals is 'Who agreed to a change of the policy. Its proposer is the first.';
