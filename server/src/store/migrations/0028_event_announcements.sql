-- Readers that follow events over the API are woken when there is something to read.

create function announce_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('event_appended', string_agg(numbered.merchant_id::text, ','))
  from (
    select merchant_id, (row_number() over () - 1) / 200 as part from (select distinct merchant_id from added) as merchants
  ) as numbered
  group by numbered.part;
  return null;
end
$$;

create trigger announce_added_events
  after insert on events referencing new table as added
  for each statement execute function announce_events();

comment on function announce_events() is
  'Tells open event streams which merchants have a new event. Once a statement, since a notification takes a lock on the whole database at commit. A payload holds at most 8000 bytes, which is 216 ids.';
