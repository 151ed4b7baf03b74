CREATE FUNCTION public.announce_api_key_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  perform pg_notify('api_key_changed', old.id::text);
  return null;
end
$$;

COMMENT ON FUNCTION public.announce_api_key_change() IS 'Every process holds keys in memory, so a change made with any tool is announced to all of them.';

CREATE FUNCTION public.announce_chain_move() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  perform pg_notify('followed_chain_moved', new.gate_id);
  return null;
end
$$;

COMMENT ON FUNCTION public.announce_chain_move() IS 'Tells open payment pages: confirmations are counted from the end of the chain.';

CREATE FUNCTION public.announce_checkout_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  perform pg_notify('checkout_changed', string_agg(numbered.id::text, ','))
  from (
    select id, (row_number() over () - 1) / 200 as part from changed where link is not null
  ) as numbered
  group by numbered.part;
  return null;
end
$$;

COMMENT ON FUNCTION public.announce_checkout_change() IS 'Tells open payment pages that their invoice has changed. Once a statement, however many invoices it changed, since a notification takes a lock on the whole database at commit. A payload holds at most 8000 bytes, which is 216 ids.';

CREATE FUNCTION public.announce_events() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  perform pg_notify('event_appended', string_agg(numbered.merchant_id::text, ','))
  from (
    select merchant_id, (row_number() over () - 1) / 200 as part from (select distinct merchant_id from added) as merchants
  ) as numbered
  group by numbered.part;
  return null;
end
$$;

COMMENT ON FUNCTION public.announce_events() IS 'Tells open event streams which merchants have a new event. Once a statement, since a notification takes a lock on the whole database at commit. A payload holds at most 8000 bytes, which is 216 ids.';

CREATE FUNCTION public.announce_planned_spend() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  perform pg_notify('spend_planned', '');
  return null;
end
$$;

COMMENT ON FUNCTION public.announce_planned_spend() IS 'Wakes the signers. Each signer looks for itself at what it may sign: the announcement says nothing.';

CREATE FUNCTION public.announce_signer_answer() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  perform pg_notify('signer_answered', '');
  return null;
end
$$;

COMMENT ON FUNCTION public.announce_signer_answer() IS 'Wakes the workers: an attempt was signed or refused, or its spend was given up.';

CREATE FUNCTION public.count_events() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  insert into list_counts (list, merchant_id, environment, facet, bucket, difference)
  select 'events', merchant_id, environment, event, position >> 15, count(*) from added group by 2, 3, 4, 5;
  return null;
end
$$;

CREATE FUNCTION public.count_invoices() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.count_ledger_entries() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  insert into list_counts (list, merchant_id, environment, facet, currency, bucket, difference)
  select 'ledger_entries', merchant_id, environment, entry_type, currency, number >> 15, count(*)
  from added group by 2, 3, 4, 5, 6;
  return null;
end
$$;

CREATE FUNCTION public.count_payouts() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.count_refunds() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  insert into list_counts (list, merchant_id, environment, facet, bucket, difference)
  select 'refunds', merchant_id, environment, '', position >> 15, count(*) from added group by 2, 3, 5;
  return null;
end
$$;

CREATE FUNCTION public.count_static_addresses() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  insert into list_counts (list, merchant_id, environment, currency, difference)
  select 'static_addresses', merchant_id, environment, currency, count(*) from added group by 2, 3, 4;
  return null;
end
$$;

CREATE FUNCTION public.current_event_era() RETURNS integer
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$select max(era) from event_eras$$;

CREATE FUNCTION public.database_life() RETURNS text
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
  select format('%s %s %s', system_identifier, (select oid from pg_database where datname = current_database()),
    extract(epoch from pg_postmaster_start_time()))
  from pg_control_system()
$$;

COMMENT ON FUNCTION public.database_life() IS 'Names this database for as long as nobody puts another in its place. A restore makes another cluster or database, or restarts the server. So does a failover, which may lose the newest rows as well.';

CREATE FUNCTION public.deliver_events() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

COMMENT ON FUNCTION public.deliver_events() IS 'Adds the deliveries in the event''s own transaction: no event goes without them.';

CREATE FUNCTION public.discount_events() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  insert into list_counts (list, merchant_id, environment, facet, bucket, difference)
  select 'events', merchant_id, environment, event, position >> 15, -count(*) from removed group by 2, 3, 4, 5;
  return null;
end
$$;

