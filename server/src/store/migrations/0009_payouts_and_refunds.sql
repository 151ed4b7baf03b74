-- Money out, as merchants ask for it. Amounts are in the asset's smallest units, values and limits in minor units of the
-- merchant's base currency.

create table payout_policies (
  merchant_id uuid not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  max_payout numeric(78, 0) check (max_payout > 0),
  max_day numeric(78, 0) check (max_day > 0),
  only_known_destinations boolean not null default false,
  approval text not null default 'any' check (approval in ('any', 'passkey')),
  approvals_required smallint not null default 1 check (approvals_required in (1, 2)),
  cooling_off_seconds integer not null default 0 check (cooling_off_seconds between 0 and 2592000),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment)
);

comment on table payout_policies is
  'What a merchant''s people have agreed on for letting money out. No row means the defaults.';
comment on column payout_policies.only_known_destinations is 'Only payout_destinations may be paid.';
comment on column payout_policies.approval is
  'In the live environment, a merchant with passkeys needs them whatever stands here, until one of the passkeys says otherwise.';
comment on column payout_policies.approvals_required is 'With two, neither may come from whoever created the payout.';
comment on column payout_policies.cooling_off_seconds is
  'The time between approval and execution, in which a payout can still be cancelled.';

create table payout_destinations (
  merchant_id uuid not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  network text not null,
  address text not null,
  tag text not null default '',
  label text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment, network, address, tag)
);

comment on table payout_destinations is 'Where a merchant that pays known destinations only may pay to.';
comment on column payout_destinations.tag is 'Empty where there is none, so that it can be part of the key.';

create table payouts (
  id uuid primary key,
  position bigint generated always as identity,
  merchant_id uuid not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  status text not null
    check (status in ('pending_approval', 'approved', 'processing', 'completed', 'failed', 'cancelled')),
  currency text not null,
  network text not null,
  gate_id text not null,
  decimals smallint not null,
  amount_units numeric(78, 0) not null check (amount_units > 0),
  fee_units numeric(78, 0) not null check (fee_units >= 0),
  network_fee_units numeric(78, 0) not null check (network_fee_units >= 0),
  reserve_raises integer not null default 0,
  base_currency text not null,
  amount_in_base_currency numeric(78, 0),
  destination text not null,
  destination_tag text,
  description text,
  metadata jsonb,
  idempotency_key text,
  request_hash bytea,
  created_by text not null,
  refund_id uuid unique,
  waiting_reason text,
  failure_reason text,
  spend_id uuid,
  tx_hash text,
  approved_at timestamptz,
  executable_at timestamptz,
  completed_at timestamptz,
  cancelled_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check ((idempotency_key is null) = (request_hash is null)),
  check ((status in ('processing', 'completed', 'failed')) = (spend_id is not null)),
  check ((status = 'completed') = (completed_at is not null)),
  check ((status = 'cancelled') = (cancelled_at is not null)),
  check ((status = 'failed') = (failure_reason is not null)),
  check (status <> 'approved' or executable_at is not null)
);

create unique index payouts_by_idempotency_key on payouts (merchant_id, environment, idempotency_key)
  where idempotency_key is not null;
create index payouts_newest_first on payouts (merchant_id, environment, position desc);
create index payouts_by_status on payouts (merchant_id, environment, status, position desc);
create index payouts_by_destination on payouts (merchant_id, environment, destination text_pattern_ops);
create index payouts_due on payouts (gate_id, executable_at) where status = 'approved';
create index payouts_by_spend on payouts (spend_id) where spend_id is not null;
create index payouts_by_approval on payouts (merchant_id, environment, approved_at) where approved_at is not null;

comment on table payouts is 'Withdrawals from merchants'' balances to outside addresses.';
comment on column payouts.position is 'Rises with every insert: the order of lists.';
comment on column payouts.network_fee_units is 'What is reserved for the network; once completed, what the network took.';
comment on column payouts.reserve_raises is
  'How often the reserve for the network was raised. It names the ledger transactions that did.';
