alter table merchants
  add column fee_bps integer not null default 0 check (fee_bps between 0 and 10000),
  add column underpayment_tolerance_bps integer not null default 0
    check (underpayment_tolerance_bps between 0 and 9999);

-- A permanent deposit address. The totals are of its confirmed deposits, net of reversals.
create table static_addresses (
  id uuid primary key,
  position bigint generated always as identity,
  merchant_id uuid not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  currency text not null,
  network text not null,
  gate_id text not null,
  keychain text not null,
  deposit_position bigint not null,
  address text not null,
  address_tag text,
  label text,
  total_received_units numeric(78, 0) not null default 0,
  invoice_count integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  unique (keychain, deposit_position)
);

create index static_addresses_newest_first on static_addresses (merchant_id, environment, position desc);
create index static_addresses_by_currency
  on static_addresses (merchant_id, environment, currency, position desc);

-- Amounts of an asset are in its units, fiat amounts in the currency's minor units, rates scaled by 10^18.
create table invoices (
  id uuid primary key,
  -- Rises with every insert: the order of lists.
  position bigint generated always as identity,
  merchant_id uuid not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  status text not null check (status in ('pending', 'paid', 'underpaid', 'overpaid', 'expired', 'cancelled')),
  source text not null check (source in ('api', 'static_address', 'dashboard')),
  static_address_id uuid references static_addresses (id),
  deferred boolean not null,
  -- Everything about the asset is unset until a deferred invoice goes live.
  currency text,
  network text,
  gate_id text,
  decimals smallint,
  amount_units numeric(78, 0) check (amount_units > 0),
  required_confirmations integer,
  keychain text,
  deposit_position bigint,
  deposit_address text,
  deposit_address_tag text,
  amount_fiat numeric(78, 0) check (amount_fiat > 0),
  fiat_currency text,
  exchange_rate numeric(78, 0) check (exchange_rate > 0),
  rate_locked_at timestamptz,
  base_currency text not null,
  amount_in_base_currency numeric(78, 0),
  tolerance_bps integer not null,
  fee_bps integer not null,
  -- What the payments come to, brought up to date whenever the invoice is assessed.
  paid_units numeric(78, 0) not null default 0,
  settled_units numeric(78, 0) not null default 0,
  pending_units numeric(78, 0) not null default 0,
  refunded_units numeric(78, 0) not null default 0,
  fee_units numeric(78, 0) not null default 0,
  description text,
  external_id text,
  metadata jsonb,
  redirect_url text,
  link text unique,
  idempotency_key text,
  request_hash bytea,
  window_seconds integer,
  expires_at timestamptz,
  -- When the clock alone may change the status; null when only the chain can, or nothing any more.
  due_at timestamptz,
  live_at timestamptz,
  paid_at timestamptz,
  cancelled_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check ((currency is null) = (gate_id is null)),
  check (currency is null or (network is not null and decimals is not null and amount_units is not null
    and required_confirmations is not null and deposit_address is not null and live_at is not null)),
  check ((source = 'static_address') = (static_address_id is not null)),
  check ((idempotency_key is null) = (request_hash is null))
);

create unique index invoices_by_idempotency_key on invoices (merchant_id, environment, idempotency_key)
  where idempotency_key is not null;
-- A deposit address belongs to one invoice for good.
create unique index invoices_by_deposit_position on invoices (keychain, deposit_position)
  where static_address_id is null and deposit_position is not null;
create index invoices_due on invoices (gate_id, due_at) where due_at is not null;
create index invoices_newest_first on invoices (merchant_id, environment, position desc);
create index invoices_by_status on invoices (merchant_id, environment, status, position desc);
create index invoices_by_currency on invoices (merchant_id, environment, currency, position desc);
create index invoices_by_status_and_currency on invoices (merchant_id, environment, status, currency, position desc);
create index invoices_by_static_address on invoices (static_address_id, position desc)
  where static_address_id is not null;

-- A transfer to one of our addresses, as the followed branch has it: written by the follower alone.
create table payments (
  id uuid primary key,
  gate_id text not null references followed_chains (gate_id),
  tx_hash text not null,
  output_index integer not null,
  environment text not null check (environment in ('live', 'test')),
  currency text not null,
  network text not null,
  decimals smallint not null,
  units numeric(78, 0) not null check (units > 0),
  address text not null,
  address_tag text,
  invoice_id uuid references invoices (id),
  -- Why it belongs to no invoice: it is booked to suspense, never guessed.
  suspense_reason text,
  required_confirmations integer not null,
  seen_at timestamptz not null,
  -- In the mempool now, or in a block of the followed branch; neither when it was replaced, dropped or reorganised away.
  waiting boolean not null,
  block_height bigint,
  block_hash text,
  -- The height at which it is deep enough.
  matures_at bigint generated always as (block_height + required_confirmations - 1) stored,
  check ((invoice_id is null) = (suspense_reason is not null)),
  check ((block_height is null) = (block_hash is null)),
  check (not (waiting and block_height is not null))
);

create unique index payments_by_output on payments (gate_id, tx_hash, output_index);
create index payments_by_invoice on payments (invoice_id, seen_at) where invoice_id is not null;
create index payments_by_height on payments (gate_id, block_height) where block_height is not null;
create index payments_by_maturity on payments (gate_id, matures_at) where matures_at is not null;
create index payments_waiting on payments (gate_id) where waiting;

-- What the books have made of a payment: written when its invoice is assessed, never by the follower.
create table payment_bookings (
  payment_id uuid primary key references payments (id),
  credited boolean not null,
  -- How often it was credited: after a reversal it may confirm again.
  credits integer not null,
  late boolean not null,
  fee_units numeric(78, 0) not null,
  confirmed_at timestamptz,
  check (credits >= 0 and (credits > 0 or not credited))
);

-- A test network that a merchant has taken offline for itself alone.
create table gates_taken_offline (
  merchant_id uuid not null references merchants (id),
  gate_id text not null,
  primary key (merchant_id, gate_id)
);