CREATE FUNCTION public.first_uuid_of(moment timestamp with time zone) RETURNS uuid
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
  select (lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
$$;

COMMENT ON FUNCTION public.first_uuid_of(moment timestamp with time zone) IS 'Below every UUIDv7 made at that moment (RFC 9562). Ids rise with time, so the primary key finds the oldest rows.';

CREATE FUNCTION public.forget_audit_entries(retention_days integer, at_most integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

COMMENT ON FUNCTION public.forget_audit_entries(retention_days integer, at_most integer) IS 'Deletes the oldest entries of the audit log beyond their retention, and notes where each chain begins then. Returns how many.';

CREATE FUNCTION public.forget_events(retention_days integer, at_most integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

COMMENT ON FUNCTION public.forget_events(retention_days integer, at_most integer) IS 'Deletes the oldest events beyond their retention that no delivery refers to, and returns how many. Of several callers at once, one does it.';

CREATE FUNCTION public.merchant_now(of_merchant uuid, in_environment text) RETURNS timestamp with time zone
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  if in_environment is distinct from 'test' then
    return clock_timestamp();
  end if;
  return clock_timestamp() + coalesce(
    (select clock.ahead from test_clocks as clock where clock.merchant_id = of_merchant and clock.environment = 'test'),
    interval '0');
end
$$;

COMMENT ON FUNCTION public.merchant_now(of_merchant uuid, in_environment text) IS 'The time by the merchant''s clock: the real time, unless it has moved the clock of its test environment.';

CREATE FUNCTION public.merchant_time(of_merchant uuid, in_environment text, moment timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  if in_environment is distinct from 'test' then
    return moment;
  end if;
  return moment + coalesce(
    (select move.ahead from test_clock_moves as move
      where move.merchant_id = of_merchant and move.moved_at <= moment
      order by move.moved_at desc, move.ahead desc limit 1),
    interval '0');
end
$$;

COMMENT ON FUNCTION public.merchant_time(of_merchant uuid, in_environment text, moment timestamp with time zone) IS 'What the merchant''s clock showed at a moment of the real time. Of two moments, the later never shows an earlier time.';

CREATE FUNCTION public.paid_within(waited interval) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
declare
  bounds constant integer[] := array[
    15, 30, 45, 60, 90, 120, 150, 180, 240, 300, 360, 420, 480, 540, 600, 720, 900, 1200, 1500, 1800, 2400, 3000, 3600, 5400,
    7200, 10800, 14400, 21600, 28800, 43200, 64800, 86400, 172800, 345600, 604800, 1209600, 2592000, 7776000, 31622400,
    316224000];
  seconds constant integer := least(greatest(ceil(extract(epoch from waited)), 1), 316224000);
begin
  return bounds[1 + width_bucket(seconds - 1, bounds)];
end
$$;

COMMENT ON FUNCTION public.paid_within(waited interval) IS 'The least of a few round bounds, in seconds, that a time does not exceed. Few, so that a day has few rows however many invoices it has.';

CREATE FUNCTION public.refuse_account_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  if tg_op <> 'UPDATE' or (old.kind, old.merchant_id, old.environment, old.network, old.currency, old.decimals)
    is distinct from (new.kind, new.merchant_id, new.environment, new.network, new.currency, new.decimals) then
    raise exception 'ledger account % cannot be changed or removed', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;

COMMENT ON FUNCTION public.refuse_account_change() IS 'An account is what its postings say: it cannot be renamed, moved or removed.';

CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op) using errcode = 'restrict_violation';
end
$$;

COMMENT ON FUNCTION public.refuse_change() IS 'Behind every table whose rows are never changed or removed. A trigger, since grants do not bind the role that owns the table.';

CREATE FUNCTION public.refuse_clock_going_back() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  raise exception 'the test clock of merchant % never goes back', old.merchant_id using errcode = 'restrict_violation';
end
$$;

CREATE FUNCTION public.refuse_going_back() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  if tg_op = 'UPDATE' and new.keychain = old.keychain and new.derived >= old.derived and new.given >= old.given then
    return new;
  end if;
  raise exception '% never goes back: % refused', tg_table_name, lower(tg_op) using errcode = 'restrict_violation';
end
$$;

COMMENT ON FUNCTION public.refuse_going_back() IS 'An address handed out twice would mix two payers'' money.';

CREATE FUNCTION public.refuse_other_payout() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  if tg_op = 'UPDATE'
    and (old.id, old.merchant_id, old.environment, old.currency, old.network, old.gate_id, old.decimals, old.amount_units,
      old.fee_units, old.destination, old.destination_tag, old.allow_program_address, old.created_by, old.refund_id)
    is not distinct from (new.id, new.merchant_id, new.environment, new.currency, new.network, new.gate_id, new.decimals,
      new.amount_units, new.fee_units, new.destination, new.destination_tag, new.allow_program_address, new.created_by,
      new.refund_id)
    and (old.spend_id is null or old.spend_id is not distinct from new.spend_id) then
    return new;
  end if;
  raise exception 'payout % cannot be made another, or removed', old.id using errcode = 'restrict_violation';
end
$$;

COMMENT ON FUNCTION public.refuse_other_payout() IS 'Money goes where it was approved to go: nothing that an approval covers ever changes.';

CREATE FUNCTION public.refuse_other_spend_transaction() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  if tg_op = 'UPDATE'
    and (old.spend_id, old.attempt, old.plan, old.max_fee_units) is not distinct from (new.spend_id, new.attempt, new.plan, new.max_fee_units)
    and (old.bytes is null or (old.bytes, old.tx_hash) is not distinct from (new.bytes, new.tx_hash)) then
    return new;
  end if;
  raise exception 'transaction % of spend % cannot be made another, or removed', old.attempt, old.spend_id
    using errcode = 'restrict_violation';
end
$$;

COMMENT ON FUNCTION public.refuse_other_spend_transaction() IS 'What was signed may be on its way: it is kept to the byte.';

CREATE FUNCTION public.refuse_unbalanced_transaction() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  if exists (
    select from postings join ledger_accounts on ledger_accounts.id = postings.account_id
    where postings.transaction_id = new.transaction_id
    group by ledger_accounts.environment, ledger_accounts.network, ledger_accounts.currency
    having sum(postings.units) <> 0
  ) then
    raise exception 'ledger transaction % does not sum to zero', new.transaction_id using errcode = 'check_violation';
  end if;
  return null;
end
$$;

CREATE FUNCTION public.refuse_young_audit_entry() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  if old.at > clock_timestamp() - interval '365 days' then
    raise exception 'entry % of audit log % is younger than 365 days: delete refused', old.seq, old.chain
      using errcode = 'restrict_violation';
  end if;
  return old;
end
$$;

COMMENT ON FUNCTION public.refuse_young_audit_entry() IS 'As refuse_young_event.';

CREATE FUNCTION public.refuse_young_event() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  if old.created_at > clock_timestamp() - interval '90 days' then
    raise exception 'event % is younger than 90 days: delete refused', old.id using errcode = 'restrict_violation';
  end if;
  return old;
end
$$;

COMMENT ON FUNCTION public.refuse_young_event() IS 'An attacker with the service''s role, or the owner''s, must not be able to erase recent evidence.';

CREATE FUNCTION public.sum_deposit_fees() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  insert into daily_fees (merchant_id, environment, day, kind, currency, network, decimals, base_currency, units, base_millionths)
  select entry.merchant_id, entry.environment, (entry.created_at at time zone 'UTC')::date, 'platform', entry.currency,
    entry.network, entry.decimals, case when invoice.amount_in_base_currency is null then '' else invoice.base_currency end,
    sum(fee.units), coalesce(sum(sign(fee.units)
      * div(abs(fee.units) * invoice.amount_in_base_currency * 1000000, invoice.amount_units)), 0)
  from added as entry
  -- Each row by itself (`offset 0` keeps it so), as in sum_received().
  cross join lateral (
    select postings.units from postings join ledger_accounts as account on account.id = account_id
    where transaction_id = entry.transaction_id and account.kind = 'fees' offset 0
  ) as fee
  cross join lateral (
    select base_currency, amount_in_base_currency, amount_units from invoices where id = entry.reference_id offset 0
  ) as invoice
  where entry.entry_type in ('fee', 'reversal')
  group by 1, 2, 3, 5, 6, 7, 8;
  return null;
end
$$;

COMMENT ON FUNCTION public.sum_deposit_fees() IS 'The platform''s share of payments. Rounded down for each by itself, so that a reversal takes back what its credit gave.';

CREATE FUNCTION public.sum_invoices() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  if tg_op = 'INSERT' then
    insert into daily_invoices (merchant_id, environment, day, outcome, within_seconds, invoices)
    select merchant_id, environment, (created_at at time zone 'UTC')::date, outcome,
      case outcome when 'paid' then paid_within(paid_at - live_at) else 0 end, count(*)
    from added
    cross join lateral (select case when status in ('pending', 'underpaid') then 'open'
      when status in ('paid', 'overpaid') then 'paid' else status end as outcome) as judged
    where source <> 'static_address' and in_daily_invoices
    group by 1, 2, 3, 4, 5;
  else
    insert into daily_invoices (merchant_id, environment, day, outcome, within_seconds, invoices)
    select merchant_id, environment, (created_at at time zone 'UTC')::date, outcome,
      case outcome when 'paid' then paid_within(paid_at - live_at) else 0 end, sum(difference)
    from (
      select merchant_id, environment, created_at, status, source, paid_at, live_at, in_daily_invoices, -1 as difference from removed
      union all
      select merchant_id, environment, created_at, status, source, paid_at, live_at, in_daily_invoices, 1 from added
    ) as moved
    cross join lateral (select case when status in ('pending', 'underpaid') then 'open'
      when status in ('paid', 'overpaid') then 'paid' else status end as outcome) as judged
    where source <> 'static_address' and in_daily_invoices
    group by 1, 2, 3, 4, 5 having sum(difference) <> 0;
  end if;
  return null;
end
$$;

COMMENT ON FUNCTION public.sum_invoices() IS 'The time to paid runs from when asset and address were fixed, which for a deferred invoice is the payer''s choice, until the invoice was first paid.';

CREATE FUNCTION public.sum_payout_fees() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  insert into daily_fees (merchant_id, environment, day, kind, currency, network, decimals, base_currency, units, base_millionths)
  select payout.merchant_id, payout.environment, (settled.created_at at time zone 'UTC')::date, fee.kind, payout.currency,
    payout.network, payout.decimals, case when payout.amount_in_base_currency is null then '' else payout.base_currency end,
    sum(fee.units), coalesce(sum(sign(fee.units)
      * div(abs(fee.units) * payout.amount_in_base_currency * 1000000, payout.amount_units)), 0)
  from (
    select transaction_id, -sum(units) filter (where account.kind = 'reserved') as charged,
      coalesce(sum(units) filter (where account.kind = 'fees'), 0) as platform
    from added join ledger_accounts as account on account.id = account_id
    where account.kind in ('reserved', 'fees') group by 1
  ) as moved
  cross join lateral (
    select subject, created_at, case entry_type when 'settlement' then 1 else -1 end as sign from ledger_transactions
    where id = moved.transaction_id and entry_type in ('settlement', 'settlement_undone') offset 0
  ) as settled
  cross join lateral (select * from payouts where id = settled.subject offset 0) as payout
  cross join lateral (
    values ('platform', moved.platform), ('network', moved.charged - moved.platform - settled.sign * payout.amount_units)
  ) as fee (kind, units)
  where fee.units <> 0
  group by 1, 2, 3, 4, 5, 6, 7, 8;
  return null;
end
$$;

COMMENT ON FUNCTION public.sum_payout_fees() IS 'What a payout or refund was charged beyond its amount when it was settled: the platform''s fee, and the rest for the network. Undone with the settlement.';

CREATE FUNCTION public.sum_received() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  insert into daily_sums (merchant_id, environment, day, kind, currency, network, decimals, base_currency, units, base_units)
  select entry.merchant_id, entry.environment, (entry.created_at at time zone 'UTC')::date, 'received', entry.currency,
    entry.network, entry.decimals, case when invoice.amount_in_base_currency is null then '' else invoice.base_currency end,
    sum(-chain.units), coalesce(sum(sign(-chain.units)
      * div(abs(chain.units) * invoice.amount_in_base_currency, invoice.amount_units)), 0)
  from added as entry
  -- Each row by itself (`offset 0` keeps it so): a plan from when the tables were small would read all of them.
  cross join lateral (
    select postings.units from postings join ledger_accounts as account on account.id = account_id
    where transaction_id = entry.transaction_id and account.kind = 'chain' offset 0
  ) as chain
  cross join lateral (
    select base_currency, amount_in_base_currency, amount_units from invoices where id = entry.reference_id offset 0
  ) as invoice
  where entry.entry_type in ('deposit', 'late_deposit', 'reversal')
  group by 1, 2, 3, 5, 6, 7, 8;
  return null;
end
$$;

COMMENT ON FUNCTION public.sum_received() IS 'Booking a payment moves exactly what was paid on or off `chain`. The value is rounded down for each payment by itself, so that a reversal takes back what its credit gave.';

CREATE FUNCTION public.sum_settled() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
begin
  insert into daily_sums (merchant_id, environment, day, kind, currency, network, decimals, base_currency, units, base_units)
  select payout.merchant_id, payout.environment, (settled.created_at at time zone 'UTC')::date,
    case when payout.refund_id is null then 'paid_out' else 'refunded' end, payout.currency, payout.network, payout.decimals,
    case when payout.amount_in_base_currency is null then '' else payout.base_currency end,
    sum(sign * payout.amount_units), coalesce(sum(sign * payout.amount_in_base_currency), 0)
  from added as settled
  cross join lateral (select case settled.entry_type when 'settlement' then 1 else -1 end as sign) as direction
  cross join lateral (select * from payouts where id = settled.subject offset 0) as payout
  where settled.entry_type in ('settlement', 'settlement_undone')
  group by 1, 2, 3, 4, 5, 6, 7, 8;
  return null;
end
$$;

COMMENT ON FUNCTION public.sum_settled() IS 'A payout has happened once it is settled. If a reorganisation takes its transaction away for good, the settlement is undone, and its amount is taken from what was paid out on the day of the undoing.';

CREATE TABLE public.api_keys (
    id uuid NOT NULL,
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    hint text NOT NULL,
    permissions text[] NOT NULL,
    allowed_ips text[],
    created_by text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    last_used_at timestamp with time zone,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    CONSTRAINT api_keys_allowed_ips_check CHECK (((cardinality(allowed_ips) >= 1) AND (cardinality(allowed_ips) <= 50))),
    CONSTRAINT api_keys_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT api_keys_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT api_keys_name_check CHECK ((length(name) <= 255)),
    CONSTRAINT api_keys_permissions_check CHECK ((cardinality(permissions) > 0))
);

COMMENT ON TABLE public.api_keys IS 'The keys that merchants'' servers call with. The key itself is never stored.';

COMMENT ON COLUMN public.api_keys.hash IS 'SHA-256 of the key, which it is found by.';

COMMENT ON COLUMN public.api_keys.hint IS 'Enough of the key for a person to tell it from others.';

COMMENT ON COLUMN public.api_keys.allowed_ips IS 'Addresses and CIDR ranges the key works from; null for anywhere.';

COMMENT ON COLUMN public.api_keys.created_by IS '`user:<id>` or `cli:<name>`; null for keys from before this was noted.';

CREATE TABLE public.audit_entries (
    chain uuid NOT NULL,
    seq bigint NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    actor text NOT NULL,
    actor_name text NOT NULL,
    ip text,
    user_agent text,
    environment text,
    action text NOT NULL,
    subject text,
    details jsonb NOT NULL,
    previous_hash bytea NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT audit_entries_action_check CHECK ((action ~ '^[a-z_]+\.[a-z_]+$'::text)),
    CONSTRAINT audit_entries_actor_check CHECK ((actor ~ '^(user|key|cli|service):'::text)),
    CONSTRAINT audit_entries_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT audit_entries_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT audit_entries_previous_hash_check CHECK ((octet_length(previous_hash) = 32)),
    CONSTRAINT audit_entries_seq_check CHECK ((seq > 0))
);

COMMENT ON TABLE public.audit_entries IS 'The audit log: what people did. Each entry''s hash covers the one before it, so nothing can be left out unnoticed.';

COMMENT ON COLUMN public.audit_entries.chain IS 'The merchant whose log it is, or the nil UUID for the operator''s.';

COMMENT ON COLUMN public.audit_entries.at IS 'To the millisecond, since the hash covers exactly what is stored.';

CREATE TABLE public.audit_heads (
    chain uuid NOT NULL,
    seq bigint DEFAULT 0 NOT NULL,
    hash bytea DEFAULT decode(repeat('00'::text, 32), 'hex'::text) NOT NULL,
    CONSTRAINT audit_heads_hash_check CHECK ((octet_length(hash) = 32))
);

COMMENT ON TABLE public.audit_heads IS 'The newest entry of each chain. Locked while one is added, always after everything else the transaction locks.';

CREATE TABLE public.audit_roots (
    chain uuid NOT NULL,
    seq bigint NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT audit_roots_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT audit_roots_seq_check CHECK ((seq > 0))
);

COMMENT ON TABLE public.audit_roots IS 'Where each chain of the audit log begins now: the newest of the entries that were deleted as too old. The first entry that is left follows this hash. Only our functions write it.';

CREATE TABLE public.audits (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    ok boolean NOT NULL
);

COMMENT ON TABLE public.audits IS 'When the books and the audit log were checked, and whether they were right.';

ALTER TABLE public.audits ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audits_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.balance_shortfalls (
    gate_id text NOT NULL,
    address text NOT NULL,
    currency text NOT NULL,
    decimals smallint NOT NULL,
    expected_units numeric(78,0) NOT NULL,
    found_units numeric(78,0) NOT NULL,
    block_height bigint NOT NULL,
    found_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT balance_shortfalls_check CHECK ((found_units < expected_units))
);

COMMENT ON TABLE public.balance_shortfalls IS 'Addresses that were found to hold less than they should. Nothing is booked for it: a person has to look.';

CREATE TABLE public.ceremonies (
    id uuid NOT NULL,
    purpose text NOT NULL,
    session_id uuid,
    challenge bytea NOT NULL,
    subject jsonb,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    nonce bytea NOT NULL,
    CONSTRAINT ceremonies_purpose_check CHECK ((purpose = ANY (ARRAY['sign_in'::text, 'step_up'::text, 'enrol'::text, 'approve'::text])))
);

COMMENT ON TABLE public.ceremonies IS 'WebAuthn challenges that were handed out. Each can be answered once.';

COMMENT ON COLUMN public.ceremonies.session_id IS 'Who may answer; null where anyone may, which is signing in.';

COMMENT ON COLUMN public.ceremonies.subject IS 'What the answer will stand for.';

COMMENT ON COLUMN public.ceremonies.nonce IS 'What makes the challenge unique. The challenge is the hash of a text with it, the purpose and the session.';

CREATE TABLE public.change_coins (
    gate_id text NOT NULL,
    tx_hash text NOT NULL,
    output_index integer NOT NULL,
    change_index bigint NOT NULL,
    units numeric(78,0) NOT NULL,
    made_by uuid NOT NULL,
    pinned_by uuid,
    CONSTRAINT change_coins_units_check CHECK ((units > (0)::numeric))
);

COMMENT ON TABLE public.change_coins IS 'Change that came back to us.';

COMMENT ON COLUMN public.change_coins.change_index IS 'The index of its address on our own chain of addresses (BIP-44''s chain 1).';

COMMENT ON COLUMN public.change_coins.pinned_by IS 'The spend that uses the coin up, as in payments.';

CREATE TABLE public.cold_coins (
    gate_id text NOT NULL,
    tx_hash text NOT NULL,
    output_index integer NOT NULL,
    address text NOT NULL,
    cold_index bigint,
    units numeric(78,0) NOT NULL,
    made_by uuid NOT NULL,
    pinned_by uuid,
    CONSTRAINT cold_coins_units_check CHECK ((units > (0)::numeric))
);

COMMENT ON TABLE public.cold_coins IS 'Coins that went to the operator''s cold wallet. Whether the operator has spent one without a refill, only the node knows.';

COMMENT ON COLUMN public.cold_coins.cold_index IS 'The index of its address below the cold wallet''s extended key; null where the cold wallet is a single address.';

COMMENT ON COLUMN public.cold_coins.made_by IS 'The spend that moved it there, or the refill whose change it is.';

COMMENT ON COLUMN public.cold_coins.pinned_by IS 'The refill that uses the coin up, as in payments.';

CREATE TABLE public.daily_fees (
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    day date NOT NULL,
    kind text NOT NULL,
    currency text NOT NULL,
    network text NOT NULL,
    decimals smallint NOT NULL,
    base_currency text NOT NULL,
    units numeric(78,0) NOT NULL,
    base_millionths numeric(84,0) NOT NULL,
    is_folded boolean DEFAULT false NOT NULL,
    CONSTRAINT daily_fees_kind_check CHECK ((kind = ANY (ARRAY['platform'::text, 'network'::text])))
);

COMMENT ON TABLE public.daily_fees IS 'What a merchant paid in fees each day (UTC), by asset: `platform` is what the platform keeps, `network` what the network of a payout cost. Appended and folded like daily_sums.';

COMMENT ON COLUMN public.daily_fees.base_currency IS 'Empty if the value was not known at the time.';

COMMENT ON COLUMN public.daily_fees.base_millionths IS 'The value when the invoice or payout was made, in millionths of a minor unit of base_currency. Many fees are worth less than a minor unit each.';

CREATE TABLE public.daily_invoices (
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    day date NOT NULL,
    outcome text NOT NULL,
    within_seconds integer NOT NULL,
    invoices bigint NOT NULL,
    is_folded boolean DEFAULT false NOT NULL,
    CONSTRAINT daily_invoices_check CHECK (((outcome = 'paid'::text) = (within_seconds > 0))),
    CONSTRAINT daily_invoices_outcome_check CHECK ((outcome = ANY (ARRAY['open'::text, 'paid'::text, 'expired'::text, 'cancelled'::text])))
);

COMMENT ON TABLE public.daily_invoices IS 'How many invoices were created each day (UTC), by what has become of them. An invoice that changes moves within the day of its creation. Those that a deposit to a static address made are left out: they are paid from the start. Appended and folded like daily_sums.';

COMMENT ON COLUMN public.daily_invoices.within_seconds IS 'Of paid invoices, the least bound of paid_within() that encloses the time to paid, so that a median can be read off; otherwise 0.';

CREATE TABLE public.daily_sums (
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    day date NOT NULL,
    kind text NOT NULL,
    currency text NOT NULL,
    network text NOT NULL,
    decimals smallint NOT NULL,
    base_currency text NOT NULL,
    units numeric(78,0) NOT NULL,
    base_units numeric(78,0) NOT NULL,
    is_folded boolean DEFAULT false NOT NULL,
    CONSTRAINT daily_sums_kind_check CHECK ((kind = ANY (ARRAY['received'::text, 'paid_out'::text, 'refunded'::text])))
);

COMMENT ON TABLE public.daily_sums IS 'What came in and went out each day (UTC), by asset. As in list_counts, each booking only appends its difference, and differences are folded later. A sum is that of the rows, folded or not.';

COMMENT ON COLUMN public.daily_sums.base_currency IS 'Empty where the value was not known.';

COMMENT ON COLUMN public.daily_sums.base_units IS 'The value when the invoice or payout was made, in minor units of base_currency; 0 where it was not known.';

COMMENT ON COLUMN public.daily_sums.is_folded IS 'One such row holds what was folded; bookings append others beside it. Folding reads only those, however many days there are.';

CREATE TABLE public.deposit_address_counters (
    keychain text NOT NULL,
    derived bigint DEFAULT 0 NOT NULL,
    given bigint DEFAULT 0 NOT NULL,
    CONSTRAINT deposit_address_counters_check CHECK ((given <= derived)),
    CONSTRAINT deposit_address_counters_given_check CHECK ((given >= 0))
);

COMMENT ON TABLE public.deposit_address_counters IS 'How many addresses of each keychain exist, and how many were handed out.';

COMMENT ON COLUMN public.deposit_address_counters.derived IS 'Positions below this are in deposit_addresses.';

COMMENT ON COLUMN public.deposit_address_counters.given IS 'Positions below this were handed out.';

CREATE TABLE public.deposit_address_fills (
    keychain text NOT NULL,
    filler uuid NOT NULL,
    held_until timestamp with time zone NOT NULL
);

COMMENT ON TABLE public.deposit_address_fills IS 'Which process is filling the pool of a keychain. It holds this for seconds and renews it, so that another takes over from one that died.';

COMMENT ON COLUMN public.deposit_address_fills.filler IS 'Names the process, for as long as it runs.';

CREATE TABLE public.deposit_address_grants (
    keychain text NOT NULL,
    first bigint NOT NULL,
    below bigint NOT NULL,
    stamp text NOT NULL,
    life text NOT NULL,
    written_by bigint NOT NULL,
    CONSTRAINT deposit_address_grants_below_check CHECK ((below >= 0)),
    CONSTRAINT deposit_address_grants_first_check CHECK ((first >= 0))
);

COMMENT ON TABLE public.deposit_address_grants IS 'Which positions of a keychain may be handed out. The signer notes a grant on its own disk before it is written here, so that a restored database cannot hand out an address twice.';

COMMENT ON COLUMN public.deposit_address_grants.first IS 'The first position granted.';

COMMENT ON COLUMN public.deposit_address_grants.below IS 'The first position no longer granted.';

COMMENT ON COLUMN public.deposit_address_grants.stamp IS 'Names the signer''s own note of the grant.';

COMMENT ON COLUMN public.deposit_address_grants.life IS 'The database_life() it was made in. It counts in no other.';

COMMENT ON COLUMN public.deposit_address_grants.written_by IS 'The transaction that wrote the row, which must be the row''s own xmin. A row loaded from a dump was written by another.';

CREATE TABLE public.deposit_addresses (
    keychain text NOT NULL,
    "position" bigint NOT NULL,
    address text NOT NULL,
    tag text DEFAULT ''::text NOT NULL,
    proof text,
    CONSTRAINT deposit_addresses_address_check CHECK ((address <> ''::text)),
    CONSTRAINT deposit_addresses_position_check CHECK (("position" >= 0))
);

COMMENT ON TABLE public.deposit_addresses IS 'Every address ever made for deposits.';

COMMENT ON COLUMN public.deposit_addresses.keychain IS 'What made the address; one for all EVM networks.';

COMMENT ON COLUMN public.deposit_addresses.tag IS 'Empty where there is none, so that an index serves.';

COMMENT ON COLUMN public.deposit_addresses.proof IS 'An HMAC of keychain, position, address and tag, by the process that derived the address. Null where that process had no secret key.';

CREATE TABLE public.devices (
    user_id uuid NOT NULL,
    token_hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    last_seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT devices_token_hash_check CHECK ((octet_length(token_hash) = 32))
);

COMMENT ON TABLE public.devices IS 'Browsers that a person has signed in from before. A sign-in from any other one is announced to the person.';

COMMENT ON COLUMN public.devices.token_hash IS 'SHA-256 of a token in the device''s cookie, which is kept nowhere else.';

COMMENT ON COLUMN public.devices.last_seen_at IS 'The last sign-in from it.';

CREATE TABLE public.event_eras (
    era integer NOT NULL,
    system_identifier bigint NOT NULL,
    database_oid oid NOT NULL,
    began_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

COMMENT ON TABLE public.event_eras IS 'The clusters and databases these events have lived in. Transaction numbers start over in another cluster, as after restoring a dump, so each is an era of its own.';

CREATE TABLE public.events (
    id uuid NOT NULL,
    "position" bigint NOT NULL,
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    event text NOT NULL,
    resource_id uuid,
    data json NOT NULL,
    era integer DEFAULT public.current_event_era() NOT NULL,
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    traceparent text,
    CONSTRAINT events_data_check CHECK ((json_typeof(data) = 'object'::text)),
    CONSTRAINT events_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT events_event_check CHECK (((length(event) >= 1) AND (length(event) <= 255))),
    CONSTRAINT events_traceparent_check CHECK ((length(traceparent) = 55))
);

COMMENT ON TABLE public.events IS 'What happened to a merchant''s resources, appended in the transaction that caused it and never changed.';

COMMENT ON COLUMN public.events."position" IS 'The order in which events were appended, which lists show.';

COMMENT ON COLUMN public.events.resource_id IS 'The invoice, payout or refund it is about.';

COMMENT ON COLUMN public.events.data IS 'json, not jsonb: an event is kept as it was told, to the letter.';

COMMENT ON COLUMN public.events.xid IS 'The transaction that appended it. A reader that catches up must never meet an event older than one it has read, and events commit in another order than they are numbered in. So they are served by transaction, and only below every transaction that is still open.';

COMMENT ON COLUMN public.events.traceparent IS 'The span in which it was appended, as W3C Trace Context writes it; null while tracing is off. Its deliveries continue that trace.';

ALTER TABLE public.events ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.events_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.figures_starts (
    began_at timestamp with time zone NOT NULL
);

COMMENT ON TABLE public.figures_starts IS 'Since when daily_fees and daily_invoices are kept. Empty in a database that has kept them from its first invoice on.';

CREATE TABLE public.float_alerts (
    gate_id text NOT NULL,
    low_since timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

COMMENT ON TABLE public.float_alerts IS 'Gates whose float was found too low. Whichever process finds it adds the row, so the operator is told once.';

CREATE TABLE public.followed_blocks (
    gate_id text NOT NULL,
    height bigint NOT NULL,
    hash text NOT NULL
);

COMMENT ON TABLE public.followed_blocks IS 'The newest blocks of the followed branch, as many as a reorganisation may replace.';

CREATE TABLE public.followed_chains (
    gate_id text NOT NULL,
    chain text NOT NULL,
    began_height bigint,
    height bigint NOT NULL,
    hash text NOT NULL,
    revision bigint DEFAULT 0 NOT NULL,
    holder uuid,
    held_until timestamp with time zone,
    scanned_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    balances_position bigint DEFAULT 0 NOT NULL,
    halted_at timestamp with time zone,
    halt_reason text,
    CONSTRAINT followed_chains_check CHECK (((halted_at IS NULL) = (halt_reason IS NULL)))
);

COMMENT ON TABLE public.followed_chains IS 'How far each gate''s chain has been followed. A gate is one network in one environment, such as `bitcoin-test`.';

COMMENT ON COLUMN public.followed_chains.chain IS 'Which chain the gate stands for in this database. A network may be simulated here and real elsewhere, and what was credited on one must never be paid out on the other.';

COMMENT ON COLUMN public.followed_chains.began_height IS 'Where following began: nothing up to this block was read. Null for chains from before this was noted.';

COMMENT ON COLUMN public.followed_chains.revision IS 'Every write of a follower is a compare-and-set on this. Of two followers, or of one that was stopped and wakes up later, only one can win; the other writes nothing.';

COMMENT ON COLUMN public.followed_chains.holder IS 'Who is following. It only saves others from doing the same work; `revision` is what protects the data.';

COMMENT ON COLUMN public.followed_chains.scanned_at IS 'The start of the last complete look at the chain and its mempool.';

COMMENT ON COLUMN public.followed_chains.balances_position IS 'From which position of the keychain the next look compares the balances of addresses at which no payment is expected.';

CREATE TABLE public.gate_progress (
    gate_id text NOT NULL,
    at_end_at timestamp with time zone,
    behind bigint DEFAULT 0 NOT NULL,
    trouble text,
    trouble_kind text,
    trouble_since timestamp with time zone,
    CONSTRAINT gate_progress_check CHECK ((((trouble IS NULL) = (trouble_kind IS NULL)) AND ((trouble IS NULL) = (trouble_since IS NULL)))),
    CONSTRAINT gate_progress_trouble_kind_check CHECK ((trouble_kind = ANY (ARRAY['outage'::text, 'state'::text, 'wrong_chain'::text])))
);

COMMENT ON TABLE public.gate_progress IS 'How each gate''s follower is getting on, in its own words. New business on a network asks here: a node that answers is not enough if its chain cannot be followed. Only gates on real nodes write it; the simulated chains are in this database.';

COMMENT ON COLUMN public.gate_progress.at_end_at IS 'When a look last reached the end of the chain the node showed; null before the first time.';

COMMENT ON COLUMN public.gate_progress.behind IS 'How many blocks the last look left for the next.';

COMMENT ON COLUMN public.gate_progress.trouble IS 'Why the chain cannot be followed, in words for the operator; null while it can.';

CREATE TABLE public.gates_behind (
    gate_id text NOT NULL,
    noticed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

COMMENT ON TABLE public.gates_behind IS 'Gates of which the signer''s journal has transactions that this database has forgotten and that cannot be put back yet. Nothing new is planned there: it could use what those have used.';

CREATE TABLE public.gates_taken_offline (
    merchant_id uuid NOT NULL,
    gate_id text NOT NULL
);

COMMENT ON TABLE public.gates_taken_offline IS 'Test networks that a merchant has taken offline, for itself alone.';

CREATE TABLE public.hot_balances (
    gate_id text NOT NULL,
    currency text NOT NULL,
    units numeric(78,0) DEFAULT 0 NOT NULL,
    CONSTRAINT hot_balances_units_check CHECK ((units >= (0)::numeric))
);

COMMENT ON TABLE public.hot_balances IS 'What a hot wallet has that no spend has claimed. Kept with every spend; the audit checks it against their sum.';

CREATE TABLE public.invoice_choices (
    invoice_id uuid NOT NULL,
    currency text NOT NULL,
    network text NOT NULL,
    gate_id text NOT NULL,
    decimals smallint NOT NULL,
    amount_units numeric(78,0) NOT NULL,
    required_confirmations integer NOT NULL,
    keychain text NOT NULL,
    deposit_position bigint NOT NULL,
    deposit_address text NOT NULL,
    deposit_address_tag text,
    deposit_address_proof text,
    exchange_rate numeric(78,0) NOT NULL,
    rate_locked_at timestamp with time zone NOT NULL,
    live_at timestamp with time zone NOT NULL,
    amount_in_base_currency numeric(78,0),
    CONSTRAINT invoice_choices_amount_units_check CHECK ((amount_units > (0)::numeric)),
    CONSTRAINT invoice_choices_exchange_rate_check CHECK ((exchange_rate > (0)::numeric))
);

COMMENT ON TABLE public.invoice_choices IS 'The assets that a payer picked before picking another one. Amount and address of each stay as they were; the first payment decides.';

COMMENT ON COLUMN public.invoice_choices.deposit_position IS 'The deposit address''s position in its keychain.';

COMMENT ON COLUMN public.invoice_choices.exchange_rate IS 'Fiat per coin, times 10^18.';

COMMENT ON COLUMN public.invoice_choices.amount_in_base_currency IS 'What the invoice has in its column of this name while this choice counts.';

CREATE TABLE public.invoices (
    id uuid NOT NULL,
    "position" bigint NOT NULL,
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    status text NOT NULL,
    source text NOT NULL,
    created_by text,
    static_address_id uuid,
    deferred boolean NOT NULL,
    currency text,
    network text,
    gate_id text,
    decimals smallint,
    amount_units numeric(78,0),
    required_confirmations integer,
    keychain text,
    deposit_position bigint,
    deposit_address text,
    deposit_address_tag text,
    amount_fiat numeric(78,0),
    fiat_currency text,
    exchange_rate numeric(78,0),
    rate_locked_at timestamp with time zone,
    base_currency text NOT NULL,
    amount_in_base_currency numeric(78,0),
    tolerance_bps integer NOT NULL,
    fee_bps integer NOT NULL,
    paid_units numeric(78,0) DEFAULT 0 NOT NULL,
    settled_units numeric(78,0) DEFAULT 0 NOT NULL,
    pending_units numeric(78,0) DEFAULT 0 NOT NULL,
    refunded_units numeric(78,0) DEFAULT 0 NOT NULL,
    fee_units numeric(78,0) DEFAULT 0 NOT NULL,
    description text,
    external_id text,
    metadata jsonb,
    redirect_url text,
    link text,
    idempotency_key text,
    request_hash bytea,
    window_seconds integer,
    expires_at timestamp with time zone,
    due_at timestamp with time zone,
    live_at timestamp with time zone,
    paid_at timestamp with time zone,
    cancelled_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    deposit_address_proof text,
    traceparent text,
    in_daily_invoices boolean DEFAULT true NOT NULL,
    CONSTRAINT invoices_amount_fiat_check CHECK ((amount_fiat > (0)::numeric)),
    CONSTRAINT invoices_amount_units_check CHECK ((amount_units > (0)::numeric)),
    CONSTRAINT invoices_check CHECK (((currency IS NULL) = (gate_id IS NULL))),
    CONSTRAINT invoices_check1 CHECK (((currency IS NULL) OR ((network IS NOT NULL) AND (decimals IS NOT NULL) AND (amount_units IS NOT NULL) AND (required_confirmations IS NOT NULL) AND (deposit_address IS NOT NULL) AND (live_at IS NOT NULL)))),
    CONSTRAINT invoices_check2 CHECK (((source = 'static_address'::text) = (static_address_id IS NOT NULL))),
    CONSTRAINT invoices_check3 CHECK (((idempotency_key IS NULL) = (request_hash IS NULL))),
    CONSTRAINT invoices_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT invoices_exchange_rate_check CHECK ((exchange_rate > (0)::numeric)),
    CONSTRAINT invoices_source_check CHECK ((source = ANY (ARRAY['api'::text, 'static_address'::text, 'dashboard'::text]))),
    CONSTRAINT invoices_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'paid'::text, 'underpaid'::text, 'overpaid'::text, 'expired'::text, 'cancelled'::text]))),
    CONSTRAINT invoices_traceparent_check CHECK ((length(traceparent) = 55))
);

COMMENT ON TABLE public.invoices IS 'Requests to be paid once, with an amount and a deposit address.';

COMMENT ON COLUMN public.invoices."position" IS 'Rises with every insert: the order of lists.';

COMMENT ON COLUMN public.invoices.created_by IS 'Who made it; null where a deposit made it, or where this was not noted.';

COMMENT ON COLUMN public.invoices.deferred IS 'Whether the payer picks the asset. Everything about the asset is null until then.';

COMMENT ON COLUMN public.invoices.deposit_position IS 'The deposit address''s position in its keychain.';

COMMENT ON COLUMN public.invoices.exchange_rate IS 'Fiat per coin, times 10^18.';

COMMENT ON COLUMN public.invoices.tolerance_bps IS 'The merchant''s tolerance when the invoice was made.';

COMMENT ON COLUMN public.invoices.fee_bps IS 'The merchant''s fee when the invoice was made.';

COMMENT ON COLUMN public.invoices.paid_units IS 'What the payments come to. This and the other sums are brought up to date whenever the invoice is assessed.';

COMMENT ON COLUMN public.invoices.link IS 'The secret part of the payment page''s address.';

COMMENT ON COLUMN public.invoices.request_hash IS 'SHA-256 of the request under idempotency_key: the same key with another request is refused.';

COMMENT ON COLUMN public.invoices.window_seconds IS 'How long the payer has to pay, from when the asset is known.';

COMMENT ON COLUMN public.invoices.due_at IS 'When the clock alone may change the status; null when only the chain can, or nothing can any more.';

COMMENT ON COLUMN public.invoices.live_at IS 'When it got its asset and deposit address.';

COMMENT ON COLUMN public.invoices.deposit_address_proof IS 'The proof of its deposit address.';

COMMENT ON COLUMN public.invoices.traceparent IS 'The request that created it, as W3C Trace Context writes it; null if that was not traced. What its payments bring about continues that trace.';

COMMENT ON COLUMN public.invoices.in_daily_invoices IS 'Whether daily_invoices counts it: not if it is older than that table, nor when it changes later.';

ALTER TABLE public.invoices ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.invoices_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.jobs (
    kind text NOT NULL,
    subject uuid NOT NULL,
    gate_id text,
    due_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    claimed_until timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    version bigint DEFAULT 1 NOT NULL
);

COMMENT ON TABLE public.jobs IS 'Work that must survive a crash. It is done when its row is gone. A worker claims a row for a while; if the worker dies, the claim runs out and another takes over.';

COMMENT ON COLUMN public.jobs.subject IS 'What the job is about, by its kind: an invoice, a mail and so on.';

COMMENT ON COLUMN public.jobs.version IS 'Rises when the job is asked for again, so that finishing the first request does not lose the second.';

CREATE TABLE public.ledger_accounts (
    id bigint NOT NULL,
    kind text NOT NULL,
    merchant_id uuid,
    environment text NOT NULL,
    network text NOT NULL,
    currency text NOT NULL,
    decimals smallint NOT NULL,
    balance_units numeric(78,0) DEFAULT 0 NOT NULL,
    CONSTRAINT ledger_accounts_check CHECK (((merchant_id IS NOT NULL) = (kind = ANY (ARRAY['available'::text, 'reserved'::text])))),
    CONSTRAINT ledger_accounts_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT ledger_accounts_kind_check CHECK ((kind = ANY (ARRAY['available'::text, 'reserved'::text, 'fees'::text, 'network_fees'::text, 'chain'::text, 'cold'::text, 'float'::text, 'suspense'::text])))
);

COMMENT ON TABLE public.ledger_accounts IS 'The accounts of the double-entry ledger. What an owner is due is positive: a merchant''s `available` and `reserved`, the platform''s fees, suspense, the operator''s float. `chain` is what the gates hold for them, and `cold` what the operator''s cold wallet holds; both are negative. All accounts of an asset sum to zero.';

COMMENT ON COLUMN public.ledger_accounts.balance_units IS 'Kept with every posting, and never anything but their sum.';

ALTER TABLE public.ledger_accounts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.ledger_accounts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.ledger_entries (
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    currency text NOT NULL,
    number bigint NOT NULL,
    transaction_id uuid NOT NULL,
    account_id bigint NOT NULL,
    network text NOT NULL,
    decimals smallint NOT NULL,
    entry_type text NOT NULL,
    units numeric(78,0) NOT NULL,
    balance_after numeric(78,0) NOT NULL,
    balance_decimals smallint NOT NULL,
    reference_type text,
    reference_id uuid,
    description text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT ledger_entries_check CHECK (((reference_type IS NULL) = (reference_id IS NULL))),
    CONSTRAINT ledger_entries_check1 CHECK (((reference_type IS NOT NULL) OR (entry_type = 'adjustment'::text))),
    CONSTRAINT ledger_entries_reference_type_check CHECK ((reference_type = ANY (ARRAY['invoice'::text, 'payout'::text, 'refund'::text])))
);

COMMENT ON TABLE public.ledger_entries IS 'The merchant''s view of a posting to `available`, numbered without gaps within merchant, environment and currency.';

COMMENT ON COLUMN public.ledger_entries.balance_after IS 'The balance of the currency over all its networks, in units of 10^-balance_decimals.';

COMMENT ON COLUMN public.ledger_entries.reference_id IS 'The invoice, payout or refund it belongs to. An adjustment refers to nothing the merchant made.';

CREATE TABLE public.ledger_numbers (
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    currency text NOT NULL,
    last_number bigint DEFAULT 0 NOT NULL
);

COMMENT ON TABLE public.ledger_numbers IS 'The last number of each ledger. Each posting to its accounts locks the row, so entries are numbered in the order in which they commit.';

CREATE TABLE public.ledger_transactions (
    id uuid NOT NULL,
    entry_type text NOT NULL,
    subject uuid NOT NULL,
    occurrence integer NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    in_daily_fees boolean DEFAULT true NOT NULL
);

COMMENT ON TABLE public.ledger_transactions IS 'Something that moved money, once. Its natural key makes a second time impossible.';

COMMENT ON COLUMN public.ledger_transactions.subject IS 'What it is about: a payment, a payout, a spend or an outside move.';

COMMENT ON COLUMN public.ledger_transactions.occurrence IS 'How often the same has happened to the subject: a payment may be credited, reversed and credited again.';

COMMENT ON COLUMN public.ledger_transactions.in_daily_fees IS 'Whether its fees are in daily_fees: not if it is older than that table. The audit adds up those that are.';

CREATE TABLE public.list_buckets (
    list text NOT NULL,
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    facet text NOT NULL,
    currency text NOT NULL,
    bucket bigint NOT NULL,
    total bigint NOT NULL
)
WITH (fillfactor='70');

COMMENT ON TABLE public.list_buckets IS 'The same by stretches of 2^15 positions. Only a page deep in a long list reads it.';

CREATE TABLE public.list_counts (
    list text NOT NULL,
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    facet text DEFAULT ''::text NOT NULL,
    currency text DEFAULT ''::text NOT NULL,
    bucket bigint DEFAULT 0 NOT NULL,
    difference bigint NOT NULL
);

COMMENT ON TABLE public.list_counts IS 'Changes of the lengths of lists, by what each can be filtered by. Counting a million rows takes too long, and a single counter would make every insert wait for the last. So each change only appends a difference, which is folded into list_totals and list_buckets later.';

COMMENT ON COLUMN public.list_counts.facet IS 'What the list can be filtered by besides the currency: the status, the name of the event, and the like.';

COMMENT ON COLUMN public.list_counts.bucket IS 'Which stretch of 2^15 positions the rows are in, so that a page deep in a long list is found without reading all before it.';

CREATE TABLE public.list_totals (
    list text NOT NULL,
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    facet text NOT NULL,
    currency text NOT NULL,
    total bigint NOT NULL
)
WITH (fillfactor='70');

COMMENT ON TABLE public.list_totals IS 'How many rows each list has, as far as list_counts was folded. The present total is this and what list_counts adds to it.';

CREATE TABLE public.mails (
    id uuid NOT NULL,
    kind text NOT NULL,
    recipient text NOT NULL,
    link_id uuid,
    notice text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    sent_at timestamp with time zone,
    failed_at timestamp with time zone,
    failure text,
    device jsonb,
    policy_change jsonb,
    passkey jsonb,
    CONSTRAINT mails_check CHECK (((kind = 'notice'::text) = (notice IS NOT NULL))),
    CONSTRAINT mails_check1 CHECK (((kind = 'invitation'::text) = (link_id IS NOT NULL))),
    CONSTRAINT mails_check2 CHECK (((kind = 'passkey_waits'::text) = (passkey IS NOT NULL))),
    CONSTRAINT mails_device_check CHECK (((kind = 'new_device'::text) = (device IS NOT NULL))),
    CONSTRAINT mails_failure_check CHECK ((length(failure) <= 500)),
    CONSTRAINT mails_kind_check CHECK ((kind = ANY (ARRAY['reset'::text, 'invitation'::text, 'notice'::text, 'new_device'::text, 'policy_change'::text, 'passkey_waits'::text]))),
    CONSTRAINT mails_notice_check CHECK ((length(notice) <= 500)),
    CONSTRAINT mails_policy_change_check CHECK (((kind = 'policy_change'::text) = (policy_change IS NOT NULL))),
    CONSTRAINT mails_recipient_check CHECK (((length(recipient) >= 3) AND (length(recipient) <= 254)))
);

COMMENT ON TABLE public.mails IS 'Mails to people, sent by a job of kind `send_mail`. The text is written when the mail is sent, so no link is kept here.';

COMMENT ON COLUMN public.mails.link_id IS 'The invitation that it carries.';

COMMENT ON COLUMN public.mails.notice IS 'What happened, in words; notices only.';

COMMENT ON COLUMN public.mails.device IS 'When and from where a new device signed in.';

COMMENT ON COLUMN public.mails.policy_change IS 'What became of a change that relaxes the payout policy, as it is told.';

COMMENT ON COLUMN public.mails.passkey IS 'Whose passkey the signer will trust, for which merchant, and when.';

CREATE TABLE public.memberships (
    merchant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    approver_since timestamp with time zone,
    CONSTRAINT memberships_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'finance'::text, 'developer'::text, 'viewer'::text])))
);

