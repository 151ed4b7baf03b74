-- What the dashboard shows and sets.

-- Keys that end by themselves, that are good from certain places only, and of which people can see that they are used.
alter table api_keys
  add column expires_at timestamptz,
  -- Addresses and CIDRs; null: from anywhere.
  add column allowed_ips text[] check (cardinality(allowed_ips) between 1 and 50),
  add column last_used_at timestamptz,
  -- `user:<id>`, `cli:<name>`; null where that was not noted.
  add column created_by text;

-- That a key was used changes nothing about it: nobody has to look it up again.
drop trigger announce_api_key_change on api_keys;
create trigger announce_api_key_change
  after delete or update of merchant_id, environment, name, hash, permissions, revoked_at, expires_at, allowed_ips
  on api_keys for each row execute function announce_api_key_change();

-- In whose name an invoice was made; null where that was not noted, and where a deposit made it.
alter table invoices add column created_by text;

-- What each attempt of a delivery was signed with, so that a receiver's check can be repeated.
alter table webhook_attempts
  add column signed_at bigint,
  add column signature text;
create index webhook_deliveries_newest_first on webhook_deliveries (endpoint_id, created_at desc, id desc);
drop index webhook_deliveries_by_endpoint;

-- What a search finds, without looking at every row.
create index invoices_by_external_id on invoices (merchant_id, environment, external_id text_pattern_ops)
  where external_id is not null;
create index payouts_by_destination on payouts (merchant_id, environment, destination text_pattern_ops);
create index static_addresses_by_label on static_addresses (merchant_id, environment, lower(label) text_pattern_ops)
  where label is not null;

-- Invoices that somebody should look at before their window is over.
create index invoices_ending on invoices (merchant_id, environment, due_at)
  where status = 'underpaid' and due_at is not null;

-- A ledger by time, over all currencies, and by what caused its entries.
create index ledger_entries_by_time on ledger_entries (merchant_id, environment, created_at, currency, number);
create index ledger_entries_by_reference on ledger_entries (reference_id);

-- What came in and went out each day (UTC), by asset. As with the counts of lists, whatever books only appends its
-- difference here and the differences are folded later; a sum is that of the rows, folded or not. `base_units` is what it
-- was worth when the invoice or payout was made, in minor units of `base_currency`; '' where nobody knew, and then it is 0.
create table daily_sums (
  merchant_id uuid not null,
  environment text not null,
  day date not null,
  kind text not null check (kind in ('received', 'paid_out', 'refunded')),
  currency text not null,
  network text not null,
  decimals smallint not null,
  base_currency text not null,
  units numeric(78, 0) not null,
  base_units numeric(78, 0) not null
);
create index daily_sums_by_day on daily_sums (merchant_id, environment, day);

-- A payment's booking takes from or gives to the chain exactly what was paid. Rounded down, each payment by itself, so that
-- a reversal takes back what its credit gave.
create function sum_received() returns trigger language plpgsql as $$
begin
  insert into daily_sums (merchant_id, environment, day, kind, currency, network, decimals, base_currency, units, base_units)
  select entry.merchant_id, entry.environment, (entry.created_at at time zone 'UTC')::date, 'received', entry.currency,
    entry.network, entry.decimals, case when invoice.amount_in_base_currency is null then '' else invoice.base_currency end,
    sum(-chain.units), coalesce(sum(sign(-chain.units)
      * div(abs(chain.units) * invoice.amount_in_base_currency, invoice.amount_units)), 0)
  from added as entry
  -- Each row by itself (`offset 0` keeps it so): a plan from when the tables were small would read all of them.
  cross join lateral (
    select postings.units from postings join ledger_accounts as account on account.id = account_id
    where transaction_id = entry.transaction_id and account.kind = 'chain' offset 0
  ) as chain
  cross join lateral (
    select base_currency, amount_in_base_currency, amount_units from invoices where id = entry.reference_id offset 0
  ) as invoice
  where entry.entry_type in ('deposit', 'late_deposit', 'reversal')
  group by 1, 2, 3, 5, 6, 7, 8;
  return null;
end
$$;
create trigger sum_added_ledger_entries after insert on ledger_entries
  referencing new table as added for each statement execute function sum_received();

-- A payout has happened once it is settled.
create function sum_settled() returns trigger language plpgsql as $$
begin
  insert into daily_sums (merchant_id, environment, day, kind, currency, network, decimals, base_currency, units, base_units)
  select payout.merchant_id, payout.environment, (settled.created_at at time zone 'UTC')::date,
    case when payout.refund_id is null then 'paid_out' else 'refunded' end, payout.currency, payout.network, payout.decimals,
    case when payout.amount_in_base_currency is null then '' else payout.base_currency end,
    sum(payout.amount_units), coalesce(sum(payout.amount_in_base_currency), 0)
  from added as settled cross join lateral (select * from payouts where id = settled.subject offset 0) as payout
  where settled.entry_type = 'settlement'
  group by 1, 2, 3, 4, 5, 6, 7, 8;
  return null;
end
$$;
create trigger sum_added_ledger_transactions after insert on ledger_transactions
  referencing new table as added for each statement execute function sum_settled();

-- What is already in the books.
insert into daily_sums (merchant_id, environment, day, kind, currency, network, decimals, base_currency, units, base_units)
select entry.merchant_id, entry.environment, (entry.created_at at time zone 'UTC')::date, 'received', entry.currency,
  entry.network, entry.decimals, case when invoice.amount_in_base_currency is null then '' else invoice.base_currency end,
  sum(-chain.units), coalesce(sum(sign(-chain.units)
    * div(abs(chain.units) * invoice.amount_in_base_currency, invoice.amount_units)), 0)
from ledger_entries as entry
join postings as chain on chain.transaction_id = entry.transaction_id
join ledger_accounts as account on account.id = chain.account_id and account.kind = 'chain'
join invoices as invoice on invoice.id = entry.reference_id
where entry.entry_type in ('deposit', 'late_deposit', 'reversal')
group by 1, 2, 3, 5, 6, 7, 8;
insert into daily_sums (merchant_id, environment, day, kind, currency, network, decimals, base_currency, units, base_units)
select payout.merchant_id, payout.environment, (settled.created_at at time zone 'UTC')::date,
  case when payout.refund_id is null then 'paid_out' else 'refunded' end, payout.currency, payout.network, payout.decimals,
  case when payout.amount_in_base_currency is null then '' else payout.base_currency end,
  sum(payout.amount_units), coalesce(sum(payout.amount_in_base_currency), 0)
from ledger_transactions as settled join payouts as payout on payout.id = settled.subject
where settled.entry_type = 'settlement'
group by 1, 2, 3, 4, 5, 6, 7, 8;

-- When the books and the audit log were last checked, and what came of it.
create table audits (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  ok boolean not null
);