comment on column payouts.request_hash is
  'SHA-256 of the request under idempotency_key: the same key with another request is refused.';
comment on column payouts.created_by is 'Who asked for it: `key:<id>`, `user:<id>` or `cli:<name>`.';
comment on column payouts.refund_id is 'The refund that this payout carries out.';
comment on column payouts.waiting_reason is 'Why it is not moving on, in words for a person.';
comment on column payouts.spend_id is 'The spend that pays it. Set once, and for good.';
comment on column payouts.executable_at is 'When the cooling-off is over.';
comment on index payouts_by_approval is 'What was approved today, for the limit of a day.';

create function refuse_other_payout() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE'
    and (old.id, old.merchant_id, old.environment, old.currency, old.network, old.gate_id, old.decimals, old.amount_units,
      old.fee_units, old.destination, old.destination_tag, old.created_by, old.refund_id)
    is not distinct from (new.id, new.merchant_id, new.environment, new.currency, new.network, new.gate_id, new.decimals,
      new.amount_units, new.fee_units, new.destination, new.destination_tag, new.created_by, new.refund_id)
    and (old.spend_id is null or old.spend_id is not distinct from new.spend_id) then
    return new;
  end if;
  raise exception 'payout % cannot be made another, or removed', old.id using errcode = 'restrict_violation';
end
$$;

create trigger payouts_stay_what_they_are
  before update or delete on payouts
  for each row execute function refuse_other_payout();

comment on function refuse_other_payout() is
  'Money goes where it was approved to go: nothing an approval covers ever changes, whoever asks.';

create function count_payouts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into list_counts (list, merchant_id, environment, facet, bucket, difference)
    select 'payouts', merchant_id, environment, status, position >> 15, count(*) from added group by 2, 3, 4, 5;
  else
    insert into list_counts (list, merchant_id, environment, facet, bucket, difference)
    select 'payouts', merchant_id, environment, status, position >> 15, sum(difference) from (
      select merchant_id, environment, status, position, -1 as difference from removed
      union all
      select merchant_id, environment, status, position, 1 from added
    ) as moved
    group by 2, 3, 4, 5 having sum(difference) <> 0;
  end if;
  return null;
end
$$;

create trigger count_added_payouts after insert on payouts
  referencing new table as added for each statement execute function count_payouts();
create trigger count_moved_payouts after update on payouts
  referencing old table as removed new table as added for each statement execute function count_payouts();

create table refunds (
  id uuid primary key,
  position bigint generated always as identity,
  merchant_id uuid not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  invoice_id uuid not null references invoices (id),
  payout_id uuid not null unique references payouts (id),
  amount_units numeric(78, 0) not null check (amount_units > 0),
  idempotency_key text,
  request_hash bytea,
  created_at timestamptz not null default clock_timestamp(),
  check ((idempotency_key is null) = (request_hash is null))
);

create unique index refunds_by_idempotency_key on refunds (merchant_id, environment, idempotency_key)
  where idempotency_key is not null;
create index refunds_newest_first on refunds (merchant_id, environment, position desc);
create index refunds_by_invoice on refunds (invoice_id);

create trigger refunds_are_append_only
  before update or delete or truncate on refunds
  for each statement execute function refuse_change();

comment on table refunds is
  'Money of a paid invoice that is sent back. A payout carries it out, and its status is read from there.';
comment on column refunds.position is 'Rises with every insert: the order of lists.';
comment on column refunds.amount_units is
  'Never anything but the payout''s own amount. Kept here too, since what is still refundable is summed from here.';

create function count_refunds() returns trigger language plpgsql as $$
begin
  insert into list_counts (list, merchant_id, environment, facet, bucket, difference)
  select 'refunds', merchant_id, environment, '', position >> 15, count(*) from added group by 2, 3, 5;
  return null;
end
$$;

create trigger count_added_refunds after insert on refunds
  referencing new table as added for each statement execute function count_refunds();