COMMENT ON TABLE public.memberships IS 'Who belongs to which merchant, and what they may do there.';

COMMENT ON COLUMN public.memberships.approver_since IS 'Since when the role has allowed to approve payouts without a break; null while it does not. Who became an approver after a change of the policy was proposed cannot approve it.';

CREATE TABLE public.merchant_brands (
    merchant_id uuid NOT NULL,
    colour text,
    embed_origins text[] DEFAULT '{}'::text[] NOT NULL,
    logo bytea,
    logo_media_type text,
    logo_sha256 bytea GENERATED ALWAYS AS (sha256(logo)) STORED,
    currency_order text[] DEFAULT '{}'::text[] NOT NULL,
    network_order text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT merchant_brands_check CHECK (((logo IS NULL) = (logo_media_type IS NULL))),
    CONSTRAINT merchant_brands_colour_check CHECK ((colour ~ '^#[0-9a-f]{6}$'::text)),
    CONSTRAINT merchant_brands_currency_order_check CHECK ((cardinality(currency_order) <= 50)),
    CONSTRAINT merchant_brands_embed_origins_check CHECK ((cardinality(embed_origins) <= 20)),
    CONSTRAINT merchant_brands_logo_check CHECK (((octet_length(logo) >= 1) AND (octet_length(logo) <= 65536))),
    CONSTRAINT merchant_brands_logo_media_type_check CHECK ((logo_media_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'image/webp'::text, 'image/gif'::text]))),
    CONSTRAINT merchant_brands_network_order_check CHECK ((cardinality(network_order) <= 50))
);

COMMENT ON TABLE public.merchant_brands IS 'How a merchant''s payment page looks, and where it may be framed.';

COMMENT ON COLUMN public.merchant_brands.embed_origins IS 'The sites that may show the page in a frame.';

COMMENT ON COLUMN public.merchant_brands.logo_sha256 IS 'The logo''s public address is made of its content, so that it can be cached for good.';

COMMENT ON COLUMN public.merchant_brands.currency_order IS 'The codes of the currencies that the payment page shows first, in this order. The others follow in the usual order.';

COMMENT ON COLUMN public.merchant_brands.network_order IS 'The ids of the networks that the page shows first within a currency. A name that the service no longer knows changes nothing.';

CREATE TABLE public.merchant_totals (
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    currency text NOT NULL,
    network text NOT NULL,
    decimals smallint NOT NULL,
    pending_units numeric(78,0) DEFAULT 0 NOT NULL,
    received_units numeric(78,0) DEFAULT 0 NOT NULL,
    fee_units numeric(78,0) DEFAULT 0 NOT NULL,
    paid_out_units numeric(78,0) DEFAULT 0 NOT NULL
);

COMMENT ON TABLE public.merchant_totals IS 'What a balance shows beside its accounts. There is a row for every asset a merchant has ever seen.';

CREATE TABLE public.merchants (
    id uuid NOT NULL,
    name text NOT NULL,
    base_currency text DEFAULT 'USD'::text NOT NULL,
    fee_bps integer DEFAULT 0 NOT NULL,
    payout_fee_bps integer DEFAULT 0 NOT NULL,
    refund_fee_bps integer DEFAULT 0 NOT NULL,
    underpayment_tolerance_bps integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT merchants_base_currency_check CHECK ((base_currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT merchants_fee_bps_check CHECK (((fee_bps >= 0) AND (fee_bps <= 10000))),
    CONSTRAINT merchants_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
    CONSTRAINT merchants_payout_fee_bps_check CHECK (((payout_fee_bps >= 0) AND (payout_fee_bps <= 10000))),
    CONSTRAINT merchants_refund_fee_bps_check CHECK (((refund_fee_bps >= 0) AND (refund_fee_bps <= 10000))),
    CONSTRAINT merchants_underpayment_tolerance_bps_check CHECK (((underpayment_tolerance_bps >= 0) AND (underpayment_tolerance_bps <= 9999)))
);

COMMENT ON TABLE public.merchants IS 'Merchants accept payments here. Everything else belongs to one of them, or to the operator.';

COMMENT ON COLUMN public.merchants.base_currency IS 'The fiat currency that values, limits and overviews are given in.';

COMMENT ON COLUMN public.merchants.fee_bps IS 'The platform''s share of each payment, in hundredths of a percent. Invoices copy it when they are made.';

COMMENT ON COLUMN public.merchants.underpayment_tolerance_bps IS 'How far below its amount an invoice still counts as paid, in hundredths of a percent. Invoices copy it when they are made.';

CREATE TABLE public.missing_coins (
    gate_id text NOT NULL,
    tx_hash text NOT NULL,
    output_index integer NOT NULL,
    noticed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

COMMENT ON TABLE public.missing_coins IS 'Coins of the books that the node says cannot be spent: they never were on its chain, or were spent without this database knowing. Nothing is planned with them until the node has them again.';

CREATE TABLE public.one_time_links (
    id uuid NOT NULL,
    purpose text NOT NULL,
    token_hash bytea,
    email text NOT NULL,
    email_key text GENERATED ALWAYS AS (lower(email)) STORED NOT NULL,
    merchant_id uuid,
    role text,
    made_by text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT one_time_links_check CHECK (((purpose = 'invite'::text) = (merchant_id IS NOT NULL))),
    CONSTRAINT one_time_links_check1 CHECK (((merchant_id IS NULL) = (role IS NULL))),
    CONSTRAINT one_time_links_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
    CONSTRAINT one_time_links_purpose_check CHECK ((purpose = ANY (ARRAY['reset'::text, 'invite'::text]))),
    CONSTRAINT one_time_links_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'finance'::text, 'developer'::text, 'viewer'::text]))),
    CONSTRAINT one_time_links_token_hash_check CHECK ((octet_length(token_hash) = 32))
);

COMMENT ON TABLE public.one_time_links IS 'Links that can be followed once: to set a new password, or to join a merchant.';

COMMENT ON COLUMN public.one_time_links.token_hash IS 'SHA-256 of 256 random bits; null until the link is sent or printed. Each sending makes a new one.';

COMMENT ON COLUMN public.one_time_links.made_by IS 'The actor, as the audit log names it.';

CREATE TABLE public.outside_moves (
    id uuid NOT NULL,
    gate_id text NOT NULL,
    address text NOT NULL,
    first_nonce numeric(78,0) NOT NULL,
    next_nonce numeric(78,0) NOT NULL,
    currency text NOT NULL,
    units numeric(78,0) NOT NULL,
    stated_by text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT outside_moves_check CHECK ((first_nonce < next_nonce)),
    CONSTRAINT outside_moves_units_check CHECK ((units > (0)::numeric))
);

COMMENT ON TABLE public.outside_moves IS 'What left a hot wallet because its key was used outside this service, as a person has stated it. One row a currency.';

COMMENT ON COLUMN public.outside_moves.first_nonce IS 'The first of the account''s nonces that were used outside Sluice.';

COMMENT ON COLUMN public.outside_moves.next_nonce IS 'The nonce after the last of them, which is free.';

COMMENT ON COLUMN public.outside_moves.units IS 'What the network took is included.';

COMMENT ON COLUMN public.outside_moves.stated_by IS '`cli:<name>`.';

CREATE TABLE public.own_addresses (
    keychain text NOT NULL,
    "position" bigint NOT NULL,
    address text NOT NULL,
    CONSTRAINT own_addresses_address_check CHECK ((address <> ''::text)),
    CONSTRAINT own_addresses_position_check CHECK (("position" >= 0))
);

COMMENT ON TABLE public.own_addresses IS 'Change addresses (BIP-44''s chain 1) that an earlier database may have used. They are watched for good, since that database''s transactions may still be mined. This database''s own change addresses are counted in spend_counters and begin after the last one found in use.';

CREATE TABLE public.passkey_demands (
    environment text NOT NULL,
    merchant_id uuid NOT NULL,
    is_required boolean NOT NULL,
    approvals_required smallint NOT NULL,
    CONSTRAINT passkey_demands_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
);

COMMENT ON TABLE public.passkey_demands IS 'Whether a signer says it asks for passkeys for a merchant''s payouts, and from how many people. For people to see, too.';

CREATE TABLE public.passkey_enrolments (
    merchant_id uuid NOT NULL,
    credential_id bytea NOT NULL,
    "position" bigint NOT NULL,
    passkey_id uuid NOT NULL,
    user_id uuid NOT NULL,
    public_key bytea NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT passkey_enrolments_credential_id_check CHECK (((octet_length(credential_id) >= 1) AND (octet_length(credential_id) <= 1023)))
);

COMMENT ON TABLE public.passkey_enrolments IS 'Passkeys that a merchant''s people want to approve with, as they were offered, whatever becomes of the passkey.';

COMMENT ON COLUMN public.passkey_enrolments.passkey_id IS 'Not a reference: the passkey may be removed from the account, and what signers know of it stays.';

COMMENT ON COLUMN public.passkey_enrolments.public_key IS 'A COSE key (RFC 9052).';

ALTER TABLE public.passkey_enrolments ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.passkey_enrolments_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.passkey_pins (
    environment text NOT NULL,
    merchant_id uuid NOT NULL,
    credential_id bytea NOT NULL,
    pinned_at timestamp with time zone NOT NULL,
    counts_from timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT passkey_pins_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
);

COMMENT ON TABLE public.passkey_pins IS 'Which passkeys the signers say they trust, for people to see. No signer reads it to decide anything.';

COMMENT ON COLUMN public.passkey_pins.counts_from IS 'When the signer begins to accept its signatures. Trusting a passkey weakens the signer, so it waits.';

