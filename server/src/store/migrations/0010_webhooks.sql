-- A reader that catches up must never meet an event that is older than one it has read. Events are numbered before they
-- commit, and may commit in another order; so they are served by the number of their transaction, and only those below
-- every transaction that is still open. Transaction numbers start anew in another cluster (a dump that was restored):
-- each cluster and database is an era of its own.
create table event_eras (
  era integer primary key,
  system_identifier bigint not null,
  database_oid oid not null,
  began_at timestamptz not null default clock_timestamp()
);

insert into event_eras (era, system_identifier, database_oid)
select 1, system_identifier, (select oid from pg_database where datname = current_database()) from pg_control_system();

create function current_event_era() returns integer language sql stable as 'select max(era) from event_eras';

alter table events
  -- The invoice, payout or refund that it is about.
  add column resource_id uuid,
  add column era integer not null default current_event_era(),
  add column xid xid8 not null default pg_current_xact_id();
create index events_by_resource on events (merchant_id, environment, resource_id, position desc)
  where resource_id is not null;
create index events_by_time on events (merchant_id, environment, created_at);
create index events_to_catch_up on events (merchant_id, environment, era, xid, position);

-- Where a merchant wants its events sent. Secrets are sealed with the operator's key.
create table webhook_endpoints (
  id uuid primary key,
  position bigint generated always as identity,
  merchant_id uuid not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  url text not null check (length(url) between 1 and 2048),
  -- Null: every event.
  events text[] check (cardinality(events) > 0),
  description text,
  status text not null default 'enabled' check (status in ('enabled', 'disabled', 'deleted')),
  disabled_reason text,
  disabled_at timestamptz,
  secret bytea not null,
  -- While a secret rotates both sign.
  previous_secret bytea,
  previous_until timestamptz,
  -- Since when nothing has been accepted; null while the last attempt succeeded.
  failing_since timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  check ((status = 'disabled') = (disabled_reason is not null)),
  check ((previous_secret is null) = (previous_until is null))
);

create index webhook_endpoints_newest_first on webhook_endpoints (merchant_id, environment, position desc)
  where status <> 'deleted';

-- One event on its way to one endpoint. What is done leaves every index that the sender reads.
create table webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  event_id uuid not null references events (id),
  endpoint_id uuid not null references webhook_endpoints (id),
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  attempts integer not null default 0,
  -- Attempts of the schedule since it was last asked for.
  tries integer not null default 0,
  -- When it is to be tried next, or when the claim on it runs out.
  due_at timestamptz default clock_timestamp(),
  claimed boolean not null default false,
  last_attempt_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  unique (event_id, endpoint_id),
  check ((status = 'pending') = (due_at is not null)),
  check (status = 'pending' or not claimed)
);

create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at) where status = 'pending';
create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, created_at);

create table webhook_attempts (
  delivery_id uuid not null references webhook_deliveries (id) on delete cascade,
  number integer not null,
  attempted_at timestamptz not null,
  status_code integer,
  duration_ms integer not null,
  error text,
  answer text,
  primary key (delivery_id, number)
);

-- In the event's own transaction, whoever appends it: no event without its deliveries.
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
