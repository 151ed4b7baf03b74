-- The page of a cancelled payout looks for the entry of the person who rejected it, however long the merchant's log is.

drop index concurrently if exists audit_entries_rejected_payouts;
create index concurrently audit_entries_rejected_payouts on audit_entries (subject) where action = 'payout.rejected';

comment on index audit_entries_rejected_payouts is 'Who rejected a payout, and why.';