CREATE TABLE public.passkey_statements (
    id uuid NOT NULL,
    "position" bigint NOT NULL,
    merchant_id uuid NOT NULL,
    said text NOT NULL,
    credential_id bytea NOT NULL,
    authenticator_data bytea NOT NULL,
    client_data_json bytea NOT NULL,
    signature bytea NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

COMMENT ON TABLE public.passkey_statements IS 'What users state to signers with a passkey: that another passkey may be trusted or no longer is, a policy, a destination. Everyone who agrees signs the same text.';

COMMENT ON COLUMN public.passkey_statements.said IS 'The canonical text whose hash is the challenge.';

ALTER TABLE public.passkey_statements ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.passkey_statements_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.passkeys (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    credential_id bytea NOT NULL,
    public_key bytea NOT NULL,
    sign_count bigint DEFAULT 0 NOT NULL,
    transports text[] DEFAULT '{}'::text[] NOT NULL,
    is_backed_up boolean NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    last_used_at timestamp with time zone,
    CONSTRAINT passkeys_credential_id_check CHECK (((octet_length(credential_id) >= 1) AND (octet_length(credential_id) <= 1023))),
    CONSTRAINT passkeys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);

COMMENT ON TABLE public.passkeys IS 'WebAuthn credentials (Level 3) that people sign in with.';

COMMENT ON COLUMN public.passkeys.public_key IS 'A COSE key (RFC 9052).';

COMMENT ON COLUMN public.passkeys.sign_count IS 'The authenticator''s own counter. One that does not rise means that the passkey was copied.';

CREATE TABLE public.payment_bookings (
    payment_id uuid NOT NULL,
    credited boolean NOT NULL,
    credits integer NOT NULL,
    late boolean NOT NULL,
    fee_units numeric(78,0) NOT NULL,
    confirmed_at timestamp with time zone,
    CONSTRAINT payment_bookings_check CHECK (((credits >= 0) AND ((credits > 0) OR (NOT credited))))
);

COMMENT ON TABLE public.payment_bookings IS 'What the books have made of a payment. Written when its invoice is assessed, never by the follower.';

COMMENT ON COLUMN public.payment_bookings.credits IS 'How often it was credited: after a reversal it may confirm again.';

COMMENT ON COLUMN public.payment_bookings.late IS 'Whether it confirmed after the invoice had expired or was cancelled.';

CREATE TABLE public.payments (
    id uuid NOT NULL,
    gate_id text NOT NULL,
    tx_hash text NOT NULL,
    output_index integer NOT NULL,
    environment text NOT NULL,
    currency text NOT NULL,
    network text NOT NULL,
    decimals smallint NOT NULL,
    units numeric(78,0) NOT NULL,
    address text NOT NULL,
    address_tag text,
    by_balance boolean DEFAULT false NOT NULL,
    invoice_id uuid,
    suspense_reason text,
    for_merchant_id uuid,
    for_invoice_id uuid,
    for_static_address_id uuid,
    required_confirmations integer NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    waiting boolean NOT NULL,
    block_height bigint,
    block_hash text,
    matures_at bigint GENERATED ALWAYS AS (((block_height + required_confirmations) - 1)) STORED,
    pinned_by uuid,
    CONSTRAINT payments_check CHECK (((invoice_id IS NULL) = (suspense_reason IS NOT NULL))),
    CONSTRAINT payments_check1 CHECK (((block_height IS NULL) = (block_hash IS NULL))),
    CONSTRAINT payments_check2 CHECK ((NOT (waiting AND (block_height IS NOT NULL)))),
    CONSTRAINT payments_check3 CHECK (((invoice_id IS NULL) OR (for_merchant_id IS NULL))),
    CONSTRAINT payments_check4 CHECK (((for_merchant_id IS NOT NULL) OR ((for_invoice_id IS NULL) AND (for_static_address_id IS NULL)))),
    CONSTRAINT payments_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT payments_units_check CHECK ((units > (0)::numeric))
);

COMMENT ON TABLE public.payments IS 'Transfers to our addresses, as the followed branch has them. The process that follows or rescans the chain writes all but pinned_by.';

COMMENT ON COLUMN public.payments.by_balance IS 'Found by what its address holds, since on some networks coins arrive inside contracts, without a transaction to us. Such a payment is named by the block after which the address first held it.';

COMMENT ON COLUMN public.payments.suspense_reason IS 'Why it belongs to no invoice. Such a payment is booked to suspense until a person says whose it is.';

COMMENT ON COLUMN public.payments.for_merchant_id IS 'In suspense: whose address it was sent to, where that is known. They are shown it, since the sender will ask them.';

COMMENT ON COLUMN public.payments.waiting IS 'In the mempool. A payment neither waiting nor in a block was replaced, dropped or reorganised away.';

COMMENT ON COLUMN public.payments.matures_at IS 'The height at which it is deep enough.';

COMMENT ON COLUMN public.payments.pinned_by IS 'The spend that uses its coins up. Written when the spend is planned, and taken back only when the spend is dead.';

CREATE TABLE public.payout_approvals (
    payout_id uuid NOT NULL,
    approver text NOT NULL,
    approval_hash text NOT NULL,
    credential_id bytea,
    authenticator_data bytea,
    client_data_json bytea,
    signature bytea,
    covered_hashes text[],
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT payout_approvals_approval_hash_check CHECK ((approval_hash ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT payout_approvals_check CHECK ((num_nulls(credential_id, authenticator_data, client_data_json, signature, covered_hashes) = ANY (ARRAY[0, 5])))
);

COMMENT ON TABLE public.payout_approvals IS 'Who let a payout go.';

COMMENT ON COLUMN public.payout_approvals.approver IS '`user:<id>`, `cli:<name>`, or `test:<key id>` for the test environment''s helper.';

COMMENT ON COLUMN public.payout_approvals.approval_hash IS 'A hash over exactly what was approved.';

COMMENT ON COLUMN public.payout_approvals.signature IS 'With the columns around it, an authenticator''s answer (WebAuthn Level 3). Its challenge is a hash over environment, merchant and covered_hashes. Null where the approval was given without a passkey.';

COMMENT ON COLUMN public.payout_approvals.covered_hashes IS 'The approval hashes of all payouts that the one answer lets go.';

CREATE TABLE public.payout_destinations (
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    network text NOT NULL,
    address text NOT NULL,
    tag text DEFAULT ''::text NOT NULL,
    label text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT payout_destinations_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
);

COMMENT ON TABLE public.payout_destinations IS 'Where a merchant that pays known destinations only may pay to.';

COMMENT ON COLUMN public.payout_destinations.tag IS 'Empty where there is none, so that it can be part of the key.';

CREATE TABLE public.payout_policies (
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    max_payout numeric(78,0),
    max_day numeric(78,0),
    only_known_destinations boolean DEFAULT false NOT NULL,
    approval text DEFAULT 'any'::text NOT NULL,
    approvals_required smallint DEFAULT 1 NOT NULL,
    cooling_off_seconds integer DEFAULT 0 NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT payout_policies_approval_check CHECK ((approval = ANY (ARRAY['any'::text, 'passkey'::text]))),
    CONSTRAINT payout_policies_approvals_required_check CHECK ((approvals_required = ANY (ARRAY[1, 2]))),
    CONSTRAINT payout_policies_cooling_off_seconds_check CHECK (((cooling_off_seconds >= 0) AND (cooling_off_seconds <= 2592000))),
    CONSTRAINT payout_policies_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT payout_policies_max_day_check CHECK ((max_day > (0)::numeric)),
    CONSTRAINT payout_policies_max_payout_check CHECK ((max_payout > (0)::numeric))
);

COMMENT ON TABLE public.payout_policies IS 'What a merchant''s people have agreed on for letting money out. No row means the defaults.';

COMMENT ON COLUMN public.payout_policies.only_known_destinations IS 'Only payout_destinations may be paid.';

COMMENT ON COLUMN public.payout_policies.approval IS 'In the live environment, a merchant with passkeys needs them whatever stands here, until one of the passkeys says otherwise.';

COMMENT ON COLUMN public.payout_policies.approvals_required IS 'With two, neither may come from the payout''s creator.';

COMMENT ON COLUMN public.payout_policies.cooling_off_seconds IS 'The time between approval and execution, in which a payout can still be cancelled.';

CREATE TABLE public.payouts (
    id uuid NOT NULL,
    "position" bigint NOT NULL,
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    status text NOT NULL,
    currency text NOT NULL,
    network text NOT NULL,
    gate_id text NOT NULL,
    decimals smallint NOT NULL,
    amount_units numeric(78,0) NOT NULL,
    fee_units numeric(78,0) NOT NULL,
    network_fee_units numeric(78,0) NOT NULL,
    reserve_raises integer DEFAULT 0 NOT NULL,
    base_currency text NOT NULL,
    amount_in_base_currency numeric(78,0),
    destination text NOT NULL,
    destination_tag text,
    description text,
    metadata jsonb,
    idempotency_key text,
    request_hash bytea,
    created_by text NOT NULL,
    refund_id uuid,
    waiting_reason text,
    failure_reason text,
    spend_id uuid,
    tx_hash text,
    approved_at timestamp with time zone,
    executable_at timestamp with time zone,
    completed_at timestamp with time zone,
    cancelled_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    allow_program_address boolean DEFAULT false NOT NULL,
    traceparent text,
    CONSTRAINT payouts_amount_units_check CHECK ((amount_units > (0)::numeric)),
    CONSTRAINT payouts_check CHECK (((idempotency_key IS NULL) = (request_hash IS NULL))),
    CONSTRAINT payouts_check1 CHECK (((status = ANY (ARRAY['processing'::text, 'completed'::text, 'failed'::text])) = (spend_id IS NOT NULL))),
    CONSTRAINT payouts_check2 CHECK (((status = 'completed'::text) = (completed_at IS NOT NULL))),
    CONSTRAINT payouts_check3 CHECK (((status = 'cancelled'::text) = (cancelled_at IS NOT NULL))),
    CONSTRAINT payouts_check4 CHECK (((status = 'failed'::text) = (failure_reason IS NOT NULL))),
    CONSTRAINT payouts_check5 CHECK (((status <> 'approved'::text) OR (executable_at IS NOT NULL))),
    CONSTRAINT payouts_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT payouts_fee_units_check CHECK ((fee_units >= (0)::numeric)),
    CONSTRAINT payouts_network_fee_units_check CHECK ((network_fee_units >= (0)::numeric)),
    CONSTRAINT payouts_status_check CHECK ((status = ANY (ARRAY['pending_approval'::text, 'approved'::text, 'processing'::text, 'completed'::text, 'failed'::text, 'cancelled'::text]))),
    CONSTRAINT payouts_traceparent_check CHECK ((length(traceparent) = 55))
);

COMMENT ON TABLE public.payouts IS 'Withdrawals from merchants'' balances to outside addresses.';

COMMENT ON COLUMN public.payouts."position" IS 'Rises with every insert: the order of lists.';

COMMENT ON COLUMN public.payouts.network_fee_units IS 'What is reserved for the network; once completed, what the network took.';

COMMENT ON COLUMN public.payouts.reserve_raises IS 'How often the reserve for the network was raised. It names the ledger transactions that did.';

COMMENT ON COLUMN public.payouts.request_hash IS 'SHA-256 of the request under idempotency_key: the same key with another request is refused.';

COMMENT ON COLUMN public.payouts.created_by IS 'Who asked for it: `key:<id>`, `user:<id>` or `cli:<name>`.';

COMMENT ON COLUMN public.payouts.refund_id IS 'The refund that this payout carries out.';

COMMENT ON COLUMN public.payouts.waiting_reason IS 'Why it is not moving on, in words for a person.';

COMMENT ON COLUMN public.payouts.spend_id IS 'The spend that pays it. Set once, and for good.';

COMMENT ON COLUMN public.payouts.executable_at IS 'When the cooling-off is over.';

COMMENT ON COLUMN public.payouts.allow_program_address IS 'Whether a program controls the destination, as for a multisig wallet on Solana. Whoever created the payout has allowed it explicitly. The signer does not ask: it is no protection against thieves, only against mistakes.';

COMMENT ON COLUMN public.payouts.traceparent IS 'The request that created it, as W3C Trace Context writes it; null if that was not traced. Submitting, sending and settling it continue that trace.';

ALTER TABLE public.payouts ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.payouts_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.policy_change_approvals (
    change_id uuid NOT NULL,
    approver text NOT NULL,
    credential_id bytea,
    authenticator_data bytea,
    client_data_json bytea,
    signature bytea,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT policy_change_approvals_approver_check CHECK ((approver ~ '^(user|cli):'::text)),
    CONSTRAINT policy_change_approvals_check CHECK ((num_nulls(credential_id, authenticator_data, client_data_json, signature) = ANY (ARRAY[0, 4])))
);

COMMENT ON TABLE public.policy_change_approvals IS 'Who agreed to a change of the policy. Its proposer is the first.';

COMMENT ON COLUMN public.policy_change_approvals.signature IS 'With the columns around it, the passkey''s answer to the change''s statement; null where none was asked for.';

CREATE TABLE public.policy_changes (
    id uuid NOT NULL,
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    kind text NOT NULL,
    base_currency text,
    max_payout numeric(78,0),
    max_day numeric(78,0),
    only_known_destinations boolean,
    approvals_required smallint,
    cooling_off_seconds integer,
    approval text,
    network text,
    address text,
    tag text,
    label text,
    relaxes text[] NOT NULL,
    statement text,
    proposed_by text NOT NULL,
    proposed_at timestamp with time zone NOT NULL,
    approvals_needed smallint NOT NULL,
    status text NOT NULL,
    applies_at timestamp with time zone,
    ended_at timestamp with time zone,
    CONSTRAINT policy_changes_approval_check CHECK ((approval = ANY (ARRAY['any'::text, 'passkey'::text]))),
    CONSTRAINT policy_changes_approvals_needed_check CHECK (((approvals_needed >= 1) AND (approvals_needed <= 2))),
    CONSTRAINT policy_changes_approvals_required_check CHECK (((approvals_required >= 1) AND (approvals_required <= 2))),
    CONSTRAINT policy_changes_check CHECK ((num_nulls(base_currency, only_known_destinations, approvals_required, cooling_off_seconds, approval) =
CASE kind
    WHEN 'policy'::text THEN 0
    ELSE 5
END)),
    CONSTRAINT policy_changes_check1 CHECK (((kind = 'policy'::text) OR (num_nonnulls(max_payout, max_day) = 0))),
    CONSTRAINT policy_changes_check2 CHECK ((num_nulls(network, address, tag) =
CASE kind
    WHEN 'destination'::text THEN 0
    ELSE 3
END)),
    CONSTRAINT policy_changes_check3 CHECK (((kind = 'destination'::text) OR (label IS NULL))),
    CONSTRAINT policy_changes_check4 CHECK (((status <> 'proposed'::text) OR (applies_at IS NULL))),
    CONSTRAINT policy_changes_check5 CHECK (((status <> ALL (ARRAY['waiting'::text, 'applied'::text])) OR (applies_at IS NOT NULL))),
    CONSTRAINT policy_changes_check6 CHECK (((status = ANY (ARRAY['proposed'::text, 'waiting'::text])) = (ended_at IS NULL))),
    CONSTRAINT policy_changes_cooling_off_seconds_check CHECK (((cooling_off_seconds >= 0) AND (cooling_off_seconds <= 2592000))),
    CONSTRAINT policy_changes_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT policy_changes_kind_check CHECK ((kind = ANY (ARRAY['policy'::text, 'destination'::text]))),
    CONSTRAINT policy_changes_max_day_check CHECK ((max_day > (0)::numeric)),
    CONSTRAINT policy_changes_max_payout_check CHECK ((max_payout > (0)::numeric)),
    CONSTRAINT policy_changes_proposed_by_check CHECK ((proposed_by ~ '^(user|cli):'::text)),
    CONSTRAINT policy_changes_status_check CHECK ((status = ANY (ARRAY['proposed'::text, 'waiting'::text, 'applied'::text, 'withdrawn'::text, 'superseded'::text])))
);

COMMENT ON TABLE public.policy_changes IS 'Changes that relax a live payout policy, or allow a destination while only known ones may be paid: proposed, approved, waiting, ended.';

COMMENT ON COLUMN public.policy_changes.kind IS '`policy`: the columns up to approval hold the whole policy that is wanted. `destination`: those from network to label hold the destination to allow.';

COMMENT ON COLUMN public.policy_changes.tag IS 'Empty for a destination without a tag.';

COMMENT ON COLUMN public.policy_changes.relaxes IS 'The rules that it relaxed when it was proposed; empty for a destination.';

COMMENT ON COLUMN public.policy_changes.statement IS 'The canonical text that everyone who approves signs with a passkey; null where none is asked for.';

COMMENT ON COLUMN public.policy_changes.approvals_needed IS 'As the policy in force required when it was proposed.';

COMMENT ON COLUMN public.policy_changes.applies_at IS 'Set when the last approval came.';

CREATE TABLE public.postings (
    transaction_id uuid NOT NULL,
    account_id bigint NOT NULL,
    units numeric(78,0) NOT NULL,
    CONSTRAINT postings_units_check CHECK ((units <> (0)::numeric))
);

COMMENT ON TABLE public.postings IS 'The lines of a ledger transaction: what it adds to each account.';

CREATE TABLE public.previous_transactions (
    gate_id text NOT NULL,
    tx_hash text NOT NULL,
    bytes bytea,
    asked_at timestamp with time zone,
    CONSTRAINT previous_transactions_bytes_check CHECK ((octet_length(bytes) <= 1000000)),
    CONSTRAINT previous_transactions_bytes_or_asked CHECK ((num_nulls(bytes, asked_at) = 1))
);

COMMENT ON TABLE public.previous_transactions IS 'Transactions in blocks that pay an address of ours on a network of coins. The signer hashes them itself, and so proves the amounts and scripts of the coins that it spends. Those of our change are the signed bytes in spend_transactions.';

COMMENT ON COLUMN public.previous_transactions.bytes IS 'Without witnesses: the bytes that tx_hash is the hash of. Null while the node cannot show the transaction; then no spend is planned with its coins.';

COMMENT ON COLUMN public.previous_transactions.asked_at IS 'When the node was last asked for a transaction that it could not show. Only coins from before this table was there are asked for.';

CREATE TABLE public.rate_quotes (
    source text NOT NULL,
    currency text NOT NULL,
    fiat_currency text NOT NULL,
    rate_scaled numeric(78,0) NOT NULL,
    fetched_at timestamp with time zone NOT NULL,
    CONSTRAINT rate_quotes_rate_scaled_check CHECK ((rate_scaled > (0)::numeric))
);

COMMENT ON TABLE public.rate_quotes IS 'The latest quote of each source.';

COMMENT ON COLUMN public.rate_quotes.rate_scaled IS 'Fiat per coin, times 10^18.';

CREATE TABLE public.rate_sources (
    source text NOT NULL,
    due_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

COMMENT ON TABLE public.rate_sources IS 'When each rate source is asked next.';

COMMENT ON COLUMN public.rate_sources.due_at IS 'The worker that claims a source moves this on, so that several workers ask once between them.';

CREATE TABLE public.rates (
    currency text NOT NULL,
    fiat_currency text NOT NULL,
    rate_scaled numeric(78,0) NOT NULL,
    sources text[] NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT rates_rate_scaled_check CHECK ((rate_scaled > (0)::numeric)),
    CONSTRAINT rates_sources_check CHECK ((cardinality(sources) > 0))
);

COMMENT ON TABLE public.rates IS 'The last rate that the healthy sources agreed on.';

COMMENT ON COLUMN public.rates.rate_scaled IS 'Fiat per coin, times 10^18.';

COMMENT ON COLUMN public.rates.sources IS 'Whose quotes it was made of.';

CREATE TABLE public.recovery_codes (
    user_id uuid NOT NULL,
    code_hash bytea NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT recovery_codes_code_hash_check CHECK ((octet_length(code_hash) = 32))
);

COMMENT ON TABLE public.recovery_codes IS 'Ten codes a person, for the day the phone is lost. Each works once.';

COMMENT ON COLUMN public.recovery_codes.code_hash IS 'SHA-256 of 80 random bits.';

CREATE TABLE public.refill_bookings (
    spend_id uuid NOT NULL,
    booking integer NOT NULL,
    cold_fee_units numeric(78,0) NOT NULL,
    CONSTRAINT refill_bookings_booking_check CHECK ((booking > 0)),
    CONSTRAINT refill_bookings_cold_fee_units_check CHECK ((cold_fee_units >= (0)::numeric))
);

COMMENT ON TABLE public.refill_bookings IS 'What the books have made of refills from cold wallets that are accounts. The newest booking counts while the spend is final or reverted; before that it was reversed.';

COMMENT ON COLUMN public.refill_bookings.booking IS 'Which one it is, from 1: after a reorganisation a refill may be booked anew.';

COMMENT ON COLUMN public.refill_bookings.cold_fee_units IS 'What its network fee has taken from the books of the cold wallet. Gas that the operator has put there is in no book, so this may be less than the fee.';

CREATE TABLE public.refills (
    spend_id uuid NOT NULL,
    tx_hash text,
    prepared_by text NOT NULL,
    again_of uuid,
    gas_tip numeric(78,0),
    CONSTRAINT refills_gas_tip_check CHECK ((gas_tip >= (0)::numeric))
);

COMMENT ON TABLE public.refills IS 'What is known of a refill before it is signed. Where coins are spent, its signatures are witnesses, so they do not change its hash. Where the cold wallet is an account, its address and its nonce identify it. A refill that has ended is recognised for good: whoever has its signed file can still send it.';

COMMENT ON COLUMN public.refills.tx_hash IS 'The hash that the transaction has on the network, whoever sends it there; null where the cold wallet is an account.';

COMMENT ON COLUMN public.refills.prepared_by IS '`cli:<name>`.';

COMMENT ON COLUMN public.refills.again_of IS 'The dead refill whose transaction was mined after all, so that this one books it. Null for one that was prepared.';

COMMENT ON COLUMN public.refills.gas_tip IS 'What the block producer is to get of each unit of gas, as it was written to the file; null where coins are spent.';

CREATE TABLE public.refunds (
    id uuid NOT NULL,
    "position" bigint NOT NULL,
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    invoice_id uuid NOT NULL,
    payout_id uuid NOT NULL,
    amount_units numeric(78,0) NOT NULL,
    idempotency_key text,
    request_hash bytea,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT refunds_amount_units_check CHECK ((amount_units > (0)::numeric)),
    CONSTRAINT refunds_check CHECK (((idempotency_key IS NULL) = (request_hash IS NULL))),
    CONSTRAINT refunds_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
);

COMMENT ON TABLE public.refunds IS 'Money of a paid invoice that is sent back. A payout carries it out, and its status is read from there.';

COMMENT ON COLUMN public.refunds."position" IS 'Rises with every insert: the order of lists.';

COMMENT ON COLUMN public.refunds.amount_units IS 'Never anything but the payout''s own amount. Kept here too, since what is still refundable is summed from here.';

ALTER TABLE public.refunds ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.refunds_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.rescan_outputs (
    gate_id text NOT NULL,
    tx_hash text NOT NULL,
    output_index integer NOT NULL,
    chain text NOT NULL,
    "position" bigint NOT NULL,
    address text NOT NULL,
    units numeric(78,0) NOT NULL,
    least_confirmations integer NOT NULL,
    block_height bigint NOT NULL,
    block_hash text NOT NULL,
    mined_at timestamp with time zone NOT NULL,
    taken_at timestamp with time zone,
    CONSTRAINT rescan_outputs_chain_check CHECK ((chain = ANY (ARRAY['deposit'::text, 'own'::text]))),
    CONSTRAINT rescan_outputs_units_check CHECK ((units > (0)::numeric))
);

COMMENT ON TABLE public.rescan_outputs IS 'Outputs a rescan found to pay us.';

COMMENT ON COLUMN public.rescan_outputs.chain IS 'Which of our addresses it pays: a deposit address, or one of our own for change.';

COMMENT ON COLUMN public.rescan_outputs.taken_at IS 'When it was dealt with. An unspent output becomes a payment in the same transaction.';

CREATE TABLE public.rescans (
    gate_id text NOT NULL,
    from_height bigint NOT NULL,
    next_height bigint NOT NULL,
    last_hash text,
    gap integer NOT NULL,
    highest_deposit bigint DEFAULT '-1'::integer NOT NULL,
    highest_own bigint DEFAULT '-1'::integer NOT NULL,
    revision bigint DEFAULT 0 NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT rescans_check CHECK ((next_height >= from_height)),
    CONSTRAINT rescans_check1 CHECK (((last_hash IS NULL) = (next_height = from_height))),
    CONSTRAINT rescans_from_height_check CHECK ((from_height >= 0)),
    CONSTRAINT rescans_gap_check CHECK ((gap > 0))
);

COMMENT ON TABLE public.rescans IS 'How far an old part of a chain has been read again, for coins this database does not know.';

COMMENT ON COLUMN public.rescans.next_height IS 'The next block to read. Blocks that a reorganisation may still replace are read anew each time and never counted here.';

COMMENT ON COLUMN public.rescans.last_hash IS 'The hash of the block before next_height; null before the first.';

COMMENT ON COLUMN public.rescans.gap IS 'How many addresses in a row may have been handed out and never paid.';

COMMENT ON COLUMN public.rescans.highest_deposit IS 'The highest position of a deposit address found in use; -1 for none.';

COMMENT ON COLUMN public.rescans.highest_own IS 'The highest position of a change address found in use; -1 for none.';

COMMENT ON COLUMN public.rescans.revision IS 'The process that takes a rescan up raises it, so that an earlier process still running can write no more.';

CREATE TABLE public.retention_floors (
    kept text NOT NULL,
    before timestamp with time zone NOT NULL
);

COMMENT ON TABLE public.retention_floors IS 'Up to when rows of a table may be missing because they were old. Only our functions write it.';

COMMENT ON COLUMN public.retention_floors.kept IS 'The table.';

CREATE TABLE public.saved_views (
    id uuid NOT NULL,
    merchant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    list text NOT NULL,
    name text NOT NULL,
    name_key text GENERATED ALWAYS AS (lower(name)) STORED NOT NULL,
    query text NOT NULL,
    is_shared boolean NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT saved_views_list_check CHECK (((length(list) >= 1) AND (length(list) <= 30))),
    CONSTRAINT saved_views_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
    CONSTRAINT saved_views_query_check CHECK (((length(query) >= 1) AND (length(query) <= 1000)))
);

COMMENT ON TABLE public.saved_views IS 'Views of the dashboard''s lists. They belong to a membership: whoever leaves the merchant leaves none behind.';

COMMENT ON COLUMN public.saved_views.list IS 'Which list; domain/saved-views.ts knows them all.';

COMMENT ON COLUMN public.saved_views.name_key IS 'What a name is recognised by: two spellings that differ only in case are one name.';

COMMENT ON COLUMN public.saved_views.query IS 'Filters, days and order as the list''s URL has them, with nothing but parameters of this list, in the order in which the service writes them.';

COMMENT ON COLUMN public.saved_views.is_shared IS 'Whether the other members see it.';

CREATE TABLE public.schema_migrations (
    number integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

COMMENT ON TABLE public.schema_migrations IS 'The migrations this database has run. Made and written by store/migrate.ts.';

COMMENT ON COLUMN public.schema_migrations.checksum IS 'SHA-256 of the file as it ran. A file that has changed since is refused.';

CREATE TABLE public.sessions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    token_hash bytea NOT NULL,
    is_complete boolean NOT NULL,
    proved_at timestamp with time zone,
    proved_by text,
    ip text NOT NULL,
    user_agent text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    last_seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    device_hash bytea,
    is_new_device boolean DEFAULT false NOT NULL,
    CONSTRAINT sessions_check CHECK (((proved_at IS NULL) = (proved_by IS NULL))),
    CONSTRAINT sessions_device_hash_check CHECK ((octet_length(device_hash) = 32)),
    CONSTRAINT sessions_proved_by_check CHECK ((proved_by = ANY (ARRAY['password'::text, 'totp'::text, 'recovery_code'::text, 'passkey'::text]))),
    CONSTRAINT sessions_token_hash_check CHECK ((octet_length(token_hash) = 32)),
    CONSTRAINT sessions_user_agent_check CHECK ((length(user_agent) <= 500))
);

COMMENT ON TABLE public.sessions IS 'Browsers that are, or were, signed in.';

COMMENT ON COLUMN public.sessions.token_hash IS 'SHA-256 of the cookie, which is shown once and kept nowhere.';

COMMENT ON COLUMN public.sessions.is_complete IS 'False between the password and the second factor. Until then the session is good for nothing else.';

COMMENT ON COLUMN public.sessions.proved_at IS 'When the person last showed more than the cookie.';

COMMENT ON COLUMN public.sessions.device_hash IS 'The device it was begun from, as in devices; null while it is incomplete, and for sessions from before devices were known.';

COMMENT ON COLUMN public.sessions.is_new_device IS 'Whether the device was unknown until then.';

CREATE TABLE public.shop_connections (
    id uuid NOT NULL,
    "position" bigint NOT NULL,
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    app text NOT NULL,
    name text NOT NULL,
    return_url text NOT NULL,
    webhook_url text NOT NULL,
    permissions text[] NOT NULL,
    code_hash bytea NOT NULL,
    challenge bytea NOT NULL,
    allowed_by uuid NOT NULL,
    allowed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    key_id uuid,
    endpoint_id uuid,
    connected_at timestamp with time zone,
    disconnected_at timestamp with time zone,
    CONSTRAINT shop_connections_app_check CHECK ((app ~ '^[a-z][a-z0-9-]{0,31}$'::text)),
    CONSTRAINT shop_connections_challenge_check CHECK ((octet_length(challenge) = 32)),
    CONSTRAINT shop_connections_check CHECK ((((connected_at IS NULL) = (key_id IS NULL)) AND ((connected_at IS NULL) = (endpoint_id IS NULL)))),
    CONSTRAINT shop_connections_check1 CHECK (((disconnected_at IS NULL) OR (connected_at IS NOT NULL))),
    CONSTRAINT shop_connections_code_hash_check CHECK ((octet_length(code_hash) = 32)),
    CONSTRAINT shop_connections_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT shop_connections_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT shop_connections_permissions_check CHECK ((cardinality(permissions) > 0)),
    CONSTRAINT shop_connections_return_url_check CHECK (((length(return_url) >= 1) AND (length(return_url) <= 2048))),
    CONSTRAINT shop_connections_webhook_url_check CHECK (((length(webhook_url) >= 1) AND (length(webhook_url) <= 2048)))
);

COMMENT ON TABLE public.shop_connections IS 'Shops that a person has allowed to connect. A row without a time of connection is an offer; the shop takes it up by its code, or it expires.';

COMMENT ON COLUMN public.shop_connections.webhook_url IS 'Identifies the shop: another connection with the same one takes the place of this one.';

COMMENT ON COLUMN public.shop_connections.code_hash IS 'SHA-256 of the code in the return URL. The code works once: connecting sets connected_at.';

COMMENT ON COLUMN public.shop_connections.challenge IS 'SHA-256 of a secret that the shop keeps (RFC 7636). Without it the code, which passes through a browser, is worthless.';

ALTER TABLE public.shop_connections ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.shop_connections_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.sign_in_failures (
    subject text NOT NULL,
    failures integer NOT NULL,
    last_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    blocked_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT sign_in_failures_subject_check CHECK ((length(subject) <= 200))
);

COMMENT ON TABLE public.sign_in_failures IS 'Failed attempts to sign in, by account and by origin. Here, so that all processes count together.';

COMMENT ON COLUMN public.sign_in_failures.subject IS '`account:<hash of the e-mail address>`, `ip:<network>`, `code:<user>` or `password:<user>`.';

COMMENT ON COLUMN public.sign_in_failures.blocked_until IS 'Until then attempts are turned away without a look at them.';

CREATE TABLE public.signer_changes (
    environment text NOT NULL,
    kind text NOT NULL,
    merchant_id uuid,
    subject text NOT NULL,
    details text NOT NULL,
    accepted_at timestamp with time zone NOT NULL,
    counts_from timestamp with time zone NOT NULL,
    announced_at timestamp with time zone,
    CONSTRAINT signer_changes_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT signer_changes_kind_check CHECK ((kind = ANY (ARRAY['passkey'::text, 'policy'::text, 'destination'::text, 'settings'::text])))
);

COMMENT ON TABLE public.signer_changes IS 'What signers report to have accepted and not to allow yet, because it weakens what is in force. For people to see in time; no signer reads it.';

COMMENT ON COLUMN public.signer_changes.merchant_id IS 'Null for a change of the operator’s settings.';

COMMENT ON COLUMN public.signer_changes.subject IS 'A passkey’s fingerprint, the time of a policy, a destination, or the name of a setting.';

COMMENT ON COLUMN public.signer_changes.announced_at IS 'When mails about it were queued.';

CREATE TABLE public.simulated_blocks (
    gate_id text NOT NULL,
    height bigint NOT NULL,
    hash text NOT NULL,
    parent_hash text NOT NULL,
    mined_at timestamp with time zone NOT NULL,
    CONSTRAINT simulated_blocks_height_check CHECK ((height >= 0))
);
ALTER TABLE ONLY public.simulated_blocks ALTER COLUMN gate_id SET STATISTICS 0;

COMMENT ON TABLE public.simulated_blocks IS 'The blocks of the present branch. What a reorganisation replaces is gone, as on a node that never saw it.';

COMMENT ON COLUMN public.simulated_blocks.gate_id IS 'Here and in the tables beside it without statistics, so that plans made while a chain is short serve when it is long.';

CREATE TABLE public.simulated_chains (
    gate_id text NOT NULL,
    height bigint NOT NULL,
    hash text NOT NULL,
    changes bigint DEFAULT 0 NOT NULL,
    next_block_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT simulated_chains_height_check CHECK ((height >= 0))
);

COMMENT ON TABLE public.simulated_chains IS 'The simulated chains. Each change of one locks its row for the whole transaction: everything else about the chain is written under that lock.';

COMMENT ON COLUMN public.simulated_chains.changes IS 'Rises with every change, so that a reader sees at little cost that it has seen everything.';

CREATE TABLE public.simulated_debits (
    gate_id text NOT NULL,
    tx_hash text NOT NULL,
    address text NOT NULL,
    currency text NOT NULL,
    units numeric(78,0) NOT NULL,
    CONSTRAINT simulated_debits_units_check CHECK ((units > (0)::numeric))
);
ALTER TABLE ONLY public.simulated_debits ALTER COLUMN gate_id SET STATISTICS 0;

COMMENT ON TABLE public.simulated_debits IS 'What each account parts with in a transaction, fee included.';

CREATE TABLE public.simulated_outputs (
    gate_id text NOT NULL,
    tx_hash text NOT NULL,
    output_index integer NOT NULL,
    address text NOT NULL,
    tag text,
    currency text NOT NULL,
    units numeric(78,0) NOT NULL,
    CONSTRAINT simulated_outputs_output_index_check CHECK ((output_index >= 0)),
    CONSTRAINT simulated_outputs_units_check CHECK ((units > (0)::numeric))
);
ALTER TABLE ONLY public.simulated_outputs ALTER COLUMN gate_id SET STATISTICS 0;

COMMENT ON TABLE public.simulated_outputs IS 'What a transaction pays, and to whom.';

CREATE TABLE public.simulated_ruled_out (
    gate_id text NOT NULL,
    tx_hash text NOT NULL,
    height bigint
);

COMMENT ON TABLE public.simulated_ruled_out IS 'Transactions that the network rejects for good, whether it knows them or not.';

COMMENT ON COLUMN public.simulated_ruled_out.height IS 'How high the chain was then; null where another transaction took the account''s nonce and so rules it out.';

CREATE TABLE public.simulated_transactions (
    gate_id text NOT NULL,
    hash text NOT NULL,
    sender text,
    nonce numeric(78,0),
    fee_units numeric(78,0) NOT NULL,
    fee_rate numeric(78,0) NOT NULL,
    arrival bigint NOT NULL,
    executed boolean DEFAULT false NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    gone boolean GENERATED ALWAYS AS ((state = 'gone'::text)) STORED NOT NULL,
    failed boolean DEFAULT false NOT NULL,
    height bigint,
    bytes bytea,
    CONSTRAINT simulated_transactions_check CHECK (((state = 'mined'::text) = (height IS NOT NULL))),
    CONSTRAINT simulated_transactions_check1 CHECK (((sender IS NULL) = (nonce IS NULL))),
    CONSTRAINT simulated_transactions_check2 CHECK ((executed OR (sender IS NULL))),
    CONSTRAINT simulated_transactions_fee_rate_check CHECK ((fee_rate >= (0)::numeric)),
    CONSTRAINT simulated_transactions_fee_units_check CHECK ((fee_units >= (0)::numeric)),
    CONSTRAINT simulated_transactions_hash_check CHECK (((length(hash) >= 1) AND (length(hash) <= 128))),
    CONSTRAINT simulated_transactions_nonce_check CHECK ((nonce >= (0)::numeric)),
    CONSTRAINT simulated_transactions_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'mined'::text, 'gone'::text])))
);
ALTER TABLE ONLY public.simulated_transactions ALTER COLUMN gate_id SET STATISTICS 0;

