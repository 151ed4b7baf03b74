-- What a transaction pays for payouts that were lost with a newer database: it was signed, and nobody knows them any more. It is
-- booked to the operator's float when the transaction is final.
alter table spends
  add column lost_currency text,
  add column lost_units numeric(78, 0) check (lost_units > 0),
  add column lost_count integer check (lost_count > 0),
  add constraint spends_lost_whole check (num_nulls(lost_currency, lost_units, lost_count) in (0, 3));

-- Gates of which the signer's journal has transactions that this database has forgotten and that cannot be put back yet. Nothing
-- new is planned there: it could use what those have used.
create table gates_behind (
  gate_id text primary key,
  noticed_at timestamptz not null default clock_timestamp()
);
