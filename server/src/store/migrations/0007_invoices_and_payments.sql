-- Money in: what payers are asked for, and what arrives. Amounts of an asset are in its smallest units, fiat amounts in the
-- currency's minor units, exchange rates scaled by 10^18.

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
create index static_addresses_by_gate on static_addresses (gate_id, currency, position desc);
create index static_addresses_by_label on static_addresses (merchant_id, environment, lower(label) text_pattern_ops)
  where label is not null;

comment on table static_addresses is 'Permanent deposit addresses. Each deposit to one makes an invoice.';
comment on column static_addresses.position is 'Rises with every insert: the order of lists.';
comment on column static_addresses.deposit_position is 'The address''s position in its keychain.';
comment on column static_addresses.total_received_units is 'Confirmed deposits, less what was reversed.';
comment on column static_addresses.invoice_count is 'How many of its invoices hold confirmed money.';

create function count_static_addresses() returns trigger language plpgsql as $$
begin
  insert into list_counts (list, merchant_id, environment, currency, difference)
  select 'static_addresses', merchant_id, environment, currency, count(*) from added group by 2, 3, 4;
  return null;
end
$$;

create trigger count_added_static_addresses after insert on static_addresses
  referencing new table as added for each statement execute function count_static_addresses();

create table invoices (
  id uuid primary key,
  position bigint generated always as identity,
  merchant_id uuid not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  status text not null check (status in ('pending', 'paid', 'underpaid', 'overpaid', 'expired', 'cancelled')),
  source text not null check (source in ('api', 'static_address', 'dashboard')),
  created_by text,
  static_address_id uuid references static_addresses (id),
  deferred boolean not null,
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
create unique index invoices_by_deposit_position on invoices (keychain, deposit_position)
  where static_address_id is null and deposit_position is not null;
create index invoices_due on invoices (gate_id, due_at) where due_at is not null;
create index invoices_newest_first on invoices (merchant_id, environment, position desc);
create index invoices_by_status on invoices (merchant_id, environment, status, position desc);
create index invoices_by_currency on invoices (merchant_id, environment, currency, position desc);
create index invoices_by_status_and_currency on invoices (merchant_id, environment, status, currency, position desc);
create index invoices_by_static_address on invoices (static_address_id, position desc)
  where static_address_id is not null;
create index invoices_by_external_id on invoices (merchant_id, environment, external_id text_pattern_ops)
  where external_id is not null;
create index invoices_ending on invoices (merchant_id, environment, due_at)
  where status = 'underpaid' and due_at is not null;
create index invoices_underpaid on invoices (gate_id, currency, position desc) where status = 'underpaid';

comment on table invoices is 'Requests to be paid once, with an amount and a deposit address.';
comment on column invoices.position is 'Rises with every insert: the order of lists.';
comment on column invoices.created_by is 'Who made it; null where nobody noted it, and where a deposit made it.';
comment on column invoices.deferred is
  'Whether the payer picks the asset. Everything about the asset is null until then.';
comment on column invoices.deposit_position is 'The deposit address''s position in its keychain.';
comment on column invoices.exchange_rate is 'Fiat per coin, times 10^18.';
comment on column invoices.tolerance_bps is 'The merchant''s tolerance when the invoice was made.';
comment on column invoices.fee_bps is 'The merchant''s fee when the invoice was made.';
comment on column invoices.paid_units is
  'What the payments come to. This and the other sums are brought up to date whenever the invoice is assessed.';
comment on column invoices.link is 'The secret part of the payment page''s address.';
comment on column invoices.request_hash is
  'SHA-256 of the request under idempotency_key: the same key with another request is refused.';
comment on column invoices.window_seconds is 'How long the payer has to pay, from when the asset is known.';
comment on column invoices.due_at is
  'When the clock alone may change the status; null when only the chain can, or nothing can any more.';
comment on column invoices.live_at is 'When it got its asset and deposit address.';
comment on index invoices_by_deposit_position is 'A deposit address belongs to one invoice for good.';
comment on index invoices_ending is 'Invoices someone should look at before their window closes.';
comment on index invoices_underpaid is 'Addresses that somebody may still pay the rest to, for the comparison of balances.';

create function count_invoices() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into list_counts (list, merchant_id, environment, facet, currency, bucket, difference)
    select 'invoices', merchant_id, environment, status, coalesce(currency, ''), position >> 15, count(*)
    from added group by 2, 3, 4, 5, 6;
    insert into list_counts (list, merchant_id, environment, facet, bucket, difference)
    select 'invoices_of_address', merchant_id, environment, static_address_id::text, position >> 15, count(*)
    from added where static_address_id is not null group by 2, 3, 4, 5;
  else
    insert into list_counts (list, merchant_id, environment, facet, currency, bucket, difference)
    select 'invoices', merchant_id, environment, status, currency, position >> 15, sum(difference) from (
      select merchant_id, environment, status, coalesce(currency, '') as currency, position, -1 as difference from removed
      union all
      select merchant_id, environment, status, coalesce(currency, ''), position, 1 from added
    ) as moved
    group by 2, 3, 4, 5, 6 having sum(difference) <> 0;
  end if;
  return null;
end
$$;

create trigger count_added_invoices after insert on invoices
  referencing new table as added for each statement execute function count_invoices();
create trigger count_moved_invoices after update on invoices
  referencing old table as removed new table as added for each statement execute function count_invoices();

create function announce_checkout_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('checkout_changed', string_agg(numbered.id::text, ','))
  from (
    select id, (row_number() over () - 1) / 200 as part from changed where link is not null
  ) as numbered
  group by numbered.part;
  return null;
end
$$;

create trigger announce_checkout_change
  after update on invoices referencing new table as changed
  for each statement execute function announce_checkout_change();

comment on function announce_checkout_change() is
  'Tells open payment pages that their invoice has changed. Once a statement, however many invoices it changed, since a notification takes a lock on the whole database at commit. A payload holds at most 8000 bytes, which is 216 ids.';
comment on trigger announce_checkout_change on invoices is
  'Not after an insert: nobody can have opened the page before the invoice was there.';

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
  by_balance boolean not null default false,
  invoice_id uuid references invoices (id),
  suspense_reason text,
  for_merchant_id uuid references merchants (id),
  for_invoice_id uuid references invoices (id),
  for_static_address_id uuid references static_addresses (id),
  required_confirmations integer not null,
  seen_at timestamptz not null,
  waiting boolean not null,
  block_height bigint,
  block_hash text,
  matures_at bigint generated always as (block_height + required_confirmations - 1) stored,
  pinned_by uuid,
  check ((invoice_id is null) = (suspense_reason is not null)),
  check ((block_height is null) = (block_hash is null)),
  check (not (waiting and block_height is not null)),
  check (invoice_id is null or for_merchant_id is null),
  check (for_merchant_id is not null or (for_invoice_id is null and for_static_address_id is null))
);

