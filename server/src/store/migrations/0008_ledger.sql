-- The books: double entry, enforced by the database, with the sums that are kept beside it.

create table ledger_accounts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('available', 'reserved', 'fees', 'network_fees', 'chain', 'float', 'suspense')),
  merchant_id uuid references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  network text not null,
  currency text not null,
  decimals smallint not null,
  balance_units numeric(78, 0) not null default 0,
  check ((merchant_id is not null) = (kind in ('available', 'reserved')))
);

create unique index ledger_accounts_by_owner
  on ledger_accounts (merchant_id, environment, currency, network, kind) nulls not distinct;

create function refuse_account_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' or (old.kind, old.merchant_id, old.environment, old.network, old.currency, old.decimals)
    is distinct from (new.kind, new.merchant_id, new.environment, new.network, new.currency, new.decimals) then
    raise exception 'ledger account % cannot be changed or removed', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;

create trigger ledger_accounts_stay
  before update or delete on ledger_accounts
  for each row execute function refuse_account_change();

comment on table ledger_accounts is
  'The accounts of the double-entry ledger. What an owner is due is positive: a merchant''s `available` and `reserved`, the platform''s fees, suspense, the operator''s float. `chain` is what the gates hold for them, and negative. All accounts of an asset sum to zero.';
comment on column ledger_accounts.balance_units is 'Kept with every posting, and never anything but their sum.';
comment on function refuse_account_change() is 'An account is what its postings say: it cannot be renamed, moved or removed.';

create table ledger_transactions (
  id uuid primary key,
  entry_type text not null,
  subject uuid not null,
  occurrence integer not null,
  created_at timestamptz not null default clock_timestamp(),
  unique (entry_type, subject, occurrence)
);

create trigger ledger_transactions_are_append_only
  before update or delete or truncate on ledger_transactions
  for each statement execute function refuse_change();

comment on table ledger_transactions is 'Something that moved money, once. Its natural key makes a second time impossible.';
comment on column ledger_transactions.subject is 'What it is about: a payment, a payout, a spend or an outside move.';
comment on column ledger_transactions.occurrence is
  'How often the same has happened to the subject: a payment may be credited, reversed and credited again.';

create table postings (
  transaction_id uuid not null references ledger_transactions (id),
  account_id bigint not null references ledger_accounts (id),
  units numeric(78, 0) not null check (units <> 0),
  primary key (transaction_id, account_id)
);

create index postings_by_account on postings (account_id);

create function refuse_unbalanced_transaction() returns trigger language plpgsql as $$
begin
  if exists (
    select from postings join ledger_accounts on ledger_accounts.id = postings.account_id
    where postings.transaction_id = new.transaction_id
    group by ledger_accounts.environment, ledger_accounts.network, ledger_accounts.currency
    having sum(postings.units) <> 0
  ) then
    raise exception 'ledger transaction % does not sum to zero', new.transaction_id using errcode = 'check_violation';
  end if;
  return null;
end
$$;

create constraint trigger postings_sum_to_zero
  after insert on postings deferrable initially deferred
  for each row execute function refuse_unbalanced_transaction();
create trigger postings_are_append_only
  before update or delete or truncate on postings
  for each statement execute function refuse_change();

comment on table postings is 'The lines of a ledger transaction: what it adds to each account.';
comment on trigger postings_sum_to_zero on postings is
  'Deferred to the commit, when all postings of the transaction are there. It sums to zero for each asset.';

create table ledger_numbers (
  merchant_id uuid not null references merchants (id),
  environment text not null,
  currency text not null,
  last_number bigint not null default 0,
  primary key (merchant_id, environment, currency)
);

comment on table ledger_numbers is
  'The last number of each ledger. Whoever posts to these accounts locks the row, so entries are numbered in the order in which they commit.';

