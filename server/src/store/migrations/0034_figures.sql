-- What a merchant pays in fees, how many of its invoices are paid, and how long that takes: kept by day like daily_sums, in
-- tables of its own, since an older process adds up every kind of row that it finds in daily_sums. Triggers keep them, so an
-- older process that runs beside a newer one keeps them too. What was there before this migration is not counted: reading
-- all of it would hold up everyone.

create table daily_fees (
  merchant_id uuid not null,
  environment text not null,
  day date not null,
  kind text not null check (kind in ('platform', 'network')),
  currency text not null,
  network text not null,
  decimals smallint not null,
  base_currency text not null,
  units numeric(78, 0) not null,
  base_millionths numeric(84, 0) not null,
  is_folded boolean not null default false
);
create index daily_fees_to_fold on daily_fees (day) where not is_folded;
create unique index daily_fees_folded on daily_fees
  (merchant_id, environment, day, kind, currency, network, decimals, base_currency) where is_folded;
create index daily_fees_fresh on daily_fees (merchant_id, environment, day) where not is_folded;

comment on table daily_fees is
  'What a merchant paid in fees each day (UTC), by asset: `platform` is what the platform keeps, `network` what the network of a payout cost. Appended and folded like daily_sums.';
comment on column daily_fees.base_currency is 'Empty if the value was not known at the time.';
comment on column daily_fees.base_millionths is
  'The value when the invoice or payout was made, in millionths of a minor unit of base_currency. Many fees are worth less than a minor unit each.';

create table daily_invoices (
  merchant_id uuid not null,
  environment text not null,
  day date not null,
  outcome text not null check (outcome in ('open', 'paid', 'expired', 'cancelled')),
  within_seconds integer not null,
  invoices bigint not null,
  is_folded boolean not null default false,
  check ((outcome = 'paid') = (within_seconds > 0))
);
create index daily_invoices_to_fold on daily_invoices (day) where not is_folded;
create unique index daily_invoices_folded on daily_invoices (merchant_id, environment, day, outcome, within_seconds)
  where is_folded;
create index daily_invoices_fresh on daily_invoices (merchant_id, environment, day) where not is_folded;

comment on table daily_invoices is
  'How many invoices were created each day (UTC), by what has become of them. An invoice that changes moves within the day of its creation. Those that a deposit to a static address made are left out: they are paid from the start. Appended and folded like daily_sums.';
comment on column daily_invoices.within_seconds is
  'Of paid invoices, the least bound of paid_within() that encloses the time to paid, so that a median can be read off; otherwise 0.';

create table figures_starts (
  began_at timestamptz primary key
);

comment on table figures_starts is
  'Since when daily_fees and daily_invoices are kept. Empty in a database that has kept them from its first invoice on.';

alter table invoices add column in_daily_invoices boolean not null default false;
alter table invoices alter column in_daily_invoices set default true;
alter table ledger_transactions add column in_daily_fees boolean not null default false;
alter table ledger_transactions alter column in_daily_fees set default true;

comment on column invoices.in_daily_invoices is
  'Whether daily_invoices counts it: not if it is older than that table, nor when it changes later.';
comment on column ledger_transactions.in_daily_fees is
  'Whether its fees are in daily_fees: not if it is older than that table. The audit adds up those that are.';

create function paid_within(waited interval) returns integer language plpgsql immutable as $$
declare
  bounds constant integer[] := array[
    15, 30, 45, 60, 90, 120, 150, 180, 240, 300, 360, 420, 480, 540, 600, 720, 900, 1200, 1500, 1800, 2400, 3000, 3600, 5400,
    7200, 10800, 14400, 21600, 28800, 43200, 64800, 86400, 172800, 345600, 604800, 1209600, 2592000, 7776000, 31622400,
    316224000];
  seconds constant integer := least(greatest(ceil(extract(epoch from waited)), 1), 316224000);
begin
  return bounds[1 + width_bucket(seconds - 1, bounds)];
end
$$;

comment on function paid_within(interval) is
  'The least of a few round bounds, in seconds, that a time does not exceed. Few, so that a day has few rows however many invoices it has.';