COMMENT ON TABLE public.simulated_transactions IS 'Transactions the simulated networks know, waiting, mined or gone.';

COMMENT ON COLUMN public.simulated_transactions.sender IS 'The account whose transaction it is; null on networks of coins.';

COMMENT ON COLUMN public.simulated_transactions.nonce IS 'Which of the sender''s transactions it is.';

COMMENT ON COLUMN public.simulated_transactions.fee_rate IS 'What it pays for a unit of its size or gas. It decides what is mined first, and what a replacement must exceed.';

COMMENT ON COLUMN public.simulated_transactions.arrival IS 'The order in which transactions reached the mempool.';

COMMENT ON COLUMN public.simulated_transactions.executed IS 'Whether it was read from signed bytes, and so is held to what it spends. All others bring coins from nowhere.';

COMMENT ON COLUMN public.simulated_transactions.gone IS 'For the foreign key of simulated_uses.';

COMMENT ON COLUMN public.simulated_transactions.failed IS 'Whether it ran and failed, as one does whose tokens are no longer there: it took its nonce and its fee, and moved nothing.';

COMMENT ON COLUMN public.simulated_transactions.bytes IS 'Its bytes, with witnesses if it was sent with them. Null on networks that are neither Bitcoin-like nor EVM, and for payments that the simulator has made on networks with accounts.';

ALTER TABLE public.simulated_transactions ALTER COLUMN arrival ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.simulated_transactions_arrival_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.simulated_uses (
    gate_id text NOT NULL,
    use text NOT NULL,
    tx_hash text NOT NULL,
    gone boolean DEFAULT false NOT NULL,
    CONSTRAINT simulated_uses_use_check CHECK (((length(use) >= 1) AND (length(use) <= 300)))
);
ALTER TABLE ONLY public.simulated_uses ALTER COLUMN gate_id SET STATISTICS 0;

COMMENT ON TABLE public.simulated_uses IS 'What a transaction uses that can be used only once.';

COMMENT ON COLUMN public.simulated_uses.use IS 'A coin as `<hash>:<output>`, an account''s nonce as `<address>#<nonce>`.';

CREATE TABLE public.spend_counters (
    gate_id text NOT NULL,
    name text NOT NULL,
    next numeric(78,0) DEFAULT 0 NOT NULL
);

COMMENT ON TABLE public.spend_counters IS 'The next change address of a gate, and the next nonce of an account. Each is taken once.';

COMMENT ON COLUMN public.spend_counters.name IS '`change`, or the account''s address.';

CREATE TABLE public.spend_transactions (
    spend_id uuid NOT NULL,
    attempt integer NOT NULL,
    plan jsonb NOT NULL,
    max_fee_units numeric(78,0) NOT NULL,
    change_address text GENERATED ALWAYS AS ((((plan -> 'outputs'::text) -> (((plan -> 'change'::text) ->> 'outputIndex'::text))::integer) ->> 'address'::text)) STORED,
    tx_hash text,
    bytes bytea,
    refusal text,
    refused_for_good_at timestamp with time zone,
    planned_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    signed_at timestamp with time zone,
    sent_at timestamp with time zone,
    last_sent_at timestamp with time zone,
    answer text,
    cancels boolean GENERATED ALWAYS AS (COALESCE((((plan ->> 'kind'::text) = ANY (ARRAY['account'::text, 'solana'::text])) AND ((plan ->> 'units'::text) = '0'::text) AND (((plan -> 'to'::text) ->> 'address'::text) = ((plan -> 'from'::text) ->> 'address'::text))), false)) STORED NOT NULL,
    CONSTRAINT spend_transactions_attempt_check CHECK ((attempt > 0)),
    CONSTRAINT spend_transactions_check CHECK ((((tx_hash IS NULL) = (bytes IS NULL)) AND ((bytes IS NULL) = (signed_at IS NULL)))),
    CONSTRAINT spend_transactions_check1 CHECK (((sent_at IS NULL) OR (signed_at IS NOT NULL))),
    CONSTRAINT spend_transactions_max_fee_units_check CHECK ((max_fee_units >= (0)::numeric))
);

COMMENT ON TABLE public.spend_transactions IS 'The attempts of a spend: what was planned, signed and sent. A later attempt pays a higher fee and uses the same coins or nonce.';

COMMENT ON COLUMN public.spend_transactions.max_fee_units IS 'The most the network can take, in its native currency.';

COMMENT ON COLUMN public.spend_transactions.change_address IS 'Where the change goes: an address of our own, which no payout may be sent to.';

COMMENT ON COLUMN public.spend_transactions.refusal IS 'Why the signer does not sign it.';

COMMENT ON COLUMN public.spend_transactions.refused_for_good_at IS 'When the signer first refused it for a reason that will not pass by itself; null while it may.';

COMMENT ON COLUMN public.spend_transactions.answer IS 'What the network said when it was last sent.';

COMMENT ON COLUMN public.spend_transactions.cancels IS 'Whether the attempt pays nothing and only uses up the nonce, so that earlier attempts can never be mined.';

CREATE TABLE public.spends (
    id uuid NOT NULL,
    gate_id text NOT NULL,
    kind text NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    from_address text,
    nonce numeric(78,0),
    to_address text,
    currency text,
    units numeric(78,0),
    after_spend_id uuid,
    mined_hash text,
    block_height bigint,
    block_hash text,
    fee_units numeric(78,0),
    fee_currency text,
    fee_corrections integer DEFAULT 0 NOT NULL,
    give_up_asked_at timestamp with time zone,
    given_up_at timestamp with time zone,
    lost_currency text,
    lost_units numeric(78,0),
    lost_count integer,
    undone_reason text,
    short_since timestamp with time zone,
    look_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    ended_at timestamp with time zone,
    nonce_account integer,
    nonce_value text,
    CONSTRAINT spends_check CHECK (((from_address IS NULL) = (nonce IS NULL))),
    CONSTRAINT spends_check1 CHECK (((status = 'open'::text) = (ended_at IS NULL))),
    CONSTRAINT spends_check2 CHECK (((kind = 'absorb'::text) = (fee_currency IS NULL))),
    CONSTRAINT spends_check3 CHECK (((block_height IS NULL) = (block_hash IS NULL))),
    CONSTRAINT spends_check4 CHECK (((status <> ALL (ARRAY['final'::text, 'reverted'::text])) OR (kind = 'absorb'::text) OR ((mined_hash IS NOT NULL) AND (fee_units IS NOT NULL)))),
    CONSTRAINT spends_consolidation_coins CHECK (((kind <> 'consolidation'::text) OR (from_address IS NULL))),
    CONSTRAINT spends_fill_nonces CHECK (((kind <> 'fill'::text) OR ((from_address IS NOT NULL) AND (units = (0)::numeric)))),
    CONSTRAINT spends_given_up_when_asked CHECK (((given_up_at IS NULL) OR (give_up_asked_at IS NOT NULL))),
    CONSTRAINT spends_lost_count_check CHECK ((lost_count > 0)),
    CONSTRAINT spends_lost_units_check CHECK ((lost_units > (0)::numeric)),
    CONSTRAINT spends_lost_whole CHECK ((num_nulls(lost_currency, lost_units, lost_count) = ANY (ARRAY[0, 3]))),
    CONSTRAINT spends_nonce_account_check CHECK ((nonce_account >= 0)),
    CONSTRAINT spends_nonce_value_of_account CHECK (((nonce_value IS NULL) OR (nonce_account IS NOT NULL))),
    CONSTRAINT spends_status_check CHECK ((status = ANY (ARRAY['open'::text, 'final'::text, 'reverted'::text, 'dead'::text])))
);