create table ledger_entries (
  merchant_id uuid not null references merchants (id),
  environment text not null,
  currency text not null,
  number bigint not null,
  transaction_id uuid not null,
  account_id bigint not null,
  network text not null,
  decimals smallint not null,
  entry_type text not null,
  units numeric(78, 0) not null,
  balance_after numeric(78, 0) not null,
  balance_decimals smallint not null,
  reference_type text check (reference_type in ('invoice', 'payout', 'refund')),
  reference_id uuid,
  description text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment, currency, number),
  unique (transaction_id, account_id),
  foreign key (transaction_id, account_id) references postings (transaction_id, account_id),
  check ((reference_type is null) = (reference_id is null)),
  check (reference_type is not null or entry_type = 'adjustment')
);

create index ledger_entries_by_type on ledger_entries (merchant_id, environment, currency, entry_type, number desc);
create index ledger_entries_by_time on ledger_entries (merchant_id, environment, created_at, currency, number);
create index ledger_entries_by_reference on ledger_entries (reference_id);

create trigger ledger_entries_are_append_only
  before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();

comment on table ledger_entries is
  'The merchant''s view of a posting to `available`, numbered without gaps within merchant, environment and currency.';
comment on column ledger_entries.balance_after is
  'The balance of the currency over all its networks, in units of 10^-balance_decimals.';
comment on column ledger_entries.reference_id is
  'The invoice, payout or refund it belongs to. An adjustment refers to nothing the merchant made.';

create function count_ledger_entries() returns trigger language plpgsql as $$
begin
  insert into list_counts (list, merchant_id, environment, facet, currency, bucket, difference)
  select 'ledger_entries', merchant_id, environment, entry_type, currency, number >> 15, count(*)
  from added group by 2, 3, 4, 5, 6;
  return null;
end
$$;

create trigger count_added_ledger_entries after insert on ledger_entries
  referencing new table as added for each statement execute function count_ledger_entries();

create table merchant_totals (
  merchant_id uuid not null references merchants (id),
  environment text not null,
  currency text not null,
  network text not null,
  decimals smallint not null,
  pending_units numeric(78, 0) not null default 0,
  received_units numeric(78, 0) not null default 0,
  fee_units numeric(78, 0) not null default 0,
  paid_out_units numeric(78, 0) not null default 0,
  primary key (merchant_id, environment, currency, network)
);

comment on table merchant_totals is
  'What a balance shows beside its accounts. There is a row for every asset a merchant has ever seen.';

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

comment on table daily_sums is
  'What came in and went out each day (UTC), by asset. As in list_counts, each booking only appends its difference, and differences are folded later. A sum is that of the rows, folded or not.';
comment on column daily_sums.base_currency is 'Empty where nobody knew the value.';
comment on column daily_sums.base_units is
  'The value when the invoice or payout was made, in minor units of base_currency; 0 where nobody knew it.';

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

comment on function sum_received() is
  'Booking a payment moves exactly what was paid on or off `chain`. The value is rounded down for each payment by itself, so that a reversal takes back what its credit gave.';

create function sum_settled() returns trigger language plpgsql as $$
begin
  insert into daily_sums (merchant_id, environment, day, kind, currency, network, decimals, base_currency, units, base_units)
  select payout.merchant_id, payout.environment, (settled.created_at at time zone 'UTC')::date,
    case when payout.refund_id is null then 'paid_out' else 'refunded' end, payout.currency, payout.network, payout.decimals,
    case when payout.amount_in_base_currency is null then '' else payout.base_currency end,
    sum(sign * payout.amount_units), coalesce(sum(sign * payout.amount_in_base_currency), 0)
  from added as settled
  cross join lateral (select case settled.entry_type when 'settlement' then 1 else -1 end as sign) as direction
  cross join lateral (select * from payouts where id = settled.subject offset 0) as payout
  where settled.entry_type in ('settlement', 'settlement_undone')
  group by 1, 2, 3, 4, 5, 6, 7, 8;
  return null;
end
$$;
create trigger sum_added_ledger_transactions after insert on ledger_transactions
  referencing new table as added for each statement execute function sum_settled();

comment on function sum_settled() is
  'A payout has happened once it is settled. If a reorganisation takes its transaction away for good, the settlement is undone, and its amount is taken from what was paid out on the day of the undoing.';

create table audits (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  ok boolean not null
);

comment on table audits is 'When the books and the audit log were checked, and whether they were right.';
