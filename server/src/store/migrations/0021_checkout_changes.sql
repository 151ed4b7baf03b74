-- Open payment pages are told when their invoice has changed: once a statement, however many invoices it changed, since a
-- notification takes a lock of the whole database at commit. A payload holds at most 8000 bytes, which is 216 ids.
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

-- Not after an insert: nobody can have opened a page before its invoice was there.
create trigger announce_checkout_change
  after update on invoices referencing new table as changed
  for each statement execute function announce_checkout_change();

-- Confirmations are counted from a chain's end.
create function announce_chain_move() returns trigger language plpgsql as $$
begin
  perform pg_notify('followed_chain_moved', new.gate_id);
  return null;
end
$$;

create trigger announce_chain_move
  after update on followed_chains
  for each row when (old.hash is distinct from new.hash or old.height is distinct from new.height)
  execute function announce_chain_move();
