-- Who rejected or cancelled a payout, or cancelled an invoice. It replaces the index for rejected payouts alone.
drop index concurrently if exists audit_entries_endings;
create index concurrently audit_entries_endings on audit_entries (subject)
  where action in ('payout.rejected', 'payout.cancelled', 'invoice.cancelled');
comment on index audit_entries_endings is 'Who rejected or cancelled something, and why.';
drop index concurrently if exists audit_entries_rejected_payouts;
