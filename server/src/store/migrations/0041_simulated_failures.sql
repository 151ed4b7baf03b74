-- Whether a transaction was run and failed, as one does whose tokens are not there any more: it took its number and its fee, and
-- moved nothing.
alter table simulated_transactions add column failed boolean not null default false;