COMMENT ON TABLE public.spends IS 'Money on its way out of an address of ours. The coins or the nonce a spend uses are its own for good, so of all transactions ever signed for it at most one can be mined.';

COMMENT ON COLUMN public.spends.kind IS '`payout` pays payouts. `sweep` moves the funds of deposit addresses to the hot wallet. `gas` gives a deposit address what its sweep costs. `absorb` notes funds that arrived at the hot wallet itself, and has no transaction. `consolidation` merges small coins into one of our own while fees are low. `fill` uses up a nonce of the hot wallet that is free again on the chain, although what was planned for it is dead or was never ours. The last two pay nobody. `cold` moves funds of the hot wallet to the operator''s cold wallet. `refill` brings some back: the operator signs it, never the signer, and the keys in its plan are the cold wallet''s. `nonce` creates a nonce account of the hot wallet. `trust` makes the hot wallet''s trust line for a currency.';

COMMENT ON COLUMN public.spends.status IS '`final`: one of its transactions is mined deep enough. `reverted`: one is, but it failed there, so only the fee is gone. `dead`: it is proved that none ever will be mined.';

COMMENT ON COLUMN public.spends.from_address IS 'The account that sends; null where coins are spent.';

COMMENT ON COLUMN public.spends.nonce IS 'Of the account at from_address: our own, or the cold wallet in a refill. On Solana only a number of ours, since transactions there hold a nonce account instead.';

COMMENT ON COLUMN public.spends.to_address IS 'Where an account''s coins went. Asked for each address whose balance is compared with what it should hold.';

COMMENT ON COLUMN public.spends.after_spend_id IS 'Sent only once that one is final.';

COMMENT ON COLUMN public.spends.mined_hash IS 'The transaction of it that was mined. On a dead spend: one that was mined after all, when what ruled it out was reorganised away. What that took is an outside move of its number.';

COMMENT ON COLUMN public.spends.block_height IS 'The block with its mined transaction, on the branch that was followed when it was last looked at. On a dead spend: the block that ruled it out.';

COMMENT ON COLUMN public.spends.fee_units IS 'What the network took.';

COMMENT ON COLUMN public.spends.fee_currency IS 'The network''s native currency.';

COMMENT ON COLUMN public.spends.fee_corrections IS 'How often the cost was put right after it was first booked. A transaction that a reorganisation moves to another block can take more or less gas there.';

COMMENT ON COLUMN public.spends.give_up_asked_at IS 'On a spend of coins that the signer refused for good: when it was decided not to wait for another answer.';

COMMENT ON COLUMN public.spends.given_up_at IS 'When the signer said that it will never sign the spend. Only then are its coins free, and its payouts fail.';

COMMENT ON COLUMN public.spends.lost_units IS 'What a signed transaction pays for payouts that were lost with a newer database. It is booked to the operator''s float when the transaction is final.';

COMMENT ON COLUMN public.spends.lost_count IS 'How many payouts those were.';

COMMENT ON COLUMN public.spends.undone_reason IS 'Why a transaction that was booked as done cannot come back by itself after a reorganisation; null while it can.';

COMMENT ON COLUMN public.spends.short_since IS 'Since when the hot wallet has had less than this signed payout, whose turn it is, sends and pays; null while it has enough.';

COMMENT ON COLUMN public.spends.look_at IS 'When it is worth a look again.';

COMMENT ON COLUMN public.spends.nonce_account IS 'On Solana: the index of the hot wallet''s nonce account that it holds, or creates.';

COMMENT ON COLUMN public.spends.nonce_value IS 'The value of that account that its transactions carry, so that at most one of them can be executed. Null where it creates the account.';

COMMENT ON CONSTRAINT spends_consolidation_coins ON public.spends IS 'A consolidation spends coins, never a nonce.';

COMMENT ON CONSTRAINT spends_fill_nonces ON public.spends IS 'A fill uses an account''s nonce and moves nothing.';

CREATE TABLE public.static_addresses (
    id uuid NOT NULL,
    "position" bigint NOT NULL,
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    currency text NOT NULL,
    network text NOT NULL,
    gate_id text NOT NULL,
    keychain text NOT NULL,
    deposit_position bigint NOT NULL,
    address text NOT NULL,
    address_tag text,
    label text,
    total_received_units numeric(78,0) DEFAULT 0 NOT NULL,
    invoice_count integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    address_proof text,
    CONSTRAINT static_addresses_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
);

COMMENT ON TABLE public.static_addresses IS 'Permanent deposit addresses. Each deposit to one makes an invoice.';

COMMENT ON COLUMN public.static_addresses."position" IS 'Rises with every insert: the order of lists.';

COMMENT ON COLUMN public.static_addresses.deposit_position IS 'The address''s position in its keychain.';

COMMENT ON COLUMN public.static_addresses.total_received_units IS 'Confirmed deposits, less what was reversed.';

COMMENT ON COLUMN public.static_addresses.invoice_count IS 'How many of its invoices hold confirmed money.';

COMMENT ON COLUMN public.static_addresses.address_proof IS 'The proof of its deposit address.';

ALTER TABLE public.static_addresses ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.static_addresses_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.suspense_releases (
    payment_id uuid NOT NULL,
    merchant_id uuid NOT NULL,
    released_by text NOT NULL,
    note text NOT NULL,
    released_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

COMMENT ON TABLE public.suspense_releases IS 'What the operator gave a merchant out of suspense: once a payment, and for good. While the payment is off the chain, so is what was given.';

CREATE TABLE public.test_clock_moves (
    id uuid NOT NULL,
    merchant_id uuid NOT NULL,
    environment text DEFAULT 'test'::text NOT NULL,
    moved_at timestamp with time zone NOT NULL,
    advanced interval NOT NULL,
    ahead interval NOT NULL,
    brought json NOT NULL,
    idempotency_key text,
    request_hash bytea,
    CONSTRAINT test_clock_moves_advanced_check CHECK ((advanced > '00:00:00'::interval)),
    CONSTRAINT test_clock_moves_check CHECK (((idempotency_key IS NULL) = (request_hash IS NULL))),
    CONSTRAINT test_clock_moves_environment_check CHECK ((environment = 'test'::text))
);

COMMENT ON TABLE public.test_clock_moves IS 'Every move of a test clock. What happened before a move is dated by the clock as it was then, however late we learn of it.';

COMMENT ON COLUMN public.test_clock_moves.moved_at IS 'The real time. Several moves may have the same.';

COMMENT ON COLUMN public.test_clock_moves.ahead IS 'How far the clock was ahead of the real time from then on.';

COMMENT ON COLUMN public.test_clock_moves.brought IS 'What the move made due, as it was answered.';

CREATE TABLE public.test_clocks (
    merchant_id uuid NOT NULL,
    environment text DEFAULT 'test'::text NOT NULL,
    ahead interval NOT NULL,
    CONSTRAINT test_clocks_ahead_check CHECK ((((ahead >= '00:00:00'::interval) AND (ahead <= '87840:00:00'::interval)) AND (ahead = date_trunc('second'::text, ahead)))),
    CONSTRAINT test_clocks_environment_check CHECK ((environment = 'test'::text))
);

COMMENT ON TABLE public.test_clocks IS 'How far the clocks of merchants'' test environments are ahead of the real time. A merchant that never moved its clock has no row.';

COMMENT ON COLUMN public.test_clocks.ahead IS 'Only ever grows: time that went back would put effects before their causes. At most 3,660 days, in whole seconds.';

CREATE TABLE public.users (
    id uuid NOT NULL,
    email text NOT NULL,
    email_key text GENERATED ALWAYS AS (lower(email)) STORED NOT NULL,
    name text NOT NULL,
    password_hash text,
    totp_secret bytea,
    totp_confirmed_at timestamp with time zone,
    totp_last_step bigint DEFAULT 0 NOT NULL,
    totp_pending bytea,
    is_operator boolean DEFAULT false NOT NULL,
    language text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    disabled_at timestamp with time zone,
    must_change_password boolean DEFAULT false NOT NULL,
    CONSTRAINT users_check CHECK (((totp_confirmed_at IS NULL) OR (totp_secret IS NOT NULL))),
    CONSTRAINT users_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
    CONSTRAINT users_language_check CHECK ((language ~ '^[a-z]{2}$'::text)),
    CONSTRAINT users_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255)))
);

COMMENT ON TABLE public.users IS 'People who sign in to the dashboard.';

COMMENT ON COLUMN public.users.email_key IS 'What a person is found by: two spellings that differ only in case are one person.';

COMMENT ON COLUMN public.users.password_hash IS 'Argon2id (RFC 9106) as a PHC string; null for someone who has never set a password.';

COMMENT ON COLUMN public.users.totp_secret IS 'The secret of RFC 6238, sealed. It counts once a code from it was entered.';

COMMENT ON COLUMN public.users.totp_last_step IS 'The newest time step whose code was accepted. No code is accepted twice.';

COMMENT ON COLUMN public.users.totp_pending IS 'The secret being set up, sealed. It replaces totp_secret once a code from it was entered.';

COMMENT ON COLUMN public.users.is_operator IS 'Runs the service, for all merchants.';

COMMENT ON COLUMN public.users.must_change_password IS 'Whether others may know the password, such as one that was printed. Its sessions can do nothing but replace it.';

CREATE TABLE public.wallet_keys (
    environment text NOT NULL,
    network text NOT NULL,
    public_key text,
    wallet text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    proof text,
    CONSTRAINT wallet_keys_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT wallet_keys_wallet_check CHECK ((wallet ~ '^[0-9a-f]{16}$'::text))
);

COMMENT ON TABLE public.wallet_keys IS 'The public side of a wallet: all that anyone but the holder of the seed needs. An environment has one wallet.';

COMMENT ON COLUMN public.wallet_keys.public_key IS 'What deposit addresses are made from: an account key, or the account they all share. Null where only the holder of the seed can make them.';

COMMENT ON COLUMN public.wallet_keys.wallet IS 'A fingerprint of the seed.';

COMMENT ON COLUMN public.wallet_keys.proof IS 'The signer''s HMAC of environment, wallet, network and key. Null until a signer with the secret key has started.';

CREATE TABLE public.webhook_attempts (
    delivery_id uuid NOT NULL,
    number integer NOT NULL,
    attempted_at timestamp with time zone NOT NULL,
    signed_at bigint,
    signature text,
    status_code integer,
    duration_ms integer NOT NULL,
    error text,
    answer text
);

COMMENT ON TABLE public.webhook_attempts IS 'Each request that was made for a delivery, and what came back.';

COMMENT ON COLUMN public.webhook_attempts.signed_at IS 'The signed time stamp, in seconds since 1970. With the signature, the receiver''s check can be repeated.';

COMMENT ON COLUMN public.webhook_attempts.error IS 'Why there was no answer.';

COMMENT ON COLUMN public.webhook_attempts.answer IS 'The beginning of what the receiver answered.';

CREATE TABLE public.webhook_deliveries (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    event_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone DEFAULT clock_timestamp(),
    claimed boolean DEFAULT false NOT NULL,
    last_attempt_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT webhook_deliveries_check CHECK (((status = 'pending'::text) = (due_at IS NOT NULL))),
    CONSTRAINT webhook_deliveries_check1 CHECK (((status = 'pending'::text) OR (NOT claimed))),
    CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text])))
);

COMMENT ON TABLE public.webhook_deliveries IS 'One event on its way to one endpoint.';

COMMENT ON COLUMN public.webhook_deliveries.attempts IS 'All attempts ever made.';

COMMENT ON COLUMN public.webhook_deliveries.tries IS 'Attempts since the delivery was last asked for: where it stands in its schedule of retries.';

COMMENT ON COLUMN public.webhook_deliveries.due_at IS 'When it is tried next, or when the claim on it runs out.';

CREATE TABLE public.webhook_endpoints (
    id uuid NOT NULL,
    "position" bigint NOT NULL,
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    url text NOT NULL,
    events text[],
    description text,
    status text DEFAULT 'enabled'::text NOT NULL,
    disabled_reason text,
    disabled_at timestamp with time zone,
    secret bytea NOT NULL,
    previous_secret bytea,
    previous_until timestamp with time zone,
    failing_since timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT webhook_endpoints_check CHECK (((status = 'disabled'::text) = (disabled_reason IS NOT NULL))),
    CONSTRAINT webhook_endpoints_check1 CHECK (((previous_secret IS NULL) = (previous_until IS NULL))),
    CONSTRAINT webhook_endpoints_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT webhook_endpoints_events_check CHECK ((cardinality(events) > 0)),
    CONSTRAINT webhook_endpoints_status_check CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text, 'deleted'::text]))),
    CONSTRAINT webhook_endpoints_url_check CHECK (((length(url) >= 1) AND (length(url) <= 2048)))
);

COMMENT ON TABLE public.webhook_endpoints IS 'Where a merchant wants its events sent.';

COMMENT ON COLUMN public.webhook_endpoints.events IS 'The names of the events it is sent; null for all.';

COMMENT ON COLUMN public.webhook_endpoints.secret IS 'What deliveries are signed with, sealed with the operator''s key.';

COMMENT ON COLUMN public.webhook_endpoints.previous_secret IS 'Sealed too. While a secret is rotated, both sign.';

COMMENT ON COLUMN public.webhook_endpoints.failing_since IS 'Since when nothing has been accepted; null while the last attempt succeeded.';

ALTER TABLE public.webhook_endpoints ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.webhook_endpoints_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (chain, seq);

ALTER TABLE ONLY public.audit_heads
    ADD CONSTRAINT audit_heads_pkey PRIMARY KEY (chain);

ALTER TABLE ONLY public.audit_roots
    ADD CONSTRAINT audit_roots_pkey PRIMARY KEY (chain);

ALTER TABLE ONLY public.audits
    ADD CONSTRAINT audits_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.balance_shortfalls
    ADD CONSTRAINT balance_shortfalls_pkey PRIMARY KEY (gate_id, address);

ALTER TABLE ONLY public.ceremonies
    ADD CONSTRAINT ceremonies_challenge_key UNIQUE (challenge);

ALTER TABLE ONLY public.ceremonies
    ADD CONSTRAINT ceremonies_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.change_coins
    ADD CONSTRAINT change_coins_made_by_key UNIQUE (made_by);

ALTER TABLE ONLY public.change_coins
    ADD CONSTRAINT change_coins_pkey PRIMARY KEY (gate_id, tx_hash, output_index);

ALTER TABLE ONLY public.cold_coins
    ADD CONSTRAINT cold_coins_made_by_key UNIQUE (made_by);

ALTER TABLE ONLY public.cold_coins
    ADD CONSTRAINT cold_coins_pkey PRIMARY KEY (gate_id, tx_hash, output_index);

ALTER TABLE ONLY public.deposit_address_counters
    ADD CONSTRAINT deposit_address_counters_pkey PRIMARY KEY (keychain);

ALTER TABLE ONLY public.deposit_address_fills
    ADD CONSTRAINT deposit_address_fills_pkey PRIMARY KEY (keychain);

ALTER TABLE ONLY public.deposit_address_grants
    ADD CONSTRAINT deposit_address_grants_pkey PRIMARY KEY (keychain);

ALTER TABLE ONLY public.deposit_addresses
    ADD CONSTRAINT deposit_addresses_pkey PRIMARY KEY (keychain, "position");

ALTER TABLE ONLY public.devices
    ADD CONSTRAINT devices_pkey PRIMARY KEY (user_id, token_hash);

ALTER TABLE ONLY public.event_eras
    ADD CONSTRAINT event_eras_pkey PRIMARY KEY (era);

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.figures_starts
    ADD CONSTRAINT figures_starts_pkey PRIMARY KEY (began_at);

ALTER TABLE ONLY public.float_alerts
    ADD CONSTRAINT float_alerts_pkey PRIMARY KEY (gate_id);

ALTER TABLE ONLY public.followed_blocks
    ADD CONSTRAINT followed_blocks_pkey PRIMARY KEY (gate_id, height);

ALTER TABLE ONLY public.followed_chains
    ADD CONSTRAINT followed_chains_pkey PRIMARY KEY (gate_id);

ALTER TABLE ONLY public.gate_progress
    ADD CONSTRAINT gate_progress_pkey PRIMARY KEY (gate_id);

ALTER TABLE ONLY public.gates_behind
    ADD CONSTRAINT gates_behind_pkey PRIMARY KEY (gate_id);

ALTER TABLE ONLY public.gates_taken_offline
    ADD CONSTRAINT gates_taken_offline_pkey PRIMARY KEY (merchant_id, gate_id);

ALTER TABLE ONLY public.hot_balances
    ADD CONSTRAINT hot_balances_pkey PRIMARY KEY (gate_id, currency);

ALTER TABLE ONLY public.invoice_choices
    ADD CONSTRAINT invoice_choices_keychain_deposit_position_key UNIQUE (keychain, deposit_position);

ALTER TABLE ONLY public.invoice_choices
    ADD CONSTRAINT invoice_choices_pkey PRIMARY KEY (invoice_id, currency, network);

ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_link_key UNIQUE (link);

ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (kind, subject);

ALTER TABLE ONLY public.ledger_accounts
    ADD CONSTRAINT ledger_accounts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.ledger_entries
    ADD CONSTRAINT ledger_entries_pkey PRIMARY KEY (merchant_id, environment, currency, number);

ALTER TABLE ONLY public.ledger_entries
    ADD CONSTRAINT ledger_entries_transaction_id_account_id_key UNIQUE (transaction_id, account_id);

ALTER TABLE ONLY public.ledger_numbers
    ADD CONSTRAINT ledger_numbers_pkey PRIMARY KEY (merchant_id, environment, currency);

ALTER TABLE ONLY public.ledger_transactions
    ADD CONSTRAINT ledger_transactions_entry_type_subject_occurrence_key UNIQUE (entry_type, subject, occurrence);

ALTER TABLE ONLY public.ledger_transactions
    ADD CONSTRAINT ledger_transactions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.list_buckets
    ADD CONSTRAINT list_buckets_pkey PRIMARY KEY (list, merchant_id, environment, facet, currency, bucket);

ALTER TABLE ONLY public.list_totals
    ADD CONSTRAINT list_totals_pkey PRIMARY KEY (list, merchant_id, environment, facet, currency);

ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_pkey PRIMARY KEY (user_id, merchant_id);

ALTER TABLE ONLY public.merchant_brands
    ADD CONSTRAINT merchant_brands_pkey PRIMARY KEY (merchant_id);

ALTER TABLE ONLY public.merchant_totals
    ADD CONSTRAINT merchant_totals_pkey PRIMARY KEY (merchant_id, environment, currency, network);

ALTER TABLE ONLY public.merchants
    ADD CONSTRAINT merchants_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.missing_coins
    ADD CONSTRAINT missing_coins_pkey PRIMARY KEY (gate_id, tx_hash, output_index);

ALTER TABLE ONLY public.one_time_links
    ADD CONSTRAINT one_time_links_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.one_time_links
    ADD CONSTRAINT one_time_links_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY public.outside_moves
    ADD CONSTRAINT outside_moves_gate_id_address_first_nonce_currency_key UNIQUE (gate_id, address, first_nonce, currency);

ALTER TABLE ONLY public.outside_moves
    ADD CONSTRAINT outside_moves_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.own_addresses
    ADD CONSTRAINT own_addresses_pkey PRIMARY KEY (keychain, "position");

ALTER TABLE ONLY public.passkey_demands
    ADD CONSTRAINT passkey_demands_pkey PRIMARY KEY (environment, merchant_id);

ALTER TABLE ONLY public.passkey_enrolments
    ADD CONSTRAINT passkey_enrolments_pkey PRIMARY KEY (merchant_id, credential_id);

ALTER TABLE ONLY public.passkey_pins
    ADD CONSTRAINT passkey_pins_pkey PRIMARY KEY (environment, merchant_id, credential_id);

ALTER TABLE ONLY public.passkey_statements
    ADD CONSTRAINT passkey_statements_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id);

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.payment_bookings
    ADD CONSTRAINT payment_bookings_pkey PRIMARY KEY (payment_id);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.payout_approvals
    ADD CONSTRAINT payout_approvals_pkey PRIMARY KEY (payout_id, approver);

ALTER TABLE ONLY public.payout_destinations
    ADD CONSTRAINT payout_destinations_pkey PRIMARY KEY (merchant_id, environment, network, address, tag);

ALTER TABLE ONLY public.payout_policies
    ADD CONSTRAINT payout_policies_pkey PRIMARY KEY (merchant_id, environment);

ALTER TABLE ONLY public.payouts
    ADD CONSTRAINT payouts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.payouts
    ADD CONSTRAINT payouts_refund_id_key UNIQUE (refund_id);

ALTER TABLE ONLY public.policy_change_approvals
    ADD CONSTRAINT policy_change_approvals_pkey PRIMARY KEY (change_id, approver);

ALTER TABLE ONLY public.policy_changes
    ADD CONSTRAINT policy_changes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.postings
    ADD CONSTRAINT postings_pkey PRIMARY KEY (transaction_id, account_id);