create function sum_invoices() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into daily_invoices (merchant_id, environment, day, outcome, within_seconds, invoices)
    select merchant_id, environment, (created_at at time zone 'UTC')::date, outcome,
      case outcome when 'paid' then paid_within(paid_at - live_at) else 0 end, count(*)
    from added
    cross join lateral (select case when status in ('pending', 'underpaid') then 'open'
      when status in ('paid', 'overpaid') then 'paid' else status end as outcome) as judged
    where source <> 'static_address' and in_daily_invoices
    group by 1, 2, 3, 4, 5;
  else
    insert into daily_invoices (merchant_id, environment, day, outcome, within_seconds, invoices)
    select merchant_id, environment, (created_at at time zone 'UTC')::date, outcome,
      case outcome when 'paid' then paid_within(paid_at - live_at) else 0 end, sum(difference)
    from (
      select merchant_id, environment, created_at, status, source, paid_at, live_at, in_daily_invoices, -1 as difference from removed
      union all
      select merchant_id, environment, created_at, status, source, paid_at, live_at, in_daily_invoices, 1 from added
    ) as moved
    cross join lateral (select case when status in ('pending', 'underpaid') then 'open'
      when status in ('paid', 'overpaid') then 'paid' else status end as outcome) as judged
    where source <> 'static_address' and in_daily_invoices
    group by 1, 2, 3, 4, 5 having sum(difference) <> 0;
  end if;
  return null;
end
$$;
create trigger sum_added_invoices after insert on invoices
  referencing new table as added for each statement execute function sum_invoices();
create trigger sum_moved_invoices after update on invoices
  referencing old table as removed new table as added for each statement execute function sum_invoices();

comment on function sum_invoices() is
  'The time to paid runs from when asset and address were fixed, which for a deferred invoice is the payer''s choice, until the invoice was first paid.';

create function sum_deposit_fees() returns trigger language plpgsql as $$
begin
  insert into daily_fees (merchant_id, environment, day, kind, currency, network, decimals, base_currency, units, base_millionths)
  select entry.merchant_id, entry.environment, (entry.created_at at time zone 'UTC')::date, 'platform', entry.currency,
    entry.network, entry.decimals, case when invoice.amount_in_base_currency is null then '' else invoice.base_currency end,
    sum(fee.units), coalesce(sum(sign(fee.units)
      * div(abs(fee.units) * invoice.amount_in_base_currency * 1000000, invoice.amount_units)), 0)
  from added as entry
  -- Each row by itself (`offset 0` keeps it so), as in sum_received().
  cross join lateral (
    select postings.units from postings join ledger_accounts as account on account.id = account_id
    where transaction_id = entry.transaction_id and account.kind = 'fees' offset 0
  ) as fee
  cross join lateral (
    select base_currency, amount_in_base_currency, amount_units from invoices where id = entry.reference_id offset 0
  ) as invoice
  where entry.entry_type in ('fee', 'reversal')
  group by 1, 2, 3, 5, 6, 7, 8;
  return null;
end
$$;
create trigger sum_fees_of_added_ledger_entries after insert on ledger_entries
  referencing new table as added for each statement execute function sum_deposit_fees();

comment on function sum_deposit_fees() is
  'The platform''s share of payments. Rounded down for each by itself, so that a reversal takes back what its credit gave.';

create function sum_payout_fees() returns trigger language plpgsql as $$
begin
  insert into daily_fees (merchant_id, environment, day, kind, currency, network, decimals, base_currency, units, base_millionths)
  select payout.merchant_id, payout.environment, (settled.created_at at time zone 'UTC')::date, fee.kind, payout.currency,
    payout.network, payout.decimals, case when payout.amount_in_base_currency is null then '' else payout.base_currency end,
    sum(fee.units), coalesce(sum(sign(fee.units)
      * div(abs(fee.units) * payout.amount_in_base_currency * 1000000, payout.amount_units)), 0)
  from (
    select transaction_id, -sum(units) filter (where account.kind = 'reserved') as charged,
      coalesce(sum(units) filter (where account.kind = 'fees'), 0) as platform
    from added join ledger_accounts as account on account.id = account_id
    where account.kind in ('reserved', 'fees') group by 1
  ) as moved
  cross join lateral (
    select subject, created_at, case entry_type when 'settlement' then 1 else -1 end as sign from ledger_transactions
    where id = moved.transaction_id and entry_type in ('settlement', 'settlement_undone') offset 0
  ) as settled
  cross join lateral (select * from payouts where id = settled.subject offset 0) as payout
  cross join lateral (
    values ('platform', moved.platform), ('network', moved.charged - moved.platform - settled.sign * payout.amount_units)
  ) as fee (kind, units)
  where fee.units <> 0
  group by 1, 2, 3, 4, 5, 6, 7, 8;
  return null;
end
$$;
create trigger sum_fees_of_added_postings after insert on postings
  referencing new table as added for each statement execute function sum_payout_fees();

comment on function sum_payout_fees() is
  'What a payout or refund was charged beyond its amount when it was settled: the platform''s fee, and the rest for the network. Undone with the settlement.';

insert into figures_starts (began_at)
select clock_timestamp() where exists (select from invoices) or exists (select from ledger_transactions);
