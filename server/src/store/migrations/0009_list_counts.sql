-- An event is kept as it was told, to the letter.
alter table events drop constraint events_data_check;
alter table events alter column data type json using data::json;
alter table events add constraint events_data_check check (json_typeof(data) = 'object');

-- Events in the order in which they were appended.
alter table events add column position bigint generated always as identity;
drop index events_newest_first;
drop index events_by_name;
create index events_newest_first on events (merchant_id, environment, position desc);
create index events_by_name on events (merchant_id, environment, event, position desc);

-- How many rows a list has, by what it can be filtered by. Counting a million rows takes too long, and one counter row
-- would make every insert wait for the last: so each change only appends its difference here, and the differences are
-- folded into one row later. A total is the sum of the rows, folded or not. `bucket` tells apart stretches of 2^15
-- positions, so that a page deep inside a long list is found without reading all that stands before it.
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

create function count_events() returns trigger language plpgsql as $$
begin
  insert into list_counts (list, merchant_id, environment, facet, bucket, difference)
  select 'events', merchant_id, environment, event, position >> 15, count(*) from added group by 2, 3, 4, 5;
  return null;
end
$$;

create trigger count_added_events after insert on events
  referencing new table as added for each statement execute function count_events();

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

create function count_static_addresses() returns trigger language plpgsql as $$
begin
  insert into list_counts (list, merchant_id, environment, currency, difference)
  select 'static_addresses', merchant_id, environment, currency, count(*) from added group by 2, 3, 4;
  return null;
end
$$;

create trigger count_added_static_addresses after insert on static_addresses
  referencing new table as added for each statement execute function count_static_addresses();

-- Events that are already there.
insert into list_counts (list, merchant_id, environment, facet, bucket, difference)
select 'events', merchant_id, environment, event, position >> 15, count(*) from events group by 2, 3, 4, 5;
