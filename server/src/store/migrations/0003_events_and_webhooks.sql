-- What happened, how merchants are told, and how many rows each list has.

create table list_counts (
  list text not null,
  merchant_id uuid not null,
  environment text not null,
  facet text not null default '',
  currency text not null default '',
  bucket bigint not null default 0,
  difference bigint not null
);

create index list_counts_by_list
  on list_counts (list, merchant_id, environment, facet, currency, bucket) include (difference);

comment on table list_counts is
  'How many rows each list has, by what it can be filtered by. Counting a million rows takes too long, and a single counter would make every insert wait for the last. So each change only appends a difference, and differences are folded into one row later. A total is the sum of the rows, folded or not.';
comment on column list_counts.facet is 'What the list can be filtered by besides the currency: the status, the name of the event, and the like.';
comment on column list_counts.bucket is
  'Which stretch of 2^15 positions the rows are in, so that a page deep in a long list is found without reading all before it.';

create table event_eras (
  era integer primary key,
  system_identifier bigint not null,
  database_oid oid not null,
  began_at timestamptz not null default clock_timestamp()
);

insert into event_eras (era, system_identifier, database_oid)
select 1, system_identifier, (select oid from pg_database where datname = current_database()) from pg_control_system();

create function current_event_era() returns integer language sql stable as 'select max(era) from event_eras';

comment on table event_eras is
  'The clusters and databases these events have lived in. Transaction numbers start over in another cluster, as after restoring a dump, so each is an era of its own.';

create table events (
  id uuid primary key,
  position bigint generated always as identity,
  merchant_id uuid not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  event text not null check (length(event) between 1 and 255),
  resource_id uuid,
  data json not null check (json_typeof(data) = 'object'),
  era integer not null default current_event_era(),
  xid xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null default clock_timestamp()
);

create index events_newest_first on events (merchant_id, environment, position desc);
create index events_by_name on events (merchant_id, environment, event, position desc);
create index events_by_resource on events (merchant_id, environment, resource_id, position desc)
  where resource_id is not null;
create index events_by_time on events (merchant_id, environment, created_at);
create index events_to_catch_up on events (merchant_id, environment, era, xid, position);

comment on table events is 'What happened to a merchant''s resources, appended in the transaction that caused it and never changed.';
comment on column events.position is 'The order in which events were appended, which lists show.';
comment on column events.resource_id is 'The invoice, payout or refund it is about.';
comment on column events.data is 'json, not jsonb: an event is kept as it was told, to the letter.';
comment on column events.xid is
  'The transaction that appended it. A reader that catches up must never meet an event older than one it has read, and events commit in another order than they are numbered in. So they are served by transaction, and only below every transaction that is still open.';

create trigger events_are_append_only
  before update or delete or truncate on events
  for each statement execute function refuse_change();

create function count_events() returns trigger language plpgsql as $$
begin
  insert into list_counts (list, merchant_id, environment, facet, bucket, difference)
  select 'events', merchant_id, environment, event, position >> 15, count(*) from added group by 2, 3, 4, 5;
  return null;
end
$$;

create trigger count_added_events after insert on events
  referencing new table as added for each statement execute function count_events();

create table webhook_endpoints (
  id uuid primary key,
  position bigint generated always as identity,
  merchant_id uuid not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  url text not null check (length(url) between 1 and 2048),
  events text[] check (cardinality(events) > 0),
  description text,
  status text not null default 'enabled' check (status in ('enabled', 'disabled', 'deleted')),
  disabled_reason text,
  disabled_at timestamptz,
  secret bytea not null,
  previous_secret bytea,
  previous_until timestamptz,
  failing_since timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  check ((status = 'disabled') = (disabled_reason is not null)),
  check ((previous_secret is null) = (previous_until is null))
);

create index webhook_endpoints_newest_first on webhook_endpoints (merchant_id, environment, position desc)
  where status <> 'deleted';

comment on table webhook_endpoints is 'Where a merchant wants its events sent.';
comment on column webhook_endpoints.events is 'The names of the events it is sent; null for all.';
comment on column webhook_endpoints.secret is 'What deliveries are signed with, sealed with the operator''s key.';
comment on column webhook_endpoints.previous_secret is 'Sealed too. While a secret is rotated, both sign.';
comment on column webhook_endpoints.failing_since is 'Since when nothing has been accepted; null while the last attempt succeeded.';

create table webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  event_id uuid not null references events (id),
  endpoint_id uuid not null references webhook_endpoints (id),
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  attempts integer not null default 0,
  tries integer not null default 0,
  due_at timestamptz default clock_timestamp(),
  claimed boolean not null default false,
  last_attempt_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  unique (event_id, endpoint_id),
  check ((status = 'pending') = (due_at is not null)),
  check (status = 'pending' or not claimed)
);

create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at) where status = 'pending';
create index webhook_deliveries_newest_first on webhook_deliveries (endpoint_id, created_at desc, id desc);

comment on table webhook_deliveries is 'One event on its way to one endpoint.';
comment on column webhook_deliveries.attempts is 'All attempts ever made.';
comment on column webhook_deliveries.tries is 'Attempts since the delivery was last asked for: where it stands in its schedule of retries.';
comment on column webhook_deliveries.due_at is 'When it is tried next, or when the claim on it runs out.';
comment on index webhook_deliveries_due is 'All that the sender reads. A delivery that is done leaves it.';

create table webhook_attempts (
  delivery_id uuid not null references webhook_deliveries (id) on delete cascade,
  number integer not null,
  attempted_at timestamptz not null,
  signed_at bigint,
  signature text,
  status_code integer,
  duration_ms integer not null,
  error text,
  answer text,
  primary key (delivery_id, number)
);

comment on table webhook_attempts is 'Each request that was made for a delivery, and what came back.';
comment on column webhook_attempts.signed_at is
  'The signed time stamp, in seconds since 1970. With the signature, the receiver''s check can be repeated.';
comment on column webhook_attempts.error is 'Why there was no answer.';
comment on column webhook_attempts.answer is 'The beginning of what the receiver answered.';

create function deliver_events() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (event_id, endpoint_id)
  select added.id, endpoint.id from added
  join webhook_endpoints as endpoint on endpoint.merchant_id = added.merchant_id
    and endpoint.environment = added.environment and endpoint.status = 'enabled'
    and (endpoint.events is null or added.event = any (endpoint.events))
  where added.event <> 'webhook.test';
  if found then
    perform pg_notify('webhook_delivery_due', '');
  end if;
  return null;
end
$$;

create trigger deliver_added_events after insert on events
  referencing new table as added for each statement execute function deliver_events();

comment on function deliver_events() is
  'Adds the deliveries in the event''s own transaction, whoever appends it: no event goes without them.';
