-- Double entry. What an owner is due is positive (a merchant's available and reserved, the platform's fees, suspense, the
-- operator's float); `chain` is what the gates hold for them, and negative. All accounts of an asset sum to zero.
create table ledger_accounts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('available', 'reserved', 'fees', 'network_fees', 'chain', 'float', 'suspense')),
  merchant_id uuid references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  network text not null,
  currency text not null,
  decimals smallint not null,
  -- Kept with every posting; never anything but their sum.
  balance_units numeric(78, 0) not null default 0,
  check ((merchant_id is not null) = (kind in ('available', 'reserved')))
);

create unique index ledger_accounts_by_owner
  on ledger_accounts (merchant_id, environment, currency, network, kind) nulls not distinct;

-- Something that moved money, once: its natural key makes a second time impossible.
create table ledger_transactions (
  id uuid primary key,
  entry_type text not null,
  -- A payment, a payout or a refund.
  subject uuid not null,
  -- Counts how often the same happened to the subject: a payment may be credited, reversed and credited again.
  occurrence integer not null,
  created_at timestamptz not null default clock_timestamp(),
  unique (entry_type, subject, occurrence)
);

create table postings (
  transaction_id uuid not null references ledger_transactions (id),
  account_id bigint not null references ledger_accounts (id),
  units numeric(78, 0) not null check (units <> 0),
  primary key (transaction_id, account_id)
);

create index postings_by_account on postings (account_id);

-- The merchant's view of a posting to `available`: numbered without gaps within merchant, environment and currency.
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
  -- Of the currency over all its networks, in units of 10^-balance_decimals.
  balance_after numeric(78, 0) not null,
  balance_decimals smallint not null,
  reference_type text not null check (reference_type in ('invoice', 'payout', 'refund')),
  reference_id uuid not null,
  description text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment, currency, number),
  unique (transaction_id, account_id),
  foreign key (transaction_id, account_id) references postings (transaction_id, account_id)
);

create index ledger_entries_by_type on ledger_entries (merchant_id, environment, currency, entry_type, number desc);

-- One row a merchant, environment and currency: whoever posts to these accounts holds it, so entries number themselves
-- in the order in which they commit.
create table ledger_numbers (
  merchant_id uuid not null references merchants (id),
  environment text not null,
  currency text not null,
  last_number bigint not null default 0,
  primary key (merchant_id, environment, currency)
);

-- What a balance shows beside its accounts. A row exists for every asset a merchant has ever seen.
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

create trigger ledger_transactions_are_append_only
  before update or delete or truncate on ledger_transactions
  for each statement execute function refuse_change();
create trigger postings_are_append_only
  before update or delete or truncate on postings
  for each statement execute function refuse_change();
create trigger ledger_entries_are_append_only
  before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();

-- An account is what its postings say: it cannot be renamed, moved or removed.
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
