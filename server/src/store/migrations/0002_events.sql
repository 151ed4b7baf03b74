-- What happened, appended in the transaction that caused it and never changed afterwards.
create table events (
  id uuid primary key,
  merchant_id uuid not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  event text not null check (length(event) between 1 and 255),
  data jsonb not null check (jsonb_typeof(data) = 'object'),
  created_at timestamptz not null default clock_timestamp()
);

create index events_newest_first on events (merchant_id, environment, created_at desc, id desc);
create index events_by_name on events (merchant_id, environment, event, created_at desc, id desc);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op) using errcode = 'restrict_violation';
end
$$;

create trigger events_are_append_only
  before update or delete or truncate on events
  for each statement execute function refuse_change();