create unique index payments_by_output on payments (gate_id, tx_hash, output_index);
create index payments_by_invoice on payments (invoice_id, seen_at) where invoice_id is not null;
create index payments_by_height on payments (gate_id, block_height) where block_height is not null;
create index payments_by_maturity on payments (gate_id, matures_at) where matures_at is not null;
create index payments_waiting on payments (gate_id) where waiting;
create index payments_by_address on payments (address, gate_id);
create index payments_unspent on payments (gate_id, currency, units desc) where pinned_by is null;
create index payments_pinned on payments (pinned_by) where pinned_by is not null;
create index payments_recovered on payments (gate_id, units desc) where suspense_reason = 'recovered' and pinned_by is null;
create index payments_in_suspense on payments (environment, id)
  where invoice_id is null and suspense_reason <> 'operator_float';
create index payments_in_suspense_by_merchant on payments (for_merchant_id, environment, id)
  where for_merchant_id is not null;

comment on table payments is
  'Transfers to our addresses, as the followed branch has them. All but pinned_by is written by whoever follows or rescans the chain, and by nobody else.';
comment on column payments.by_balance is
  'Found by what its address holds, since on some networks coins arrive inside contracts, without a transaction to us. Such a payment is named by the block after which the address first held it.';
comment on column payments.suspense_reason is
  'Why it belongs to no invoice. Such a payment is booked to suspense; nobody guesses whose it is.';
comment on column payments.for_merchant_id is
  'In suspense: whose address it was sent to, where that is known. They are shown it, since the sender will ask them.';
comment on column payments.waiting is
  'In the mempool. A payment neither waiting nor in a block was replaced, dropped or reorganised away.';
comment on column payments.matures_at is 'The height at which it is deep enough.';
comment on column payments.pinned_by is
  'The spend that uses its coins up. Written when the spend is planned, and taken back only when the spend is dead.';
comment on index payments_by_output is
  'Every payment of a block is looked up here, with a plan that may be as old as the first payment. While there are few, another index that begins with the gate looks as good to the planner, and once there are many it is as slow as none. So no other index over all payments begins with the gate.';
comment on index payments_recovered is 'Coins at change addresses of our own are among these: few, or none.';

create table payment_bookings (
  payment_id uuid primary key references payments (id),
  credited boolean not null,
  credits integer not null,
  late boolean not null,
  fee_units numeric(78, 0) not null,
  confirmed_at timestamptz,
  check (credits >= 0 and (credits > 0 or not credited))
);

comment on table payment_bookings is
  'What the books have made of a payment. Written when its invoice is assessed, never by the follower.';
comment on column payment_bookings.credits is 'How often it was credited: after a reversal it may confirm again.';
comment on column payment_bookings.late is 'Whether it confirmed after the invoice had expired or was cancelled.';

create table suspense_releases (
  payment_id uuid primary key references payments (id),
  merchant_id uuid not null references merchants (id),
  released_by text not null,
  note text not null,
  released_at timestamptz not null default clock_timestamp()
);
create index suspense_releases_by_merchant on suspense_releases (merchant_id);

create trigger suspense_releases_are_append_only
  before update or delete or truncate on suspense_releases
  for each statement execute function refuse_change();

comment on table suspense_releases is
  'What the operator gave a merchant out of suspense: once a payment, and for good. While the payment is off the chain, so is what was given.';

create table balance_shortfalls (
  gate_id text not null references followed_chains (gate_id),
  address text not null,
  currency text not null,
  decimals smallint not null,
  expected_units numeric(78, 0) not null,
  found_units numeric(78, 0) not null,
  block_height bigint not null,
  found_at timestamptz not null default clock_timestamp(),
  primary key (gate_id, address),
  check (found_units < expected_units)
);

comment on table balance_shortfalls is
  'Addresses that were found to hold less than they should. Nothing is booked for it: a person has to look.';
