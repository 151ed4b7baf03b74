-- Events and the audit log grow for ever unless old rows leave. They leave by two functions only, which the service may call
-- and which run as the owner of the tables: the service itself still cannot delete a row. What is younger than a minimum
-- cannot be deleted even by the owner.

create table retention_floors (
  kept text primary key,
  before timestamptz not null
);

comment on table retention_floors is 'Up to when rows of a table may be missing because they were old. Only our functions write it.';
comment on column retention_floors.kept is 'The table.';

create table audit_roots (
  chain uuid primary key,
  seq bigint not null check (seq > 0),
  hash bytea not null check (octet_length(hash) = 32)
);

comment on table audit_roots is
  'Where each chain of the audit log begins now: the newest of the entries that were deleted as too old. The first entry that is left follows this hash. Only our functions write it.';

create function refuse_young_event() returns trigger language plpgsql as $$
begin
  if old.created_at > clock_timestamp() - interval '90 days' then
    raise exception 'event % is younger than 90 days: delete refused', old.id using errcode = 'restrict_violation';
  end if;
  return old;
end
$$;

create function refuse_young_audit_entry() returns trigger language plpgsql as $$
begin
  if old.at > clock_timestamp() - interval '365 days' then
    raise exception 'entry % of audit log % is younger than 365 days: delete refused', old.seq, old.chain
      using errcode = 'restrict_violation';
  end if;
  return old;
end
$$;

drop trigger events_are_append_only on events;
create trigger events_are_append_only
  before update or truncate on events
  for each statement execute function refuse_change();
create trigger young_events_stay
  before delete on events
  for each row execute function refuse_young_event();

drop trigger audit_entries_are_append_only on audit_entries;
create trigger audit_entries_are_append_only
  before update or truncate on audit_entries
  for each statement execute function refuse_change();
create trigger young_audit_entries_stay
  before delete on audit_entries
  for each row execute function refuse_young_audit_entry();

comment on function refuse_young_event() is
  'An attacker with the service''s role, or the owner''s, must not be able to erase recent evidence.';
comment on function refuse_young_audit_entry() is 'As refuse_young_event.';

create function discount_events() returns trigger language plpgsql as $$
begin
  insert into list_counts (list, merchant_id, environment, facet, bucket, difference)
  select 'events', merchant_id, environment, event, position >> 15, -count(*) from removed group by 2, 3, 4, 5;
  return null;
end
$$;

create trigger count_removed_events after delete on events
  referencing old table as removed for each statement execute function discount_events();

create function first_uuid_of(moment timestamptz) returns uuid language sql immutable as $$
  select (lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
$$;

comment on function first_uuid_of(timestamptz) is
  'Below every UUIDv7 made at that moment (RFC 9562). Ids rise with time, so the primary key finds the oldest rows.';

create function forget_events(retention_days integer, at_most integer) returns integer
language plpgsql security definer as $$
declare
  cutoff timestamptz := clock_timestamp() - retention_days * interval '1 day';
  forgotten integer;
begin
  if retention_days is null or retention_days < 90 then
    raise exception 'events are kept for at least 90 days, not %', retention_days using errcode = 'restrict_violation';
  end if;
  if not pg_try_advisory_xact_lock(hashtextextended('sluice forget_events', 0)) then
    return 0;
  end if;
  with old as (
    select id from events
    where id < first_uuid_of(cutoff) and created_at < cutoff
      and not exists (select from webhook_deliveries where event_id = events.id)
    order by id limit least(at_most, 10000)
  ), gone as (
    delete from events using old where events.id = old.id returning 1
  )
  select count(*) into forgotten from gone;
  if forgotten > 0 then
    insert into retention_floors as floor (kept, before) values ('events', cutoff)
    on conflict (kept) do update set before = greatest(floor.before, excluded.before);
  end if;
  return forgotten;
end
$$;

comment on function forget_events(integer, integer) is
  'Deletes the oldest events beyond their retention that no delivery refers to, and returns how many. Of several callers at once, one does it.';

create function forget_audit_entries(retention_days integer, at_most integer) returns integer
language plpgsql security definer as $$
declare
  cutoff timestamptz := clock_timestamp() - retention_days * interval '1 day';
  forgotten integer := 0;
  old record;
begin
  if retention_days is null or retention_days < 365 then
    raise exception 'audit entries are kept for at least 365 days, not %', retention_days using errcode = 'restrict_violation';
  end if;
  if not pg_try_advisory_xact_lock(hashtextextended('sluice forget_audit_entries', 0)) then
    return 0;
  end if;
  for old in
    select head.chain, aged.seq, aged.hash, aged.count from (
      -- Only chains that begin with an old entry are read any further.
      select chain, seq from audit_heads as known
      where (select at from audit_entries as first where first.chain = known.chain order by first.seq limit 1) < cutoff
      order by chain limit least(at_most, 10000)
    ) as head cross join lateral (
      -- The beginning of the chain, up to its first entry that is not old. The newest entry stays, so that none is empty.
      select max(seq) as seq, (array_agg(hash order by seq desc))[1] as hash, count(*) as count from (
        select seq, hash, bool_and(at < cutoff) over (order by seq) as is_old from (
          select seq, hash, at from audit_entries as entry
          where entry.chain = head.chain and entry.seq < head.seq order by seq limit least(at_most, 10000)
        ) as first
      ) as judged where is_old
    ) as aged
    where aged.seq is not null order by head.chain
  loop
    exit when forgotten + old.count > greatest(at_most, old.count);
    delete from audit_entries where chain = old.chain and seq <= old.seq;
    insert into audit_roots as root (chain, seq, hash) values (old.chain, old.seq, old.hash)
    on conflict (chain) do update set seq = excluded.seq, hash = excluded.hash;
    forgotten := forgotten + old.count;
  end loop;
  return forgotten;
end
$$;

comment on function forget_audit_entries(integer, integer) is
  'Deletes the oldest entries of the audit log beyond their retention, and notes where each chain begins then. Returns how many.';

revoke execute on function forget_events(integer, integer) from public;
revoke execute on function forget_audit_entries(integer, integer) from public;