ALTER TABLE ONLY public.previous_transactions
    ADD CONSTRAINT previous_transactions_pkey PRIMARY KEY (gate_id, tx_hash);

ALTER TABLE ONLY public.rate_quotes
    ADD CONSTRAINT rate_quotes_pkey PRIMARY KEY (currency, fiat_currency, source);

ALTER TABLE ONLY public.rate_sources
    ADD CONSTRAINT rate_sources_pkey PRIMARY KEY (source);

ALTER TABLE ONLY public.rates
    ADD CONSTRAINT rates_pkey PRIMARY KEY (currency, fiat_currency);

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash);

ALTER TABLE ONLY public.refill_bookings
    ADD CONSTRAINT refill_bookings_pkey PRIMARY KEY (spend_id, booking);

ALTER TABLE ONLY public.refills
    ADD CONSTRAINT refills_pkey PRIMARY KEY (spend_id);

ALTER TABLE ONLY public.refunds
    ADD CONSTRAINT refunds_payout_id_key UNIQUE (payout_id);

ALTER TABLE ONLY public.refunds
    ADD CONSTRAINT refunds_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rescan_outputs
    ADD CONSTRAINT rescan_outputs_pkey PRIMARY KEY (gate_id, tx_hash, output_index);

ALTER TABLE ONLY public.rescans
    ADD CONSTRAINT rescans_pkey PRIMARY KEY (gate_id);

ALTER TABLE ONLY public.retention_floors
    ADD CONSTRAINT retention_floors_pkey PRIMARY KEY (kept);

ALTER TABLE ONLY public.saved_views
    ADD CONSTRAINT saved_views_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.saved_views
    ADD CONSTRAINT saved_views_user_id_merchant_id_list_name_key_key UNIQUE (user_id, merchant_id, list, name_key);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY public.shop_connections
    ADD CONSTRAINT shop_connections_code_hash_key UNIQUE (code_hash);

ALTER TABLE ONLY public.shop_connections
    ADD CONSTRAINT shop_connections_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sign_in_failures
    ADD CONSTRAINT sign_in_failures_pkey PRIMARY KEY (subject);

ALTER TABLE ONLY public.signer_changes
    ADD CONSTRAINT signer_changes_environment_kind_merchant_id_subject_key UNIQUE NULLS NOT DISTINCT (environment, kind, merchant_id, subject);

ALTER TABLE ONLY public.simulated_blocks
    ADD CONSTRAINT simulated_blocks_pkey PRIMARY KEY (gate_id, height);

ALTER TABLE ONLY public.simulated_chains
    ADD CONSTRAINT simulated_chains_pkey PRIMARY KEY (gate_id);

ALTER TABLE ONLY public.simulated_debits
    ADD CONSTRAINT simulated_debits_pkey PRIMARY KEY (gate_id, tx_hash, currency, address);

ALTER TABLE ONLY public.simulated_outputs
    ADD CONSTRAINT simulated_outputs_pkey PRIMARY KEY (gate_id, tx_hash, output_index);

ALTER TABLE ONLY public.simulated_ruled_out
    ADD CONSTRAINT simulated_ruled_out_pkey PRIMARY KEY (gate_id, tx_hash);

ALTER TABLE ONLY public.simulated_transactions
    ADD CONSTRAINT simulated_transactions_gate_id_hash_gone_key UNIQUE (gate_id, hash, gone);

ALTER TABLE ONLY public.simulated_transactions
    ADD CONSTRAINT simulated_transactions_pkey PRIMARY KEY (gate_id, hash);

ALTER TABLE ONLY public.simulated_uses
    ADD CONSTRAINT simulated_uses_pkey PRIMARY KEY (gate_id, tx_hash, use);

ALTER TABLE ONLY public.spend_counters
    ADD CONSTRAINT spend_counters_pkey PRIMARY KEY (gate_id, name);

ALTER TABLE ONLY public.spend_transactions
    ADD CONSTRAINT spend_transactions_pkey PRIMARY KEY (spend_id, attempt);

ALTER TABLE public.spends
    ADD CONSTRAINT spends_kind_check CHECK ((kind = ANY (ARRAY['payout'::text, 'sweep'::text, 'gas'::text, 'absorb'::text, 'consolidation'::text, 'fill'::text, 'cold'::text, 'refill'::text, 'nonce'::text, 'trust'::text]))) NOT VALID;

ALTER TABLE ONLY public.spends
    ADD CONSTRAINT spends_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.static_addresses
    ADD CONSTRAINT static_addresses_keychain_deposit_position_key UNIQUE (keychain, deposit_position);

ALTER TABLE ONLY public.static_addresses
    ADD CONSTRAINT static_addresses_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.suspense_releases
    ADD CONSTRAINT suspense_releases_pkey PRIMARY KEY (payment_id);

ALTER TABLE ONLY public.test_clock_moves
    ADD CONSTRAINT test_clock_moves_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.test_clocks
    ADD CONSTRAINT test_clocks_pkey PRIMARY KEY (merchant_id, environment);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_key_key UNIQUE (email_key);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.wallet_keys
    ADD CONSTRAINT wallet_keys_pkey PRIMARY KEY (environment, network);

ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_pkey PRIMARY KEY (delivery_id, number);

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_event_id_endpoint_id_key UNIQUE (event_id, endpoint_id);

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id);

CREATE INDEX api_keys_by_merchant ON public.api_keys USING btree (merchant_id, created_at);

CREATE INDEX audit_entries_by_action ON public.audit_entries USING btree (chain, action, seq DESC);

CREATE INDEX audit_entries_by_actor ON public.audit_entries USING btree (chain, actor, seq DESC);

CREATE INDEX audit_entries_endings ON public.audit_entries USING btree (subject) WHERE (action = ANY (ARRAY['payout.rejected'::text, 'payout.cancelled'::text, 'invoice.cancelled'::text]));

COMMENT ON INDEX public.audit_entries_endings IS 'Who rejected or cancelled something, and why.';

CREATE INDEX ceremonies_by_expiry ON public.ceremonies USING btree (expires_at);

CREATE INDEX change_coins_unspent ON public.change_coins USING btree (gate_id, units DESC) WHERE (pinned_by IS NULL);

CREATE INDEX cold_coins_pinned ON public.cold_coins USING btree (pinned_by) WHERE (pinned_by IS NOT NULL);

CREATE UNIQUE INDEX daily_fees_folded ON public.daily_fees USING btree (merchant_id, environment, day, kind, currency, network, decimals, base_currency) WHERE is_folded;

CREATE INDEX daily_fees_fresh ON public.daily_fees USING btree (merchant_id, environment, day) WHERE (NOT is_folded);

CREATE INDEX daily_fees_to_fold ON public.daily_fees USING btree (day) WHERE (NOT is_folded);

CREATE UNIQUE INDEX daily_invoices_folded ON public.daily_invoices USING btree (merchant_id, environment, day, outcome, within_seconds) WHERE is_folded;

CREATE INDEX daily_invoices_fresh ON public.daily_invoices USING btree (merchant_id, environment, day) WHERE (NOT is_folded);

CREATE INDEX daily_invoices_to_fold ON public.daily_invoices USING btree (day) WHERE (NOT is_folded);

CREATE UNIQUE INDEX daily_sums_folded ON public.daily_sums USING btree (merchant_id, environment, day, kind, currency, network, decimals, base_currency) WHERE is_folded;

CREATE INDEX daily_sums_fresh ON public.daily_sums USING btree (merchant_id, environment, day) WHERE (NOT is_folded);

CREATE INDEX daily_sums_to_fold ON public.daily_sums USING btree (day) WHERE (NOT is_folded);

CREATE INDEX deposit_addresses_by_hash ON public.deposit_addresses USING hash (address) WHERE (tag = ''::text);

COMMENT ON INDEX public.deposit_addresses_by_hash IS 'A block of thousands of transfers is checked against every address ever given out. A hash index answers in a third of the time a tree takes. Tagged addresses stay out: there, one address stands a million times.';

CREATE INDEX deposit_addresses_by_lower_hash ON public.deposit_addresses USING hash (lower(address)) WHERE ((tag = ''::text) AND (address ~~ '0x%'::text));

COMMENT ON INDEX public.deposit_addresses_by_lower_hash IS 'Finds EVM addresses whatever their case. Nodes write them in lower case and we in EIP-55 form, which takes too long to compute for every stranger in every block.';

CREATE UNIQUE INDEX deposit_addresses_by_place ON public.deposit_addresses USING btree (keychain, address, tag);

CREATE INDEX devices_by_use ON public.devices USING btree (last_seen_at);

CREATE INDEX events_by_name ON public.events USING btree (merchant_id, environment, event, "position" DESC);

CREATE INDEX events_by_resource ON public.events USING btree (merchant_id, environment, resource_id, "position" DESC) WHERE (resource_id IS NOT NULL);

CREATE INDEX events_by_time ON public.events USING btree (merchant_id, environment, created_at);

CREATE INDEX events_newest_first ON public.events USING btree (merchant_id, environment, "position" DESC);

CREATE INDEX events_to_catch_up ON public.events USING btree (merchant_id, environment, era, xid, "position");

CREATE INDEX events_to_catch_up_by_name ON public.events USING btree (merchant_id, environment, event, era, xid, "position");

COMMENT ON INDEX public.events_to_catch_up_by_name IS 'For a reader that follows one kind of event. While none comes its position stays, and it would read every other event since again and again.';

CREATE INDEX invoices_by_currency ON public.invoices USING btree (merchant_id, environment, currency, "position" DESC);

CREATE UNIQUE INDEX invoices_by_deposit_position ON public.invoices USING btree (keychain, deposit_position) WHERE ((static_address_id IS NULL) AND (deposit_position IS NOT NULL));

COMMENT ON INDEX public.invoices_by_deposit_position IS 'A deposit address belongs to one invoice for good.';

CREATE INDEX invoices_by_external_id ON public.invoices USING btree (merchant_id, environment, external_id text_pattern_ops) WHERE (external_id IS NOT NULL);

CREATE UNIQUE INDEX invoices_by_idempotency_key ON public.invoices USING btree (merchant_id, environment, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX invoices_by_static_address ON public.invoices USING btree (static_address_id, "position" DESC) WHERE (static_address_id IS NOT NULL);

CREATE INDEX invoices_by_status ON public.invoices USING btree (merchant_id, environment, status, "position" DESC);

CREATE INDEX invoices_by_status_and_currency ON public.invoices USING btree (merchant_id, environment, status, currency, "position" DESC);

CREATE INDEX invoices_by_time ON public.invoices USING btree (merchant_id, environment, created_at DESC, "position" DESC);

COMMENT ON INDEX public.invoices_by_time IS 'For exports of a time range. In the order of positions they would read every invoice that is newer than the range, and every older one to find that none is left.';

CREATE INDEX invoices_due ON public.invoices USING btree (gate_id, due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX invoices_due_by_test_clock ON public.invoices USING btree (merchant_id, due_at) WHERE ((environment = 'test'::text) AND (due_at IS NOT NULL));

COMMENT ON INDEX public.invoices_due_by_test_clock IS 'What a moved clock makes due is looked up by merchant. Live invoices are not in it.';

CREATE INDEX invoices_ending ON public.invoices USING btree (merchant_id, environment, due_at) WHERE ((status = 'underpaid'::text) AND (due_at IS NOT NULL));

COMMENT ON INDEX public.invoices_ending IS 'Invoices someone should look at before their window closes.';

CREATE INDEX invoices_newest_first ON public.invoices USING btree (merchant_id, environment, "position" DESC);

CREATE INDEX invoices_underpaid ON public.invoices USING btree (gate_id, currency, "position" DESC) WHERE (status = 'underpaid'::text);

COMMENT ON INDEX public.invoices_underpaid IS 'Addresses to which payers may still send the rest, for the comparison of balances.';

CREATE INDEX jobs_by_due_time ON public.jobs USING btree (kind, due_at);

CREATE INDEX jobs_by_gate ON public.jobs USING btree (gate_id) WHERE (gate_id IS NOT NULL);

CREATE UNIQUE INDEX ledger_accounts_by_owner ON public.ledger_accounts USING btree (merchant_id, environment, currency, network, kind) NULLS NOT DISTINCT;

CREATE INDEX ledger_entries_by_reference ON public.ledger_entries USING btree (reference_id);

CREATE INDEX ledger_entries_by_time ON public.ledger_entries USING btree (merchant_id, environment, created_at, currency, number);

CREATE INDEX ledger_entries_by_type ON public.ledger_entries USING btree (merchant_id, environment, currency, entry_type, number DESC);

CREATE INDEX list_counts_by_list ON public.list_counts USING btree (list, merchant_id, environment, facet, currency) INCLUDE (difference);

CREATE INDEX mails_by_time ON public.mails USING btree (created_at);

CREATE INDEX memberships_by_merchant ON public.memberships USING btree (merchant_id);

CREATE INDEX merchant_brands_by_logo ON public.merchant_brands USING btree (logo_sha256) WHERE (logo_sha256 IS NOT NULL);

CREATE INDEX one_time_links_by_expiry ON public.one_time_links USING btree (expires_at);

CREATE UNIQUE INDEX one_time_links_of_invited ON public.one_time_links USING btree (merchant_id, email_key) WHERE ((purpose = 'invite'::text) AND (used_at IS NULL));

COMMENT ON INDEX public.one_time_links_of_invited IS 'A person has one open invitation to a merchant. Inviting them again renews it.';

CREATE UNIQUE INDEX own_addresses_by_address ON public.own_addresses USING btree (address, keychain);

CREATE INDEX passkey_enrolments_by_passkey ON public.passkey_enrolments USING btree (passkey_id);

CREATE INDEX passkey_statements_by_merchant ON public.passkey_statements USING btree (merchant_id, "position" DESC);

CREATE UNIQUE INDEX passkey_statements_in_order ON public.passkey_statements USING btree ("position");

CREATE INDEX passkeys_by_user ON public.passkeys USING btree (user_id);

CREATE INDEX payments_by_address ON public.payments USING btree (address, gate_id);

CREATE INDEX payments_by_height ON public.payments USING btree (gate_id, block_height) WHERE (block_height IS NOT NULL);

CREATE INDEX payments_by_invoice ON public.payments USING btree (invoice_id, seen_at) WHERE (invoice_id IS NOT NULL);

CREATE INDEX payments_by_maturity ON public.payments USING btree (gate_id, matures_at) WHERE (matures_at IS NOT NULL);

CREATE UNIQUE INDEX payments_by_output ON public.payments USING btree (gate_id, tx_hash, output_index);

COMMENT ON INDEX public.payments_by_output IS 'Every payment of a block is looked up here, with a plan that may be as old as the first payment. While there are few, another index that begins with the gate looks as good to the planner, and once there are many it is as slow as none. So no other index over all payments begins with the gate.';

CREATE INDEX payments_in_suspense ON public.payments USING btree (environment, id) WHERE ((invoice_id IS NULL) AND (suspense_reason <> 'operator_float'::text));

CREATE INDEX payments_in_suspense_by_merchant ON public.payments USING btree (for_merchant_id, environment, id) WHERE (for_merchant_id IS NOT NULL);

CREATE INDEX payments_pinned ON public.payments USING btree (pinned_by) WHERE (pinned_by IS NOT NULL);

CREATE INDEX payments_recovered ON public.payments USING btree (gate_id, units DESC) WHERE ((suspense_reason = 'recovered'::text) AND (pinned_by IS NULL));

COMMENT ON INDEX public.payments_recovered IS 'Coins at change addresses of our own are among these: few, or none.';

CREATE INDEX payments_unspent ON public.payments USING btree (gate_id, currency, units DESC) WHERE (pinned_by IS NULL);

CREATE INDEX payments_waiting ON public.payments USING btree (gate_id) WHERE waiting;

CREATE INDEX payouts_by_approval ON public.payouts USING btree (merchant_id, environment, approved_at) WHERE (approved_at IS NOT NULL);

COMMENT ON INDEX public.payouts_by_approval IS 'What was approved today, for the limit of a day.';

CREATE INDEX payouts_by_destination ON public.payouts USING btree (merchant_id, environment, destination text_pattern_ops);

CREATE UNIQUE INDEX payouts_by_idempotency_key ON public.payouts USING btree (merchant_id, environment, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX payouts_by_spend ON public.payouts USING btree (spend_id) WHERE (spend_id IS NOT NULL);

CREATE INDEX payouts_by_status ON public.payouts USING btree (merchant_id, environment, status, "position" DESC);

CREATE INDEX payouts_by_time ON public.payouts USING btree (merchant_id, environment, created_at DESC, "position" DESC);

COMMENT ON INDEX public.payouts_by_time IS 'As invoices_by_time.';

CREATE INDEX payouts_due ON public.payouts USING btree (gate_id, executable_at) WHERE (status = 'approved'::text);

CREATE INDEX payouts_newest_first ON public.payouts USING btree (merchant_id, environment, "position" DESC);

CREATE INDEX policy_changes_by_merchant ON public.policy_changes USING btree (merchant_id, environment, proposed_at DESC);

CREATE INDEX policy_changes_due ON public.policy_changes USING btree (applies_at) WHERE (status = 'waiting'::text);

CREATE UNIQUE INDEX policy_changes_open ON public.policy_changes USING btree (merchant_id, environment) WHERE ((kind = 'policy'::text) AND (status = ANY (ARRAY['proposed'::text, 'waiting'::text])));

COMMENT ON INDEX public.policy_changes_open IS 'One at a time: a new proposal supersedes the open one.';

CREATE UNIQUE INDEX policy_changes_open_destinations ON public.policy_changes USING btree (merchant_id, environment, network, address, tag) WHERE ((kind = 'destination'::text) AND (status = ANY (ARRAY['proposed'::text, 'waiting'::text])));

CREATE INDEX postings_by_account ON public.postings USING btree (account_id);

CREATE INDEX previous_transactions_unavailable ON public.previous_transactions USING btree (gate_id, asked_at) WHERE (bytes IS NULL);

CREATE INDEX refills_by_hash ON public.refills USING btree (tx_hash);

CREATE UNIQUE INDEX refunds_by_idempotency_key ON public.refunds USING btree (merchant_id, environment, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX refunds_by_invoice ON public.refunds USING btree (invoice_id);

CREATE INDEX refunds_newest_first ON public.refunds USING btree (merchant_id, environment, "position" DESC);

CREATE INDEX rescan_outputs_untaken ON public.rescan_outputs USING btree (gate_id, tx_hash, output_index) WHERE (taken_at IS NULL);

CREATE INDEX saved_views_shared ON public.saved_views USING btree (merchant_id) WHERE is_shared;

CREATE INDEX sessions_by_place ON public.sessions USING btree (user_id, ip) WHERE is_complete;

COMMENT ON INDEX public.sessions_by_place IS 'Where a person has signed in from before, ended sessions included.';

CREATE INDEX sessions_by_user ON public.sessions USING btree (user_id, last_seen_at DESC) WHERE (ended_at IS NULL);

CREATE INDEX shop_connections_newest_first ON public.shop_connections USING btree (merchant_id, environment, "position" DESC);

CREATE INDEX shop_connections_not_taken_up ON public.shop_connections USING btree (expires_at) WHERE (connected_at IS NULL);

CREATE INDEX sign_in_failures_by_time ON public.sign_in_failures USING btree (last_at);

CREATE INDEX signer_changes_by_merchant ON public.signer_changes USING btree (merchant_id) WHERE (merchant_id IS NOT NULL);

CREATE INDEX signer_changes_unannounced ON public.signer_changes USING btree (accepted_at) WHERE (announced_at IS NULL);

CREATE INDEX simulated_account_nonces ON public.simulated_transactions USING btree (gate_id, sender, nonce) WHERE ((sender IS NOT NULL) AND (state = 'mined'::text));

CREATE INDEX simulated_block_contents ON public.simulated_transactions USING btree (gate_id, height) WHERE (state = 'mined'::text);

CREATE INDEX simulated_debits_by_address ON public.simulated_debits USING btree (address, gate_id, currency);

COMMENT ON INDEX public.simulated_debits_by_address IS 'The gate comes second for the reason given at simulated_outputs_by_address.';

CREATE INDEX simulated_executed_mined ON public.simulated_transactions USING btree (gate_id, height) WHERE ((state = 'mined'::text) AND executed);

CREATE INDEX simulated_executed_waiting ON public.simulated_transactions USING btree (gate_id) WHERE ((state = 'waiting'::text) AND executed);

CREATE INDEX simulated_mempool ON public.simulated_transactions USING btree (gate_id, fee_rate DESC, arrival) WHERE (state = 'waiting'::text);

CREATE INDEX simulated_outputs_by_address ON public.simulated_outputs USING btree (address, gate_id, currency);

COMMENT ON INDEX public.simulated_outputs_by_address IS 'Outputs and debits are looked up by gate and transaction. Statistics made while a chain was still being written know of no rows, and then another index that begins with the gate looks as good as the right one, and is as slow as none. So no other begins with the gate.';

CREATE UNIQUE INDEX simulated_uses_are_used_once ON public.simulated_uses USING btree (gate_id, use) WHERE (NOT gone);

COMMENT ON INDEX public.simulated_uses_are_used_once IS 'Of all that use the same, at most one waits or is mined: nothing is spent twice, whatever the code believes.';

CREATE INDEX spend_transactions_by_change ON public.spend_transactions USING btree (change_address) WHERE (change_address IS NOT NULL);

CREATE INDEX spend_transactions_by_hash ON public.spend_transactions USING btree (tx_hash) WHERE (tx_hash IS NOT NULL);

CREATE INDEX spend_transactions_to_sign ON public.spend_transactions USING btree (planned_at) WHERE (bytes IS NULL);

CREATE INDEX spends_consolidating ON public.spends USING btree (gate_id) WHERE ((kind = 'consolidation'::text) AND (status = 'open'::text));

CREATE INDEX spends_given_up ON public.spends USING btree (id) WHERE ((given_up_at IS NOT NULL) AND (status = 'open'::text));

CREATE UNIQUE INDEX spends_hold_a_nonce_account ON public.spends USING btree (gate_id, nonce_account) WHERE ((nonce_account IS NOT NULL) AND (status = 'open'::text));

COMMENT ON INDEX public.spends_hold_a_nonce_account IS 'One open spend at a time holds a nonce account.';

CREATE INDEX spends_in_no_block ON public.spends USING btree (gate_id) WHERE ((block_height IS NULL) AND (status <> 'open'::text) AND (kind <> 'absorb'::text) AND ((status <> 'dead'::text) OR (from_address IS NOT NULL)));

COMMENT ON INDEX public.spends_in_no_block IS 'Ended spends that no block is known to hold or to rule out, since it was reorganised away. They are looked for at every block, however long it takes: one of their transactions may be mined after all.';

CREATE INDEX spends_mined ON public.spends USING btree (gate_id, block_height) WHERE (block_height IS NOT NULL);

CREATE INDEX spends_of_gas ON public.spends USING btree (gate_id, to_address) WHERE (kind = 'gas'::text);

CREATE INDEX spends_refills ON public.spends USING btree (gate_id, status) WHERE (kind = 'refill'::text);

CREATE INDEX spends_to_cold ON public.spends USING btree (gate_id, status) WHERE (kind = 'cold'::text);

CREATE INDEX spends_to_look_at ON public.spends USING btree (look_at) WHERE (status = 'open'::text);

CREATE INDEX spends_undone ON public.spends USING btree (gate_id) WHERE (undone_reason IS NOT NULL);

CREATE UNIQUE INDEX spends_use_a_nonce_once ON public.spends USING btree (gate_id, from_address, nonce, (
CASE
    WHEN ((kind = 'refill'::text) AND (status = 'dead'::text)) THEN NULL::text
    WHEN (kind <> 'fill'::text) THEN 'planned'::text
    WHEN (status <> 'dead'::text) THEN 'filling'::text
    ELSE NULL::text
END)) WHERE (from_address IS NOT NULL);

COMMENT ON INDEX public.spends_use_a_nonce_once IS 'A nonce that was planned has one owner for good, dead or not. Beside it there is at most one fill. Should that be ruled out too, and the nonce be free once more, another may fill it. The cold wallet''s nonces are not ours to keep: a refill that is dead makes room for the next.';

CREATE UNIQUE INDEX spends_use_a_nonce_value ON public.spends USING btree (gate_id, nonce_account, nonce_value) WHERE ((nonce_value IS NOT NULL) AND (status <> 'dead'::text));

COMMENT ON INDEX public.spends_use_a_nonce_value IS 'A value is used up by whatever was planned with it, unless that is proved dead.';

CREATE INDEX static_addresses_by_currency ON public.static_addresses USING btree (merchant_id, environment, currency, "position" DESC);

CREATE INDEX static_addresses_by_gate ON public.static_addresses USING btree (gate_id, currency, "position" DESC);

CREATE INDEX static_addresses_by_label ON public.static_addresses USING btree (merchant_id, environment, lower(label) text_pattern_ops) WHERE (label IS NOT NULL);

CREATE INDEX static_addresses_newest_first ON public.static_addresses USING btree (merchant_id, environment, "position" DESC);

CREATE INDEX suspense_releases_by_merchant ON public.suspense_releases USING btree (merchant_id);

CREATE UNIQUE INDEX test_clock_moves_by_idempotency_key ON public.test_clock_moves USING btree (merchant_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);

COMMENT ON INDEX public.test_clock_moves_by_idempotency_key IS 'A repeated request moves the clock once.';

CREATE INDEX test_clock_moves_by_time ON public.test_clock_moves USING btree (merchant_id, moved_at DESC, ahead DESC);

CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (endpoint_id, due_at) WHERE (status = 'pending'::text);

COMMENT ON INDEX public.webhook_deliveries_due IS 'All that the sender reads. A delivery that is done leaves it.';

CREATE INDEX webhook_deliveries_failed ON public.webhook_deliveries USING btree (endpoint_id, created_at DESC, id DESC) WHERE (status = 'failed'::text);

COMMENT ON INDEX public.webhook_deliveries_failed IS 'Few deliveries fail. Without this, the list of them reads all that succeeded.';

CREATE INDEX webhook_deliveries_newest_first ON public.webhook_deliveries USING btree (endpoint_id, created_at DESC, id DESC);

CREATE INDEX webhook_endpoints_newest_first ON public.webhook_endpoints USING btree (merchant_id, environment, "position" DESC) WHERE (status <> 'deleted'::text);

CREATE TRIGGER announce_added_events AFTER INSERT ON public.events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.announce_events();

CREATE TRIGGER announce_api_key_change AFTER DELETE OR UPDATE OF merchant_id, environment, name, hash, permissions, revoked_at, expires_at, allowed_ips ON public.api_keys FOR EACH ROW EXECUTE FUNCTION public.announce_api_key_change();

COMMENT ON TRIGGER announce_api_key_change ON public.api_keys IS 'Not on last_used_at: using a key changes nothing that a process remembers of it.';

CREATE TRIGGER announce_chain_move AFTER UPDATE ON public.followed_chains FOR EACH ROW WHEN (((old.hash IS DISTINCT FROM new.hash) OR (old.height IS DISTINCT FROM new.height))) EXECUTE FUNCTION public.announce_chain_move();

CREATE TRIGGER announce_checkout_change AFTER UPDATE ON public.invoices REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.announce_checkout_change();

COMMENT ON TRIGGER announce_checkout_change ON public.invoices IS 'Not after an insert: no one can have opened the page before the invoice was there.';

CREATE TRIGGER announce_planned_spend AFTER INSERT ON public.spend_transactions FOR EACH STATEMENT EXECUTE FUNCTION public.announce_planned_spend();

CREATE TRIGGER announce_signer_answer AFTER UPDATE OF bytes, refusal ON public.spend_transactions FOR EACH ROW WHEN (((old.bytes IS DISTINCT FROM new.bytes) OR (old.refusal IS DISTINCT FROM new.refusal))) EXECUTE FUNCTION public.announce_signer_answer();

CREATE TRIGGER announce_signer_giving_up AFTER UPDATE OF given_up_at ON public.spends FOR EACH ROW WHEN ((old.given_up_at IS DISTINCT FROM new.given_up_at)) EXECUTE FUNCTION public.announce_signer_answer();

CREATE TRIGGER audit_entries_are_append_only BEFORE UPDATE OR TRUNCATE ON public.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER count_added_events AFTER INSERT ON public.events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_events();

CREATE TRIGGER count_added_invoices AFTER INSERT ON public.invoices REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_invoices();

CREATE TRIGGER count_added_ledger_entries AFTER INSERT ON public.ledger_entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_ledger_entries();

CREATE TRIGGER count_added_payouts AFTER INSERT ON public.payouts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_payouts();

CREATE TRIGGER count_added_refunds AFTER INSERT ON public.refunds REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_refunds();

CREATE TRIGGER count_added_static_addresses AFTER INSERT ON public.static_addresses REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_static_addresses();

CREATE TRIGGER count_moved_invoices AFTER UPDATE ON public.invoices REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_invoices();

CREATE TRIGGER count_moved_payouts AFTER UPDATE ON public.payouts REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_payouts();

CREATE TRIGGER count_removed_events AFTER DELETE ON public.events REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.discount_events();

CREATE TRIGGER deliver_added_events AFTER INSERT ON public.events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.deliver_events();

CREATE TRIGGER deposit_address_counters_are_kept BEFORE TRUNCATE ON public.deposit_address_counters FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER deposit_address_counters_never_go_back BEFORE DELETE OR UPDATE ON public.deposit_address_counters FOR EACH ROW EXECUTE FUNCTION public.refuse_going_back();

CREATE TRIGGER deposit_addresses_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.deposit_addresses FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

COMMENT ON TRIGGER deposit_addresses_are_append_only ON public.deposit_addresses IS 'A deposit address is watched for good.';

CREATE TRIGGER events_are_append_only BEFORE UPDATE OR TRUNCATE ON public.events FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER invoice_choices_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.invoice_choices FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

COMMENT ON TRIGGER invoice_choices_are_append_only ON public.invoice_choices IS 'A deposit address is watched for good.';

CREATE TRIGGER ledger_accounts_stay BEFORE DELETE OR UPDATE ON public.ledger_accounts FOR EACH ROW EXECUTE FUNCTION public.refuse_account_change();

CREATE TRIGGER ledger_entries_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER ledger_transactions_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_transactions FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER outside_moves_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.outside_moves FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER own_addresses_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.own_addresses FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER passkey_statements_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.passkey_statements FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER payout_approvals_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payout_approvals FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER payouts_stay_what_they_are BEFORE DELETE OR UPDATE ON public.payouts FOR EACH ROW EXECUTE FUNCTION public.refuse_other_payout();

CREATE TRIGGER policy_change_approvals_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.policy_change_approvals FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER postings_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.postings FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE CONSTRAINT TRIGGER postings_sum_to_zero AFTER INSERT ON public.postings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.refuse_unbalanced_transaction();

COMMENT ON TRIGGER postings_sum_to_zero ON public.postings IS 'Deferred to the commit, when all postings of the transaction are there. It sums to zero for each asset.';

CREATE TRIGGER refill_bookings_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.refill_bookings FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER refills_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.refills FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER refunds_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.refunds FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER spend_transactions_stay_what_they_are BEFORE DELETE OR UPDATE ON public.spend_transactions FOR EACH ROW EXECUTE FUNCTION public.refuse_other_spend_transaction();

CREATE TRIGGER sum_added_invoices AFTER INSERT ON public.invoices REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.sum_invoices();

CREATE TRIGGER sum_added_ledger_entries AFTER INSERT ON public.ledger_entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.sum_received();

CREATE TRIGGER sum_added_ledger_transactions AFTER INSERT ON public.ledger_transactions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.sum_settled();

CREATE TRIGGER sum_fees_of_added_ledger_entries AFTER INSERT ON public.ledger_entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.sum_deposit_fees();

CREATE TRIGGER sum_fees_of_added_postings AFTER INSERT ON public.postings REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.sum_payout_fees();

CREATE TRIGGER sum_moved_invoices AFTER UPDATE ON public.invoices REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.sum_invoices();

CREATE TRIGGER suspense_releases_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.suspense_releases FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER test_clock_moves_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.test_clock_moves FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER test_clocks_go_forward BEFORE UPDATE ON public.test_clocks FOR EACH ROW WHEN (((new.ahead < old.ahead) OR (new.merchant_id <> old.merchant_id))) EXECUTE FUNCTION public.refuse_clock_going_back();

CREATE TRIGGER test_clocks_stay BEFORE DELETE OR TRUNCATE ON public.test_clocks FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER young_audit_entries_stay BEFORE DELETE ON public.audit_entries FOR EACH ROW EXECUTE FUNCTION public.refuse_young_audit_entry();

CREATE TRIGGER young_events_stay BEFORE DELETE ON public.events FOR EACH ROW EXECUTE FUNCTION public.refuse_young_event();

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.balance_shortfalls
    ADD CONSTRAINT balance_shortfalls_gate_id_fkey FOREIGN KEY (gate_id) REFERENCES public.followed_chains(gate_id);

ALTER TABLE ONLY public.ceremonies
    ADD CONSTRAINT ceremonies_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id);

ALTER TABLE ONLY public.change_coins
    ADD CONSTRAINT change_coins_made_by_fkey FOREIGN KEY (made_by) REFERENCES public.spends(id);

ALTER TABLE ONLY public.change_coins
    ADD CONSTRAINT change_coins_pinned_by_fkey FOREIGN KEY (pinned_by) REFERENCES public.spends(id);

ALTER TABLE ONLY public.cold_coins
    ADD CONSTRAINT cold_coins_made_by_fkey FOREIGN KEY (made_by) REFERENCES public.spends(id);

ALTER TABLE ONLY public.cold_coins
    ADD CONSTRAINT cold_coins_pinned_by_fkey FOREIGN KEY (pinned_by) REFERENCES public.spends(id);

ALTER TABLE ONLY public.devices
    ADD CONSTRAINT devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.float_alerts
    ADD CONSTRAINT float_alerts_gate_id_fkey FOREIGN KEY (gate_id) REFERENCES public.followed_chains(gate_id);

ALTER TABLE ONLY public.followed_blocks
    ADD CONSTRAINT followed_blocks_gate_id_fkey FOREIGN KEY (gate_id) REFERENCES public.followed_chains(gate_id);

ALTER TABLE ONLY public.gates_taken_offline
    ADD CONSTRAINT gates_taken_offline_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.invoice_choices
    ADD CONSTRAINT invoice_choices_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES public.invoices(id);

ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_static_address_id_fkey FOREIGN KEY (static_address_id) REFERENCES public.static_addresses(id);

ALTER TABLE ONLY public.ledger_accounts
    ADD CONSTRAINT ledger_accounts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.ledger_entries
    ADD CONSTRAINT ledger_entries_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.ledger_entries
    ADD CONSTRAINT ledger_entries_transaction_id_account_id_fkey FOREIGN KEY (transaction_id, account_id) REFERENCES public.postings(transaction_id, account_id);

ALTER TABLE ONLY public.ledger_numbers
    ADD CONSTRAINT ledger_numbers_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.one_time_links(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.merchant_brands
    ADD CONSTRAINT merchant_brands_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.merchant_totals
    ADD CONSTRAINT merchant_totals_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.one_time_links
    ADD CONSTRAINT one_time_links_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.outside_moves
    ADD CONSTRAINT outside_moves_gate_id_fkey FOREIGN KEY (gate_id) REFERENCES public.followed_chains(gate_id);

ALTER TABLE ONLY public.passkey_demands
    ADD CONSTRAINT passkey_demands_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.passkey_enrolments
    ADD CONSTRAINT passkey_enrolments_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.passkey_enrolments
    ADD CONSTRAINT passkey_enrolments_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.passkey_pins
    ADD CONSTRAINT passkey_pins_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.passkey_statements
    ADD CONSTRAINT passkey_statements_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.payment_bookings
    ADD CONSTRAINT payment_bookings_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES public.payments(id);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_for_invoice_id_fkey FOREIGN KEY (for_invoice_id) REFERENCES public.invoices(id);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_for_merchant_id_fkey FOREIGN KEY (for_merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_for_static_address_id_fkey FOREIGN KEY (for_static_address_id) REFERENCES public.static_addresses(id);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_gate_id_fkey FOREIGN KEY (gate_id) REFERENCES public.followed_chains(gate_id);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES public.invoices(id);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_pinned_by_fkey FOREIGN KEY (pinned_by) REFERENCES public.spends(id);

ALTER TABLE ONLY public.payout_approvals
    ADD CONSTRAINT payout_approvals_payout_id_fkey FOREIGN KEY (payout_id) REFERENCES public.payouts(id);

ALTER TABLE ONLY public.payout_destinations
    ADD CONSTRAINT payout_destinations_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.payout_policies
    ADD CONSTRAINT payout_policies_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.payouts
    ADD CONSTRAINT payouts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.payouts
    ADD CONSTRAINT payouts_spend_id_fkey FOREIGN KEY (spend_id) REFERENCES public.spends(id);

ALTER TABLE ONLY public.policy_change_approvals
    ADD CONSTRAINT policy_change_approvals_change_id_fkey FOREIGN KEY (change_id) REFERENCES public.policy_changes(id);

ALTER TABLE ONLY public.policy_changes
    ADD CONSTRAINT policy_changes_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.postings
    ADD CONSTRAINT postings_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.ledger_accounts(id);

ALTER TABLE ONLY public.postings
    ADD CONSTRAINT postings_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES public.ledger_transactions(id);

ALTER TABLE ONLY public.rate_quotes
    ADD CONSTRAINT rate_quotes_source_fkey FOREIGN KEY (source) REFERENCES public.rate_sources(source);

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.refill_bookings
    ADD CONSTRAINT refill_bookings_spend_id_fkey FOREIGN KEY (spend_id) REFERENCES public.refills(spend_id);

ALTER TABLE ONLY public.refills
    ADD CONSTRAINT refills_again_of_fkey FOREIGN KEY (again_of) REFERENCES public.refills(spend_id);

ALTER TABLE ONLY public.refills
    ADD CONSTRAINT refills_spend_id_fkey FOREIGN KEY (spend_id) REFERENCES public.spends(id);

ALTER TABLE ONLY public.refunds
    ADD CONSTRAINT refunds_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES public.invoices(id);

ALTER TABLE ONLY public.refunds
    ADD CONSTRAINT refunds_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.refunds
    ADD CONSTRAINT refunds_payout_id_fkey FOREIGN KEY (payout_id) REFERENCES public.payouts(id);

ALTER TABLE ONLY public.rescan_outputs
    ADD CONSTRAINT rescan_outputs_gate_id_fkey FOREIGN KEY (gate_id) REFERENCES public.rescans(gate_id);

ALTER TABLE ONLY public.rescans
    ADD CONSTRAINT rescans_gate_id_fkey FOREIGN KEY (gate_id) REFERENCES public.followed_chains(gate_id);

ALTER TABLE ONLY public.saved_views
    ADD CONSTRAINT saved_views_user_id_merchant_id_fkey FOREIGN KEY (user_id, merchant_id) REFERENCES public.memberships(user_id, merchant_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.shop_connections
    ADD CONSTRAINT shop_connections_allowed_by_fkey FOREIGN KEY (allowed_by) REFERENCES public.users(id);

ALTER TABLE ONLY public.shop_connections
    ADD CONSTRAINT shop_connections_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES public.webhook_endpoints(id);

ALTER TABLE ONLY public.shop_connections
    ADD CONSTRAINT shop_connections_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id);

ALTER TABLE ONLY public.shop_connections
    ADD CONSTRAINT shop_connections_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.signer_changes
    ADD CONSTRAINT signer_changes_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.simulated_blocks
    ADD CONSTRAINT simulated_blocks_gate_id_fkey FOREIGN KEY (gate_id) REFERENCES public.simulated_chains(gate_id);

ALTER TABLE ONLY public.simulated_debits
    ADD CONSTRAINT simulated_debits_gate_id_tx_hash_fkey FOREIGN KEY (gate_id, tx_hash) REFERENCES public.simulated_transactions(gate_id, hash);

ALTER TABLE ONLY public.simulated_outputs
    ADD CONSTRAINT simulated_outputs_gate_id_tx_hash_fkey FOREIGN KEY (gate_id, tx_hash) REFERENCES public.simulated_transactions(gate_id, hash);

ALTER TABLE ONLY public.simulated_ruled_out
    ADD CONSTRAINT simulated_ruled_out_gate_id_fkey FOREIGN KEY (gate_id) REFERENCES public.simulated_chains(gate_id);

ALTER TABLE ONLY public.simulated_transactions
    ADD CONSTRAINT simulated_transactions_gate_id_fkey FOREIGN KEY (gate_id) REFERENCES public.simulated_chains(gate_id);

ALTER TABLE ONLY public.simulated_uses
    ADD CONSTRAINT simulated_uses_gate_id_tx_hash_gone_fkey FOREIGN KEY (gate_id, tx_hash, gone) REFERENCES public.simulated_transactions(gate_id, hash, gone) ON UPDATE CASCADE;

COMMENT ON CONSTRAINT simulated_uses_gate_id_tx_hash_gone_fkey ON public.simulated_uses IS 'A transaction that is gone frees what it used: the database itself keeps the two alike.';

ALTER TABLE ONLY public.spend_transactions
    ADD CONSTRAINT spend_transactions_spend_id_fkey FOREIGN KEY (spend_id) REFERENCES public.spends(id);

ALTER TABLE ONLY public.spends
    ADD CONSTRAINT spends_after_spend_id_fkey FOREIGN KEY (after_spend_id) REFERENCES public.spends(id);

ALTER TABLE ONLY public.spends
    ADD CONSTRAINT spends_gate_id_fkey FOREIGN KEY (gate_id) REFERENCES public.followed_chains(gate_id);

ALTER TABLE ONLY public.static_addresses
    ADD CONSTRAINT static_addresses_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.suspense_releases
    ADD CONSTRAINT suspense_releases_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.suspense_releases
    ADD CONSTRAINT suspense_releases_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES public.payments(id);

ALTER TABLE ONLY public.test_clock_moves
    ADD CONSTRAINT test_clock_moves_merchant_id_environment_fkey FOREIGN KEY (merchant_id, environment) REFERENCES public.test_clocks(merchant_id, environment);

ALTER TABLE ONLY public.test_clocks
    ADD CONSTRAINT test_clocks_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES public.webhook_deliveries(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES public.webhook_endpoints(id);

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.events(id);

ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);
