SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE FUNCTION public.announce_api_key_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform pg_notify('api_key_changed', old.id::text);
  return null;
end
$$;

COMMENT ON FUNCTION public.announce_api_key_change() IS 'Every process holds keys in memory. Whoever changes one, with whatever tool, tells them all.';

CREATE FUNCTION public.announce_chain_move() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform pg_notify('followed_chain_moved', new.gate_id);
  return null;
end
$$;

COMMENT ON FUNCTION public.announce_chain_move() IS 'Tells open payment pages: confirmations are counted from the end of the chain.';

CREATE FUNCTION public.announce_checkout_change() RETURNS trigger
    LANGUAGE plpgsql
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

CREATE FUNCTION public.count_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into list_counts (list, merchant_id, environment, facet, bucket, difference)
  select 'events', merchant_id, environment, event, position >> 15, count(*) from added group by 2, 3, 4, 5;
  return null;
end
$$;

CREATE FUNCTION public.count_invoices() RETURNS trigger
    LANGUAGE plpgsql
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
    AS $$
begin
  insert into list_counts (list, merchant_id, environment, facet, bucket, difference)
  select 'refunds', merchant_id, environment, '', position >> 15, count(*) from added group by 2, 3, 5;
  return null;
end
$$;

CREATE FUNCTION public.count_static_addresses() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into list_counts (list, merchant_id, environment, currency, difference)
  select 'static_addresses', merchant_id, environment, currency, count(*) from added group by 2, 3, 4;
  return null;
end
$$;

CREATE FUNCTION public.current_event_era() RETURNS integer
    LANGUAGE sql STABLE
    AS $$select max(era) from event_eras$$;

CREATE FUNCTION public.database_life() RETURNS text
    LANGUAGE sql
    AS $$
  select format('%s %s %s', system_identifier, (select oid from pg_database where datname = current_database()),
    extract(epoch from pg_postmaster_start_time()))
  from pg_control_system()
$$;

COMMENT ON FUNCTION public.database_life() IS 'Names this database for as long as nobody puts another in its place. A restore makes another cluster or database, or restarts the server. So does a failover, which may lose the newest rows as well.';

CREATE FUNCTION public.deliver_events() RETURNS trigger
    LANGUAGE plpgsql
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

COMMENT ON FUNCTION public.deliver_events() IS 'Adds the deliveries in the event''s own transaction, whoever appends it: no event goes without them.';

CREATE FUNCTION public.refuse_account_change() RETURNS trigger
    LANGUAGE plpgsql
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
    AS $$
begin
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op) using errcode = 'restrict_violation';
end
$$;

COMMENT ON FUNCTION public.refuse_change() IS 'Behind every table whose rows are never changed or removed. A trigger, since grants do not bind the role that owns the table.';

CREATE FUNCTION public.refuse_going_back() RETURNS trigger
    LANGUAGE plpgsql
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
    AS $$
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

COMMENT ON FUNCTION public.refuse_other_payout() IS 'Money goes where it was approved to go: nothing an approval covers ever changes, whoever asks.';

CREATE FUNCTION public.refuse_other_spend_transaction() RETURNS trigger
    LANGUAGE plpgsql
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

CREATE FUNCTION public.sum_received() RETURNS trigger
    LANGUAGE plpgsql
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

SET default_tablespace = '';

SET default_table_access_method = heap;

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

COMMENT ON COLUMN public.api_keys.created_by IS '`user:<id>` or `cli:<name>`; null where nobody noted it.';

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
    CONSTRAINT audit_entries_actor_check CHECK ((actor ~ '^(user|cli|service):'::text)),
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
    CONSTRAINT ceremonies_purpose_check CHECK ((purpose = ANY (ARRAY['sign_in'::text, 'step_up'::text, 'enrol'::text, 'approve'::text])))
);

COMMENT ON TABLE public.ceremonies IS 'WebAuthn challenges that were handed out. Each can be answered once.';

COMMENT ON COLUMN public.ceremonies.session_id IS 'Who may answer; null where anyone may, which is signing in.';

COMMENT ON COLUMN public.ceremonies.subject IS 'What the answer will stand for.';

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
    CONSTRAINT daily_sums_kind_check CHECK ((kind = ANY (ARRAY['received'::text, 'paid_out'::text, 'refunded'::text])))
);

COMMENT ON TABLE public.daily_sums IS 'What came in and went out each day (UTC), by asset. As in list_counts, each booking only appends its difference, and differences are folded later. A sum is that of the rows, folded or not.';

COMMENT ON COLUMN public.daily_sums.base_currency IS 'Empty where nobody knew the value.';

COMMENT ON COLUMN public.daily_sums.base_units IS 'The value when the invoice or payout was made, in minor units of base_currency; 0 where nobody knew it.';

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
    CONSTRAINT deposit_addresses_address_check CHECK ((address <> ''::text)),
    CONSTRAINT deposit_addresses_position_check CHECK (("position" >= 0))
);

COMMENT ON TABLE public.deposit_addresses IS 'Every address ever made for deposits.';

COMMENT ON COLUMN public.deposit_addresses.keychain IS 'What made the address; one for all EVM networks.';

COMMENT ON COLUMN public.deposit_addresses.tag IS 'Empty where there is none, so that an index serves.';

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
    CONSTRAINT events_data_check CHECK ((json_typeof(data) = 'object'::text)),
    CONSTRAINT events_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT events_event_check CHECK (((length(event) >= 1) AND (length(event) <= 255)))
);

COMMENT ON TABLE public.events IS 'What happened to a merchant''s resources, appended in the transaction that caused it and never changed.';

COMMENT ON COLUMN public.events."position" IS 'The order in which events were appended, which lists show.';

COMMENT ON COLUMN public.events.resource_id IS 'The invoice, payout or refund it is about.';

COMMENT ON COLUMN public.events.data IS 'json, not jsonb: an event is kept as it was told, to the letter.';

COMMENT ON COLUMN public.events.xid IS 'The transaction that appended it. A reader that catches up must never meet an event older than one it has read, and events commit in another order than they are numbered in. So they are served by transaction, and only below every transaction that is still open.';

ALTER TABLE public.events ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.events_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

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

COMMENT ON COLUMN public.followed_chains.began_height IS 'Where following began: nothing up to this block was read. Null where nobody noted it.';

COMMENT ON COLUMN public.followed_chains.revision IS 'Every write of a follower is a compare-and-set on this. Of two followers, or of one that was stopped and wakes up later, only one can win; the other writes nothing.';

COMMENT ON COLUMN public.followed_chains.holder IS 'Who is following. It only saves others from doing the same work; `revision` is what protects the data.';

COMMENT ON COLUMN public.followed_chains.scanned_at IS 'The start of the last complete look at the chain and its mempool.';

COMMENT ON COLUMN public.followed_chains.balances_position IS 'From which position of the keychain the next look compares the balances of addresses that nobody is waiting for.';

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
    CONSTRAINT invoices_amount_fiat_check CHECK ((amount_fiat > (0)::numeric)),
    CONSTRAINT invoices_amount_units_check CHECK ((amount_units > (0)::numeric)),
    CONSTRAINT invoices_check CHECK (((currency IS NULL) = (gate_id IS NULL))),
    CONSTRAINT invoices_check1 CHECK (((currency IS NULL) OR ((network IS NOT NULL) AND (decimals IS NOT NULL) AND (amount_units IS NOT NULL) AND (required_confirmations IS NOT NULL) AND (deposit_address IS NOT NULL) AND (live_at IS NOT NULL)))),
    CONSTRAINT invoices_check2 CHECK (((source = 'static_address'::text) = (static_address_id IS NOT NULL))),
    CONSTRAINT invoices_check3 CHECK (((idempotency_key IS NULL) = (request_hash IS NULL))),
    CONSTRAINT invoices_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT invoices_exchange_rate_check CHECK ((exchange_rate > (0)::numeric)),
    CONSTRAINT invoices_source_check CHECK ((source = ANY (ARRAY['api'::text, 'static_address'::text, 'dashboard'::text]))),
    CONSTRAINT invoices_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'paid'::text, 'underpaid'::text, 'overpaid'::text, 'expired'::text, 'cancelled'::text])))
);

COMMENT ON TABLE public.invoices IS 'Requests to be paid once, with an amount and a deposit address.';

COMMENT ON COLUMN public.invoices."position" IS 'Rises with every insert: the order of lists.';

COMMENT ON COLUMN public.invoices.created_by IS 'Who made it; null where nobody noted it, and where a deposit made it.';

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
    CONSTRAINT ledger_accounts_kind_check CHECK ((kind = ANY (ARRAY['available'::text, 'reserved'::text, 'fees'::text, 'network_fees'::text, 'chain'::text, 'float'::text, 'suspense'::text])))
);

COMMENT ON TABLE public.ledger_accounts IS 'The accounts of the double-entry ledger. What an owner is due is positive: a merchant''s `available` and `reserved`, the platform''s fees, suspense, the operator''s float. `chain` is what the gates hold for them, and negative. All accounts of an asset sum to zero.';

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

COMMENT ON TABLE public.ledger_numbers IS 'The last number of each ledger. Whoever posts to these accounts locks the row, so entries are numbered in the order in which they commit.';

CREATE TABLE public.ledger_transactions (
    id uuid NOT NULL,
    entry_type text NOT NULL,
    subject uuid NOT NULL,
    occurrence integer NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

COMMENT ON TABLE public.ledger_transactions IS 'Something that moved money, once. Its natural key makes a second time impossible.';

COMMENT ON COLUMN public.ledger_transactions.subject IS 'What it is about: a payment, a payout, a spend or an outside move.';

COMMENT ON COLUMN public.ledger_transactions.occurrence IS 'How often the same has happened to the subject: a payment may be credited, reversed and credited again.';

CREATE TABLE public.list_counts (
    list text NOT NULL,
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    facet text DEFAULT ''::text NOT NULL,
    currency text DEFAULT ''::text NOT NULL,
    bucket bigint DEFAULT 0 NOT NULL,
    difference bigint NOT NULL
);

COMMENT ON TABLE public.list_counts IS 'How many rows each list has, by what it can be filtered by. Counting a million rows takes too long, and a single counter would make every insert wait for the last. So each change only appends a difference, and differences are folded into one row later. A total is the sum of the rows, folded or not.';

COMMENT ON COLUMN public.list_counts.facet IS 'What the list can be filtered by besides the currency: the status, the name of the event, and the like.';

COMMENT ON COLUMN public.list_counts.bucket IS 'Which stretch of 2^15 positions the rows are in, so that a page deep in a long list is found without reading all before it.';

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
    CONSTRAINT mails_check CHECK (((kind = 'notice'::text) = (notice IS NOT NULL))),
    CONSTRAINT mails_check1 CHECK (((kind = 'invitation'::text) = (link_id IS NOT NULL))),
    CONSTRAINT mails_failure_check CHECK ((length(failure) <= 500)),
    CONSTRAINT mails_kind_check CHECK ((kind = ANY (ARRAY['reset'::text, 'invitation'::text, 'notice'::text]))),
    CONSTRAINT mails_notice_check CHECK ((length(notice) <= 500)),
    CONSTRAINT mails_recipient_check CHECK (((length(recipient) >= 3) AND (length(recipient) <= 254)))
);

COMMENT ON TABLE public.mails IS 'Mails to people, sent by a job of kind `send_mail`. The text is written when the mail is sent, so no link is kept here.';

COMMENT ON COLUMN public.mails.link_id IS 'The invitation that it carries.';

COMMENT ON COLUMN public.mails.notice IS 'What happened, in words; notices only.';

CREATE TABLE public.memberships (
    merchant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT memberships_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'finance'::text, 'developer'::text, 'viewer'::text])))
);

COMMENT ON TABLE public.memberships IS 'Who belongs to which merchant, and what they may do there.';

CREATE TABLE public.merchant_brands (
    merchant_id uuid NOT NULL,
    colour text,
    embed_origins text[] DEFAULT '{}'::text[] NOT NULL,
    logo bytea,
    logo_media_type text,
    logo_sha256 bytea GENERATED ALWAYS AS (sha256(logo)) STORED,
    CONSTRAINT merchant_brands_check CHECK (((logo IS NULL) = (logo_media_type IS NULL))),
    CONSTRAINT merchant_brands_colour_check CHECK ((colour ~ '^#[0-9a-f]{6}$'::text)),
    CONSTRAINT merchant_brands_embed_origins_check CHECK ((cardinality(embed_origins) <= 20)),
    CONSTRAINT merchant_brands_logo_check CHECK (((octet_length(logo) >= 1) AND (octet_length(logo) <= 65536))),
    CONSTRAINT merchant_brands_logo_media_type_check CHECK ((logo_media_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'image/webp'::text, 'image/gif'::text])))
);

COMMENT ON TABLE public.merchant_brands IS 'How a merchant''s payment page looks, and where it may be framed.';

COMMENT ON COLUMN public.merchant_brands.embed_origins IS 'The sites that may show the page in a frame.';

COMMENT ON COLUMN public.merchant_brands.logo_sha256 IS 'The logo''s public address is made of its content, so that it can be cached for good.';

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

COMMENT ON TABLE public.merchants IS 'Whoever accepts payments here. Everything else belongs to one of them, or to the operator.';

COMMENT ON COLUMN public.merchants.base_currency IS 'The fiat currency that values, limits and overviews are given in.';

COMMENT ON COLUMN public.merchants.fee_bps IS 'The platform''s share of each payment, in hundredths of a percent. Invoices copy it when they are made.';

COMMENT ON COLUMN public.merchants.underpayment_tolerance_bps IS 'How far below its amount an invoice still counts as paid, in hundredths of a percent. Invoices copy it when they are made.';

CREATE TABLE public.missing_coins (
    gate_id text NOT NULL,
    tx_hash text NOT NULL,
    output_index integer NOT NULL,
    noticed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

COMMENT ON TABLE public.missing_coins IS 'Coins of the books that the node says cannot be spent: they never were on its chain, or somebody spent them without this database knowing. Nothing is planned with them until the node has them again.';

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
    voucher_credential_id bytea,
    voucher_authenticator_data bytea,
    voucher_client_data_json bytea,
    voucher_signature bytea,
    vouched_at timestamp with time zone,
    CONSTRAINT passkey_enrolments_check CHECK ((num_nulls(voucher_credential_id, voucher_authenticator_data, voucher_client_data_json, voucher_signature, vouched_at) = ANY (ARRAY[0, 5]))),
    CONSTRAINT passkey_enrolments_credential_id_check CHECK (((octet_length(credential_id) >= 1) AND (octet_length(credential_id) <= 1023)))
);

COMMENT ON TABLE public.passkey_enrolments IS 'Passkeys that a merchant''s people want to approve with, as they were offered, whatever becomes of the passkey.';

COMMENT ON COLUMN public.passkey_enrolments.passkey_id IS 'Not a reference: the passkey may be removed from the account, and what signers know of it stays.';

COMMENT ON COLUMN public.passkey_enrolments.public_key IS 'A COSE key (RFC 9052).';

COMMENT ON COLUMN public.passkey_enrolments.voucher_signature IS 'With the other voucher columns, what someone with a passkey the signer knows says for this one. A merchant''s first has none.';

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
    CONSTRAINT passkey_pins_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
);

COMMENT ON TABLE public.passkey_pins IS 'Which passkeys the signers say they trust, for people to see. No signer reads it to decide anything.';

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

COMMENT ON TABLE public.passkey_statements IS 'What people tell signers with a passkey: that another passkey is no longer to be trusted, or a new policy.';

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

COMMENT ON TABLE public.payments IS 'Transfers to our addresses, as the followed branch has them. All but pinned_by is written by whoever follows or rescans the chain, and by nobody else.';

COMMENT ON COLUMN public.payments.by_balance IS 'Found by what its address holds, since on some networks coins arrive inside contracts, without a transaction to us. Such a payment is named by the block after which the address first held it.';

COMMENT ON COLUMN public.payments.suspense_reason IS 'Why it belongs to no invoice. Such a payment is booked to suspense; nobody guesses whose it is.';

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

COMMENT ON COLUMN public.payout_policies.approvals_required IS 'With two, neither may come from whoever created the payout.';

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
    CONSTRAINT payouts_status_check CHECK ((status = ANY (ARRAY['pending_approval'::text, 'approved'::text, 'processing'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
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

ALTER TABLE public.payouts ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.payouts_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.postings (
    transaction_id uuid NOT NULL,
    account_id bigint NOT NULL,
    units numeric(78,0) NOT NULL,
    CONSTRAINT postings_units_check CHECK ((units <> (0)::numeric))
);

COMMENT ON TABLE public.postings IS 'The lines of a ledger transaction: what it adds to each account.';

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

COMMENT ON COLUMN public.rate_sources.due_at IS 'Whoever claims a source moves this on, so that several workers ask once between them.';

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

COMMENT ON COLUMN public.rescan_outputs.taken_at IS 'When it was dealt with. An output that nobody has spent becomes a payment in the same transaction.';

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

COMMENT ON COLUMN public.rescans.revision IS 'Whoever takes a rescan up raises it, so that an earlier process still running can write no more.';

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
    CONSTRAINT sessions_check CHECK (((proved_at IS NULL) = (proved_by IS NULL))),
    CONSTRAINT sessions_proved_by_check CHECK ((proved_by = ANY (ARRAY['password'::text, 'totp'::text, 'recovery_code'::text, 'passkey'::text]))),
    CONSTRAINT sessions_token_hash_check CHECK ((octet_length(token_hash) = 32)),
    CONSTRAINT sessions_user_agent_check CHECK ((length(user_agent) <= 500))
);

COMMENT ON TABLE public.sessions IS 'Browsers that are, or were, signed in.';

COMMENT ON COLUMN public.sessions.token_hash IS 'SHA-256 of the cookie, which is shown once and kept nowhere.';

COMMENT ON COLUMN public.sessions.is_complete IS 'False between the password and the second factor. Until then the session is good for nothing else.';

COMMENT ON COLUMN public.sessions.proved_at IS 'When the person last showed more than the cookie.';

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

COMMENT ON TABLE public.simulated_chains IS 'The simulated chains. Whoever changes one locks its row for the whole transaction: everything else about the chain is written under that lock.';

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

COMMENT ON TABLE public.simulated_debits IS 'What the sender of an account''s transaction parts with, fee included.';

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
    cancels boolean GENERATED ALWAYS AS (COALESCE((((plan ->> 'kind'::text) = 'account'::text) AND ((plan ->> 'units'::text) = '0'::text)), false)) STORED NOT NULL,
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
    CONSTRAINT spend_transactions_attempt_check CHECK ((attempt > 0)),
    CONSTRAINT spend_transactions_check CHECK ((((tx_hash IS NULL) = (bytes IS NULL)) AND ((bytes IS NULL) = (signed_at IS NULL)))),
    CONSTRAINT spend_transactions_check1 CHECK (((sent_at IS NULL) OR (signed_at IS NOT NULL))),
    CONSTRAINT spend_transactions_max_fee_units_check CHECK ((max_fee_units >= (0)::numeric))
);

COMMENT ON TABLE public.spend_transactions IS 'The attempts of a spend: what was planned, signed and sent. A later attempt pays a higher fee and uses the same coins or nonce.';

COMMENT ON COLUMN public.spend_transactions.max_fee_units IS 'The most the network can take, in its native currency.';

COMMENT ON COLUMN public.spend_transactions.cancels IS 'Whether the attempt pays nothing and only uses up the nonce, so that earlier attempts can never be mined.';

COMMENT ON COLUMN public.spend_transactions.change_address IS 'Where the change goes: an address of our own, which no payout may be sent to.';

COMMENT ON COLUMN public.spend_transactions.refusal IS 'Why the signer does not sign it.';

COMMENT ON COLUMN public.spend_transactions.refused_for_good_at IS 'When the signer first refused it for a reason that will not pass by itself; null while it may.';

COMMENT ON COLUMN public.spend_transactions.answer IS 'What the network said when it was last sent.';

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
    CONSTRAINT spends_check CHECK (((from_address IS NULL) = (nonce IS NULL))),
    CONSTRAINT spends_check1 CHECK (((status = 'open'::text) = (ended_at IS NULL))),
    CONSTRAINT spends_check2 CHECK (((kind = 'absorb'::text) = (fee_currency IS NULL))),
    CONSTRAINT spends_check3 CHECK (((block_height IS NULL) = (block_hash IS NULL))),
    CONSTRAINT spends_check4 CHECK (((status <> ALL (ARRAY['final'::text, 'reverted'::text])) OR (kind = 'absorb'::text) OR ((mined_hash IS NOT NULL) AND (fee_units IS NOT NULL)))),
    CONSTRAINT spends_consolidation_coins CHECK (((kind <> 'consolidation'::text) OR (from_address IS NULL))),
    CONSTRAINT spends_fill_nonces CHECK (((kind <> 'fill'::text) OR ((from_address IS NOT NULL) AND (units = (0)::numeric)))),
    CONSTRAINT spends_given_up_when_asked CHECK (((given_up_at IS NULL) OR (give_up_asked_at IS NOT NULL))),
    CONSTRAINT spends_kind_check CHECK ((kind = ANY (ARRAY['payout'::text, 'sweep'::text, 'gas'::text, 'absorb'::text, 'consolidation'::text, 'fill'::text]))),
    CONSTRAINT spends_lost_count_check CHECK ((lost_count > 0)),
    CONSTRAINT spends_lost_units_check CHECK ((lost_units > (0)::numeric)),
    CONSTRAINT spends_lost_whole CHECK ((num_nulls(lost_currency, lost_units, lost_count) = ANY (ARRAY[0, 3]))),
    CONSTRAINT spends_status_check CHECK ((status = ANY (ARRAY['open'::text, 'final'::text, 'reverted'::text, 'dead'::text])))
);

COMMENT ON TABLE public.spends IS 'Money on its way out of an address of ours. The coins or the nonce a spend uses are its own for good, so of all transactions ever signed for it at most one can be mined.';

COMMENT ON COLUMN public.spends.kind IS '`payout` pays payouts. `sweep` moves the funds of a deposit address to the hot wallet. `gas` gives a deposit address what its sweep costs. `absorb` notes funds that arrived at the hot wallet itself, and has no transaction. `consolidation` merges small coins into one of our own while fees are low. `fill` uses up a nonce of the hot wallet that is free again on the chain, although what was planned for it is dead or was never ours. The last two pay nobody.';

COMMENT ON COLUMN public.spends.status IS '`final`: one of its transactions is mined deep enough. `reverted`: one is, but it failed there, so only the fee is gone. `dead`: it is proved that none ever will be mined.';

COMMENT ON COLUMN public.spends.from_address IS 'The account that sends; null where coins are spent.';

COMMENT ON COLUMN public.spends.nonce IS 'The account''s nonce for the transaction; null where coins are spent.';

COMMENT ON COLUMN public.spends.to_address IS 'Where an account''s coins went. Asked for each address whose balance is compared with what it should hold.';

COMMENT ON COLUMN public.spends.after_spend_id IS 'Sent only once that one is final.';

COMMENT ON COLUMN public.spends.mined_hash IS 'The transaction of it that was mined. On a dead spend: one that was mined after all, when what ruled it out was reorganised away. What that took is an outside move of its number.';

COMMENT ON COLUMN public.spends.block_height IS 'The block with its mined transaction, on the branch that was followed when it was last looked at. On a dead spend: the block that ruled it out.';

COMMENT ON COLUMN public.spends.fee_units IS 'What the network took.';

COMMENT ON COLUMN public.spends.fee_currency IS 'The network''s native currency.';

COMMENT ON COLUMN public.spends.fee_corrections IS 'How often the cost was put right after it was first booked. A transaction that a reorganisation moves to another block can take more or less gas there.';

COMMENT ON COLUMN public.spends.give_up_asked_at IS 'On a spend of coins that the signer refused for good: since when nobody waits any longer for it to change its mind.';

COMMENT ON COLUMN public.spends.given_up_at IS 'When the signer said that it will never sign the spend. Only then are its coins free, and its payouts fail.';

COMMENT ON COLUMN public.spends.lost_units IS 'What a signed transaction pays for payouts that were lost with a newer database, and that nobody knows any more. It is booked to the operator''s float when the transaction is final.';

COMMENT ON COLUMN public.spends.lost_count IS 'How many payouts those were.';

COMMENT ON COLUMN public.spends.undone_reason IS 'Why a transaction that was booked as done cannot come back by itself after a reorganisation; null while it can.';

COMMENT ON COLUMN public.spends.short_since IS 'Since when the hot wallet has had less than this signed payout, whose turn it is, sends and pays; null while it has enough.';

COMMENT ON COLUMN public.spends.look_at IS 'When it is worth a look again.';

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
    CONSTRAINT static_addresses_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
);

COMMENT ON TABLE public.static_addresses IS 'Permanent deposit addresses. Each deposit to one makes an invoice.';

COMMENT ON COLUMN public.static_addresses."position" IS 'Rises with every insert: the order of lists.';

COMMENT ON COLUMN public.static_addresses.deposit_position IS 'The address''s position in its keychain.';

COMMENT ON COLUMN public.static_addresses.total_received_units IS 'Confirmed deposits, less what was reversed.';

COMMENT ON COLUMN public.static_addresses.invoice_count IS 'How many of its invoices hold confirmed money.';

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

CREATE TABLE public.wallet_keys (
    environment text NOT NULL,
    network text NOT NULL,
    public_key text,
    wallet text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT wallet_keys_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT wallet_keys_wallet_check CHECK ((wallet ~ '^[0-9a-f]{16}$'::text))
);

COMMENT ON TABLE public.wallet_keys IS 'The public side of a wallet: all that anyone but the holder of the seed needs. An environment has one wallet.';

COMMENT ON COLUMN public.wallet_keys.public_key IS 'What deposit addresses are made from: an account key, or the account they all share. Null where only the holder of the seed can make them.';

COMMENT ON COLUMN public.wallet_keys.wallet IS 'A fingerprint of the seed.';

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

INSERT INTO public.api_keys (id, merchant_id, environment, name, hash, hint, permissions, allowed_ips, created_by, created_at, last_used_at, expires_at, revoked_at) VALUES ('01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'test', '\xb3f0040aed28f40ea8dc6a3115d311916922d407921714fdeaaf4091b6683c09', 'sk_test_…b8dc', '{invoices:read,invoices:write,payouts:read,payouts:write,refunds:read,refunds:write,balances:read,addresses:read,addresses:write,webhooks:read,webhooks:write,events:read,test:write}', NULL, NULL, '2026-11-17 09:58:43.121329+00', '2026-11-17 09:58:43.148+00', NULL, NULL);
INSERT INTO public.api_keys (id, merchant_id, environment, name, hash, hint, permissions, allowed_ips, created_by, created_at, last_used_at, expires_at, revoked_at) VALUES ('01a1e8f1-ccc3-7a11-86dd-76635b0cf4ab', '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'test', '\xff7c67973ef30beed889380c0e50834bb94eb4cfb20411f02c489ca417b496ec', 'sk_test_…00f4', '{invoices:read,invoices:write,payouts:read,payouts:write,refunds:read,refunds:write,balances:read,addresses:read,addresses:write,webhooks:read,webhooks:write,events:read,test:write}', NULL, NULL, '2026-11-17 09:58:43.140328+00', '2026-11-17 09:58:58.476+00', NULL, NULL);

INSERT INTO public.audit_entries (chain, seq, at, actor, actor_name, ip, user_agent, environment, action, subject, details, previous_hash, hash) VALUES ('01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 1, '2026-11-17 09:58:48.777+00', 'cli:ada', 'ada', NULL, NULL, 'test', 'suspense.released', '01a1e8f1-e15a-7221-8822-94422c476ea0', '{"note": "The payer took the wrong shop.", "amount": "25", "reason": "wrong_currency", "network": "ethereum", "tx_hash": "0x38b0b0de4ab5a7e9b4ff7231b46513c1bfc5562f35581b9d7c2a902fbe204dc7", "currency": "USDT"}', '\x0000000000000000000000000000000000000000000000000000000000000000', '\x11fc53b1a19e6ebe37ca9760f368c7803db06bf385db6888f5ed30930b24bae3');
INSERT INTO public.audit_entries (chain, seq, at, actor, actor_name, ip, user_agent, environment, action, subject, details, previous_hash, hash) VALUES ('01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 2, '2026-11-17 09:58:58.761+00', 'cli:ada', 'ada', NULL, NULL, 'test', 'policy.changed', NULL, '{"after": ["One person approves a payout.", "They show a second factor.", "A payout may be worth at most 10000.00 EUR.", "Only known destinations may be paid.", "It is carried out 2592000 seconds after its approval."], "before": ["One person approves a payout.", "They show a second factor."]}', '\x11fc53b1a19e6ebe37ca9760f368c7803db06bf385db6888f5ed30930b24bae3', '\x03d0e555c9ea2162a34c7745e4c0d3d57b6de91b213d8f8c74294a7b7f03788b');
INSERT INTO public.audit_entries (chain, seq, at, actor, actor_name, ip, user_agent, environment, action, subject, details, previous_hash, hash) VALUES ('01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 3, '2026-11-17 09:58:58.769+00', 'cli:ada', 'ada', NULL, NULL, 'test', 'destination.added', 'tb1qurg4y55dpv5z80yhgmjqq6gw83gujt5rg5zr3q', '{"label": "Cold wallet", "destination": "tb1qurg4y55dpv5z80yhgmjqq6gw83gujt5rg5zr3q on bitcoin"}', '\x03d0e555c9ea2162a34c7745e4c0d3d57b6de91b213d8f8c74294a7b7f03788b', '\x967dcb7eb10f593e3e4440ecb3bfef227add16a08baf575ecdfdf9a73a3930bd');
INSERT INTO public.audit_entries (chain, seq, at, actor, actor_name, ip, user_agent, environment, action, subject, details, previous_hash, hash) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 1, '2026-11-17 09:58:59.177+00', 'cli:ada', 'ada', NULL, NULL, NULL, 'user.created', '01a1e8f2-0b4e-71d9-819f-96390a88e6a1', '{"role": "owner", "email": "olga@example.com", "operator": false}', '\x0000000000000000000000000000000000000000000000000000000000000000', '\x427c1156f6c3f5997107890b6cf60176eddc265942e336880f776f40bf04cd36');
INSERT INTO public.audit_entries (chain, seq, at, actor, actor_name, ip, user_agent, environment, action, subject, details, previous_hash, hash) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 2, '2026-11-17 09:58:59.379+00', 'cli:ada', 'ada', NULL, NULL, NULL, 'user.created', '01a1e8f2-0c28-7bf0-8d5c-ff2ff5ac6b77', '{"role": "viewer", "email": "victor@example.com", "operator": false}', '\x427c1156f6c3f5997107890b6cf60176eddc265942e336880f776f40bf04cd36', '\x36654353fa71f9325c6f4b42d35cdaf1ded49a8a84c35d188ddd221e1ff49e77');
INSERT INTO public.audit_entries (chain, seq, at, actor, actor_name, ip, user_agent, environment, action, subject, details, previous_hash, hash) VALUES ('00000000-0000-0000-0000-000000000000', 1, '2026-11-17 09:58:59.876+00', 'cli:ada', 'ada', NULL, NULL, NULL, 'user.created', '01a1e8f2-0de6-77b8-9edc-7c8b293dafc4', '{"role": null, "email": "ada@example.com", "operator": true}', '\x0000000000000000000000000000000000000000000000000000000000000000', '\x95366829e0dea87a3e40a91bca359a3176dd58d6a7b5a8ab8da7529aee595eeb');
INSERT INTO public.audit_entries (chain, seq, at, actor, actor_name, ip, user_agent, environment, action, subject, details, previous_hash, hash) VALUES ('00000000-0000-0000-0000-000000000000', 2, '2026-11-17 09:59:00.441+00', 'user:01a1e8f2-0b4e-71d9-819f-96390a88e6a1', 'Olga', '127.0.0.1', 'node', NULL, 'session.began', '01a1e8f2-0b4e-71d9-819f-96390a88e6a1', '{"by": "password"}', '\x95366829e0dea87a3e40a91bca359a3176dd58d6a7b5a8ab8da7529aee595eeb', '\xd742c43f105f77ccc1d48f7b7199908922fb9aed1ef3d9b020dcce4e098206d5');
INSERT INTO public.audit_entries (chain, seq, at, actor, actor_name, ip, user_agent, environment, action, subject, details, previous_hash, hash) VALUES ('00000000-0000-0000-0000-000000000000', 3, '2026-11-17 09:59:00.844+00', 'user:01a1e8f2-0b4e-71d9-819f-96390a88e6a1', 'Olga', '127.0.0.1', 'node', NULL, 'passkey.added', '01a1e8f2-11ad-7c90-8145-3d2d83b723e2', '{"name": "Olga’s laptop", "sessions_ended": 0}', '\xd742c43f105f77ccc1d48f7b7199908922fb9aed1ef3d9b020dcce4e098206d5', '\xfc0f1c8da8fa1913dec4ffd4eb187c64793f049dd739c8cf6ea3b9f91ee57591');
INSERT INTO public.audit_entries (chain, seq, at, actor, actor_name, ip, user_agent, environment, action, subject, details, previous_hash, hash) VALUES ('00000000-0000-0000-0000-000000000000', 4, '2026-11-17 09:59:01.158+00', 'user:01a1e8f2-0c28-7bf0-8d5c-ff2ff5ac6b77', 'Victor', '127.0.0.1', 'node', NULL, 'session.began', '01a1e8f2-0c28-7bf0-8d5c-ff2ff5ac6b77', '{"by": "password"}', '\xfc0f1c8da8fa1913dec4ffd4eb187c64793f049dd739c8cf6ea3b9f91ee57591', '\x8eaeeca3f98ef4e276df23ed36effd1ed95b627342ada922d01cef72f1e1a10c');
INSERT INTO public.audit_entries (chain, seq, at, actor, actor_name, ip, user_agent, environment, action, subject, details, previous_hash, hash) VALUES ('00000000-0000-0000-0000-000000000000', 5, '2026-11-17 09:59:01.256+00', 'user:01a1e8f2-0c28-7bf0-8d5c-ff2ff5ac6b77', 'Victor', '127.0.0.1', 'node', NULL, 'totp.added', '01a1e8f2-0c28-7bf0-8d5c-ff2ff5ac6b77', '{"sessions_ended": 0}', '\x8eaeeca3f98ef4e276df23ed36effd1ed95b627342ada922d01cef72f1e1a10c', '\x1bfc0ace22409ac41c345e53f3383bfd66bf49858817c147e2b69378a2015fab');
INSERT INTO public.audit_entries (chain, seq, at, actor, actor_name, ip, user_agent, environment, action, subject, details, previous_hash, hash) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 3, '2026-11-17 09:59:01.61+00', 'cli:ada', 'ada', NULL, NULL, NULL, 'team.invited', '01a1e8f2-14c1-76cf-9b1b-a83b1eb78845', '{"role": "finance", "email": "nina@example.com"}', '\x36654353fa71f9325c6f4b42d35cdaf1ded49a8a84c35d188ddd221e1ff49e77', '\x9fb0e5606a0c63b964b6b22e44918b00ebc539be3c8789a30d4e2d5ef3b1ba5d');

INSERT INTO public.audit_heads (chain, seq, hash) VALUES ('01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 3, '\x967dcb7eb10f593e3e4440ecb3bfef227add16a08baf575ecdfdf9a73a3930bd');
INSERT INTO public.audit_heads (chain, seq, hash) VALUES ('00000000-0000-0000-0000-000000000000', 5, '\x1bfc0ace22409ac41c345e53f3383bfd66bf49858817c147e2b69378a2015fab');
INSERT INTO public.audit_heads (chain, seq, hash) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 3, '\x9fb0e5606a0c63b964b6b22e44918b00ebc539be3c8789a30d4e2d5ef3b1ba5d');

INSERT INTO public.ceremonies (id, purpose, session_id, challenge, subject, created_at, expires_at, used_at) VALUES ('01a1e8f2-10cf-767d-aeec-908ce4dff080', 'enrol', '01a1e8f2-1016-7233-aed0-c55ba0a571fa', '\x83da98dd52a5da5ce3b0d60ac4824afabc84f11ce7054c69c2ebbafa24bf9558', NULL, '2026-11-17 09:59:00.597218+00', '2026-11-17 10:04:00.597218+00', '2026-11-17 09:59:00.748307+00');

INSERT INTO public.change_coins (gate_id, tx_hash, output_index, change_index, units, made_by, pinned_by) VALUES ('bitcoin-test', 'cf9583e7c1c6fb3054328376a05c169973aa4e966ef394c6271ea0757c9acb2d', 1, 0, 39999295, '01a1e8f1-e6eb-7c85-bbf6-fa915e849dd5', NULL);
INSERT INTO public.change_coins (gate_id, tx_hash, output_index, change_index, units, made_by, pinned_by) VALUES ('bitcoin-test', '1940acee37faa621e92d24c9babbba22694e31fa961edc2d46c7815cc312991e', 0, 1, 499295, '01a1e8f2-0250-707d-a75b-7b0ae5bf45b0', NULL);

INSERT INTO public.daily_sums (merchant_id, environment, day, kind, currency, network, decimals, base_currency, units, base_units) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', '2026-11-17', 'received', 'ETH', 'ethereum', 18, 'USD', 2000000000000000000, 500000);
INSERT INTO public.daily_sums (merchant_id, environment, day, kind, currency, network, decimals, base_currency, units, base_units) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', '2026-11-17', 'received', 'USDT', 'ethereum', 6, 'USD', 300000000, 30000);
INSERT INTO public.daily_sums (merchant_id, environment, day, kind, currency, network, decimals, base_currency, units, base_units) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', '2026-11-17', 'received', 'LTC', 'litecoin', 8, 'USD', 0, 0);
INSERT INTO public.daily_sums (merchant_id, environment, day, kind, currency, network, decimals, base_currency, units, base_units) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', '2026-11-17', 'paid_out', 'BTC', 'bitcoin', 8, 'USD', 10000000, 500000);
INSERT INTO public.daily_sums (merchant_id, environment, day, kind, currency, network, decimals, base_currency, units, base_units) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', '2026-11-17', 'paid_out', 'USDT', 'ethereum', 6, 'USD', 120000000, 12000);
INSERT INTO public.daily_sums (merchant_id, environment, day, kind, currency, network, decimals, base_currency, units, base_units) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', '2026-11-17', 'received', 'BTC', 'bitcoin', 8, 'USD', 60010000, 3000500);
INSERT INTO public.daily_sums (merchant_id, environment, day, kind, currency, network, decimals, base_currency, units, base_units) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', '2026-11-17', 'refunded', 'BTC', 'bitcoin', 8, 'USD', 1000000, 50000);
INSERT INTO public.daily_sums (merchant_id, environment, day, kind, currency, network, decimals, base_currency, units, base_units) VALUES ('01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', '2026-11-17', 'received', 'BTC', 'bitcoin', 8, 'EUR', 20000000, 800000);

INSERT INTO public.deposit_address_counters (keychain, derived, given) VALUES ('solana-test', 20, 0);
INSERT INTO public.deposit_address_counters (keychain, derived, given) VALUES ('xrp-test', 20, 0);
INSERT INTO public.deposit_address_counters (keychain, derived, given) VALUES ('litecoin-test', 20, 8);
INSERT INTO public.deposit_address_counters (keychain, derived, given) VALUES ('evm-test', 20, 8);
INSERT INTO public.deposit_address_counters (keychain, derived, given) VALUES ('bitcoin-test', 36, 16);

INSERT INTO public.deposit_address_grants (keychain, first, below, stamp, life, written_by) VALUES ('bitcoin-test', 0, 200, 'c099dfa9-8945-4b08-9dd9-457802ac3f72', '7709077667706217227 16385 1794909517.305444', 742);
INSERT INTO public.deposit_address_grants (keychain, first, below, stamp, life, written_by) VALUES ('evm-test', 0, 200, 'c45ef24c-fbc0-4ec6-a9a6-5631eadf808f', '7709077667706217227 16385 1794909517.305444', 742);
INSERT INTO public.deposit_address_grants (keychain, first, below, stamp, life, written_by) VALUES ('litecoin-test', 0, 200, 'f473b831-92e3-4118-8733-fb20bca7a075', '7709077667706217227 16385 1794909517.305444', 742);
INSERT INTO public.deposit_address_grants (keychain, first, below, stamp, life, written_by) VALUES ('solana-test', 0, 200, 'ddbe9535-5d70-43e5-9de8-6d547ec5eaec', '7709077667706217227 16385 1794909517.305444', 742);
INSERT INTO public.deposit_address_grants (keychain, first, below, stamp, life, written_by) VALUES ('xrp-test', 0, 200, '79865ccc-5403-471d-87ba-6c6faabc8f9c', '7709077667706217227 16385 1794909517.305444', 742);

INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('solana-test', 0, '86CCu4DxubAG3kX1qVCDJJsWjXZSGnWRfkTq9W3SSEeh', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('solana-test', 1, 'CjkHUBeUFR3KPiPWbeKzfvw6teT2BeJgSY3BLnaKEAUF', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('solana-test', 2, '5mWEEL1kWKDZQex2PYdwUJYtCAC8YSEann7GiuXwr1BB', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('solana-test', 3, 'DG5phq5UWNHanr4n4vNi61LXXfYPrc9eqM3VjDmKUmfx', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('solana-test', 4, 'An4XyfNhP8PFA9cJZgijTmhzcfQYvZJ8SLKwZLkPkd2', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('solana-test', 5, '9SUMjuvpKsXtZFBYxnVycRo8qcMGFDCZLBumGGzCCRNr', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('solana-test', 6, 'FEA88EncobRDFAKeV3hqNdYps2SiQa5BH6jTLeU4nWkS', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('solana-test', 7, '9bggfNwQ8yoUWZ1fgUd74k8RJ958d7tCW7BUeHq7E8vi', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('solana-test', 8, '4tSyNdfceRAewWDi7F3gSTQLQFNbp7Yw8nck6nZYBqYr', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('solana-test', 9, 'C5TKo3Mtunh9FffL6g33egCcSfNEJevRapvEwewQCLbY', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('solana-test', 10, '2rRY7ZVHX45NwbfCtCJYpu53iachhd7W8qaLpLAADyb5', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('solana-test', 11, '4sSPTx4EshuoqDhWF9RRJ4nNEWcRaqRTFqJ287xxt8Hm', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('solana-test', 12, 'BqvJD4N4KMrDodFQLQKWni8kA9bK24oPUZhVtqJwUcaE', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('solana-test', 13, '43zLRcSE7ZvcdPqhdGufGQjRzpXrQvnxbt8EeGJQMqxe', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('solana-test', 14, '7XY6MRoF12ACHzDqzDCYtJuKDaJbDAKXgZiQPWWoaftL', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('solana-test', 15, 'F33F8psWtUoXkGqRoycNTAnkpByVdVQLWGz9N74AYq5W', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('solana-test', 16, '852bWKfE3t3L4uC2Yppeq8JQ3KDhT7TNHiznyamFkqzP', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('solana-test', 17, 'DDBo5kaJk6zPYkTBq9PFStPLn9QqCBjbdkXXDEYrDUK8', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('solana-test', 18, 'CkJFEv3f1p4GuqTitxnyHWjPkpw2NLhdDUyUv3HuXZZj', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('solana-test', 19, '9S2tCCk75wada8KDU2JjXCmMhcZb56v1eh81JkHbrtvP', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('evm-test', 0, '0x373B4b3e23AB506f63dB30175273cD89f7E1f8e7', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('evm-test', 1, '0xB0b62D1758506580EAfB4d48d5B6Cb1462246d04', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('evm-test', 2, '0x72eF96D6A31c7891E28398d49CD4Fa1Bf4537564', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('evm-test', 3, '0x0e50F7d65A26e0f751Ac6e88a6cE056081D0133a', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('evm-test', 4, '0xE09f05A09D20183a0C0e8CBada58c8d3C4235f86', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 0, 'tb1q36r8fc8snvm9nrddx4vct6767d528r6cj9d5e9', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 1, 'tb1qt8tgww02ynh6uzjzjxavh0c8x5cman0funl3q6', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 2, 'tb1qq3mkglz2k0g0qxe0g7tjmka5uzgecke8gn39lz', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 3, 'tb1q775qvkz74q6dlspkcc9qk66lzk2wg4rwe23aur', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 4, 'tb1qdfl6xh0jn39m3rw08mcvzzr8v0z4m5rcm5rty7', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('litecoin-test', 0, 'tltc1q36r8fc8snvm9nrddx4vct6767d528r6ctd02fv', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('litecoin-test', 1, 'tltc1qt8tgww02ynh6uzjzjxavh0c8x5cman0f9ma0sn', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('litecoin-test', 2, 'tltc1qq3mkglz2k0g0qxe0g7tjmka5uzgecke83mnm0t', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('litecoin-test', 3, 'tltc1q775qvkz74q6dlspkcc9qk66lzk2wg4rwqznrv2', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('litecoin-test', 4, 'tltc1qdfl6xh0jn39m3rw08mcvzzr8v0z4m5rczup45h', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('xrp-test', 0, 'rD7se6UefP46szWxWoEmTRA6j5ZVLimFwn', '1930861494');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('xrp-test', 1, 'rD7se6UefP46szWxWoEmTRA6j5ZVLimFwn', '1714239341');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('xrp-test', 2, 'rD7se6UefP46szWxWoEmTRA6j5ZVLimFwn', '1497617188');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('xrp-test', 3, 'rD7se6UefP46szWxWoEmTRA6j5ZVLimFwn', '1280995035');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('xrp-test', 4, 'rD7se6UefP46szWxWoEmTRA6j5ZVLimFwn', '1064372882');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('evm-test', 5, '0x8D05F47F77A474B94310484eea4100d797CA140A', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('evm-test', 6, '0x8F7A7731567Ff6cdA17dc220bdD33F6BbF09F2E8', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('evm-test', 7, '0xe338045FcF3A665eC39E3eac2CE945A143F6b677', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('evm-test', 8, '0xbA44178c367389376f6742414f305f1aD3691f99', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('evm-test', 9, '0x175325C35253Ad275833B3D3F4852aE6dc5BAF0e', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('evm-test', 10, '0x38c53B4c9f4570373D6d805a5bfcc3B808509eFf', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('evm-test', 11, '0x50491c15eB3a08c407c6b2e3E6b7D94AAAB76F67', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('evm-test', 12, '0xd19dD68a27709a23dE27a7d88Bc36669B5d51a4B', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('evm-test', 13, '0x195aaa5Fd571Fd2F636A41967BeD7Cf7d75B5331', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('evm-test', 14, '0xd5cc551E802f05622DFa6435398a7909833a1E40', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('evm-test', 15, '0x036FdCf1fA8808ea5417d0C795629bA133Ad4015', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('evm-test', 16, '0x61611f9beA460A83281b48b95fb7134bF623d377', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('evm-test', 17, '0x37114CE661fBBdDa962365c9418698b3C719f8FF', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('evm-test', 18, '0x9577B1c2Ec84c3d3E0C754c0805De1Ea83732611', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('evm-test', 19, '0x85B9Bdcc06Dcc16e68A4260E81fCbD9b7C4774Ef', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 5, 'tb1qrqauwtcxvu5x7ce8sdjlznefxdcdpz97hj2gft', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 6, 'tb1q0trf64wc8y9whrdshld07cgzhmxz8s2nykfjw0', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 7, 'tb1qg7jcf6qrfe8wj2ug4ux8h7x3fz5r89yz7nsdhj', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 8, 'tb1ql6a277yln0he52syckp4j0fvyxc6shc6pelsk2', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 9, 'tb1q72x8l4swkmdu77qknrhmss2w3kr3gwe4s64rll', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 10, 'tb1qjqcr7w22n70f5ppu2mf7qxe5jgadz0menf6lw5', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 11, 'tb1qj69rruxedzrnqgt4dql33p34axt3jyt7a034zt', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 12, 'tb1qesc5ajd3j7va8algkk3qvts6kv3plj8s9vuj9y', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 13, 'tb1q6rq7pdhqtx6h7syxnxcffx7ktc37n6qatkktfh', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 14, 'tb1q9kk885gzxf5md48lmqwulcj3p97a004x49u89c', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 15, 'tb1qc9x0z73sxypsekvxpycj0nranpvq0dnftsztv0', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 16, 'tb1q8ma4t5pjv6p9sf3mzmgvaavtmnthqvavq0mryq', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 17, 'tb1qwwd5sdu62u7nq8amna6ls7qkq8gs6mez58cm4a', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 18, 'tb1qu3zv852gp4wnfd08x777e37rerfac5jsa088mm', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 19, 'tb1q66xes4ky5dy3qz88y3px5g8dprx8knpn3glnfx', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('litecoin-test', 5, 'tltc1qrqauwtcxvu5x7ce8sdjlznefxdcdpz97w6gkez', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('litecoin-test', 6, 'tltc1q0trf64wc8y9whrdshld07cgzhmxz8s2na7tv7x', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('litecoin-test', 7, 'tltc1qg7jcf6qrfe8wj2ug4ux8h7x3fz5r89yz8mjn8m', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('litecoin-test', 8, 'tltc1ql6a277yln0he52syckp4j0fvyxc6shc6c3awxr', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('litecoin-test', 9, 'tltc1q72x8l4swkmdu77qknrhmss2w3kr3gwe4fjha0k', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('litecoin-test', 10, 'tltc1qjqcr7w22n70f5ppu2mf7qxe5jgadz0me2pcp7a', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('litecoin-test', 11, 'tltc1qj69rruxedzrnqgt4dql33p34axt3jyt7y8ntjz', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('litecoin-test', 12, 'tltc1qesc5ajd3j7va8algkk3qvts6kv3plj8suy7v4d', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('litecoin-test', 13, 'tltc1q6rq7pdhqtx6h7syxnxcffx7ktc37n6qaj754e7', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('litecoin-test', 14, 'tltc1q9kk885gzxf5md48lmqwulcj3p97a004xvd7e43', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('litecoin-test', 15, 'tltc1qc9x0z73sxypsekvxpycj0nranpvq0dnfjcq4ux', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('litecoin-test', 16, 'tltc1q8ma4t5pjv6p9sf3mzmgvaavtmnthqvave8ea5f', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('litecoin-test', 17, 'tltc1qwwd5sdu62u7nq8amna6ls7qkq8gs6mezd06995', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('litecoin-test', 18, 'tltc1qu3zv852gp4wnfd08x777e37rerfac5jsy89etj', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('litecoin-test', 19, 'tltc1q66xes4ky5dy3qz88y3px5g8dprx8knpngqade0', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 20, 'tb1qjqkhnfx35spa0kw43qwztfdtzh2avj8n66apc2', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 21, 'tb1qxqjutjg0j07ykgq3xankppxpapszsj33hazuht', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 22, 'tb1qnud502kkmctnvzrtejjvu7zj0phtxm20w4qf4e', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 23, 'tb1qfnf6jrf8wmddpd0ex2ygx0swxdvwkkjw4k2jnx', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 24, 'tb1qwhjfmnecghwcncjfpxpkgylwt4uajk73cu8v28', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 25, 'tb1q5xk0w2gaqhc490gf74smll6tk4907sy6g27lxu', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 26, 'tb1qdrz988v65tcy0jeq3pwf3wj7c5mdguhwj7uf6u', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 27, 'tb1q77g25rptj3fp979y6uffeptu08k7ywc5td67th', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 28, 'tb1qgghusqm8k7c0vngv2pyyxgqc7x6wkwmpdt9huz', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 29, 'tb1q93lu287h6hgzfzggmfgy66wc9updgeyj0afthv', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 30, 'tb1qq6qklzdh3esc7eyjpkxarcj40ry45egvyaq5fs', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 31, 'tb1qhuzt0e3lt7g3srhwud8mg9tl22y6xm67ysrgmy', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 32, 'tb1qyk5ap5828xq2mqgt7twt74ym9yhh3rc0ksv4r5', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 33, 'tb1q9g8syc6adukp7atl7eatps04yl0vvngwq6pm8r', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 34, 'tb1qrkl3fxhumk9s832h2adml32rnrljne0zdg4lff', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('bitcoin-test', 35, 'tb1qredhj3qqth2yd0lv8jhkqz0557nfrayu6snsrs', '');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('xrp-test', 5, 'rD7se6UefP46szWxWoEmTRA6j5ZVLimFwn', '847750729');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('xrp-test', 6, 'rD7se6UefP46szWxWoEmTRA6j5ZVLimFwn', '631128576');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('xrp-test', 7, 'rD7se6UefP46szWxWoEmTRA6j5ZVLimFwn', '414506423');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('xrp-test', 8, 'rD7se6UefP46szWxWoEmTRA6j5ZVLimFwn', '197884270');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('xrp-test', 9, 'rD7se6UefP46szWxWoEmTRA6j5ZVLimFwn', '2128745764');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('xrp-test', 10, 'rD7se6UefP46szWxWoEmTRA6j5ZVLimFwn', '1912123611');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('xrp-test', 11, 'rD7se6UefP46szWxWoEmTRA6j5ZVLimFwn', '1695501458');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('xrp-test', 12, 'rD7se6UefP46szWxWoEmTRA6j5ZVLimFwn', '1478879305');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('xrp-test', 13, 'rD7se6UefP46szWxWoEmTRA6j5ZVLimFwn', '1262257152');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('xrp-test', 14, 'rD7se6UefP46szWxWoEmTRA6j5ZVLimFwn', '1045634999');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('xrp-test', 15, 'rD7se6UefP46szWxWoEmTRA6j5ZVLimFwn', '829012846');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('xrp-test', 16, 'rD7se6UefP46szWxWoEmTRA6j5ZVLimFwn', '612390693');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('xrp-test', 17, 'rD7se6UefP46szWxWoEmTRA6j5ZVLimFwn', '395768540');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('xrp-test', 18, 'rD7se6UefP46szWxWoEmTRA6j5ZVLimFwn', '179146387');
INSERT INTO public.deposit_addresses (keychain, "position", address, tag) VALUES ('xrp-test', 19, 'rD7se6UefP46szWxWoEmTRA6j5ZVLimFwn', '2110007881');

INSERT INTO public.event_eras (era, system_identifier, database_oid, began_at) VALUES (1, 7709077667706217227, 16385, '2026-11-17 09:58:37.883969+00');

INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-cd99-7e8b-907c-e7502882667c', 1, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.confirming', '01a1e8f1-cd99-77e2-9c9b-f6e1199a63c7', '{"id":"01a1e8f1-cd99-77e2-9c9b-f6e1199a63c7","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"api","static_address_id":null,"currency":"BTC","network":"bitcoin","amount":"0.01","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"500.00","amount_paid":"0","amount_pending":"0","amount_due":"0.01","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"tb1q36r8fc8snvm9nrddx4vct6767d528r6cj9d5e9","deposit_address_tag":null,"payment_uri":"bitcoin:tb1q36r8fc8snvm9nrddx4vct6767d528r6cj9d5e9?amount=0.01","gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":"order 1","metadata":{"table":"7"},"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/-kaz0xqJh7QVsTX4XRDooQ","idempotency_key":null,"expires_at":"2026-11-17T10:28:43.353Z","live_at":"2026-11-17T09:58:43.353Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:43.353Z","updated_at":"2026-11-17T09:58:43.353Z"}', 1, '799', '2026-11-17 09:58:43.359712+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-ce4d-7778-bdd9-57d9c8630458', 2, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.confirming', '01a1e8f1-ce21-7a73-ab5e-b12787a05511', '{"id":"01a1e8f1-ce21-7a73-ab5e-b12787a05511","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"api","static_address_id":null,"currency":"BTC","network":"bitcoin","amount":"0.0004","amount_fiat":"20.00","fiat_currency":"USD","exchange_rate":"50000","rate_locked_at":"2026-11-17T09:58:43.527Z","amount_in_base_currency":"20.00","amount_paid":"0","amount_pending":"0","amount_due":"0.0004","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":true,"deposit_address":"tb1qt8tgww02ynh6uzjzjxavh0c8x5cman0funl3q6","deposit_address_tag":null,"payment_uri":"bitcoin:tb1qt8tgww02ynh6uzjzjxavh0c8x5cman0funl3q6?amount=0.0004","gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/wuF33bCt5yFCVCr28nTxPw","idempotency_key":null,"expires_at":"2026-11-17T10:28:43.527Z","live_at":"2026-11-17T09:58:43.527Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:43.489Z","updated_at":"2026-11-17T09:58:43.529Z"}', 1, '804', '2026-11-17 09:58:43.535059+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-ce85-7423-bede-0970128d7d53', 3, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.confirming', '01a1e8f1-ce85-70e5-970a-32495bcfc797', '{"id":"01a1e8f1-ce85-70e5-970a-32495bcfc797","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"api","static_address_id":null,"currency":"LTC","network":"litecoin","amount":"1","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"80.00","amount_paid":"0","amount_pending":"0","amount_due":"1","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"tltc1q36r8fc8snvm9nrddx4vct6767d528r6ctd02fv","deposit_address_tag":null,"payment_uri":"litecoin:tltc1q36r8fc8snvm9nrddx4vct6767d528r6ctd02fv?amount=1","gate_id":"litecoin-test","required_confirmations":6,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/JqbuZqxjJgPvVcLWKozzcg","idempotency_key":null,"expires_at":"2026-11-17T10:28:43.589Z","live_at":"2026-11-17T09:58:43.589Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:43.589Z","updated_at":"2026-11-17T09:58:43.589Z"}', 1, '807', '2026-11-17 09:58:43.597868+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-cf56-7ff3-981f-588f266d4b35', 4, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.cancelled', '01a1e8f1-ce85-70e5-970a-32495bcfc797', '{"id":"01a1e8f1-ce85-70e5-970a-32495bcfc797","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"cancelled","source":"api","static_address_id":null,"currency":"LTC","network":"litecoin","amount":"1","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"80.00","amount_paid":"0","amount_pending":"0","amount_due":"1","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"tltc1q36r8fc8snvm9nrddx4vct6767d528r6ctd02fv","deposit_address_tag":null,"payment_uri":null,"gate_id":"litecoin-test","required_confirmations":6,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/JqbuZqxjJgPvVcLWKozzcg","idempotency_key":null,"expires_at":"2026-11-17T10:28:43.589Z","live_at":"2026-11-17T09:58:43.589Z","paid_at":null,"cancelled_at":"2026-11-17T09:58:43.796Z","created_at":"2026-11-17T09:58:43.589Z","updated_at":"2026-11-17T09:58:43.796Z"}', 1, '811', '2026-11-17 09:58:44.040836+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-d073-72f5-887d-481d34e9e96f', 5, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.confirming', '01a1e8f1-d073-7666-b4a6-d1069404af39', '{"id":"01a1e8f1-d073-7666-b4a6-d1069404af39","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"api","static_address_id":null,"currency":"BTC","network":"bitcoin","amount":"0.5","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"25000.00","amount_paid":"0","amount_pending":"0","amount_due":"0.5","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"tb1qq3mkglz2k0g0qxe0g7tjmka5uzgecke8gn39lz","deposit_address_tag":null,"payment_uri":"bitcoin:tb1qq3mkglz2k0g0qxe0g7tjmka5uzgecke8gn39lz?amount=0.5","gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/8ka-Wc8kaFIQgNrO24s1Iw","idempotency_key":null,"expires_at":"2026-11-17T10:28:44.083Z","live_at":"2026-11-17T09:58:44.083Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:44.083Z","updated_at":"2026-11-17T09:58:44.083Z"}', 1, '814', '2026-11-17 09:58:44.086044+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-d113-7009-bf65-cbe52c58ca0f', 6, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.payment_detected', '01a1e8f1-d073-7666-b4a6-d1069404af39', '{"id":"01a1e8f1-d073-7666-b4a6-d1069404af39","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"api","static_address_id":null,"currency":"BTC","network":"bitcoin","amount":"0.5","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"25000.00","amount_paid":"0","amount_pending":"0.5","amount_due":"0.5","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"tb1qq3mkglz2k0g0qxe0g7tjmka5uzgecke8gn39lz","deposit_address_tag":null,"payment_uri":"bitcoin:tb1qq3mkglz2k0g0qxe0g7tjmka5uzgecke8gn39lz?amount=0.5","gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/8ka-Wc8kaFIQgNrO24s1Iw","idempotency_key":null,"expires_at":"2026-11-17T10:28:44.083Z","live_at":"2026-11-17T09:58:44.083Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:44.083Z","updated_at":"2026-11-17T09:58:44.225Z"}', 1, '821', '2026-11-17 09:58:44.244727+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-d1f6-7586-8022-59eb24635247', 7, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'balance.credited', '01a1e8f1-d073-7666-b4a6-d1069404af39', '{"currency":"BTC","network":"bitcoin","amount":"0.5","entry_type":"deposit","ledger_entry_id":1,"invoice_id":"01a1e8f1-d073-7666-b4a6-d1069404af39","available":"0.495"}', 1, '828', '2026-11-17 09:58:44.471707+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-de3d-716b-9105-901f6c212884', 34, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'balance.credited', '01a1e8f1-dc7f-73e1-afdc-ea10fbe6ec8d', '{"currency":"BTC","network":"bitcoin","amount":"0.004","entry_type":"deposit","ledger_entry_id":9,"invoice_id":"01a1e8f1-dc7f-73e1-afdc-ea10fbe6ec8d","available":"0.54846"}', 1, '930', '2026-11-17 09:58:47.616774+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-d1f6-7f01-b04d-00460fc45e8d', 8, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.paid', '01a1e8f1-d073-7666-b4a6-d1069404af39', '{"id":"01a1e8f1-d073-7666-b4a6-d1069404af39","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"paid","source":"api","static_address_id":null,"currency":"BTC","network":"bitcoin","amount":"0.5","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"25000.00","amount_paid":"0.5","amount_pending":"0","amount_due":"0","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0.005","deferred":false,"deposit_address":"tb1qq3mkglz2k0g0qxe0g7tjmka5uzgecke8gn39lz","deposit_address_tag":null,"payment_uri":null,"gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/8ka-Wc8kaFIQgNrO24s1Iw","idempotency_key":null,"expires_at":"2026-11-17T10:28:44.083Z","live_at":"2026-11-17T09:58:44.083Z","paid_at":"2026-11-17T09:58:44.415Z","cancelled_at":null,"created_at":"2026-11-17T09:58:44.083Z","updated_at":"2026-11-17T09:58:44.415Z"}', 1, '828', '2026-11-17 09:58:44.47183+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-d263-74e4-a92a-8001d3f729c5', 9, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.confirming', '01a1e8f1-d262-75ce-b275-f5a9b80707a0', '{"id":"01a1e8f1-d262-75ce-b275-f5a9b80707a0","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"api","static_address_id":null,"currency":"ETH","network":"ethereum","amount":"2","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"5000.00","amount_paid":"0","amount_pending":"0","amount_due":"2","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"0x373B4b3e23AB506f63dB30175273cD89f7E1f8e7","deposit_address_tag":null,"payment_uri":"ethereum:0x373B4b3e23AB506f63dB30175273cD89f7E1f8e7@11155111?value=2000000000000000000","gate_id":"ethereum-test","required_confirmations":12,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/4-ApHswZmNzzc36et7v6uQ","idempotency_key":null,"expires_at":"2026-11-17T10:28:44.578Z","live_at":"2026-11-17T09:58:44.578Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:44.578Z","updated_at":"2026-11-17T09:58:44.578Z"}', 1, '833', '2026-11-17 09:58:44.586181+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-d32c-7a21-b0fd-2e3ed599663b', 10, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.payment_detected', '01a1e8f1-d262-75ce-b275-f5a9b80707a0', '{"id":"01a1e8f1-d262-75ce-b275-f5a9b80707a0","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"api","static_address_id":null,"currency":"ETH","network":"ethereum","amount":"2","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"5000.00","amount_paid":"0","amount_pending":"2","amount_due":"2","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"0x373B4b3e23AB506f63dB30175273cD89f7E1f8e7","deposit_address_tag":null,"payment_uri":"ethereum:0x373B4b3e23AB506f63dB30175273cD89f7E1f8e7@11155111?value=2000000000000000000","gate_id":"ethereum-test","required_confirmations":12,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/4-ApHswZmNzzc36et7v6uQ","idempotency_key":null,"expires_at":"2026-11-17T10:28:44.578Z","live_at":"2026-11-17T09:58:44.578Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:44.578Z","updated_at":"2026-11-17T09:58:44.761Z"}', 1, '840', '2026-11-17 09:58:44.782662+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-d4bb-7756-96c0-cec8a7371926', 11, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'balance.credited', '01a1e8f1-d262-75ce-b275-f5a9b80707a0', '{"currency":"ETH","network":"ethereum","amount":"2","entry_type":"deposit","ledger_entry_id":1,"invoice_id":"01a1e8f1-d262-75ce-b275-f5a9b80707a0","available":"1.98"}', 1, '847', '2026-11-17 09:58:45.182384+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-d4bb-7f94-8cb7-64d26aed61b0', 12, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.paid', '01a1e8f1-d262-75ce-b275-f5a9b80707a0', '{"id":"01a1e8f1-d262-75ce-b275-f5a9b80707a0","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"paid","source":"api","static_address_id":null,"currency":"ETH","network":"ethereum","amount":"2","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"5000.00","amount_paid":"2","amount_pending":"0","amount_due":"0","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0.02","deferred":false,"deposit_address":"0x373B4b3e23AB506f63dB30175273cD89f7E1f8e7","deposit_address_tag":null,"payment_uri":null,"gate_id":"ethereum-test","required_confirmations":12,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/4-ApHswZmNzzc36et7v6uQ","idempotency_key":null,"expires_at":"2026-11-17T10:28:44.578Z","live_at":"2026-11-17T09:58:44.578Z","paid_at":"2026-11-17T09:58:45.067Z","cancelled_at":null,"created_at":"2026-11-17T09:58:44.578Z","updated_at":"2026-11-17T09:58:45.067Z"}', 1, '847', '2026-11-17 09:58:45.182529+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-d855-79e7-9871-05be65a4511b', 15, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'balance.credited', '01a1e8f1-d4eb-7846-be34-63830d68862a', '{"currency":"USDT","network":"ethereum","amount":"300","entry_type":"deposit","ledger_entry_id":1,"invoice_id":"01a1e8f1-d4eb-7846-be34-63830d68862a","available":"297"}', 1, '865', '2026-11-17 09:58:46.10437+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-d855-7f8f-b462-58a49debec5f', 16, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.paid', '01a1e8f1-d4eb-7846-be34-63830d68862a', '{"id":"01a1e8f1-d4eb-7846-be34-63830d68862a","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"paid","source":"api","static_address_id":null,"currency":"USDT","network":"ethereum","amount":"300","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"300.00","amount_paid":"300","amount_pending":"0","amount_due":"0","amount_overpaid":"0","amount_refunded":"0","fee_amount":"3","deferred":false,"deposit_address":"0xB0b62D1758506580EAfB4d48d5B6Cb1462246d04","deposit_address_tag":null,"payment_uri":null,"gate_id":"ethereum-test","required_confirmations":12,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/wVGLExt5obIFIk03u5keog","idempotency_key":null,"expires_at":"2026-11-17T10:28:45.227Z","live_at":"2026-11-17T09:58:45.227Z","paid_at":"2026-11-17T09:58:46.061Z","cancelled_at":null,"created_at":"2026-11-17T09:58:45.227Z","updated_at":"2026-11-17T09:58:46.061Z"}', 1, '865', '2026-11-17 09:58:46.104512+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-d86c-7a51-87a5-26a5a1622772', 17, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.confirming', '01a1e8f1-d86c-7e19-bca5-1a4869064a67', '{"id":"01a1e8f1-d86c-7e19-bca5-1a4869064a67","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"api","static_address_id":null,"currency":"BTC","network":"bitcoin","amount":"0.01","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"500.00","amount_paid":"0","amount_pending":"0","amount_due":"0.01","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"tb1q775qvkz74q6dlspkcc9qk66lzk2wg4rwe23aur","deposit_address_tag":null,"payment_uri":"bitcoin:tb1q775qvkz74q6dlspkcc9qk66lzk2wg4rwe23aur?amount=0.01","gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/SAbK7xwr31j0R4f4uFHzeA","idempotency_key":null,"expires_at":"2026-11-17T10:28:46.124Z","live_at":"2026-11-17T09:58:46.124Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:46.124Z","updated_at":"2026-11-17T09:58:46.124Z"}', 1, '870', '2026-11-17 09:58:46.134257+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-d4eb-76ad-9efc-725549e4f71b', 13, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.confirming', '01a1e8f1-d4eb-7846-be34-63830d68862a', '{"id":"01a1e8f1-d4eb-7846-be34-63830d68862a","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"api","static_address_id":null,"currency":"USDT","network":"ethereum","amount":"300","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"300.00","amount_paid":"0","amount_pending":"0","amount_due":"300","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"0xB0b62D1758506580EAfB4d48d5B6Cb1462246d04","deposit_address_tag":null,"payment_uri":"ethereum:0x58f8855849E66cb240B28462331f0C02876BCFC1@11155111/transfer?address=0xB0b62D1758506580EAfB4d48d5B6Cb1462246d04&uint256=300000000","gate_id":"ethereum-test","required_confirmations":12,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/wVGLExt5obIFIk03u5keog","idempotency_key":null,"expires_at":"2026-11-17T10:28:45.227Z","live_at":"2026-11-17T09:58:45.227Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:45.227Z","updated_at":"2026-11-17T09:58:45.227Z"}', 1, '851', '2026-11-17 09:58:45.238332+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-d674-7c42-afee-2ec9a8763568', 14, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.payment_detected', '01a1e8f1-d4eb-7846-be34-63830d68862a', '{"id":"01a1e8f1-d4eb-7846-be34-63830d68862a","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"api","static_address_id":null,"currency":"USDT","network":"ethereum","amount":"300","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"300.00","amount_paid":"0","amount_pending":"300","amount_due":"300","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"0xB0b62D1758506580EAfB4d48d5B6Cb1462246d04","deposit_address_tag":null,"payment_uri":"ethereum:0x58f8855849E66cb240B28462331f0C02876BCFC1@11155111/transfer?address=0xB0b62D1758506580EAfB4d48d5B6Cb1462246d04&uint256=300000000","gate_id":"ethereum-test","required_confirmations":12,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/wVGLExt5obIFIk03u5keog","idempotency_key":null,"expires_at":"2026-11-17T10:28:45.227Z","live_at":"2026-11-17T09:58:45.227Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:45.227Z","updated_at":"2026-11-17T09:58:45.610Z"}', 1, '858', '2026-11-17 09:58:45.623055+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-da68-7aed-8bf8-9d58e6736dd1', 22, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.expired', '01a1e8f1-d885-7c9c-9d6c-efe1a5eb0db0', '{"id":"01a1e8f1-d885-7c9c-9d6c-efe1a5eb0db0","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"expired","source":"api","static_address_id":null,"currency":"BTC","network":"bitcoin","amount":"0.03","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"1500.00","amount_paid":"0","amount_pending":"0","amount_due":"0.03","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"tb1qrqauwtcxvu5x7ce8sdjlznefxdcdpz97hj2gft","deposit_address_tag":null,"payment_uri":null,"gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/q-3RkbVvedK4o8C6a6dkeg","idempotency_key":null,"expires_at":"2026-11-17T09:58:46.602Z","live_at":"2026-11-17T09:58:46.148Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:46.149Z","updated_at":"2026-11-17T09:58:46.627Z"}', 1, '899', '2026-11-17 09:58:46.63498+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-dc80-7c18-9967-b4970c72f4c4', 23, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.confirming', '01a1e8f1-dc7f-73e1-afdc-ea10fbe6ec8d', '{"id":"01a1e8f1-dc7f-73e1-afdc-ea10fbe6ec8d","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"static_address","static_address_id":"01a1e8f1-d8a8-7f85-a2d1-0aa7652bf363","currency":"BTC","network":"bitcoin","amount":"0.004","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"200.00","amount_paid":"0","amount_pending":"0","amount_due":"0.004","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"tb1q0trf64wc8y9whrdshld07cgzhmxz8s2nykfjw0","deposit_address_tag":null,"payment_uri":"bitcoin:tb1q0trf64wc8y9whrdshld07cgzhmxz8s2nykfjw0?amount=0.004","gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":null,"idempotency_key":null,"expires_at":null,"live_at":"2026-11-17T09:58:47.125Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:47.125Z","updated_at":"2026-11-17T09:58:47.125Z"}', 1, '909', '2026-11-17 09:58:47.171588+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-07de-7976-8fc7-966e833f7c0a', 64, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout.failed', '01a1e8f2-04fe-73f4-8fce-5db0d2d11cdb', '{"id":"01a1e8f2-04fe-73f4-8fce-5db0d2d11cdb","currency":"ETH","network":"ethereum","amount":"0.2","amount_in_base_currency":"500.00","network_fee":"0.000063","fee_amount":"0.001","destination":"0x2F07c220dC62CE9531bC44B695A6D93578806d8d","destination_tag":null,"status":"failed","environment":"test","tx_hash":"0xdeb98d8872f8b0c0ad7d881bb1aa7dbdd74234ee56ed9faec6db207c052105f8","explorer_url":null,"idempotency_key":null,"description":null,"metadata":null,"waiting_reason":null,"failure_reason":"Transaction c66cf838b9524f5c10ea295cb86bdd43baa422add9f60069ae839b40bfbd57d8 used the same.","approved_at":"2026-11-17T09:58:57.563Z","executable_at":"2026-11-17T09:58:57.563Z","completed_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:57.540Z"}', 1, '1250', '2026-11-17 09:58:58.275288+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-08ad-7348-99be-e8d3db8956e2', 66, '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'invoice.confirming', '01a1e8f2-08ad-7242-9a95-7005553a6359', '{"id":"01a1e8f2-08ad-7242-9a95-7005553a6359","merchant_id":"01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce","environment":"test","status":"pending","source":"api","static_address_id":null,"currency":"BTC","network":"bitcoin","amount":"0.2","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"8000.00","amount_paid":"0","amount_pending":"0","amount_due":"0.2","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"tb1ql6a277yln0he52syckp4j0fvyxc6shc6pelsk2","deposit_address_tag":null,"payment_uri":"bitcoin:tb1ql6a277yln0he52syckp4j0fvyxc6shc6pelsk2?amount=0.2","gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/V3R4G9-BhwrbGV94d3hW_g","idempotency_key":null,"expires_at":"2026-11-17T10:28:58.477Z","live_at":"2026-11-17T09:58:58.477Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:58.477Z","updated_at":"2026-11-17T09:58:58.477Z"}', 1, '1258', '2026-11-17 09:58:58.481171+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-d87b-7c52-b7bb-d61b3d143045', 18, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.confirming', '01a1e8f1-d87b-7218-a824-5961cc15a779', '{"id":"01a1e8f1-d87b-7218-a824-5961cc15a779","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"api","static_address_id":null,"currency":"BTC","network":"bitcoin","amount":"0.02","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"1000.00","amount_paid":"0","amount_pending":"0","amount_due":"0.02","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"tb1qdfl6xh0jn39m3rw08mcvzzr8v0z4m5rcm5rty7","deposit_address_tag":null,"payment_uri":"bitcoin:tb1qdfl6xh0jn39m3rw08mcvzzr8v0z4m5rcm5rty7?amount=0.02","gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/yAdETVYNdHQcABubucpIGg","idempotency_key":null,"expires_at":"2026-11-17T10:28:46.139Z","live_at":"2026-11-17T09:58:46.139Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:46.139Z","updated_at":"2026-11-17T09:58:46.139Z"}', 1, '873', '2026-11-17 09:58:46.145538+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-d885-77cd-bab1-5286f9917d9c', 19, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.confirming', '01a1e8f1-d885-7c9c-9d6c-efe1a5eb0db0', '{"id":"01a1e8f1-d885-7c9c-9d6c-efe1a5eb0db0","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"api","static_address_id":null,"currency":"BTC","network":"bitcoin","amount":"0.03","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"1500.00","amount_paid":"0","amount_pending":"0","amount_due":"0.03","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"tb1qrqauwtcxvu5x7ce8sdjlznefxdcdpz97hj2gft","deposit_address_tag":null,"payment_uri":"bitcoin:tb1qrqauwtcxvu5x7ce8sdjlznefxdcdpz97hj2gft?amount=0.03","gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/q-3RkbVvedK4o8C6a6dkeg","idempotency_key":null,"expires_at":"2026-11-17T10:28:46.149Z","live_at":"2026-11-17T09:58:46.148Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:46.149Z","updated_at":"2026-11-17T09:58:46.149Z"}', 1, '874', '2026-11-17 09:58:46.153106+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-d932-7df3-ad06-3baeb09eb220', 20, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.payment_detected', '01a1e8f1-d86c-7e19-bca5-1a4869064a67', '{"id":"01a1e8f1-d86c-7e19-bca5-1a4869064a67","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"api","static_address_id":null,"currency":"BTC","network":"bitcoin","amount":"0.01","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"500.00","amount_paid":"0","amount_pending":"0.015","amount_due":"0.01","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"tb1q775qvkz74q6dlspkcc9qk66lzk2wg4rwe23aur","deposit_address_tag":null,"payment_uri":"bitcoin:tb1q775qvkz74q6dlspkcc9qk66lzk2wg4rwe23aur?amount=0.01","gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/SAbK7xwr31j0R4f4uFHzeA","idempotency_key":null,"expires_at":"2026-11-17T10:28:46.124Z","live_at":"2026-11-17T09:58:46.124Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:46.124Z","updated_at":"2026-11-17T09:58:46.314Z"}', 1, '884', '2026-11-17 09:58:46.327432+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-df33-7c3b-8e20-9d77e0d3631d', 38, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.payment_detected', '01a1e8f1-ce21-7a73-ab5e-b12787a05511', '{"id":"01a1e8f1-ce21-7a73-ab5e-b12787a05511","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"api","static_address_id":null,"currency":"BTC","network":"bitcoin","amount":"0.0004","amount_fiat":"20.00","fiat_currency":"USD","exchange_rate":"50000","rate_locked_at":"2026-11-17T09:58:43.527Z","amount_in_base_currency":"20.00","amount_paid":"0","amount_pending":"0.0001","amount_due":"0.0004","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":true,"deposit_address":"tb1qt8tgww02ynh6uzjzjxavh0c8x5cman0funl3q6","deposit_address_tag":null,"payment_uri":"bitcoin:tb1qt8tgww02ynh6uzjzjxavh0c8x5cman0funl3q6?amount=0.0004","gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/wuF33bCt5yFCVCr28nTxPw","idempotency_key":null,"expires_at":"2026-11-17T10:28:43.527Z","live_at":"2026-11-17T09:58:43.527Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:43.489Z","updated_at":"2026-11-17T09:58:47.856Z"}', 1, '941', '2026-11-17 09:58:47.861479+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-df50-7b09-9a37-b339f96afa2c', 39, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.confirming', '01a1e8f1-df50-7c91-99d8-ce9bcc702728', '{"id":"01a1e8f1-df50-7c91-99d8-ce9bcc702728","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"api","static_address_id":null,"currency":"LTC","network":"litecoin","amount":"3","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"240.00","amount_paid":"0","amount_pending":"0","amount_due":"3","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"tltc1qt8tgww02ynh6uzjzjxavh0c8x5cman0f9ma0sn","deposit_address_tag":null,"payment_uri":"litecoin:tltc1qt8tgww02ynh6uzjzjxavh0c8x5cman0f9ma0sn?amount=3","gate_id":"litecoin-test","required_confirmations":6,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/Q3aWswcHLKcIWylpwlo3pA","idempotency_key":null,"expires_at":"2026-11-17T10:28:47.888Z","live_at":"2026-11-17T09:58:47.888Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:47.888Z","updated_at":"2026-11-17T09:58:47.888Z"}', 1, '944', '2026-11-17 09:58:47.891846+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-dfcc-784f-be2c-f0198767fa12', 40, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.payment_detected', '01a1e8f1-df50-7c91-99d8-ce9bcc702728', '{"id":"01a1e8f1-df50-7c91-99d8-ce9bcc702728","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"api","static_address_id":null,"currency":"LTC","network":"litecoin","amount":"3","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"240.00","amount_paid":"0","amount_pending":"3","amount_due":"3","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"tltc1qt8tgww02ynh6uzjzjxavh0c8x5cman0f9ma0sn","deposit_address_tag":null,"payment_uri":"litecoin:tltc1qt8tgww02ynh6uzjzjxavh0c8x5cman0f9ma0sn?amount=3","gate_id":"litecoin-test","required_confirmations":6,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/Q3aWswcHLKcIWylpwlo3pA","idempotency_key":null,"expires_at":"2026-11-17T10:28:47.888Z","live_at":"2026-11-17T09:58:47.888Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:47.888Z","updated_at":"2026-11-17T09:58:47.984Z"}', 1, '951', '2026-11-17 09:58:48.014424+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-da03-740e-acee-fb3861a465e4', 21, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.payment_detected', '01a1e8f1-d87b-7218-a824-5961cc15a779', '{"id":"01a1e8f1-d87b-7218-a824-5961cc15a779","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"api","static_address_id":null,"currency":"BTC","network":"bitcoin","amount":"0.02","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"1000.00","amount_paid":"0","amount_pending":"0.005","amount_due":"0.02","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"tb1qdfl6xh0jn39m3rw08mcvzzr8v0z4m5rcm5rty7","deposit_address_tag":null,"payment_uri":"bitcoin:tb1qdfl6xh0jn39m3rw08mcvzzr8v0z4m5rcm5rty7?amount=0.02","gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/yAdETVYNdHQcABubucpIGg","idempotency_key":null,"expires_at":"2026-11-17T10:28:46.139Z","live_at":"2026-11-17T09:58:46.139Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:46.139Z","updated_at":"2026-11-17T09:58:46.498Z"}', 1, '892', '2026-11-17 09:58:46.53575+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-dd30-7af0-8e66-18e2d837ef17', 25, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.confirming', '01a1e8f1-dd30-7804-a16c-f3ed9aa8002e', '{"id":"01a1e8f1-dd30-7804-a16c-f3ed9aa8002e","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"static_address","static_address_id":"01a1e8f1-d8a8-7f85-a2d1-0aa7652bf363","currency":"BTC","network":"bitcoin","amount":"0.006","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"300.00","amount_paid":"0","amount_pending":"0","amount_due":"0.006","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"tb1q0trf64wc8y9whrdshld07cgzhmxz8s2nykfjw0","deposit_address_tag":null,"payment_uri":"bitcoin:tb1q0trf64wc8y9whrdshld07cgzhmxz8s2nykfjw0?amount=0.006","gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":null,"idempotency_key":null,"expires_at":null,"live_at":"2026-11-17T09:58:47.315Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:47.315Z","updated_at":"2026-11-17T09:58:47.315Z"}', 1, '918', '2026-11-17 09:58:47.357969+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-e01a-718d-9628-594405918f42', 41, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'balance.credited', '01a1e8f1-df50-7c91-99d8-ce9bcc702728', '{"currency":"LTC","network":"litecoin","amount":"3","entry_type":"deposit","ledger_entry_id":1,"invoice_id":"01a1e8f1-df50-7c91-99d8-ce9bcc702728","available":"2.97"}', 1, '958', '2026-11-17 09:58:48.09305+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-e01a-7fb9-9a6f-52818be0ee38', 42, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.paid', '01a1e8f1-df50-7c91-99d8-ce9bcc702728', '{"id":"01a1e8f1-df50-7c91-99d8-ce9bcc702728","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"paid","source":"api","static_address_id":null,"currency":"LTC","network":"litecoin","amount":"3","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"240.00","amount_paid":"3","amount_pending":"0","amount_due":"0","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0.03","deferred":false,"deposit_address":"tltc1qt8tgww02ynh6uzjzjxavh0c8x5cman0f9ma0sn","deposit_address_tag":null,"payment_uri":null,"gate_id":"litecoin-test","required_confirmations":6,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/Q3aWswcHLKcIWylpwlo3pA","idempotency_key":null,"expires_at":"2026-11-17T10:28:47.888Z","live_at":"2026-11-17T09:58:47.888Z","paid_at":"2026-11-17T09:58:48.071Z","cancelled_at":null,"created_at":"2026-11-17T09:58:47.888Z","updated_at":"2026-11-17T09:58:48.071Z"}', 1, '958', '2026-11-17 09:58:48.093141+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-e5fb-7ec4-b60c-5285bff9ebce', 46, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout.approved', '01a1e8f1-e519-7170-a37a-23efac8e8aef', '{"id":"01a1e8f1-e519-7170-a37a-23efac8e8aef","currency":"BTC","network":"bitcoin","amount":"0.1","amount_in_base_currency":"5000.00","network_fee":"0.0000156","fee_amount":"0.0005","destination":"tb1qjgx204hxfwuse548jc34fjzg6ffq8pvrqwlex4","destination_tag":null,"status":"approved","environment":"test","tx_hash":null,"explorer_url":null,"idempotency_key":null,"description":null,"metadata":null,"waiting_reason":null,"failure_reason":null,"approved_at":"2026-11-17T09:58:49.550Z","executable_at":"2026-11-17T09:58:49.550Z","completed_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:49.417Z"}', 1, '992', '2026-11-17 09:58:49.607482+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-eb7b-71f3-a70c-d5669b7c63ad', 50, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout.completed', '01a1e8f1-e519-7170-a37a-23efac8e8aef', '{"id":"01a1e8f1-e519-7170-a37a-23efac8e8aef","currency":"BTC","network":"bitcoin","amount":"0.1","amount_in_base_currency":"5000.00","network_fee":"0.00000705","fee_amount":"0.0005","destination":"tb1qjgx204hxfwuse548jc34fjzg6ffq8pvrqwlex4","destination_tag":null,"status":"completed","environment":"test","tx_hash":"cf9583e7c1c6fb3054328376a05c169973aa4e966ef394c6271ea0757c9acb2d","explorer_url":null,"idempotency_key":null,"description":null,"metadata":null,"waiting_reason":null,"failure_reason":null,"approved_at":"2026-11-17T09:58:49.550Z","executable_at":"2026-11-17T09:58:49.550Z","completed_at":"2026-11-17T09:58:50.924Z","cancelled_at":null,"created_at":"2026-11-17T09:58:49.417Z"}', 1, '1028', '2026-11-17 09:58:51.008158+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-fa59-77af-b134-0e475ef0afab', 52, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout.processing', '01a1e8f1-ec29-707d-9980-46338e8312a8', '{"id":"01a1e8f1-ec29-707d-9980-46338e8312a8","currency":"USDT","network":"ethereum","amount":"120","amount_in_base_currency":"120.00","network_fee":"0.75","fee_amount":"0.6","destination":"0x0D3eB21b6b21833A4939Cfff4810E9AE0758e12C","destination_tag":null,"status":"processing","environment":"test","tx_hash":null,"explorer_url":null,"idempotency_key":null,"description":null,"metadata":null,"waiting_reason":null,"failure_reason":null,"approved_at":"2026-11-17T09:58:51.243Z","executable_at":"2026-11-17T09:58:51.243Z","completed_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:51.207Z"}', 1, '1130', '2026-11-17 09:58:54.813627+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-ff79-7652-846a-6e41f7176cac', 53, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout.completed', '01a1e8f1-ec29-707d-9980-46338e8312a8', '{"id":"01a1e8f1-ec29-707d-9980-46338e8312a8","currency":"USDT","network":"ethereum","amount":"120","amount_in_base_currency":"120.00","network_fee":"0.5","fee_amount":"0.6","destination":"0x0D3eB21b6b21833A4939Cfff4810E9AE0758e12C","destination_tag":null,"status":"completed","environment":"test","tx_hash":"0xd4281fafb7e13fb26ac9806f589746092743eb9a5c11cea88b6c4c0bcc1bcf98","explorer_url":null,"idempotency_key":null,"description":null,"metadata":null,"waiting_reason":null,"failure_reason":null,"approved_at":"2026-11-17T09:58:51.243Z","executable_at":"2026-11-17T09:58:51.243Z","completed_at":"2026-11-17T09:58:56.112Z","cancelled_at":null,"created_at":"2026-11-17T09:58:51.207Z"}', 1, '1173', '2026-11-17 09:58:56.123406+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-0077-7b74-9edc-4d684bbe84c0', 56, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'balance.credited', '01a1e8f1-ffa3-78b9-a15c-56f4cebee564', '{"currency":"BTC","network":"bitcoin","amount":"0.04","entry_type":"deposit","ledger_entry_id":19,"invoice_id":"01a1e8f1-ffa3-78b9-a15c-56f4cebee564","available":"0.49359195"}', 1, '1192', '2026-11-17 09:58:56.378109+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-dcb2-7327-928a-7d4ac0200530', 24, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.payment_detected', '01a1e8f1-dc7f-73e1-afdc-ea10fbe6ec8d', '{"id":"01a1e8f1-dc7f-73e1-afdc-ea10fbe6ec8d","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"static_address","static_address_id":"01a1e8f1-d8a8-7f85-a2d1-0aa7652bf363","currency":"BTC","network":"bitcoin","amount":"0.004","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"200.00","amount_paid":"0","amount_pending":"0.004","amount_due":"0.004","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"tb1q0trf64wc8y9whrdshld07cgzhmxz8s2nykfjw0","deposit_address_tag":null,"payment_uri":"bitcoin:tb1q0trf64wc8y9whrdshld07cgzhmxz8s2nykfjw0?amount=0.004","gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":null,"idempotency_key":null,"expires_at":null,"live_at":"2026-11-17T09:58:47.125Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:47.125Z","updated_at":"2026-11-17T09:58:47.201Z"}', 1, '913', '2026-11-17 09:58:47.220465+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-dd6f-7743-9e69-dee94b40f674', 26, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.payment_detected', '01a1e8f1-dd30-7804-a16c-f3ed9aa8002e', '{"id":"01a1e8f1-dd30-7804-a16c-f3ed9aa8002e","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"static_address","static_address_id":"01a1e8f1-d8a8-7f85-a2d1-0aa7652bf363","currency":"BTC","network":"bitcoin","amount":"0.006","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"300.00","amount_paid":"0","amount_pending":"0.006","amount_due":"0.006","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"tb1q0trf64wc8y9whrdshld07cgzhmxz8s2nykfjw0","deposit_address_tag":null,"payment_uri":"bitcoin:tb1q0trf64wc8y9whrdshld07cgzhmxz8s2nykfjw0?amount=0.006","gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":null,"idempotency_key":null,"expires_at":null,"live_at":"2026-11-17T09:58:47.315Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:47.315Z","updated_at":"2026-11-17T09:58:47.382Z"}', 1, '922', '2026-11-17 09:58:47.413517+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-de3d-775c-80d2-32a750802074', 27, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'balance.credited', '01a1e8f1-d86c-7e19-bca5-1a4869064a67', '{"currency":"BTC","network":"bitcoin","amount":"0.015","entry_type":"deposit","ledger_entry_id":3,"invoice_id":"01a1e8f1-d86c-7e19-bca5-1a4869064a67","available":"0.50985"}', 1, '930', '2026-11-17 09:58:47.616493+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-de3d-7c1c-b9e5-8312e986233a', 28, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.paid', '01a1e8f1-d86c-7e19-bca5-1a4869064a67', '{"id":"01a1e8f1-d86c-7e19-bca5-1a4869064a67","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"overpaid","source":"api","static_address_id":null,"currency":"BTC","network":"bitcoin","amount":"0.01","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"500.00","amount_paid":"0.015","amount_pending":"0","amount_due":"0","amount_overpaid":"0.005","amount_refunded":"0","fee_amount":"0.00015","deferred":false,"deposit_address":"tb1q775qvkz74q6dlspkcc9qk66lzk2wg4rwe23aur","deposit_address_tag":null,"payment_uri":null,"gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/SAbK7xwr31j0R4f4uFHzeA","idempotency_key":null,"expires_at":"2026-11-17T10:28:46.124Z","live_at":"2026-11-17T09:58:46.124Z","paid_at":"2026-11-17T09:58:47.556Z","cancelled_at":null,"created_at":"2026-11-17T09:58:46.124Z","updated_at":"2026-11-17T09:58:47.556Z"}', 1, '930', '2026-11-17 09:58:47.616626+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-de3d-7fb1-a61b-d909692cc76a', 29, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.overpaid', '01a1e8f1-d86c-7e19-bca5-1a4869064a67', '{"id":"01a1e8f1-d86c-7e19-bca5-1a4869064a67","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"overpaid","source":"api","static_address_id":null,"currency":"BTC","network":"bitcoin","amount":"0.01","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"500.00","amount_paid":"0.015","amount_pending":"0","amount_due":"0","amount_overpaid":"0.005","amount_refunded":"0","fee_amount":"0.00015","deferred":false,"deposit_address":"tb1q775qvkz74q6dlspkcc9qk66lzk2wg4rwe23aur","deposit_address_tag":null,"payment_uri":null,"gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/SAbK7xwr31j0R4f4uFHzeA","idempotency_key":null,"expires_at":"2026-11-17T10:28:46.124Z","live_at":"2026-11-17T09:58:46.124Z","paid_at":"2026-11-17T09:58:47.556Z","cancelled_at":null,"created_at":"2026-11-17T09:58:46.124Z","updated_at":"2026-11-17T09:58:47.556Z"}', 1, '930', '2026-11-17 09:58:47.616654+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-de3d-76ba-8c73-659a952d80ef', 30, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'balance.credited', '01a1e8f1-d87b-7218-a824-5961cc15a779', '{"currency":"BTC","network":"bitcoin","amount":"0.005","entry_type":"deposit","ledger_entry_id":5,"invoice_id":"01a1e8f1-d87b-7218-a824-5961cc15a779","available":"0.5148"}', 1, '930', '2026-11-17 09:58:47.616687+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-de3d-70a8-b139-abb53b012807', 31, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.underpaid', '01a1e8f1-d87b-7218-a824-5961cc15a779', '{"id":"01a1e8f1-d87b-7218-a824-5961cc15a779","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"underpaid","source":"api","static_address_id":null,"currency":"BTC","network":"bitcoin","amount":"0.02","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"1000.00","amount_paid":"0.005","amount_pending":"0","amount_due":"0.015","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0.00005","deferred":false,"deposit_address":"tb1qdfl6xh0jn39m3rw08mcvzzr8v0z4m5rcm5rty7","deposit_address_tag":null,"payment_uri":"bitcoin:tb1qdfl6xh0jn39m3rw08mcvzzr8v0z4m5rcm5rty7?amount=0.015","gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/yAdETVYNdHQcABubucpIGg","idempotency_key":null,"expires_at":"2026-11-17T10:28:46.139Z","live_at":"2026-11-17T09:58:46.139Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:46.139Z","updated_at":"2026-11-17T09:58:47.556Z"}', 1, '930', '2026-11-17 09:58:47.616709+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-de3d-7c6c-8692-7c8b12022064', 32, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'balance.credited', '01a1e8f1-d885-7c9c-9d6c-efe1a5eb0db0', '{"currency":"BTC","network":"bitcoin","amount":"0.03","entry_type":"late_deposit","ledger_entry_id":7,"invoice_id":"01a1e8f1-d885-7c9c-9d6c-efe1a5eb0db0","available":"0.5445"}', 1, '930', '2026-11-17 09:58:47.616731+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-de3d-7c05-80f1-9ba5c61174a3', 33, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.late_deposit', '01a1e8f1-d885-7c9c-9d6c-efe1a5eb0db0', '{"id":"01a1e8f1-d885-7c9c-9d6c-efe1a5eb0db0","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"expired","source":"api","static_address_id":null,"currency":"BTC","network":"bitcoin","amount":"0.03","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"1500.00","amount_paid":"0.03","amount_pending":"0","amount_due":"0.03","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0.0003","deferred":false,"deposit_address":"tb1qrqauwtcxvu5x7ce8sdjlznefxdcdpz97hj2gft","deposit_address_tag":null,"payment_uri":null,"gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/q-3RkbVvedK4o8C6a6dkeg","idempotency_key":null,"expires_at":"2026-11-17T09:58:46.602Z","live_at":"2026-11-17T09:58:46.148Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:46.149Z","updated_at":"2026-11-17T09:58:47.556Z"}', 1, '930', '2026-11-17 09:58:47.616753+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-de3d-7541-987c-ad5da86a3b4e', 35, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.paid', '01a1e8f1-dc7f-73e1-afdc-ea10fbe6ec8d', '{"id":"01a1e8f1-dc7f-73e1-afdc-ea10fbe6ec8d","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"paid","source":"static_address","static_address_id":"01a1e8f1-d8a8-7f85-a2d1-0aa7652bf363","currency":"BTC","network":"bitcoin","amount":"0.004","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"200.00","amount_paid":"0.004","amount_pending":"0","amount_due":"0","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0.00004","deferred":false,"deposit_address":"tb1q0trf64wc8y9whrdshld07cgzhmxz8s2nykfjw0","deposit_address_tag":null,"payment_uri":null,"gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":null,"idempotency_key":null,"expires_at":null,"live_at":"2026-11-17T09:58:47.125Z","paid_at":"2026-11-17T09:58:47.556Z","cancelled_at":null,"created_at":"2026-11-17T09:58:47.125Z","updated_at":"2026-11-17T09:58:47.556Z"}', 1, '930', '2026-11-17 09:58:47.616797+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-de3d-74f5-b8c7-846a985dd9e8', 36, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'balance.credited', '01a1e8f1-dd30-7804-a16c-f3ed9aa8002e', '{"currency":"BTC","network":"bitcoin","amount":"0.006","entry_type":"deposit","ledger_entry_id":11,"invoice_id":"01a1e8f1-dd30-7804-a16c-f3ed9aa8002e","available":"0.5544"}', 1, '930', '2026-11-17 09:58:47.616868+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-de3d-7e8d-8c85-321c7cd62865', 37, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.paid', '01a1e8f1-dd30-7804-a16c-f3ed9aa8002e', '{"id":"01a1e8f1-dd30-7804-a16c-f3ed9aa8002e","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"paid","source":"static_address","static_address_id":"01a1e8f1-d8a8-7f85-a2d1-0aa7652bf363","currency":"BTC","network":"bitcoin","amount":"0.006","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"300.00","amount_paid":"0.006","amount_pending":"0","amount_due":"0","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0.00006","deferred":false,"deposit_address":"tb1q0trf64wc8y9whrdshld07cgzhmxz8s2nykfjw0","deposit_address_tag":null,"payment_uri":null,"gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":null,"idempotency_key":null,"expires_at":null,"live_at":"2026-11-17T09:58:47.315Z","paid_at":"2026-11-17T09:58:47.556Z","cancelled_at":null,"created_at":"2026-11-17T09:58:47.315Z","updated_at":"2026-11-17T09:58:47.556Z"}', 1, '930', '2026-11-17 09:58:47.622909+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-e0f0-78a8-9da3-11e9d7836a29', 43, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.deposit_reversed', '01a1e8f1-df50-7c91-99d8-ce9bcc702728', '{"id":"01a1e8f1-df50-7c91-99d8-ce9bcc702728","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"api","static_address_id":null,"currency":"LTC","network":"litecoin","amount":"3","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"240.00","amount_paid":"0","amount_pending":"0","amount_due":"3","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"tltc1qt8tgww02ynh6uzjzjxavh0c8x5cman0f9ma0sn","deposit_address_tag":null,"payment_uri":"litecoin:tltc1qt8tgww02ynh6uzjzjxavh0c8x5cman0f9ma0sn?amount=3","gate_id":"litecoin-test","required_confirmations":6,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/Q3aWswcHLKcIWylpwlo3pA","idempotency_key":null,"expires_at":"2026-11-17T10:28:47.888Z","live_at":"2026-11-17T09:58:47.888Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:47.888Z","updated_at":"2026-11-17T09:58:48.262Z"}', 1, '966', '2026-11-17 09:58:48.30795+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-e70b-7fb5-9fea-7c3fc9c908fb', 47, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout.processing', '01a1e8f1-e519-7170-a37a-23efac8e8aef', '{"id":"01a1e8f1-e519-7170-a37a-23efac8e8aef","currency":"BTC","network":"bitcoin","amount":"0.1","amount_in_base_currency":"5000.00","network_fee":"0.0000156","fee_amount":"0.0005","destination":"tb1qjgx204hxfwuse548jc34fjzg6ffq8pvrqwlex4","destination_tag":null,"status":"processing","environment":"test","tx_hash":null,"explorer_url":null,"idempotency_key":null,"description":null,"metadata":null,"waiting_reason":null,"failure_reason":null,"approved_at":"2026-11-17T09:58:49.550Z","executable_at":"2026-11-17T09:58:49.550Z","completed_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:49.417Z"}', 1, '995', '2026-11-17 09:58:49.877863+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-ffff-76a7-98d7-61e2201e0e02', 55, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.payment_detected', '01a1e8f1-ffa3-78b9-a15c-56f4cebee564', '{"id":"01a1e8f1-ffa3-78b9-a15c-56f4cebee564","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"api","static_address_id":null,"currency":"BTC","network":"bitcoin","amount":"0.04","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"2000.00","amount_paid":"0","amount_pending":"0.04","amount_due":"0.04","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"tb1qg7jcf6qrfe8wj2ug4ux8h7x3fz5r89yz7nsdhj","deposit_address_tag":null,"payment_uri":"bitcoin:tb1qg7jcf6qrfe8wj2ug4ux8h7x3fz5r89yz7nsdhj?amount=0.04","gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/u6nh2LxC7qFYP_AcvYZD-Q","idempotency_key":null,"expires_at":"2026-11-17T10:28:56.163Z","live_at":"2026-11-17T09:58:56.163Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:56.163Z","updated_at":"2026-11-17T09:58:56.245Z"}', 1, '1185', '2026-11-17 09:58:56.258436+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-0482-70b7-a1dc-955b02121828', 60, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout.completed', '01a1e8f2-00ff-7b5a-be97-e7d0b4e2b377', '{"id":"01a1e8f2-00ff-7b5a-be97-e7d0b4e2b377","currency":"BTC","network":"bitcoin","amount":"0.01","amount_in_base_currency":"500.00","network_fee":"0.00000705","fee_amount":"0","destination":"tb1qurg4y55dpv5z80yhgmjqq6gw83gujt5rg5zr3q","destination_tag":null,"status":"completed","environment":"test","tx_hash":"1940acee37faa621e92d24c9babbba22694e31fa961edc2d46c7815cc312991e","explorer_url":null,"idempotency_key":null,"description":null,"metadata":null,"waiting_reason":null,"failure_reason":null,"approved_at":"2026-11-17T09:58:56.590Z","executable_at":"2026-11-17T09:58:56.590Z","completed_at":"2026-11-17T09:58:57.371Z","cancelled_at":null,"created_at":"2026-11-17T09:58:56.525Z"}', 1, '1227', '2026-11-17 09:58:57.412648+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-0483-74e6-951f-604fc0f37ac3', 61, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'refund.completed', '01a1e8f2-00fc-7279-8041-d27bc8e3692e', '{"id":"01a1e8f2-00fc-7279-8041-d27bc8e3692e","invoice_id":"01a1e8f1-ffa3-78b9-a15c-56f4cebee564","payout_id":"01a1e8f2-00ff-7b5a-be97-e7d0b4e2b377","currency":"BTC","network":"bitcoin","amount":"0.01","refund_fee":"0.000025","network_fee":"0.00000705","destination":"tb1qurg4y55dpv5z80yhgmjqq6gw83gujt5rg5zr3q","destination_tag":null,"status":"completed","environment":"test","tx_hash":"1940acee37faa621e92d24c9babbba22694e31fa961edc2d46c7815cc312991e","explorer_url":null,"waiting_reason":null,"failure_reason":null,"description":null,"metadata":null,"completed_at":"2026-11-17T09:58:57.371Z","created_at":"2026-11-17T09:58:56.546Z"}', 1, '1227', '2026-11-17 09:58:57.413826+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-0529-742d-9561-1c9babb6c6bf', 62, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout.approved', '01a1e8f2-04fe-73f4-8fce-5db0d2d11cdb', '{"id":"01a1e8f2-04fe-73f4-8fce-5db0d2d11cdb","currency":"ETH","network":"ethereum","amount":"0.2","amount_in_base_currency":"500.00","network_fee":"0.000063","fee_amount":"0.001","destination":"0x2F07c220dC62CE9531bC44B695A6D93578806d8d","destination_tag":null,"status":"approved","environment":"test","tx_hash":null,"explorer_url":null,"idempotency_key":null,"description":null,"metadata":null,"waiting_reason":null,"failure_reason":null,"approved_at":"2026-11-17T09:58:57.563Z","executable_at":"2026-11-17T09:58:57.563Z","completed_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:57.540Z"}', 1, '1233', '2026-11-17 09:58:57.580599+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-e123-7073-abeb-43dbe2ac2b36', 44, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.confirming', '01a1e8f1-e123-7769-9d5f-bb1ed146d100', '{"id":"01a1e8f1-e123-7769-9d5f-bb1ed146d100","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"api","static_address_id":null,"currency":"ETH","network":"ethereum","amount":"1","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"2500.00","amount_paid":"0","amount_pending":"0","amount_due":"1","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"0x72eF96D6A31c7891E28398d49CD4Fa1Bf4537564","deposit_address_tag":null,"payment_uri":"ethereum:0x72eF96D6A31c7891E28398d49CD4Fa1Bf4537564@11155111?value=1000000000000000000","gate_id":"ethereum-test","required_confirmations":12,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/FT2CpNF14oDsw4Llad2-5A","idempotency_key":null,"expires_at":"2026-11-17T10:28:48.355Z","live_at":"2026-11-17T09:58:48.355Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:48.355Z","updated_at":"2026-11-17T09:58:48.355Z"}', 1, '969', '2026-11-17 09:58:48.359127+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-e2a1-78ff-9a2e-7c246c9fa2f5', 45, '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'balance.credited', '01a1e8f1-e15a-7221-8822-94422c476ea0', '{"currency":"USDT","network":"ethereum","amount":"25","entry_type":"adjustment","ledger_entry_id":1,"invoice_id":null,"available":"25"}', 1, '989', '2026-11-17 09:58:48.741387+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-e97f-7af3-9e84-1979d4fb6e63', 48, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'balance.credited', '01a1e8f1-ce21-7a73-ab5e-b12787a05511', '{"currency":"BTC","network":"bitcoin","amount":"0.0001","entry_type":"deposit","ledger_entry_id":16,"invoice_id":"01a1e8f1-ce21-7a73-ab5e-b12787a05511","available":"0.4539834"}', 1, '1010', '2026-11-17 09:58:50.499037+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-e980-784b-908f-3b50605f48fd', 49, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.underpaid', '01a1e8f1-ce21-7a73-ab5e-b12787a05511', '{"id":"01a1e8f1-ce21-7a73-ab5e-b12787a05511","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"underpaid","source":"api","static_address_id":null,"currency":"BTC","network":"bitcoin","amount":"0.0004","amount_fiat":"20.00","fiat_currency":"USD","exchange_rate":"50000","rate_locked_at":"2026-11-17T09:58:43.527Z","amount_in_base_currency":"20.00","amount_paid":"0.0001","amount_pending":"0","amount_due":"0.0003","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0.000001","deferred":true,"deposit_address":"tb1qt8tgww02ynh6uzjzjxavh0c8x5cman0funl3q6","deposit_address_tag":null,"payment_uri":"bitcoin:tb1qt8tgww02ynh6uzjzjxavh0c8x5cman0funl3q6?amount=0.0003","gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/wuF33bCt5yFCVCr28nTxPw","idempotency_key":null,"expires_at":"2026-11-17T10:28:43.527Z","live_at":"2026-11-17T09:58:43.527Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:43.489Z","updated_at":"2026-11-17T09:58:50.343Z"}', 1, '1010', '2026-11-17 09:58:50.499178+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-ec79-78ac-8af0-a1b2816c7b56', 51, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout.approved', '01a1e8f1-ec29-707d-9980-46338e8312a8', '{"id":"01a1e8f1-ec29-707d-9980-46338e8312a8","currency":"USDT","network":"ethereum","amount":"120","amount_in_base_currency":"120.00","network_fee":"0.75","fee_amount":"0.6","destination":"0x0D3eB21b6b21833A4939Cfff4810E9AE0758e12C","destination_tag":null,"status":"approved","environment":"test","tx_hash":null,"explorer_url":null,"idempotency_key":null,"description":null,"metadata":null,"waiting_reason":null,"failure_reason":null,"approved_at":"2026-11-17T09:58:51.243Z","executable_at":"2026-11-17T09:58:51.243Z","completed_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:51.207Z"}', 1, '1037', '2026-11-17 09:58:51.265556+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-05d3-7e20-8b63-78ad4b308b63', 63, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout.processing', '01a1e8f2-04fe-73f4-8fce-5db0d2d11cdb', '{"id":"01a1e8f2-04fe-73f4-8fce-5db0d2d11cdb","currency":"ETH","network":"ethereum","amount":"0.2","amount_in_base_currency":"500.00","network_fee":"0.000063","fee_amount":"0.001","destination":"0x2F07c220dC62CE9531bC44B695A6D93578806d8d","destination_tag":null,"status":"processing","environment":"test","tx_hash":null,"explorer_url":null,"idempotency_key":null,"description":null,"metadata":null,"waiting_reason":null,"failure_reason":null,"approved_at":"2026-11-17T09:58:57.563Z","executable_at":"2026-11-17T09:58:57.563Z","completed_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:57.540Z"}', 1, '1236', '2026-11-17 09:58:57.751875+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-0907-723a-bf32-eb25d24e5346', 67, '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'invoice.payment_detected', '01a1e8f2-08ad-7242-9a95-7005553a6359', '{"id":"01a1e8f2-08ad-7242-9a95-7005553a6359","merchant_id":"01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce","environment":"test","status":"pending","source":"api","static_address_id":null,"currency":"BTC","network":"bitcoin","amount":"0.2","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"8000.00","amount_paid":"0","amount_pending":"0.2","amount_due":"0.2","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"tb1ql6a277yln0he52syckp4j0fvyxc6shc6pelsk2","deposit_address_tag":null,"payment_uri":"bitcoin:tb1ql6a277yln0he52syckp4j0fvyxc6shc6pelsk2?amount=0.2","gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/V3R4G9-BhwrbGV94d3hW_g","idempotency_key":null,"expires_at":"2026-11-17T10:28:58.477Z","live_at":"2026-11-17T09:58:58.477Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:58.477Z","updated_at":"2026-11-17T09:58:58.557Z"}', 1, '1264', '2026-11-17 09:58:58.569131+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-ffa4-7f41-a548-4d54bb01b055', 54, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.confirming', '01a1e8f1-ffa3-78b9-a15c-56f4cebee564', '{"id":"01a1e8f1-ffa3-78b9-a15c-56f4cebee564","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"pending","source":"api","static_address_id":null,"currency":"BTC","network":"bitcoin","amount":"0.04","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"2000.00","amount_paid":"0","amount_pending":"0","amount_due":"0.04","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"tb1qg7jcf6qrfe8wj2ug4ux8h7x3fz5r89yz7nsdhj","deposit_address_tag":null,"payment_uri":"bitcoin:tb1qg7jcf6qrfe8wj2ug4ux8h7x3fz5r89yz7nsdhj?amount=0.04","gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/u6nh2LxC7qFYP_AcvYZD-Q","idempotency_key":null,"expires_at":"2026-11-17T10:28:56.163Z","live_at":"2026-11-17T09:58:56.163Z","paid_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:56.163Z","updated_at":"2026-11-17T09:58:56.163Z"}', 1, '1178', '2026-11-17 09:58:56.167312+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-0277-7ab5-aec0-01e35d9d2f2a', 59, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout.processing', '01a1e8f2-00ff-7b5a-be97-e7d0b4e2b377', '{"id":"01a1e8f2-00ff-7b5a-be97-e7d0b4e2b377","currency":"BTC","network":"bitcoin","amount":"0.01","amount_in_base_currency":"500.00","network_fee":"0.0000156","fee_amount":"0","destination":"tb1qurg4y55dpv5z80yhgmjqq6gw83gujt5rg5zr3q","destination_tag":null,"status":"processing","environment":"test","tx_hash":null,"explorer_url":null,"idempotency_key":null,"description":null,"metadata":null,"waiting_reason":null,"failure_reason":null,"approved_at":"2026-11-17T09:58:56.590Z","executable_at":"2026-11-17T09:58:56.590Z","completed_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:56.525Z"}', 1, '1202', '2026-11-17 09:58:56.890517+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-086e-7f5f-be1f-5067ed26ddb5', 65, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout.cancelled', '01a1e8f2-082a-7cb8-89e0-9e75ee55a795', '{"id":"01a1e8f2-082a-7cb8-89e0-9e75ee55a795","currency":"BTC","network":"bitcoin","amount":"0.03","amount_in_base_currency":"1500.00","network_fee":"0.0000156","fee_amount":"0.00015","destination":"tb1qurg4y55dpv5z80yhgmjqq6gw83gujt5rg5zr3q","destination_tag":null,"status":"cancelled","environment":"test","tx_hash":null,"explorer_url":null,"idempotency_key":null,"description":null,"metadata":null,"waiting_reason":null,"failure_reason":null,"approved_at":null,"executable_at":null,"completed_at":null,"cancelled_at":"2026-11-17T09:58:58.399Z","created_at":"2026-11-17T09:58:58.350Z"}', 1, '1255', '2026-11-17 09:58:58.421322+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-0078-70af-bd61-ee3073d6ccd6', 57, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.paid', '01a1e8f1-ffa3-78b9-a15c-56f4cebee564', '{"id":"01a1e8f1-ffa3-78b9-a15c-56f4cebee564","merchant_id":"01a1e8f1-cc2d-78d4-9a8c-42b32972b499","environment":"test","status":"paid","source":"api","static_address_id":null,"currency":"BTC","network":"bitcoin","amount":"0.04","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"2000.00","amount_paid":"0.04","amount_pending":"0","amount_due":"0","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0.0004","deferred":false,"deposit_address":"tb1qg7jcf6qrfe8wj2ug4ux8h7x3fz5r89yz7nsdhj","deposit_address_tag":null,"payment_uri":null,"gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/u6nh2LxC7qFYP_AcvYZD-Q","idempotency_key":null,"expires_at":"2026-11-17T10:28:56.163Z","live_at":"2026-11-17T09:58:56.163Z","paid_at":"2026-11-17T09:58:56.329Z","cancelled_at":null,"created_at":"2026-11-17T09:58:56.163Z","updated_at":"2026-11-17T09:58:56.329Z"}', 1, '1192', '2026-11-17 09:58:56.37821+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-0165-7a39-bb4b-9b81434e93b8', 58, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout.approved', '01a1e8f2-00ff-7b5a-be97-e7d0b4e2b377', '{"id":"01a1e8f2-00ff-7b5a-be97-e7d0b4e2b377","currency":"BTC","network":"bitcoin","amount":"0.01","amount_in_base_currency":"500.00","network_fee":"0.0000156","fee_amount":"0","destination":"tb1qurg4y55dpv5z80yhgmjqq6gw83gujt5rg5zr3q","destination_tag":null,"status":"approved","environment":"test","tx_hash":null,"explorer_url":null,"idempotency_key":null,"description":null,"metadata":null,"waiting_reason":null,"failure_reason":null,"approved_at":"2026-11-17T09:58:56.590Z","executable_at":"2026-11-17T09:58:56.590Z","completed_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:56.525Z"}', 1, '1199', '2026-11-17 09:58:56.614939+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-09af-769f-aff7-603a8a7a4cdf', 68, '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'balance.credited', '01a1e8f2-08ad-7242-9a95-7005553a6359', '{"currency":"BTC","network":"bitcoin","amount":"0.2","entry_type":"deposit","ledger_entry_id":1,"invoice_id":"01a1e8f2-08ad-7242-9a95-7005553a6359","available":"0.2"}', 1, '1269', '2026-11-17 09:58:58.738154+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-09af-7b57-a369-21be99c0af4a', 69, '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'invoice.paid', '01a1e8f2-08ad-7242-9a95-7005553a6359', '{"id":"01a1e8f2-08ad-7242-9a95-7005553a6359","merchant_id":"01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce","environment":"test","status":"paid","source":"api","static_address_id":null,"currency":"BTC","network":"bitcoin","amount":"0.2","amount_fiat":null,"fiat_currency":null,"exchange_rate":null,"rate_locked_at":null,"amount_in_base_currency":"8000.00","amount_paid":"0.2","amount_pending":"0","amount_due":"0","amount_overpaid":"0","amount_refunded":"0","fee_amount":"0","deferred":false,"deposit_address":"tb1ql6a277yln0he52syckp4j0fvyxc6shc6pelsk2","deposit_address_tag":null,"payment_uri":null,"gate_id":"bitcoin-test","required_confirmations":2,"description":null,"external_id":null,"metadata":null,"redirect_url":null,"checkout_url":"http://127.0.0.1:39749/pay/V3R4G9-BhwrbGV94d3hW_g","idempotency_key":null,"expires_at":"2026-11-17T10:28:58.477Z","live_at":"2026-11-17T09:58:58.477Z","paid_at":"2026-11-17T09:58:58.705Z","cancelled_at":null,"created_at":"2026-11-17T09:58:58.477Z","updated_at":"2026-11-17T09:58:58.705Z"}', 1, '1269', '2026-11-17 09:58:58.73825+00');
INSERT INTO public.events (id, "position", merchant_id, environment, event, resource_id, data, era, xid, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-0a00-76c1-aa42-da84003532a1', 70, '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'payout.approved', '01a1e8f2-09e0-7ed2-b4cd-7d7cf72f2454', '{"id":"01a1e8f2-09e0-7ed2-b4cd-7d7cf72f2454","currency":"BTC","network":"bitcoin","amount":"0.05","amount_in_base_currency":"2000.00","network_fee":"0.0000156","fee_amount":"0","destination":"tb1qurg4y55dpv5z80yhgmjqq6gw83gujt5rg5zr3q","destination_tag":null,"status":"approved","environment":"test","tx_hash":null,"explorer_url":null,"idempotency_key":null,"description":null,"metadata":null,"waiting_reason":null,"failure_reason":null,"approved_at":"2026-11-17T09:58:58.813Z","executable_at":"2026-12-17T09:58:58.813Z","completed_at":null,"cancelled_at":null,"created_at":"2026-11-17T09:58:58.788Z"}', 1, '1273', '2026-11-17 09:58:58.820139+00');

INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('arbitrum-test', 0, '5c5320d28282de2b691e877911390375a3f5eb31221f9e78edde6796d9aca80d');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('avalanche-test', 0, '3145ac0f7d303bfe8efb3301380d6d9f27c95e5e331691a968ebd94015decc2c');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('base-test', 0, '0c2c38289e6e4261b56e0c4712ff824586153ea21a564e1e75d66e29a0225918');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 0, '5ce70dea2d7527f77e3e742230e5098a0911785c7b72ed5f133519e97b704d1d');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bsc-test', 0, 'a91e56ac635a4f219870a3447d70f2968ee216e7975f6596cfe4b593bd4adff9');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 0, 'a3cf196c314e1103ce0e9a7c5ef86500598532e78e24ee3fe2a79c268f0a492d');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('litecoin-test', 0, '581d3fea7defeba04380503e990a88b4231702152747767a42a0a1eb9a80a7f4');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('optimism-test', 0, '429f3c16f34cca8ad544cdb787caa1145da44df05d5a3f0447cf74a65d256cdb');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('polygon-test', 0, '3987e66558cd9c9fb12b5ec9021d8050d771a58f78b10945c9f006793667bab4');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('solana-test', 0, 'c130e5cf6245796d96ec03316e4ca9aad76f8257ce4243a00146bdf4a0714a0c');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('xrp-test', 0, 'b899ef825c84bfed8f43e8971174950875de1bd264e2beaac9b4479ffb54b2cb');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 1, 'ba3436364b43eec3c6b6816a1179003a0d8e292fe9b6525305d029eaeb6e17eb');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 2, 'b8e622b24d1183cc17406bf5e61446eb3d287eb5f524eda591262aa6b5a2e840');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 1, '5975bbae4011dbc5899e9e266d251e9864409ce324b90b69dc66d28e38fa4afc');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 2, 'f0973fc07319165222499f111114b873d3621a1d379b31a32dfc34421f8898f7');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 3, 'f6b293a3287cfd5df201e1c8026a16fe7c5d17563f75e470b6fcb4365a3e430d');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 4, '0f9dbdacd055592084c9e1f9d633ef61f2656738223e296cd46cd032eb6c546a');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 5, 'dfc4846a1fda16cff621a069c256c308cd58706db1a8e5514790887ef404270c');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 6, 'ea95343bda9cdc2c7439d82b2352795915089c7c34e15aac0acfa47eb02c8577');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 7, 'e476d21c70d2d885621a3eb30bb2a39415a71a92c2d0c106c71da6784efdc2cb');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 8, 'b9f6370c25fdd6f7bcabdb6bdb2dffc1843a4be877da9b17f48645131ab55b18');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 9, '27f6d31d71788420d7ff7a5d836e128a5455a598e2f9ff37153b545e48a0dcb6');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 10, 'cb1f731393f0fbe4f7c29acf2d1fa910dabf82126f3e8a68e1ae419ee5d6df0a');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 11, '275bb3a9857a87dd7f9c70dc35f49fab41bdec743c331a4a7c7a625ae60e7b56');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 12, '66891a384e8274ecc74226ec377f4e210ea4156247fd4da655ffa869281d6704');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 13, 'a4454e2e655c0eab8a12dbd243e1cefe9dda152226bf531f0e52b6019c52125b');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 14, '802befd9c37b90ee694470bec724c5b4f642733d09211709f277ff87bdda31e6');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 15, '46e6b4f4253b4b62f5193352c36af92f7d680dcce6c5e678197c59cd590a0d11');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 16, '23bb5ffd95b939fa750ae84d2633ddc4987c088fb084e78695cdf8a223bdb8e7');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 17, 'b189e490ebf90636f75395955770174630fd502538363e67a6a63b2e66bdb038');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 18, 'db0239780b8ba197c76b90f2aa7b979a084066c32c6c2f0435df0fee5cb76706');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 19, '7ad29d5461ca2c378faebac315cfeb49198caa28c474d1f773da07c843d7ae34');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 20, '8c9c42f9828499718608314b02afab62776e980e623f6886b6788fad260c84d8');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 21, 'aee671209a2d37a68a632199ba10754c06bb31915610f2ef359fef8670851687');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 22, 'd7cec1b82ee161f0eeecffde40390b28fd6db3f28123b473164a0b0a83efba50');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 23, 'ad78b734f29237fa263f6ff0315d983b5b87cd5881af0ae48640dbdbf33b968b');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 24, 'ef7e27a4bc70ffbfeadec53a6f9bb8011c30d1d5a21b0e89e2dbc02031366376');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 3, 'aa03aa2ac5bf708f0eadab706f2eee94e61790ec172b08e51df43f590c1cef57');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 4, 'efe5094dedb402b9646347f9d954853fafb745f0499739cac87b245185bd6916');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('litecoin-test', 1, '1fe9bcaf81c14717fb230b20b721bf755b195dc0892f7a906c5c17e9a04f4398');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('litecoin-test', 2, 'f6a9991c4a601c85f256b4f096938964bd5bd1058948194a872f87b71b4bce58');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('litecoin-test', 3, 'a39064c9fb4df35f61426be7e1dc2c25dab8898772c602e1fe37a6ded72f4d6f');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('litecoin-test', 4, '0f7e2923ac301ecdfc8dce6989a2e85316461826108d08341933e6fd379d56af');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('litecoin-test', 5, 'fa9125e7e7ecb4df433f908d40ee4a203bee1b6b5a09998105d6d1afe9ba3c54');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('litecoin-test', 6, 'ec96599872a9d40e5b0b4185a627749ecd6046ab5d512be6193ae243722c80cf');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('litecoin-test', 7, '17b0e9f7588c3d871eeaf847c3eda3382d62a675640b56a4d6c074c1b70b8751');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 25, '86b081a2e1c54fd3ca3f05bf33a01436b8fea9ae63d4c0b5a4ae7a14b8262554');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 26, 'ca6c32f3a20ba0b409208dcbd7956e57f61d3bc3eef379815532ce32bccbdf0e');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 27, 'b25fe59e2db05731334646c934745ec1a7dec0237eaafb049f5d3a5aaf5991b8');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 28, 'c420ac8148f32424ae5d328bbac2ef2ee8c72e8ca6944da4399e050a0e6ba1a7');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 29, 'c506d573fc361d5e46c6bfd9a34ddc5e8c95f721bd6276a71496f8eb9c7da8c4');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 30, '07e4e64ee413f28053157d7da286e8b1f8b4c3f3e34fc61ead0344b099a568a4');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 31, '24f7c56c43d965bce161101f6c28a2b7d8bfb8ae2ac9f9f0f0654fb54eea6c90');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 32, '5a0599040988293edb45e5e2181594332caf55ceda7f7f29ad68848a421bb213');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 33, 'aa40f6cf67812424e35e98769a7311317e20226ea71c5395ad260521e9276955');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 34, 'b02ff6a3da70a6b46efa362f3c086ddda5938f465e7048d58ebb85f9961afd23');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 35, '2105b651e5e29f301879dde37addb2cc9dd24f67830256ff3fa89210586599f7');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 36, 'f71c86431aa0dfc914ba66b0bf711930413b671531efb702df9c1a8111e0fec5');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 5, 'a9d47dab0072e3e28bfe144be571928b9f3a21b399c173af200320e8587676fc');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 6, '38d14c856e7a8a22da8b211da2bcdca72963d7575cc6dddfc975ac78f0ff1312');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 7, '390d17158b4641d7b0d93577144b9ab2199269112664d34f3cbfb899ca7c4447');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 8, '1ec94a7ff20daf3931aeba77decb02f1acb48e5cd0c664616d286559efc6e05e');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 9, '447b72b20fdabd3eb54c2f42fcf7bf5baf6d23ca08703b48dd6bba587b94e74b');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 10, '20098bd8fc46aa1ca59515271eeb365d9549da9b905548707ea38fb24d61a8cb');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 11, '8ab25f04e107413b97f32c2456c1441039361006045ec009b0bcda95e0a13e4e');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 12, '77f23451f17b393dbbd09f35ddefb3b8650d297d7037fb15aa9d609233370b9d');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 13, 'e2a20d6bcc013f8fc1643b1b4ee302bd03259fc49ae2547bed169d2f9efbabc7');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 14, 'b1f8596b87c5d23f923a7b6825f07c7273a57de1c632d7ec066c896987d21ade');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 37, '75e05bb6f5b24317704bd6e30bbeb50a232f4b18baf548959dc1d55aedbd9be6');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 38, '69737431ba929d9e8fad198d2f25079aa53fe52d8758602587a9e9308e2c4df3');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 39, 'cd3f15e273ce9737da750d47c6ebf8bd279bba110e5344fdb9e4bc7eccb10593');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 40, '09d0c5ec57e75c0c997a5dee56165e230100483b6b3033ba3d76c97dd73039da');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 41, 'ec8175d5bc9e9913dd1b6dda9aeb5b1f95508518eac12a8d8fc730aec044b1ec');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 42, '2c07e251a2564acb57d346c4431772f6091585fb5e4311bcb6838e6ee2f47611');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 43, '6dfb655edf3b8d6ff5d25013e2a84f7f11ff3cee551dcda44df9140e936f8293');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 44, '9149802b0b3949d799945e72d7eed9a1bd193de51a883277bd0fba2bd142acc4');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 45, '855c4895fce73a442250209d55ff4054fb6857828794af86ef02cb0057723924');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 46, 'ec415c6125291264130be22099d3d2122aa3c504bd0fa7df15f16393c727c720');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 47, '511011ea6817463f13d0e73335121b0ceccd986ac787efc107b4f8e15bfc49e7');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 48, 'be6134caa838eb4420521b1e8688f2c3ee75e2132e63ee5f4b8948622d6a53bb');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 49, '3e8090816955f7dec46aec3486cf9d6b8597aef4bb453891f3a4824bc8b60ab7');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 50, '3d28ed577d28c87e3f25002238edd3ba17c23b39d900f9b2e47dde5c36527761');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 56, 'd5e2ffa48f3ccc9ceab204ce8a3221e4bdc8083c48a6b7b132dee071330a0de1');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 57, '399384c0c90a548a71b6df42fab13e9e911edb2f9e139ebad69d98582a3e20de');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 58, '7535293064884318a6f6cb6d006a31016cb78028a915d9a4232605d3b1fe1c67');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 59, 'ac9ba7b4131d4e8171e1eae2caf763b9d5f6a67bd0216874a2373379bf34fbb1');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 60, '2e93f5e2c3a410bc500b6663bce52a091bd88c81870ba8d0c089c1b88c42fa0c');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 61, '192b16002425254fc3dbc3b6e1b67177e71253a9ab8c9324226a6739665c14ad');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 62, 'a79a819db4cab293f25d1702f20f196e3cfc484fcc50f319bfa0ddb1c6b5e145');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 63, 'b723401c3e549a2fc2e7db4a5e531afd864b6ad763acf20731f636c4de89b8f5');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 64, 'e9638651092663e1bb15d2694566ffcc1a74e3e628c81f9d37fa2be2181572c7');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 65, 'b565df27e39d89e5ae3593fd7530f606dba64121cdd45e406acb015819522a8a');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 66, 'a050f60fa722f956c18da56cfc1bc96778c84905e3bd218e47d55d5e437969ae');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 67, 'dc1761f51f79ed9c18034b762bfe19049dd6c789859321fa01388ff046a76491');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 68, '94bea59bbff430bfad69fb38ec9310cac8323a8e857ce20841d3a859db718520');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 69, 'a5a22bd4b5f77ca27d69216b927ffb91931d92d772b531fc597339ff2b602596');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 70, 'ae2891ced4b268ec76cf918ea2d404b48d99b47bd1a1a974de72fe011fed8781');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 71, '2ccd47df37ef941890478a3efdf6feb76aeb1dc09faa96f2b945b84b8707ccf8');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 73, 'e0264b0797fad18763e03def3036c2330c5ed377717786b44de951b74142b86c');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 74, '5b7a91c1029331ce3d93eb302db32c9035d0fd8946592551369a02952a151c39');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 75, '324dc3d1e9fe9df92e12a1e05d06165bf5781d1d2697e4d97e49417c18d15618');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 76, 'fb1fae7fd67f12e31e400653893895699abd45f645d1df0c6ad397136cb2aadb');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 81, '6c45dcd1909e9d2bf2941c50c608a4f006e8c3580ea5eea31ec5cfd310f2a73a');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 82, '2e39360d1de0d5f48c2d3c0d198764231d503d8285a784ac033c2bbae1268b56');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 83, '7cd8572d22b9e7585aeb23bea5717b67ffbb0f624e81e952571a808e7482fba0');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 84, '5a540cef515ee9423b4914d9e11da87086a1553a102e2dba246eb8b876cf499d');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 22, 'f63249915b22eb21cbebfd8c6f2ab8c9053ba61ff247962472b2981954532111');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 23, '087a54cb934303e8378d076487a4afc65eaad4c5e776d065023191d464fa5b07');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 51, '65dfe6a360771591a6c1eb7a343d26523b1459d9acda6404c26c84292689fbb3');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 52, '614803f4d77eabefb80b609e81bfd29c881d1d2575abfb03c3000ca410f5e981');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 53, '035df13d46c260f7a85c30c79172e25b276068b9efdfdacfa4c479e7b6d7d993');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 54, '39f8936d103a6c8c3587314049ef76f0c2332a399d97c323d389e3798d24818a');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 55, '8bc50592926d48bf82a2b5445daf745fa6d4ad1d248cf0f04de95ee6aa6c6aa4');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 72, 'ebb9e0c4f1f4d825b51ce5164ffec4318bbd78b4c3291e2816cd18b0f8ca8574');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 15, '45cfea626855271dca17aa8aa8e3a84f5f8801f2fec1d162765ad22bed1c14c4');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 16, 'ed861792eb78077cc706903d5c919920a017e61852b87f84f3464ceb94a19028');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 17, 'a9c7837348ec6306f22dabfdc73812086fbd8a6f01cf9602547a14dc25f2c436');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 77, '02e884567add5c488b210198d405e2afef43e703661465ab1b9f77a4834e77d6');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 78, 'a1a40246bd92680d6ce994ef6bf94f2074961a5d70acaec5b4460d367f65e800');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 79, '1caa430b4eb569630a112ae1fdfaba5b97468bc95470903d57ee4c880864ec62');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 80, '5f033b2993134959c685124354e99c5134f001ace4628b10d63c3da5ed8b1faf');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 18, 'cd8d3930bbf3d19825c2115aa3fdab16da7536ff02d4f21757106fb6c8b299b5');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 19, '294cb7aaedfd1b541052283b05f044d778b895ff2a4abb8c271c384784a6d0f8');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 20, 'aa2ab8a2ea653d54f9907e3eb0dc8ddf08ed692326031e6378486cdd7ac93c53');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('bitcoin-test', 21, '9672568b9a6d09278ceba98582987eef4c97ddd4402ea1935640a0eb8b5264c0');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 85, 'ab24d592d7b6ad0afbbfeb04e256f15b4abde3770f64f49b28586b238fe972f2');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 86, '6b602adf232caec5a977f0be7363375303bbcd0a4e95a547ec67240b74ba8b79');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 87, '0a28a4d02f57464480143e3807981dfcefea11481fa648f77d454956286b8b2b');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 88, '2f92d9241f351bab1ab095c025adb4f32fb6501866a6084b6ad82f18c1444419');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 89, 'c4fe16e566942e85c24512999f7476339a625c4420df159a342c49b8ff2908c5');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 90, '3148735ed66f70b23b5ddf30e7d670b882999341a4feedf9c7ffcc5be44dab94');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 91, '5feac21e72ff378acf9e5530a3cd71bed779a761bec8ba91f22cc57336b53f5d');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 92, '0ed703788c38a9fba58ca9cd7d1cacdd90025aaf03275286e8e9729c10e64561');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 93, '45e36ef1d2e03911dc72a80d8f436e1aa7684284ea001795a121c78d9c2484c0');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 94, 'e6ddfb5103aba93b6f0505e5caf454b7c94783a9974d60b9716f21b14eec0ff8');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 95, '6f7909b90ee1959fb78c04061cdd258a4f0a79ed2b8a171c533141c2a674def2');
INSERT INTO public.followed_blocks (gate_id, height, hash) VALUES ('ethereum-test', 96, '859b25e03afc792086ca95cc40535800ca1d817a7139e8e885f950029ba6993c');

INSERT INTO public.followed_chains (gate_id, chain, began_height, height, hash, revision, holder, held_until, scanned_at, balances_position, halted_at, halt_reason) VALUES ('arbitrum-test', 'simulated', 0, 0, '5c5320d28282de2b691e877911390375a3f5eb31221f9e78edde6796d9aca80d', 0, NULL, NULL, '2026-11-17 09:58:41.698133+00', 0, NULL, NULL);
INSERT INTO public.followed_chains (gate_id, chain, began_height, height, hash, revision, holder, held_until, scanned_at, balances_position, halted_at, halt_reason) VALUES ('avalanche-test', 'simulated', 0, 0, '3145ac0f7d303bfe8efb3301380d6d9f27c95e5e331691a968ebd94015decc2c', 0, NULL, NULL, '2026-11-17 09:58:41.704467+00', 0, NULL, NULL);
INSERT INTO public.followed_chains (gate_id, chain, began_height, height, hash, revision, holder, held_until, scanned_at, balances_position, halted_at, halt_reason) VALUES ('base-test', 'simulated', 0, 0, '0c2c38289e6e4261b56e0c4712ff824586153ea21a564e1e75d66e29a0225918', 0, NULL, NULL, '2026-11-17 09:58:41.709564+00', 0, NULL, NULL);
INSERT INTO public.followed_chains (gate_id, chain, began_height, height, hash, revision, holder, held_until, scanned_at, balances_position, halted_at, halt_reason) VALUES ('bsc-test', 'simulated', 0, 0, 'a91e56ac635a4f219870a3447d70f2968ee216e7975f6596cfe4b593bd4adff9', 0, NULL, NULL, '2026-11-17 09:58:41.725606+00', 0, NULL, NULL);
INSERT INTO public.followed_chains (gate_id, chain, began_height, height, hash, revision, holder, held_until, scanned_at, balances_position, halted_at, halt_reason) VALUES ('optimism-test', 'simulated', 0, 0, '429f3c16f34cca8ad544cdb787caa1145da44df05d5a3f0447cf74a65d256cdb', 0, NULL, NULL, '2026-11-17 09:58:41.738255+00', 0, NULL, NULL);
INSERT INTO public.followed_chains (gate_id, chain, began_height, height, hash, revision, holder, held_until, scanned_at, balances_position, halted_at, halt_reason) VALUES ('polygon-test', 'simulated', 0, 0, '3987e66558cd9c9fb12b5ec9021d8050d771a58f78b10945c9f006793667bab4', 0, NULL, NULL, '2026-11-17 09:58:41.748046+00', 0, NULL, NULL);
INSERT INTO public.followed_chains (gate_id, chain, began_height, height, hash, revision, holder, held_until, scanned_at, balances_position, halted_at, halt_reason) VALUES ('solana-test', 'simulated', 0, 0, 'c130e5cf6245796d96ec03316e4ca9aad76f8257ce4243a00146bdf4a0714a0c', 0, NULL, NULL, '2026-11-17 09:58:41.751499+00', 0, NULL, NULL);
INSERT INTO public.followed_chains (gate_id, chain, began_height, height, hash, revision, holder, held_until, scanned_at, balances_position, halted_at, halt_reason) VALUES ('xrp-test', 'simulated', 0, 0, 'b899ef825c84bfed8f43e8971174950875de1bd264e2beaac9b4479ffb54b2cb', 0, NULL, NULL, '2026-11-17 09:58:41.755972+00', 0, NULL, NULL);
INSERT INTO public.followed_chains (gate_id, chain, began_height, height, hash, revision, holder, held_until, scanned_at, balances_position, halted_at, halt_reason) VALUES ('litecoin-test', 'simulated', 0, 7, '17b0e9f7588c3d871eeaf847c3eda3382d62a675640b56a4d6c074c1b70b8751', 3, 'fe67f858-257c-4f53-ab4d-2f4b8ab32308', '2026-11-17 09:58:53.246345+00', '2026-11-17 09:58:48.21+00', 0, NULL, NULL);
INSERT INTO public.followed_chains (gate_id, chain, began_height, height, hash, revision, holder, held_until, scanned_at, balances_position, halted_at, halt_reason) VALUES ('ethereum-test', 'simulated', 0, 96, '859b25e03afc792086ca95cc40535800ca1d817a7139e8e885f950029ba6993c', 24, 'fe67f858-257c-4f53-ab4d-2f4b8ab32308', '2026-11-17 09:59:03.170769+00', '2026-11-17 09:58:58.153+00', 0, NULL, NULL);
INSERT INTO public.followed_chains (gate_id, chain, began_height, height, hash, revision, holder, held_until, scanned_at, balances_position, halted_at, halt_reason) VALUES ('bitcoin-test', 'simulated', 0, 23, '087a54cb934303e8378d076487a4afc65eaad4c5e776d065023191d464fa5b07', 20, 'fe67f858-257c-4f53-ab4d-2f4b8ab32308', '2026-11-17 09:59:03.657854+00', '2026-11-17 09:58:58.639+00', 0, NULL, NULL);

INSERT INTO public.hot_balances (gate_id, currency, units) VALUES ('ethereum-test', 'USDT', 180000000);
INSERT INTO public.hot_balances (gate_id, currency, units) VALUES ('ethereum-test', 'ETH', 99999558000000000000);

INSERT INTO public.invoices (id, "position", merchant_id, environment, status, source, created_by, static_address_id, deferred, currency, network, gate_id, decimals, amount_units, required_confirmations, keychain, deposit_position, deposit_address, deposit_address_tag, amount_fiat, fiat_currency, exchange_rate, rate_locked_at, base_currency, amount_in_base_currency, tolerance_bps, fee_bps, paid_units, settled_units, pending_units, refunded_units, fee_units, description, external_id, metadata, redirect_url, link, idempotency_key, request_hash, window_seconds, expires_at, due_at, live_at, paid_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-cd99-77e2-9c9b-f6e1199a63c7', 1, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'pending', 'api', 'key:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', NULL, false, 'BTC', 'bitcoin', 'bitcoin-test', 8, 1000000, 2, 'bitcoin-test', 0, 'tb1q36r8fc8snvm9nrddx4vct6767d528r6cj9d5e9', NULL, NULL, NULL, NULL, NULL, 'USD', 50000, 100, 100, 0, 0, 0, 0, 0, NULL, 'order 1', '{"table": "7"}', NULL, '-kaz0xqJh7QVsTX4XRDooQ', NULL, NULL, 1800, '2026-11-17 10:28:43.353+00', '2026-11-17 10:28:43.353+00', '2026-11-17 09:58:43.353+00', NULL, NULL, '2026-11-17 09:58:43.353+00', '2026-11-17 09:58:43.353+00');
INSERT INTO public.invoices (id, "position", merchant_id, environment, status, source, created_by, static_address_id, deferred, currency, network, gate_id, decimals, amount_units, required_confirmations, keychain, deposit_position, deposit_address, deposit_address_tag, amount_fiat, fiat_currency, exchange_rate, rate_locked_at, base_currency, amount_in_base_currency, tolerance_bps, fee_bps, paid_units, settled_units, pending_units, refunded_units, fee_units, description, external_id, metadata, redirect_url, link, idempotency_key, request_hash, window_seconds, expires_at, due_at, live_at, paid_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-cdf9-7cf0-b543-4c57dad36eb7', 2, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'pending', 'api', 'key:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', NULL, true, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 4990, 'USD', NULL, NULL, 'USD', 4990, 100, 100, 0, 0, 0, 0, 0, 'The payer has not chosen yet', NULL, NULL, NULL, 'qHrU4rR_-K_IRTxz6omEIg', NULL, NULL, 1800, '2026-11-18 09:58:43.449+00', '2026-11-18 09:58:43.449+00', NULL, NULL, NULL, '2026-11-17 09:58:43.449+00', '2026-11-17 09:58:43.449+00');
INSERT INTO public.invoices (id, "position", merchant_id, environment, status, source, created_by, static_address_id, deferred, currency, network, gate_id, decimals, amount_units, required_confirmations, keychain, deposit_position, deposit_address, deposit_address_tag, amount_fiat, fiat_currency, exchange_rate, rate_locked_at, base_currency, amount_in_base_currency, tolerance_bps, fee_bps, paid_units, settled_units, pending_units, refunded_units, fee_units, description, external_id, metadata, redirect_url, link, idempotency_key, request_hash, window_seconds, expires_at, due_at, live_at, paid_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-ce85-70e5-970a-32495bcfc797', 4, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'cancelled', 'api', 'key:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', NULL, false, 'LTC', 'litecoin', 'litecoin-test', 8, 100000000, 6, 'litecoin-test', 0, 'tltc1q36r8fc8snvm9nrddx4vct6767d528r6ctd02fv', NULL, NULL, NULL, NULL, NULL, 'USD', 8000, 100, 100, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 'JqbuZqxjJgPvVcLWKozzcg', NULL, NULL, 1800, '2026-11-17 10:28:43.589+00', NULL, '2026-11-17 09:58:43.589+00', NULL, '2026-11-17 09:58:43.79638+00', '2026-11-17 09:58:43.589+00', '2026-11-17 09:58:43.79638+00');
INSERT INTO public.invoices (id, "position", merchant_id, environment, status, source, created_by, static_address_id, deferred, currency, network, gate_id, decimals, amount_units, required_confirmations, keychain, deposit_position, deposit_address, deposit_address_tag, amount_fiat, fiat_currency, exchange_rate, rate_locked_at, base_currency, amount_in_base_currency, tolerance_bps, fee_bps, paid_units, settled_units, pending_units, refunded_units, fee_units, description, external_id, metadata, redirect_url, link, idempotency_key, request_hash, window_seconds, expires_at, due_at, live_at, paid_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-d073-7666-b4a6-d1069404af39', 5, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'paid', 'api', 'key:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', NULL, false, 'BTC', 'bitcoin', 'bitcoin-test', 8, 50000000, 2, 'bitcoin-test', 2, 'tb1qq3mkglz2k0g0qxe0g7tjmka5uzgecke8gn39lz', NULL, NULL, NULL, NULL, NULL, 'USD', 2500000, 100, 100, 50000000, 50000000, 0, 0, 500000, NULL, NULL, NULL, NULL, '8ka-Wc8kaFIQgNrO24s1Iw', NULL, NULL, 1800, '2026-11-17 10:28:44.083+00', NULL, '2026-11-17 09:58:44.083+00', '2026-11-17 09:58:44.415+00', NULL, '2026-11-17 09:58:44.083+00', '2026-11-17 09:58:44.421379+00');
INSERT INTO public.invoices (id, "position", merchant_id, environment, status, source, created_by, static_address_id, deferred, currency, network, gate_id, decimals, amount_units, required_confirmations, keychain, deposit_position, deposit_address, deposit_address_tag, amount_fiat, fiat_currency, exchange_rate, rate_locked_at, base_currency, amount_in_base_currency, tolerance_bps, fee_bps, paid_units, settled_units, pending_units, refunded_units, fee_units, description, external_id, metadata, redirect_url, link, idempotency_key, request_hash, window_seconds, expires_at, due_at, live_at, paid_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-d262-75ce-b275-f5a9b80707a0', 6, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'paid', 'api', 'key:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', NULL, false, 'ETH', 'ethereum', 'ethereum-test', 18, 2000000000000000000, 12, 'evm-test', 0, '0x373B4b3e23AB506f63dB30175273cD89f7E1f8e7', NULL, NULL, NULL, NULL, NULL, 'USD', 500000, 100, 100, 2000000000000000000, 2000000000000000000, 0, 0, 20000000000000000, NULL, NULL, NULL, NULL, '4-ApHswZmNzzc36et7v6uQ', NULL, NULL, 1800, '2026-11-17 10:28:44.578+00', NULL, '2026-11-17 09:58:44.578+00', '2026-11-17 09:58:45.067+00', NULL, '2026-11-17 09:58:44.578+00', '2026-11-17 09:58:45.069232+00');
INSERT INTO public.invoices (id, "position", merchant_id, environment, status, source, created_by, static_address_id, deferred, currency, network, gate_id, decimals, amount_units, required_confirmations, keychain, deposit_position, deposit_address, deposit_address_tag, amount_fiat, fiat_currency, exchange_rate, rate_locked_at, base_currency, amount_in_base_currency, tolerance_bps, fee_bps, paid_units, settled_units, pending_units, refunded_units, fee_units, description, external_id, metadata, redirect_url, link, idempotency_key, request_hash, window_seconds, expires_at, due_at, live_at, paid_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-df50-7c91-99d8-ce9bcc702728', 13, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'pending', 'api', 'key:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', NULL, false, 'LTC', 'litecoin', 'litecoin-test', 8, 300000000, 6, 'litecoin-test', 1, 'tltc1qt8tgww02ynh6uzjzjxavh0c8x5cman0f9ma0sn', NULL, NULL, NULL, NULL, NULL, 'USD', 24000, 100, 100, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 'Q3aWswcHLKcIWylpwlo3pA', NULL, NULL, 1800, '2026-11-17 10:28:47.888+00', '2026-11-17 10:28:47.888+00', '2026-11-17 09:58:47.888+00', '2026-11-17 09:58:48.071+00', NULL, '2026-11-17 09:58:47.888+00', '2026-11-17 09:58:48.266155+00');
INSERT INTO public.invoices (id, "position", merchant_id, environment, status, source, created_by, static_address_id, deferred, currency, network, gate_id, decimals, amount_units, required_confirmations, keychain, deposit_position, deposit_address, deposit_address_tag, amount_fiat, fiat_currency, exchange_rate, rate_locked_at, base_currency, amount_in_base_currency, tolerance_bps, fee_bps, paid_units, settled_units, pending_units, refunded_units, fee_units, description, external_id, metadata, redirect_url, link, idempotency_key, request_hash, window_seconds, expires_at, due_at, live_at, paid_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-d4eb-7846-be34-63830d68862a', 7, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'paid', 'api', 'key:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', NULL, false, 'USDT', 'ethereum', 'ethereum-test', 6, 300000000, 12, 'evm-test', 1, '0xB0b62D1758506580EAfB4d48d5B6Cb1462246d04', NULL, NULL, NULL, NULL, NULL, 'USD', 30000, 100, 100, 300000000, 300000000, 0, 0, 3000000, NULL, NULL, NULL, NULL, 'wVGLExt5obIFIk03u5keog', NULL, NULL, 1800, '2026-11-17 10:28:45.227+00', NULL, '2026-11-17 09:58:45.227+00', '2026-11-17 09:58:46.061+00', NULL, '2026-11-17 09:58:45.227+00', '2026-11-17 09:58:46.06585+00');
INSERT INTO public.invoices (id, "position", merchant_id, environment, status, source, created_by, static_address_id, deferred, currency, network, gate_id, decimals, amount_units, required_confirmations, keychain, deposit_position, deposit_address, deposit_address_tag, amount_fiat, fiat_currency, exchange_rate, rate_locked_at, base_currency, amount_in_base_currency, tolerance_bps, fee_bps, paid_units, settled_units, pending_units, refunded_units, fee_units, description, external_id, metadata, redirect_url, link, idempotency_key, request_hash, window_seconds, expires_at, due_at, live_at, paid_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-e123-7769-9d5f-bb1ed146d100', 14, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'pending', 'api', 'key:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', NULL, false, 'ETH', 'ethereum', 'ethereum-test', 18, 1000000000000000000, 12, 'evm-test', 2, '0x72eF96D6A31c7891E28398d49CD4Fa1Bf4537564', NULL, NULL, NULL, NULL, NULL, 'USD', 250000, 100, 100, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 'FT2CpNF14oDsw4Llad2-5A', NULL, NULL, 1800, '2026-11-17 10:28:48.355+00', '2026-11-17 10:28:48.355+00', '2026-11-17 09:58:48.355+00', NULL, NULL, '2026-11-17 09:58:48.355+00', '2026-11-17 09:58:48.355+00');
INSERT INTO public.invoices (id, "position", merchant_id, environment, status, source, created_by, static_address_id, deferred, currency, network, gate_id, decimals, amount_units, required_confirmations, keychain, deposit_position, deposit_address, deposit_address_tag, amount_fiat, fiat_currency, exchange_rate, rate_locked_at, base_currency, amount_in_base_currency, tolerance_bps, fee_bps, paid_units, settled_units, pending_units, refunded_units, fee_units, description, external_id, metadata, redirect_url, link, idempotency_key, request_hash, window_seconds, expires_at, due_at, live_at, paid_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-ce21-7a73-ab5e-b12787a05511', 3, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'underpaid', 'api', 'key:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', NULL, true, 'BTC', 'bitcoin', 'bitcoin-test', 8, 40000, 2, 'bitcoin-test', 1, 'tb1qt8tgww02ynh6uzjzjxavh0c8x5cman0funl3q6', NULL, 2000, 'USD', 50000000000000000000000, '2026-11-17 09:58:43.527+00', 'USD', 2000, 100, 100, 10000, 10000, 0, 0, 100, NULL, NULL, NULL, NULL, 'wuF33bCt5yFCVCr28nTxPw', NULL, NULL, 1800, '2026-11-17 10:28:43.527+00', '2026-11-17 10:28:43.527+00', '2026-11-17 09:58:43.527+00', NULL, NULL, '2026-11-17 09:58:43.489+00', '2026-11-17 09:58:50.365488+00');
INSERT INTO public.invoices (id, "position", merchant_id, environment, status, source, created_by, static_address_id, deferred, currency, network, gate_id, decimals, amount_units, required_confirmations, keychain, deposit_position, deposit_address, deposit_address_tag, amount_fiat, fiat_currency, exchange_rate, rate_locked_at, base_currency, amount_in_base_currency, tolerance_bps, fee_bps, paid_units, settled_units, pending_units, refunded_units, fee_units, description, external_id, metadata, redirect_url, link, idempotency_key, request_hash, window_seconds, expires_at, due_at, live_at, paid_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-d86c-7e19-bca5-1a4869064a67', 8, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'overpaid', 'api', 'key:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', NULL, false, 'BTC', 'bitcoin', 'bitcoin-test', 8, 1000000, 2, 'bitcoin-test', 3, 'tb1q775qvkz74q6dlspkcc9qk66lzk2wg4rwe23aur', NULL, NULL, NULL, NULL, NULL, 'USD', 50000, 100, 100, 1500000, 1500000, 0, 0, 15000, NULL, NULL, NULL, NULL, 'SAbK7xwr31j0R4f4uFHzeA', NULL, NULL, 1800, '2026-11-17 10:28:46.124+00', NULL, '2026-11-17 09:58:46.124+00', '2026-11-17 09:58:47.556+00', NULL, '2026-11-17 09:58:46.124+00', '2026-11-17 09:58:47.562912+00');
INSERT INTO public.invoices (id, "position", merchant_id, environment, status, source, created_by, static_address_id, deferred, currency, network, gate_id, decimals, amount_units, required_confirmations, keychain, deposit_position, deposit_address, deposit_address_tag, amount_fiat, fiat_currency, exchange_rate, rate_locked_at, base_currency, amount_in_base_currency, tolerance_bps, fee_bps, paid_units, settled_units, pending_units, refunded_units, fee_units, description, external_id, metadata, redirect_url, link, idempotency_key, request_hash, window_seconds, expires_at, due_at, live_at, paid_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-d87b-7218-a824-5961cc15a779', 9, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'underpaid', 'api', 'key:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', NULL, false, 'BTC', 'bitcoin', 'bitcoin-test', 8, 2000000, 2, 'bitcoin-test', 4, 'tb1qdfl6xh0jn39m3rw08mcvzzr8v0z4m5rcm5rty7', NULL, NULL, NULL, NULL, NULL, 'USD', 100000, 100, 100, 500000, 500000, 0, 0, 5000, NULL, NULL, NULL, NULL, 'yAdETVYNdHQcABubucpIGg', NULL, NULL, 1800, '2026-11-17 10:28:46.139+00', '2026-11-17 10:28:46.139+00', '2026-11-17 09:58:46.139+00', NULL, NULL, '2026-11-17 09:58:46.139+00', '2026-11-17 09:58:47.563053+00');
INSERT INTO public.invoices (id, "position", merchant_id, environment, status, source, created_by, static_address_id, deferred, currency, network, gate_id, decimals, amount_units, required_confirmations, keychain, deposit_position, deposit_address, deposit_address_tag, amount_fiat, fiat_currency, exchange_rate, rate_locked_at, base_currency, amount_in_base_currency, tolerance_bps, fee_bps, paid_units, settled_units, pending_units, refunded_units, fee_units, description, external_id, metadata, redirect_url, link, idempotency_key, request_hash, window_seconds, expires_at, due_at, live_at, paid_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-d885-7c9c-9d6c-efe1a5eb0db0', 10, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'expired', 'api', 'key:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', NULL, false, 'BTC', 'bitcoin', 'bitcoin-test', 8, 3000000, 2, 'bitcoin-test', 5, 'tb1qrqauwtcxvu5x7ce8sdjlznefxdcdpz97hj2gft', NULL, NULL, NULL, NULL, NULL, 'USD', 150000, 100, 100, 3000000, 0, 0, 0, 30000, NULL, NULL, NULL, NULL, 'q-3RkbVvedK4o8C6a6dkeg', NULL, NULL, 1800, '2026-11-17 09:58:46.602941+00', NULL, '2026-11-17 09:58:46.148+00', NULL, NULL, '2026-11-17 09:58:46.149+00', '2026-11-17 09:58:47.563155+00');
INSERT INTO public.invoices (id, "position", merchant_id, environment, status, source, created_by, static_address_id, deferred, currency, network, gate_id, decimals, amount_units, required_confirmations, keychain, deposit_position, deposit_address, deposit_address_tag, amount_fiat, fiat_currency, exchange_rate, rate_locked_at, base_currency, amount_in_base_currency, tolerance_bps, fee_bps, paid_units, settled_units, pending_units, refunded_units, fee_units, description, external_id, metadata, redirect_url, link, idempotency_key, request_hash, window_seconds, expires_at, due_at, live_at, paid_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-dc7f-73e1-afdc-ea10fbe6ec8d', 11, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'paid', 'static_address', NULL, '01a1e8f1-d8a8-7f85-a2d1-0aa7652bf363', false, 'BTC', 'bitcoin', 'bitcoin-test', 8, 400000, 2, 'bitcoin-test', 6, 'tb1q0trf64wc8y9whrdshld07cgzhmxz8s2nykfjw0', NULL, NULL, NULL, NULL, NULL, 'USD', 20000, 100, 100, 400000, 400000, 0, 0, 4000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-17 09:58:47.125+00', '2026-11-17 09:58:47.556+00', NULL, '2026-11-17 09:58:47.125+00', '2026-11-17 09:58:47.563166+00');
INSERT INTO public.invoices (id, "position", merchant_id, environment, status, source, created_by, static_address_id, deferred, currency, network, gate_id, decimals, amount_units, required_confirmations, keychain, deposit_position, deposit_address, deposit_address_tag, amount_fiat, fiat_currency, exchange_rate, rate_locked_at, base_currency, amount_in_base_currency, tolerance_bps, fee_bps, paid_units, settled_units, pending_units, refunded_units, fee_units, description, external_id, metadata, redirect_url, link, idempotency_key, request_hash, window_seconds, expires_at, due_at, live_at, paid_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-dd30-7804-a16c-f3ed9aa8002e', 12, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'paid', 'static_address', NULL, '01a1e8f1-d8a8-7f85-a2d1-0aa7652bf363', false, 'BTC', 'bitcoin', 'bitcoin-test', 8, 600000, 2, 'bitcoin-test', 6, 'tb1q0trf64wc8y9whrdshld07cgzhmxz8s2nykfjw0', NULL, NULL, NULL, NULL, NULL, 'USD', 30000, 100, 100, 600000, 600000, 0, 0, 6000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-17 09:58:47.315+00', '2026-11-17 09:58:47.556+00', NULL, '2026-11-17 09:58:47.315+00', '2026-11-17 09:58:47.563191+00');
INSERT INTO public.invoices (id, "position", merchant_id, environment, status, source, created_by, static_address_id, deferred, currency, network, gate_id, decimals, amount_units, required_confirmations, keychain, deposit_position, deposit_address, deposit_address_tag, amount_fiat, fiat_currency, exchange_rate, rate_locked_at, base_currency, amount_in_base_currency, tolerance_bps, fee_bps, paid_units, settled_units, pending_units, refunded_units, fee_units, description, external_id, metadata, redirect_url, link, idempotency_key, request_hash, window_seconds, expires_at, due_at, live_at, paid_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-08ad-7242-9a95-7005553a6359', 16, '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'paid', 'api', 'key:01a1e8f1-ccc3-7a11-86dd-76635b0cf4ab', NULL, false, 'BTC', 'bitcoin', 'bitcoin-test', 8, 20000000, 2, 'bitcoin-test', 8, 'tb1ql6a277yln0he52syckp4j0fvyxc6shc6pelsk2', NULL, NULL, NULL, NULL, NULL, 'EUR', 800000, 0, 0, 20000000, 20000000, 0, 0, 0, NULL, NULL, NULL, NULL, 'V3R4G9-BhwrbGV94d3hW_g', NULL, NULL, 1800, '2026-11-17 10:28:58.477+00', NULL, '2026-11-17 09:58:58.477+00', '2026-11-17 09:58:58.705+00', NULL, '2026-11-17 09:58:58.477+00', '2026-11-17 09:58:58.72112+00');
INSERT INTO public.invoices (id, "position", merchant_id, environment, status, source, created_by, static_address_id, deferred, currency, network, gate_id, decimals, amount_units, required_confirmations, keychain, deposit_position, deposit_address, deposit_address_tag, amount_fiat, fiat_currency, exchange_rate, rate_locked_at, base_currency, amount_in_base_currency, tolerance_bps, fee_bps, paid_units, settled_units, pending_units, refunded_units, fee_units, description, external_id, metadata, redirect_url, link, idempotency_key, request_hash, window_seconds, expires_at, due_at, live_at, paid_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-ffa3-78b9-a15c-56f4cebee564', 15, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'paid', 'api', 'key:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', NULL, false, 'BTC', 'bitcoin', 'bitcoin-test', 8, 4000000, 2, 'bitcoin-test', 7, 'tb1qg7jcf6qrfe8wj2ug4ux8h7x3fz5r89yz7nsdhj', NULL, NULL, NULL, NULL, NULL, 'USD', 200000, 100, 100, 4000000, 4000000, 0, 1000000, 40000, NULL, NULL, NULL, NULL, 'u6nh2LxC7qFYP_AcvYZD-Q', NULL, NULL, 1800, '2026-11-17 10:28:56.163+00', NULL, '2026-11-17 09:58:56.163+00', '2026-11-17 09:58:56.329+00', NULL, '2026-11-17 09:58:56.163+00', '2026-11-17 09:58:57.405634+00');

INSERT INTO public.ledger_accounts (id, kind, merchant_id, environment, network, currency, decimals, balance_units) OVERRIDING SYSTEM VALUE VALUES (5, 'fees', NULL, 'test', 'ethereum', 'ETH', 18, 20000000000000000);
INSERT INTO public.ledger_accounts (id, kind, merchant_id, environment, network, currency, decimals, balance_units) OVERRIDING SYSTEM VALUE VALUES (10, 'chain', NULL, 'test', 'litecoin', 'LTC', 8, 0);
INSERT INTO public.ledger_accounts (id, kind, merchant_id, environment, network, currency, decimals, balance_units) OVERRIDING SYSTEM VALUE VALUES (11, 'fees', NULL, 'test', 'litecoin', 'LTC', 8, 0);
INSERT INTO public.ledger_accounts (id, kind, merchant_id, environment, network, currency, decimals, balance_units) OVERRIDING SYSTEM VALUE VALUES (12, 'available', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'litecoin', 'LTC', 8, 0);
INSERT INTO public.ledger_accounts (id, kind, merchant_id, environment, network, currency, decimals, balance_units) OVERRIDING SYSTEM VALUE VALUES (13, 'suspense', NULL, 'test', 'ethereum', 'USDT', 6, 26000000);
INSERT INTO public.ledger_accounts (id, kind, merchant_id, environment, network, currency, decimals, balance_units) OVERRIDING SYSTEM VALUE VALUES (14, 'available', '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'ethereum', 'USDT', 6, 25000000);
INSERT INTO public.ledger_accounts (id, kind, merchant_id, environment, network, currency, decimals, balance_units) OVERRIDING SYSTEM VALUE VALUES (8, 'fees', NULL, 'test', 'ethereum', 'USDT', 6, 3600000);
INSERT INTO public.ledger_accounts (id, kind, merchant_id, environment, network, currency, decimals, balance_units) OVERRIDING SYSTEM VALUE VALUES (7, 'chain', NULL, 'test', 'ethereum', 'USDT', 6, -231000000);
INSERT INTO public.ledger_accounts (id, kind, merchant_id, environment, network, currency, decimals, balance_units) OVERRIDING SYSTEM VALUE VALUES (9, 'available', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'ethereum', 'USDT', 6, 175900000);
INSERT INTO public.ledger_accounts (id, kind, merchant_id, environment, network, currency, decimals, balance_units) OVERRIDING SYSTEM VALUE VALUES (16, 'reserved', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'ethereum', 'USDT', 6, 0);
INSERT INTO public.ledger_accounts (id, kind, merchant_id, environment, network, currency, decimals, balance_units) OVERRIDING SYSTEM VALUE VALUES (4, 'chain', NULL, 'test', 'ethereum', 'ETH', 18, -101999558000000000000);
INSERT INTO public.ledger_accounts (id, kind, merchant_id, environment, network, currency, decimals, balance_units) OVERRIDING SYSTEM VALUE VALUES (17, 'float', NULL, 'test', 'ethereum', 'ETH', 18, 99999558000000000000);
INSERT INTO public.ledger_accounts (id, kind, merchant_id, environment, network, currency, decimals, balance_units) OVERRIDING SYSTEM VALUE VALUES (18, 'network_fees', NULL, 'test', 'ethereum', 'USDT', 6, 500000);
INSERT INTO public.ledger_accounts (id, kind, merchant_id, environment, network, currency, decimals, balance_units) OVERRIDING SYSTEM VALUE VALUES (2, 'fees', NULL, 'test', 'bitcoin', 'BTC', 8, 652600);
INSERT INTO public.ledger_accounts (id, kind, merchant_id, environment, network, currency, decimals, balance_units) OVERRIDING SYSTEM VALUE VALUES (6, 'available', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'ethereum', 'ETH', 18, 1980000000000000000);
INSERT INTO public.ledger_accounts (id, kind, merchant_id, environment, network, currency, decimals, balance_units) OVERRIDING SYSTEM VALUE VALUES (19, 'reserved', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'ethereum', 'ETH', 18, 0);
INSERT INTO public.ledger_accounts (id, kind, merchant_id, environment, network, currency, decimals, balance_units) OVERRIDING SYSTEM VALUE VALUES (15, 'reserved', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'bitcoin', 'BTC', 8, 4018120);
INSERT INTO public.ledger_accounts (id, kind, merchant_id, environment, network, currency, decimals, balance_units) OVERRIDING SYSTEM VALUE VALUES (3, 'available', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'bitcoin', 'BTC', 8, 44337870);
INSERT INTO public.ledger_accounts (id, kind, merchant_id, environment, network, currency, decimals, balance_units) OVERRIDING SYSTEM VALUE VALUES (1, 'chain', NULL, 'test', 'bitcoin', 'BTC', 8, -69008590);
INSERT INTO public.ledger_accounts (id, kind, merchant_id, environment, network, currency, decimals, balance_units) OVERRIDING SYSTEM VALUE VALUES (20, 'available', '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'bitcoin', 'BTC', 8, 14998440);
INSERT INTO public.ledger_accounts (id, kind, merchant_id, environment, network, currency, decimals, balance_units) OVERRIDING SYSTEM VALUE VALUES (21, 'reserved', '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'bitcoin', 'BTC', 8, 5001560);

INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 1, '01a1e8f1-d1ca-7fae-b4a5-86c594b4cc7c', 3, 'bitcoin', 8, 'deposit', 50000000, 50000000, 8, 'invoice', '01a1e8f1-d073-7666-b4a6-d1069404af39', NULL, '2026-11-17 09:58:44.455612+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 2, '01a1e8f1-d1ca-7fb6-b222-23b5f49b24be', 3, 'bitcoin', 8, 'fee', -500000, 49500000, 8, 'invoice', '01a1e8f1-d073-7666-b4a6-d1069404af39', NULL, '2026-11-17 09:58:44.456258+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'ETH', 1, '01a1e8f1-d44d-742c-aa2d-a1aa2bbe1d5a', 6, 'ethereum', 18, 'deposit', 2000000000000000000, 2000000000000000000, 18, 'invoice', '01a1e8f1-d262-75ce-b275-f5a9b80707a0', NULL, '2026-11-17 09:58:45.116369+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'ETH', 2, '01a1e8f1-d44d-74b3-88db-94ab6091cf8f', 6, 'ethereum', 18, 'fee', -20000000000000000, 1980000000000000000, 18, 'invoice', '01a1e8f1-d262-75ce-b275-f5a9b80707a0', NULL, '2026-11-17 09:58:45.116483+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'USDT', 1, '01a1e8f1-d833-79ab-a7b7-14b6faaeca28', 9, 'ethereum', 6, 'deposit', 300000000, 300000000000000000000, 18, 'invoice', '01a1e8f1-d4eb-7846-be34-63830d68862a', NULL, '2026-11-17 09:58:46.092128+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'USDT', 2, '01a1e8f1-d833-781a-b527-34e692c1a4d5', 9, 'ethereum', 6, 'fee', -3000000, 297000000000000000000, 18, 'invoice', '01a1e8f1-d4eb-7846-be34-63830d68862a', NULL, '2026-11-17 09:58:46.092222+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 3, '01a1e8f1-de11-75ea-99af-3746a5ab72f0', 3, 'bitcoin', 8, 'deposit', 1500000, 51000000, 8, 'invoice', '01a1e8f1-d86c-7e19-bca5-1a4869064a67', NULL, '2026-11-17 09:58:47.606018+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 4, '01a1e8f1-de11-754f-a4c3-2379d6902ccd', 3, 'bitcoin', 8, 'fee', -15000, 50985000, 8, 'invoice', '01a1e8f1-d86c-7e19-bca5-1a4869064a67', NULL, '2026-11-17 09:58:47.606424+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 5, '01a1e8f1-de11-7734-9b74-7e31146a9f58', 3, 'bitcoin', 8, 'deposit', 500000, 51485000, 8, 'invoice', '01a1e8f1-d87b-7218-a824-5961cc15a779', NULL, '2026-11-17 09:58:47.606443+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 6, '01a1e8f1-de11-70bf-af5d-53538177eb37', 3, 'bitcoin', 8, 'fee', -5000, 51480000, 8, 'invoice', '01a1e8f1-d87b-7218-a824-5961cc15a779', NULL, '2026-11-17 09:58:47.606457+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 7, '01a1e8f1-de11-75e6-83c0-cf32b44773c0', 3, 'bitcoin', 8, 'late_deposit', 3000000, 54480000, 8, 'invoice', '01a1e8f1-d885-7c9c-9d6c-efe1a5eb0db0', NULL, '2026-11-17 09:58:47.606471+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 8, '01a1e8f1-de11-7092-9f2b-613005a175c5', 3, 'bitcoin', 8, 'fee', -30000, 54450000, 8, 'invoice', '01a1e8f1-d885-7c9c-9d6c-efe1a5eb0db0', NULL, '2026-11-17 09:58:47.606485+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 9, '01a1e8f1-de11-73fe-9655-073abca89f12', 3, 'bitcoin', 8, 'deposit', 400000, 54850000, 8, 'invoice', '01a1e8f1-dc7f-73e1-afdc-ea10fbe6ec8d', NULL, '2026-11-17 09:58:47.606498+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 10, '01a1e8f1-de11-7986-a16a-eb1c32b43f8a', 3, 'bitcoin', 8, 'fee', -4000, 54846000, 8, 'invoice', '01a1e8f1-dc7f-73e1-afdc-ea10fbe6ec8d', NULL, '2026-11-17 09:58:47.606511+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 11, '01a1e8f1-de11-7b5e-adde-4f8862af1af1', 3, 'bitcoin', 8, 'deposit', 600000, 55446000, 8, 'invoice', '01a1e8f1-dd30-7804-a16c-f3ed9aa8002e', NULL, '2026-11-17 09:58:47.606524+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 12, '01a1e8f1-de11-7d22-906f-869450598801', 3, 'bitcoin', 8, 'fee', -6000, 55440000, 8, 'invoice', '01a1e8f1-dd30-7804-a16c-f3ed9aa8002e', NULL, '2026-11-17 09:58:47.606536+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'LTC', 1, '01a1e8f1-e00b-7a95-a3c8-42d5b6e62a44', 12, 'litecoin', 8, 'deposit', 300000000, 300000000, 8, 'invoice', '01a1e8f1-df50-7c91-99d8-ce9bcc702728', NULL, '2026-11-17 09:58:48.09082+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'LTC', 2, '01a1e8f1-e00b-7da6-92c4-a132ba26f655', 12, 'litecoin', 8, 'fee', -3000000, 297000000, 8, 'invoice', '01a1e8f1-df50-7c91-99d8-ce9bcc702728', NULL, '2026-11-17 09:58:48.090889+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'LTC', 3, '01a1e8f1-e0d2-74c8-9934-0f7638f505ee', 12, 'litecoin', 8, 'reversal', -297000000, 0, 8, 'invoice', '01a1e8f1-df50-7c91-99d8-ce9bcc702728', 'The payment in e40c2f9c75f6ea52e9f926cb95264cbe6b7485cab85c8f63b55a8b3c8ac94d99 was reorganised away.', '2026-11-17 09:58:48.296028+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'USDT', 1, '01a1e8f1-e271-716c-8270-9ff4a6b3ddad', 14, 'ethereum', 6, 'adjustment', 25000000, 25000000000000000000, 18, NULL, NULL, 'Released from suspense, paid in 0x38b0b0de4ab5a7e9b4ff7231b46513c1bfc5562f35581b9d7c2a902fbe204dc7: The payer took the wrong shop.', '2026-11-17 09:58:48.728309+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 13, '01a1e8f1-e549-79fa-9717-12033963e8e4', 3, 'bitcoin', 8, 'payout', -10000000, 45440000, 8, 'payout', '01a1e8f1-e519-7170-a37a-23efac8e8aef', NULL, '2026-11-17 09:58:49.461745+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 14, '01a1e8f1-e549-7861-90f3-08c5d577dd5d', 3, 'bitcoin', 8, 'payout_fee', -50000, 45390000, 8, 'payout', '01a1e8f1-e519-7170-a37a-23efac8e8aef', NULL, '2026-11-17 09:58:49.462084+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 15, '01a1e8f1-e549-76fa-86e0-61c1cbc0ab60', 3, 'bitcoin', 8, 'network_fee', -1560, 45388440, 8, 'payout', '01a1e8f1-e519-7170-a37a-23efac8e8aef', NULL, '2026-11-17 09:58:49.462098+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 16, '01a1e8f1-e903-7258-bf85-9303b1a91fd6', 3, 'bitcoin', 8, 'deposit', 10000, 45398440, 8, 'invoice', '01a1e8f1-ce21-7a73-ab5e-b12787a05511', NULL, '2026-11-17 09:58:50.490382+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 17, '01a1e8f1-e904-799a-a947-bac6d0457f55', 3, 'bitcoin', 8, 'fee', -100, 45398340, 8, 'invoice', '01a1e8f1-ce21-7a73-ab5e-b12787a05511', NULL, '2026-11-17 09:58:50.490509+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 18, '01a1e8f1-eb2e-771a-9740-05e5cab847ed', 3, 'bitcoin', 8, 'release', 855, 45399195, 8, 'payout', '01a1e8f1-e519-7170-a37a-23efac8e8aef', 'The network took less than was reserved for it.', '2026-11-17 09:58:50.980835+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'USDT', 3, '01a1e8f1-ec46-7c7f-ae5a-cf8671cc8de5', 9, 'ethereum', 6, 'payout', -120000000, 177000000000000000000, 18, 'payout', '01a1e8f1-ec29-707d-9980-46338e8312a8', NULL, '2026-11-17 09:58:51.227143+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'USDT', 4, '01a1e8f1-ec46-791c-80f5-a7fd1ab09273', 9, 'ethereum', 6, 'payout_fee', -600000, 176400000000000000000, 18, 'payout', '01a1e8f1-ec29-707d-9980-46338e8312a8', NULL, '2026-11-17 09:58:51.227251+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'USDT', 5, '01a1e8f1-ec46-7da7-9c09-c69ae8cfafec', 9, 'ethereum', 6, 'network_fee', -750000, 175650000000000000000, 18, 'payout', '01a1e8f1-ec29-707d-9980-46338e8312a8', NULL, '2026-11-17 09:58:51.22729+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'USDT', 6, '01a1e8f1-ff73-78c0-938b-d6024aef97ae', 9, 'ethereum', 6, 'release', 250000, 175900000000000000000, 18, 'payout', '01a1e8f1-ec29-707d-9980-46338e8312a8', 'The network took less than was reserved for it.', '2026-11-17 09:58:56.121585+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 19, '01a1e8f2-0055-7da2-9143-980ba1ee6c1d', 3, 'bitcoin', 8, 'deposit', 4000000, 49399195, 8, 'invoice', '01a1e8f1-ffa3-78b9-a15c-56f4cebee564', NULL, '2026-11-17 09:58:56.362577+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 20, '01a1e8f2-0055-7f3e-89e7-2002a932aa9a', 3, 'bitcoin', 8, 'fee', -40000, 49359195, 8, 'invoice', '01a1e8f1-ffa3-78b9-a15c-56f4cebee564', NULL, '2026-11-17 09:58:56.362653+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 21, '01a1e8f2-010d-719e-9b54-e64cdad62cbe', 3, 'bitcoin', 8, 'refund', -1000000, 48359195, 8, 'refund', '01a1e8f2-00fc-7279-8041-d27bc8e3692e', NULL, '2026-11-17 09:58:56.538999+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 22, '01a1e8f2-010d-7bcc-b8c9-bc7f40286139', 3, 'bitcoin', 8, 'refund_fee', -2500, 48356695, 8, 'refund', '01a1e8f2-00fc-7279-8041-d27bc8e3692e', NULL, '2026-11-17 09:58:56.541194+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 23, '01a1e8f2-010d-7096-be5f-78b7a0bc9e55', 3, 'bitcoin', 8, 'network_fee', -1560, 48355135, 8, 'refund', '01a1e8f2-00fc-7279-8041-d27bc8e3692e', NULL, '2026-11-17 09:58:56.541236+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 24, '01a1e8f2-045e-7028-987a-4ee29a2350c2', 3, 'bitcoin', 8, 'release', 855, 48355990, 8, 'refund', '01a1e8f2-00fc-7279-8041-d27bc8e3692e', 'The network took less than was reserved for it.', '2026-11-17 09:58:57.39884+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 25, '01a1e8f2-04d3-7b7b-999c-fbe87bb12e0f', 3, 'bitcoin', 8, 'refund', -2000000, 46355990, 8, 'refund', '01a1e8f2-04c3-7574-b773-cd05247af7eb', NULL, '2026-11-17 09:58:57.508352+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 26, '01a1e8f2-04d3-7457-9b33-a5ca954833cf', 3, 'bitcoin', 8, 'refund_fee', -5000, 46350990, 8, 'refund', '01a1e8f2-04c3-7574-b773-cd05247af7eb', NULL, '2026-11-17 09:58:57.50843+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 27, '01a1e8f2-04d3-7ac5-9bb6-1b0f65ca264e', 3, 'bitcoin', 8, 'network_fee', -1560, 46349430, 8, 'refund', '01a1e8f2-04c3-7574-b773-cd05247af7eb', NULL, '2026-11-17 09:58:57.508442+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'ETH', 3, '01a1e8f2-0504-7cd2-b37a-fa6214971755', 6, 'ethereum', 18, 'payout', -200000000000000000, 1780000000000000000, 18, 'payout', '01a1e8f2-04fe-73f4-8fce-5db0d2d11cdb', NULL, '2026-11-17 09:58:57.550232+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'ETH', 4, '01a1e8f2-0504-73e5-9442-a25d60830bf6', 6, 'ethereum', 18, 'payout_fee', -1000000000000000, 1779000000000000000, 18, 'payout', '01a1e8f2-04fe-73f4-8fce-5db0d2d11cdb', NULL, '2026-11-17 09:58:57.550329+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'ETH', 5, '01a1e8f2-0504-7447-a05f-eeda648f59ae', 6, 'ethereum', 18, 'network_fee', -63000000000000, 1778937000000000000, 18, 'payout', '01a1e8f2-04fe-73f4-8fce-5db0d2d11cdb', NULL, '2026-11-17 09:58:57.550343+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'ETH', 6, '01a1e8f2-07d0-7429-b756-6249d4c3e638', 6, 'ethereum', 18, 'release', 201063000000000000, 1980000000000000000, 18, 'payout', '01a1e8f2-04fe-73f4-8fce-5db0d2d11cdb', 'The payout failed.', '2026-11-17 09:58:58.271222+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 28, '01a1e8f2-081c-7488-bdd1-725e9e02b47b', 3, 'bitcoin', 8, 'payout', -2000000, 44349430, 8, 'payout', '01a1e8f2-0819-7648-b545-980e07240ff2', NULL, '2026-11-17 09:58:58.340695+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 29, '01a1e8f2-081c-783f-b2fa-dd70dbaa3563', 3, 'bitcoin', 8, 'payout_fee', -10000, 44339430, 8, 'payout', '01a1e8f2-0819-7648-b545-980e07240ff2', NULL, '2026-11-17 09:58:58.340779+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 30, '01a1e8f2-081c-7339-95ec-c4f0eb5c2e9c', 3, 'bitcoin', 8, 'network_fee', -1560, 44337870, 8, 'payout', '01a1e8f2-0819-7648-b545-980e07240ff2', NULL, '2026-11-17 09:58:58.340792+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 31, '01a1e8f2-082d-77d7-b4ae-ab2c176b27c2', 3, 'bitcoin', 8, 'payout', -3000000, 41337870, 8, 'payout', '01a1e8f2-082a-7cb8-89e0-9e75ee55a795', NULL, '2026-11-17 09:58:58.384063+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 32, '01a1e8f2-082d-7e72-bedb-3072baa3f7b1', 3, 'bitcoin', 8, 'payout_fee', -15000, 41322870, 8, 'payout', '01a1e8f2-082a-7cb8-89e0-9e75ee55a795', NULL, '2026-11-17 09:58:58.384249+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 33, '01a1e8f2-082d-7fd1-b7ca-818c04a444c0', 3, 'bitcoin', 8, 'network_fee', -1560, 41321310, 8, 'payout', '01a1e8f2-082a-7cb8-89e0-9e75ee55a795', NULL, '2026-11-17 09:58:58.384263+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 34, '01a1e8f2-085e-728e-82ba-eeeefbe7ae08', 3, 'bitcoin', 8, 'release', 3016560, 44337870, 8, 'payout', '01a1e8f2-082a-7cb8-89e0-9e75ee55a795', 'The payout was cancelled.', '2026-11-17 09:58:58.411476+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'BTC', 1, '01a1e8f2-09a0-704d-9432-54e99686da76', 20, 'bitcoin', 8, 'deposit', 20000000, 20000000, 8, 'invoice', '01a1e8f2-08ad-7242-9a95-7005553a6359', NULL, '2026-11-17 09:58:58.73398+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'BTC', 2, '01a1e8f2-09e4-7817-af8d-e9db74c8dc9f', 20, 'bitcoin', 8, 'payout', -5000000, 15000000, 8, 'payout', '01a1e8f2-09e0-7ed2-b4cd-7d7cf72f2454', NULL, '2026-11-17 09:58:58.798258+00');
INSERT INTO public.ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description, created_at) VALUES ('01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'BTC', 3, '01a1e8f2-09e4-7ff3-9759-59a8e54a9184', 20, 'bitcoin', 8, 'network_fee', -1560, 14998440, 8, 'payout', '01a1e8f2-09e0-7ed2-b4cd-7d7cf72f2454', NULL, '2026-11-17 09:58:58.79832+00');

INSERT INTO public.ledger_numbers (merchant_id, environment, currency, last_number) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'LTC', 3);
INSERT INTO public.ledger_numbers (merchant_id, environment, currency, last_number) VALUES ('01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'USDT', 1);
INSERT INTO public.ledger_numbers (merchant_id, environment, currency, last_number) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'USDT', 6);
INSERT INTO public.ledger_numbers (merchant_id, environment, currency, last_number) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'ETH', 6);
INSERT INTO public.ledger_numbers (merchant_id, environment, currency, last_number) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 34);
INSERT INTO public.ledger_numbers (merchant_id, environment, currency, last_number) VALUES ('01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'BTC', 3);

INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-d1ca-7fae-b4a5-86c594b4cc7c', 'deposit', '01a1e8f1-d0ed-7515-b1c1-17a5c1c2866d', 1, '2026-11-17 09:58:44.441207+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-d1ca-7fb6-b222-23b5f49b24be', 'fee', '01a1e8f1-d0ed-7515-b1c1-17a5c1c2866d', 1, '2026-11-17 09:58:44.441442+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-d44d-742c-aa2d-a1aa2bbe1d5a', 'deposit', '01a1e8f1-d29e-7440-89cc-29a44ae5e44b', 1, '2026-11-17 09:58:45.101172+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-d44d-74b3-88db-94ab6091cf8f', 'fee', '01a1e8f1-d29e-7440-89cc-29a44ae5e44b', 1, '2026-11-17 09:58:45.101218+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-d833-79ab-a7b7-14b6faaeca28', 'deposit', '01a1e8f1-d60c-7bfb-af43-8630c5904eb0', 1, '2026-11-17 09:58:46.089827+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-d833-781a-b527-34e692c1a4d5', 'fee', '01a1e8f1-d60c-7bfb-af43-8630c5904eb0', 1, '2026-11-17 09:58:46.089872+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-de11-75ea-99af-3746a5ab72f0', 'deposit', '01a1e8f1-d91f-7315-ac9a-cae7f457a8ea', 1, '2026-11-17 09:58:47.587801+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-de11-754f-a4c3-2379d6902ccd', 'fee', '01a1e8f1-d91f-7315-ac9a-cae7f457a8ea', 1, '2026-11-17 09:58:47.587971+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-de11-7734-9b74-7e31146a9f58', 'deposit', '01a1e8f1-d9cf-71cd-b6e8-57d31aaf73cc', 1, '2026-11-17 09:58:47.587976+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-de11-70bf-af5d-53538177eb37', 'fee', '01a1e8f1-d9cf-71cd-b6e8-57d31aaf73cc', 1, '2026-11-17 09:58:47.587979+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-de11-75e6-83c0-cf32b44773c0', 'late_deposit', '01a1e8f1-da9e-785a-8c9b-450278494170', 1, '2026-11-17 09:58:47.587982+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-de11-7092-9f2b-613005a175c5', 'fee', '01a1e8f1-da9e-785a-8c9b-450278494170', 1, '2026-11-17 09:58:47.587985+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-de11-73fe-9655-073abca89f12', 'deposit', '01a1e8f1-dc80-7df8-bee3-7532a53251db', 1, '2026-11-17 09:58:47.587988+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-de11-7986-a16a-eb1c32b43f8a', 'fee', '01a1e8f1-dc80-7df8-bee3-7532a53251db', 1, '2026-11-17 09:58:47.587991+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-de11-7b5e-adde-4f8862af1af1', 'deposit', '01a1e8f1-dd30-7a25-b5b5-8153aa5a2942', 1, '2026-11-17 09:58:47.587993+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-de11-7d22-906f-869450598801', 'fee', '01a1e8f1-dd30-7a25-b5b5-8153aa5a2942', 1, '2026-11-17 09:58:47.587996+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-e00b-7a95-a3c8-42d5b6e62a44', 'deposit', '01a1e8f1-df9d-73b9-8ff7-403e6adbe700', 1, '2026-11-17 09:58:48.084514+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-e00b-7da6-92c4-a132ba26f655', 'fee', '01a1e8f1-df9d-73b9-8ff7-403e6adbe700', 1, '2026-11-17 09:58:48.084542+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-e0d2-74c8-9934-0f7638f505ee', 'reversal', '01a1e8f1-df9d-73b9-8ff7-403e6adbe700', 1, '2026-11-17 09:58:48.286457+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-e20b-7e5b-87dc-97a5c05512ef', 'suspense', '01a1e8f1-e15a-7221-8822-94422c476ea0', 1, '2026-11-17 09:58:48.59514+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-e20b-7c4e-b854-e33f090eb324', 'suspense', '01a1e8f1-e1a1-71d1-bc50-e04dd02e8f17', 1, '2026-11-17 09:58:48.595173+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-e271-716c-8270-9ff4a6b3ddad', 'adjustment', '01a1e8f1-e15a-7221-8822-94422c476ea0', 2, '2026-11-17 09:58:48.709425+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-e549-79fa-9717-12033963e8e4', 'payout', '01a1e8f1-e519-7170-a37a-23efac8e8aef', 1, '2026-11-17 09:58:49.453305+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-e549-7861-90f3-08c5d577dd5d', 'payout_fee', '01a1e8f1-e519-7170-a37a-23efac8e8aef', 1, '2026-11-17 09:58:49.453425+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-e549-76fa-86e0-61c1cbc0ab60', 'network_fee', '01a1e8f1-e519-7170-a37a-23efac8e8aef', 1, '2026-11-17 09:58:49.45343+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-e903-7258-bf85-9303b1a91fd6', 'deposit', '01a1e8f1-df0e-72e2-9d32-73ee43dc9375', 1, '2026-11-17 09:58:50.47031+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-e904-799a-a947-bac6d0457f55', 'fee', '01a1e8f1-df0e-72e2-9d32-73ee43dc9375', 1, '2026-11-17 09:58:50.470346+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-eb2e-7b4c-9f6e-b04adcfc888e', 'settlement', '01a1e8f1-e519-7170-a37a-23efac8e8aef', 1, '2026-11-17 09:58:50.974327+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-eb2e-771a-9740-05e5cab847ed', 'release', '01a1e8f1-e519-7170-a37a-23efac8e8aef', 1, '2026-11-17 09:58:50.974363+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-ec46-7c7f-ae5a-cf8671cc8de5', 'payout', '01a1e8f1-ec29-707d-9980-46338e8312a8', 1, '2026-11-17 09:58:51.216937+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-ec46-791c-80f5-a7fd1ab09273', 'payout_fee', '01a1e8f1-ec29-707d-9980-46338e8312a8', 1, '2026-11-17 09:58:51.216966+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-ec46-7da7-9c09-c69ae8cfafec', 'network_fee', '01a1e8f1-ec29-707d-9980-46338e8312a8', 1, '2026-11-17 09:58:51.216981+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-f04a-7b99-9cc7-eabd0ebed47d', 'float', '01a1e8f1-ed9f-78d4-9b67-3f7a48c4a534', 1, '2026-11-17 09:58:52.254749+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-f5f8-7217-b97b-fee3a3185b34', 'gas', '01a1e8f1-f1ea-789f-a904-caad769ae745', 1, '2026-11-17 09:58:53.764066+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-f985-7961-a3ba-2c8bd02441a8', 'gas', '01a1e8f1-f1ee-70e3-b0ee-462a1a333101', 1, '2026-11-17 09:58:54.613258+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-ff73-7336-afdc-b13e7e4807f0', 'settlement', '01a1e8f1-ec29-707d-9980-46338e8312a8', 1, '2026-11-17 09:58:56.119434+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-ff73-78c0-938b-d6024aef97ae', 'release', '01a1e8f1-ec29-707d-9980-46338e8312a8', 1, '2026-11-17 09:58:56.119457+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f1-ff73-76c5-bb3b-804122d4758a', 'gas', '01a1e8f1-fa50-77e3-b991-03446bed2264', 1, '2026-11-17 09:58:56.119462+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-0055-7da2-9143-980ba1ee6c1d', 'deposit', '01a1e8f1-ffd8-7f02-b989-255dd5b9b278', 1, '2026-11-17 09:58:56.356575+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-0055-7f3e-89e7-2002a932aa9a', 'fee', '01a1e8f1-ffd8-7f02-b989-255dd5b9b278', 1, '2026-11-17 09:58:56.356606+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-010d-719e-9b54-e64cdad62cbe', 'refund', '01a1e8f2-00ff-7b5a-be97-e7d0b4e2b377', 1, '2026-11-17 09:58:56.535001+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-010d-7bcc-b8c9-bc7f40286139', 'refund_fee', '01a1e8f2-00ff-7b5a-be97-e7d0b4e2b377', 1, '2026-11-17 09:58:56.535028+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-010d-7096-be5f-78b7a0bc9e55', 'network_fee', '01a1e8f2-00ff-7b5a-be97-e7d0b4e2b377', 1, '2026-11-17 09:58:56.535032+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-045e-72a9-833b-f1b41e52003e', 'settlement', '01a1e8f2-00ff-7b5a-be97-e7d0b4e2b377', 1, '2026-11-17 09:58:57.384813+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-045e-7028-987a-4ee29a2350c2', 'release', '01a1e8f2-00ff-7b5a-be97-e7d0b4e2b377', 1, '2026-11-17 09:58:57.384843+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-04d3-7b7b-999c-fbe87bb12e0f', 'refund', '01a1e8f2-04c9-7ea7-b554-87b6d1854ba9', 1, '2026-11-17 09:58:57.502177+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-04d3-7457-9b33-a5ca954833cf', 'refund_fee', '01a1e8f2-04c9-7ea7-b554-87b6d1854ba9', 1, '2026-11-17 09:58:57.502206+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-04d3-7ac5-9bb6-1b0f65ca264e', 'network_fee', '01a1e8f2-04c9-7ea7-b554-87b6d1854ba9', 1, '2026-11-17 09:58:57.50221+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-0504-7cd2-b37a-fa6214971755', 'payout', '01a1e8f2-04fe-73f4-8fce-5db0d2d11cdb', 1, '2026-11-17 09:58:57.545757+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-0504-73e5-9442-a25d60830bf6', 'payout_fee', '01a1e8f2-04fe-73f4-8fce-5db0d2d11cdb', 1, '2026-11-17 09:58:57.545785+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-0504-7447-a05f-eeda648f59ae', 'network_fee', '01a1e8f2-04fe-73f4-8fce-5db0d2d11cdb', 1, '2026-11-17 09:58:57.545789+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-07d0-7429-b756-6249d4c3e638', 'release', '01a1e8f2-04fe-73f4-8fce-5db0d2d11cdb', 1, '2026-11-17 09:58:58.269946+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-081c-7488-bdd1-725e9e02b47b', 'payout', '01a1e8f2-0819-7648-b545-980e07240ff2', 1, '2026-11-17 09:58:58.339305+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-081c-783f-b2fa-dd70dbaa3563', 'payout_fee', '01a1e8f2-0819-7648-b545-980e07240ff2', 1, '2026-11-17 09:58:58.339329+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-081c-7339-95ec-c4f0eb5c2e9c', 'network_fee', '01a1e8f2-0819-7648-b545-980e07240ff2', 1, '2026-11-17 09:58:58.339333+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-082d-77d7-b4ae-ab2c176b27c2', 'payout', '01a1e8f2-082a-7cb8-89e0-9e75ee55a795', 1, '2026-11-17 09:58:58.360316+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-082d-7e72-bedb-3072baa3f7b1', 'payout_fee', '01a1e8f2-082a-7cb8-89e0-9e75ee55a795', 1, '2026-11-17 09:58:58.360342+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-082d-7fd1-b7ca-818c04a444c0', 'network_fee', '01a1e8f2-082a-7cb8-89e0-9e75ee55a795', 1, '2026-11-17 09:58:58.360346+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-085e-728e-82ba-eeeefbe7ae08', 'release', '01a1e8f2-082a-7cb8-89e0-9e75ee55a795', 1, '2026-11-17 09:58:58.410254+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-09a0-704d-9432-54e99686da76', 'deposit', '01a1e8f2-08de-7446-b217-843e18ba30a3', 1, '2026-11-17 09:58:58.732082+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-09e4-7817-af8d-e9db74c8dc9f', 'payout', '01a1e8f2-09e0-7ed2-b4cd-7d7cf72f2454', 1, '2026-11-17 09:58:58.797201+00');
INSERT INTO public.ledger_transactions (id, entry_type, subject, occurrence, created_at) VALUES ('01a1e8f2-09e4-7ff3-9759-59a8e54a9184', 'network_fee', '01a1e8f2-09e0-7ed2-b4cd-7d7cf72f2454', 1, '2026-11-17 09:58:58.797231+00');

INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('invoices', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'cancelled', 'LTC', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('events', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.cancelled', '', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('invoices', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'pending', '', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('invoices', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'paid', 'ETH', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'deposit', 'ETH', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'fee', 'ETH', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('invoices', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'paid', 'USDT', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'fee', 'USDT', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'deposit', 'USDT', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('static_addresses', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', '', 'BTC', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('invoices', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'pending', 'USDT', 0, 0);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('invoices', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'expired', 'BTC', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('events', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.expired', '', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('invoices', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'overpaid', 'BTC', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'late_deposit', 'BTC', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('events', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.late_deposit', '', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('events', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.overpaid', '', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('events', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'refund.completed', '', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'network_fee', 'ETH', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout_fee', 'ETH', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout', 'ETH', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('payouts', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'failed', '', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'release', 'ETH', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('events', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout.failed', '', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'fee', 'LTC', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'deposit', 'LTC', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'reversal', 'LTC', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('events', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.deposit_reversed', '', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('invoices', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'paid', 'LTC', 0, 0);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('invoices', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'pending', 'LTC', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('invoices', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'pending', 'ETH', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('invoices_of_address', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', '01a1e8f1-d8a8-7f85-a2d1-0aa7652bf363', '', 0, 2);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'release', 'USDT', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'deposit', 'BTC', 0, 7);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('invoices', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'paid', 'BTC', 0, 4);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('invoices', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'pending', 'BTC', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'fee', 'BTC', 0, 8);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('events', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'balance.credited', '', 0, 11);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('events', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.confirming', '', 0, 14);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('events', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.payment_detected', '', 0, 10);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('events', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.paid', '', 0, 8);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('invoices', '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'paid', 'BTC', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'deposit', 'BTC', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('events', '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'invoice.paid', '', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'network_fee', 'BTC', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'payout', 'BTC', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('payouts', '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'approved', '', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('events', '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'payout.approved', '', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('invoices', '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'pending', 'BTC', 0, 0);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('events', '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'balance.credited', '', 0, 2);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('payouts', '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'pending_approval', '', 0, 0);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'adjustment', 'USDT', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'network_fee', 'USDT', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout_fee', 'USDT', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout', 'USDT', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('events', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'invoice.underpaid', '', 0, 2);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('invoices', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'underpaid', 'BTC', 0, 2);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'release', 'BTC', 0, 3);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout_fee', 'BTC', 0, 3);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('refunds', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', '', '', 0, 2);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('events', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout.completed', '', 0, 3);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'refund_fee', 'BTC', 0, 2);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout', 'BTC', 0, 3);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('payouts', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'completed', '', 0, 3);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('payouts', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'processing', '', 0, 0);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'network_fee', 'BTC', 0, 5);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('payouts', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'pending_approval', '', 0, 2);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('ledger_entries', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'refund', 'BTC', 0, 2);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('events', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout.approved', '', 0, 4);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('events', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout.processing', '', 0, 4);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('payouts', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'approved', '', 0, 0);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('events', '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'invoice.payment_detected', '', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('payouts', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'cancelled', '', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('events', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'payout.cancelled', '', 0, 1);
INSERT INTO public.list_counts (list, merchant_id, environment, facet, currency, bucket, difference) VALUES ('events', '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'invoice.confirming', '', 0, 1);

INSERT INTO public.memberships (merchant_id, user_id, role, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', '01a1e8f2-0b4e-71d9-819f-96390a88e6a1', 'owner', '2026-11-17 09:58:59.162368+00');
INSERT INTO public.memberships (merchant_id, user_id, role, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', '01a1e8f2-0c28-7bf0-8d5c-ff2ff5ac6b77', 'viewer', '2026-11-17 09:58:59.375423+00');

INSERT INTO public.merchant_totals (merchant_id, environment, currency, network, decimals, pending_units, received_units, fee_units, paid_out_units) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'ETH', 'ethereum', 18, 0, 2000000000000000000, 20000000000000000, 0);
INSERT INTO public.merchant_totals (merchant_id, environment, currency, network, decimals, pending_units, received_units, fee_units, paid_out_units) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'LTC', 'litecoin', 8, 0, 0, 0, 0);
INSERT INTO public.merchant_totals (merchant_id, environment, currency, network, decimals, pending_units, received_units, fee_units, paid_out_units) VALUES ('01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'USDT', 'ethereum', 6, 0, 0, 0, 0);
INSERT INTO public.merchant_totals (merchant_id, environment, currency, network, decimals, pending_units, received_units, fee_units, paid_out_units) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'USDT', 'ethereum', 6, 0, 300000000, 4100000, 120000000);
INSERT INTO public.merchant_totals (merchant_id, environment, currency, network, decimals, pending_units, received_units, fee_units, paid_out_units) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 'bitcoin', 8, 0, 60010000, 654010, 11000000);
INSERT INTO public.merchant_totals (merchant_id, environment, currency, network, decimals, pending_units, received_units, fee_units, paid_out_units) VALUES ('01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'BTC', 'bitcoin', 8, 0, 20000000, 0, 0);

INSERT INTO public.merchants (id, name, base_currency, fee_bps, payout_fee_bps, refund_fee_bps, underpayment_tolerance_bps, created_at) VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'Test shop', 'USD', 100, 50, 25, 100, '2026-11-17 09:58:43.053346+00');
INSERT INTO public.merchants (id, name, base_currency, fee_bps, payout_fee_bps, refund_fee_bps, underpayment_tolerance_bps, created_at) VALUES ('01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'Test shop', 'EUR', 0, 0, 0, 0, '2026-11-17 09:58:43.127506+00');

INSERT INTO public.one_time_links (id, purpose, token_hash, email, merchant_id, role, made_by, created_at, expires_at, used_at) VALUES ('01a1e8f2-14c1-76cf-9b1b-a83b1eb78845', 'invite', NULL, 'nina@example.com', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'finance', 'cli:ada', '2026-11-17 09:59:01.603452+00', '2026-11-24 09:59:01.603452+00', NULL);

INSERT INTO public.passkey_enrolments (merchant_id, credential_id, "position", passkey_id, user_id, public_key, name, created_at, voucher_credential_id, voucher_authenticator_data, voucher_client_data_json, voucher_signature, vouched_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-cc2d-78d4-9a8c-42b32972b499', '\x51e72b9b686ee15efa626b1d2f4335c0a7506a100e9b6aed7d41752810f771d1', 1, '01a1e8f2-11ad-7c90-8145-3d2d83b723e2', '01a1e8f2-0b4e-71d9-819f-96390a88e6a1', '\xa50102032620012158208eab3c8350a2a297f73e26cbf8465bcebbf2972a5356bdc21130962e9ea901e02258202e47ac4b7cf9d2becde539115370f7d079731d473dd131c85f94334278113a9f', 'Olga’s laptop', '2026-11-17 09:59:00.825641+00', NULL, NULL, NULL, NULL, NULL);

INSERT INTO public.passkey_pins (environment, merchant_id, credential_id, pinned_at) VALUES ('test', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', '\x51e72b9b686ee15efa626b1d2f4335c0a7506a100e9b6aed7d41752810f771d1', '2026-11-17 09:59:01.033+00');

INSERT INTO public.passkeys (id, user_id, credential_id, public_key, sign_count, transports, is_backed_up, name, created_at, last_used_at) VALUES ('01a1e8f2-11ad-7c90-8145-3d2d83b723e2', '01a1e8f2-0b4e-71d9-819f-96390a88e6a1', '\x51e72b9b686ee15efa626b1d2f4335c0a7506a100e9b6aed7d41752810f771d1', '\xa50102032620012158208eab3c8350a2a297f73e26cbf8465bcebbf2972a5356bdc21130962e9ea901e02258202e47ac4b7cf9d2becde539115370f7d079731d473dd131c85f94334278113a9f', 0, '{internal}', false, 'Olga’s laptop', '2026-11-17 09:59:00.811951+00', NULL);

INSERT INTO public.payment_bookings (payment_id, credited, credits, late, fee_units, confirmed_at) VALUES ('01a1e8f1-d0ed-7515-b1c1-17a5c1c2866d', true, 1, false, 500000, '2026-11-17 09:58:44.425727+00');
INSERT INTO public.payment_bookings (payment_id, credited, credits, late, fee_units, confirmed_at) VALUES ('01a1e8f1-d29e-7440-89cc-29a44ae5e44b', true, 1, false, 20000000000000000, '2026-11-17 09:58:45.07059+00');
INSERT INTO public.payment_bookings (payment_id, credited, credits, late, fee_units, confirmed_at) VALUES ('01a1e8f1-d60c-7bfb-af43-8630c5904eb0', true, 1, false, 3000000, '2026-11-17 09:58:46.068452+00');
INSERT INTO public.payment_bookings (payment_id, credited, credits, late, fee_units, confirmed_at) VALUES ('01a1e8f1-d91f-7315-ac9a-cae7f457a8ea', true, 1, false, 15000, '2026-11-17 09:58:47.569148+00');
INSERT INTO public.payment_bookings (payment_id, credited, credits, late, fee_units, confirmed_at) VALUES ('01a1e8f1-d9cf-71cd-b6e8-57d31aaf73cc', true, 1, false, 5000, '2026-11-17 09:58:47.569209+00');
INSERT INTO public.payment_bookings (payment_id, credited, credits, late, fee_units, confirmed_at) VALUES ('01a1e8f1-da9e-785a-8c9b-450278494170', true, 1, true, 30000, '2026-11-17 09:58:47.569215+00');
INSERT INTO public.payment_bookings (payment_id, credited, credits, late, fee_units, confirmed_at) VALUES ('01a1e8f1-dc80-7df8-bee3-7532a53251db', true, 1, false, 4000, '2026-11-17 09:58:47.569219+00');
INSERT INTO public.payment_bookings (payment_id, credited, credits, late, fee_units, confirmed_at) VALUES ('01a1e8f1-dd30-7a25-b5b5-8153aa5a2942', true, 1, false, 6000, '2026-11-17 09:58:47.569224+00');
INSERT INTO public.payment_bookings (payment_id, credited, credits, late, fee_units, confirmed_at) VALUES ('01a1e8f1-df9d-73b9-8ff7-403e6adbe700', false, 1, false, 0, NULL);
INSERT INTO public.payment_bookings (payment_id, credited, credits, late, fee_units, confirmed_at) VALUES ('01a1e8f1-e15a-7221-8822-94422c476ea0', true, 1, false, 0, '2026-11-17 09:58:48.586521+00');
INSERT INTO public.payment_bookings (payment_id, credited, credits, late, fee_units, confirmed_at) VALUES ('01a1e8f1-e1a1-71d1-bc50-e04dd02e8f17', true, 1, false, 0, '2026-11-17 09:58:48.586564+00');
INSERT INTO public.payment_bookings (payment_id, credited, credits, late, fee_units, confirmed_at) VALUES ('01a1e8f1-df0e-72e2-9d32-73ee43dc9375', true, 1, false, 100, '2026-11-17 09:58:50.37071+00');
INSERT INTO public.payment_bookings (payment_id, credited, credits, late, fee_units, confirmed_at) VALUES ('01a1e8f1-ed9f-78d4-9b67-3f7a48c4a534', true, 1, false, 0, '2026-11-17 09:58:52.22931+00');
INSERT INTO public.payment_bookings (payment_id, credited, credits, late, fee_units, confirmed_at) VALUES ('01a1e8f1-ffd8-7f02-b989-255dd5b9b278', true, 1, false, 40000, '2026-11-17 09:58:56.338349+00');
INSERT INTO public.payment_bookings (payment_id, credited, credits, late, fee_units, confirmed_at) VALUES ('01a1e8f2-08de-7446-b217-843e18ba30a3', true, 1, false, 0, '2026-11-17 09:58:58.72213+00');

INSERT INTO public.payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units, address, address_tag, by_balance, invoice_id, suspense_reason, for_merchant_id, for_invoice_id, for_static_address_id, required_confirmations, seen_at, waiting, block_height, block_hash, pinned_by) VALUES ('01a1e8f1-d29e-7440-89cc-29a44ae5e44b', 'ethereum-test', '0x7dd8a3864fbf950fa8df6863a495b1d9ca6fcc02e861e9dbe6b01b494b21de8a', 0, 'test', 'ETH', 'ethereum', 18, 2000000000000000000, '0x373B4b3e23AB506f63dB30175273cD89f7E1f8e7', NULL, false, '01a1e8f1-d262-75ce-b275-f5a9b80707a0', NULL, NULL, NULL, NULL, 12, '2026-11-17 09:58:44.613+00', false, 1, '5975bbae4011dbc5899e9e266d251e9864409ce324b90b69dc66d28e38fa4afc', NULL);
INSERT INTO public.payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units, address, address_tag, by_balance, invoice_id, suspense_reason, for_merchant_id, for_invoice_id, for_static_address_id, required_confirmations, seen_at, waiting, block_height, block_hash, pinned_by) VALUES ('01a1e8f1-d9cf-71cd-b6e8-57d31aaf73cc', 'bitcoin-test', '2f3f7ef2272143f7bfc26443e3a9b36f589e686d6824300fa3b0fcd17b587e5e', 0, 'test', 'BTC', 'bitcoin', 8, 500000, 'tb1qdfl6xh0jn39m3rw08mcvzzr8v0z4m5rcm5rty7', NULL, false, '01a1e8f1-d87b-7218-a824-5961cc15a779', NULL, NULL, NULL, NULL, 2, '2026-11-17 09:58:46.437+00', false, 3, 'aa03aa2ac5bf708f0eadab706f2eee94e61790ec172b08e51df43f590c1cef57', NULL);
INSERT INTO public.payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units, address, address_tag, by_balance, invoice_id, suspense_reason, for_merchant_id, for_invoice_id, for_static_address_id, required_confirmations, seen_at, waiting, block_height, block_hash, pinned_by) VALUES ('01a1e8f1-da9e-785a-8c9b-450278494170', 'bitcoin-test', 'e1805427a0136991f9dcf88bfc5e0000d07b5c95b38b525ffca16c695cac4fba', 0, 'test', 'BTC', 'bitcoin', 8, 3000000, 'tb1qrqauwtcxvu5x7ce8sdjlznefxdcdpz97hj2gft', NULL, false, '01a1e8f1-d885-7c9c-9d6c-efe1a5eb0db0', NULL, NULL, NULL, NULL, 2, '2026-11-17 09:58:46.674+00', false, 3, 'aa03aa2ac5bf708f0eadab706f2eee94e61790ec172b08e51df43f590c1cef57', NULL);
INSERT INTO public.payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units, address, address_tag, by_balance, invoice_id, suspense_reason, for_merchant_id, for_invoice_id, for_static_address_id, required_confirmations, seen_at, waiting, block_height, block_hash, pinned_by) VALUES ('01a1e8f1-dc80-7df8-bee3-7532a53251db', 'bitcoin-test', 'c5772a702d927430a278e715f0fbe0bde6035833eae9fde83ce141acb79a0816', 0, 'test', 'BTC', 'bitcoin', 8, 400000, 'tb1q0trf64wc8y9whrdshld07cgzhmxz8s2nykfjw0', NULL, false, '01a1e8f1-dc7f-73e1-afdc-ea10fbe6ec8d', NULL, NULL, NULL, NULL, 2, '2026-11-17 09:58:47.125+00', false, 3, 'aa03aa2ac5bf708f0eadab706f2eee94e61790ec172b08e51df43f590c1cef57', NULL);
INSERT INTO public.payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units, address, address_tag, by_balance, invoice_id, suspense_reason, for_merchant_id, for_invoice_id, for_static_address_id, required_confirmations, seen_at, waiting, block_height, block_hash, pinned_by) VALUES ('01a1e8f1-dd30-7a25-b5b5-8153aa5a2942', 'bitcoin-test', '9a39317929ebeb52db0c851004a549ff97deb49daaa2b8132c970d2a140f516f', 0, 'test', 'BTC', 'bitcoin', 8, 600000, 'tb1q0trf64wc8y9whrdshld07cgzhmxz8s2nykfjw0', NULL, false, '01a1e8f1-dd30-7804-a16c-f3ed9aa8002e', NULL, NULL, NULL, NULL, 2, '2026-11-17 09:58:47.315+00', false, 3, 'aa03aa2ac5bf708f0eadab706f2eee94e61790ec172b08e51df43f590c1cef57', NULL);
INSERT INTO public.payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units, address, address_tag, by_balance, invoice_id, suspense_reason, for_merchant_id, for_invoice_id, for_static_address_id, required_confirmations, seen_at, waiting, block_height, block_hash, pinned_by) VALUES ('01a1e8f1-df9d-73b9-8ff7-403e6adbe700', 'litecoin-test', 'e40c2f9c75f6ea52e9f926cb95264cbe6b7485cab85c8f63b55a8b3c8ac94d99', 0, 'test', 'LTC', 'litecoin', 8, 300000000, 'tltc1qt8tgww02ynh6uzjzjxavh0c8x5cman0f9ma0sn', NULL, false, '01a1e8f1-df50-7c91-99d8-ce9bcc702728', NULL, NULL, NULL, NULL, 6, '2026-11-17 09:58:47.932+00', false, NULL, NULL, NULL);
INSERT INTO public.payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units, address, address_tag, by_balance, invoice_id, suspense_reason, for_merchant_id, for_invoice_id, for_static_address_id, required_confirmations, seen_at, waiting, block_height, block_hash, pinned_by) VALUES ('01a1e8f1-e15a-7221-8822-94422c476ea0', 'ethereum-test', '0x38b0b0de4ab5a7e9b4ff7231b46513c1bfc5562f35581b9d7c2a902fbe204dc7', 0, 'test', 'USDT', 'ethereum', 6, 25000000, '0x72eF96D6A31c7891E28398d49CD4Fa1Bf4537564', NULL, false, NULL, 'wrong_currency', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', '01a1e8f1-e123-7769-9d5f-bb1ed146d100', NULL, 12, '2026-11-17 09:58:48.393+00', false, 25, '86b081a2e1c54fd3ca3f05bf33a01436b8fea9ae63d4c0b5a4ae7a14b8262554', NULL);
INSERT INTO public.payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units, address, address_tag, by_balance, invoice_id, suspense_reason, for_merchant_id, for_invoice_id, for_static_address_id, required_confirmations, seen_at, waiting, block_height, block_hash, pinned_by) VALUES ('01a1e8f1-e1a1-71d1-bc50-e04dd02e8f17', 'ethereum-test', '0x320e0a80ae6414e0c3c2e98afd899445737caa9706f03e2efb332e23ba56ff99', 0, 'test', 'USDT', 'ethereum', 6, 26000000, '0x72eF96D6A31c7891E28398d49CD4Fa1Bf4537564', NULL, false, NULL, 'wrong_currency', '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', '01a1e8f1-e123-7769-9d5f-bb1ed146d100', NULL, 12, '2026-11-17 09:58:48.455+00', false, 25, '86b081a2e1c54fd3ca3f05bf33a01436b8fea9ae63d4c0b5a4ae7a14b8262554', NULL);
INSERT INTO public.payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units, address, address_tag, by_balance, invoice_id, suspense_reason, for_merchant_id, for_invoice_id, for_static_address_id, required_confirmations, seen_at, waiting, block_height, block_hash, pinned_by) VALUES ('01a1e8f1-d0ed-7515-b1c1-17a5c1c2866d', 'bitcoin-test', '34d3013663a37caf248527bde7c93fe28f5dc921339b5efa8eb5451d21e7a4f0', 0, 'test', 'BTC', 'bitcoin', 8, 50000000, 'tb1qq3mkglz2k0g0qxe0g7tjmka5uzgecke8gn39lz', NULL, false, '01a1e8f1-d073-7666-b4a6-d1069404af39', NULL, NULL, NULL, NULL, 2, '2026-11-17 09:58:44.17+00', false, 1, 'ba3436364b43eec3c6b6816a1179003a0d8e292fe9b6525305d029eaeb6e17eb', '01a1e8f1-e6eb-7c85-bbf6-fa915e849dd5');
INSERT INTO public.payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units, address, address_tag, by_balance, invoice_id, suspense_reason, for_merchant_id, for_invoice_id, for_static_address_id, required_confirmations, seen_at, waiting, block_height, block_hash, pinned_by) VALUES ('01a1e8f1-df0e-72e2-9d32-73ee43dc9375', 'bitcoin-test', 'c2e8ceae363661ca09bf285668bfc3afc7859fdb29b7b76a0c7da7ef8741737c', 0, 'test', 'BTC', 'bitcoin', 8, 10000, 'tb1qt8tgww02ynh6uzjzjxavh0c8x5cman0funl3q6', NULL, false, '01a1e8f1-ce21-7a73-ab5e-b12787a05511', NULL, NULL, NULL, NULL, 2, '2026-11-17 09:58:47.795+00', false, 5, 'a9d47dab0072e3e28bfe144be571928b9f3a21b399c173af200320e8587676fc', NULL);
INSERT INTO public.payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units, address, address_tag, by_balance, invoice_id, suspense_reason, for_merchant_id, for_invoice_id, for_static_address_id, required_confirmations, seen_at, waiting, block_height, block_hash, pinned_by) VALUES ('01a1e8f1-ed9f-78d4-9b67-3f7a48c4a534', 'ethereum-test', '0x2de543c812a5cd138fd743bade8c43d53cdbad282b68c88f53786fcab10e2f6d', 0, 'test', 'ETH', 'ethereum', 18, 100000000000000000000, '0xBa930b035389bDa895616f8DeF22338dcfF642F9', NULL, false, NULL, 'operator_float', NULL, NULL, NULL, 12, '2026-11-17 09:58:51.498+00', false, 37, '75e05bb6f5b24317704bd6e30bbeb50a232f4b18baf548959dc1d55aedbd9be6', '01a1e8f1-f1a6-7abf-93bd-a1bdf5ddde58');
INSERT INTO public.payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units, address, address_tag, by_balance, invoice_id, suspense_reason, for_merchant_id, for_invoice_id, for_static_address_id, required_confirmations, seen_at, waiting, block_height, block_hash, pinned_by) VALUES ('01a1e8f1-d60c-7bfb-af43-8630c5904eb0', 'ethereum-test', '0xc3075dcfe72d4f16a32be15b7faa633aa7dda83678e273d96c3703cfbbe0a2ea', 0, 'test', 'USDT', 'ethereum', 6, 300000000, '0xB0b62D1758506580EAfB4d48d5B6Cb1462246d04', NULL, false, '01a1e8f1-d4eb-7846-be34-63830d68862a', NULL, NULL, NULL, NULL, 12, '2026-11-17 09:58:45.452+00', false, 13, 'a4454e2e655c0eab8a12dbd243e1cefe9dda152226bf531f0e52b6019c52125b', '01a1e8f1-f1ee-70e3-b0ee-462a1a333101');
INSERT INTO public.payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units, address, address_tag, by_balance, invoice_id, suspense_reason, for_merchant_id, for_invoice_id, for_static_address_id, required_confirmations, seen_at, waiting, block_height, block_hash, pinned_by) VALUES ('01a1e8f1-ffd8-7f02-b989-255dd5b9b278', 'bitcoin-test', 'e047839201d6bd3b7fe4c97beaeb6fb7f075412c64eb4d8665329af020e63669', 0, 'test', 'BTC', 'bitcoin', 8, 4000000, 'tb1qg7jcf6qrfe8wj2ug4ux8h7x3fz5r89yz7nsdhj', NULL, false, '01a1e8f1-ffa3-78b9-a15c-56f4cebee564', NULL, NULL, NULL, NULL, 2, '2026-11-17 09:58:56.2+00', false, 15, '45cfea626855271dca17aa8aa8e3a84f5f8801f2fec1d162765ad22bed1c14c4', NULL);
INSERT INTO public.payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units, address, address_tag, by_balance, invoice_id, suspense_reason, for_merchant_id, for_invoice_id, for_static_address_id, required_confirmations, seen_at, waiting, block_height, block_hash, pinned_by) VALUES ('01a1e8f1-d91f-7315-ac9a-cae7f457a8ea', 'bitcoin-test', '420d6f1e43fd17e705c2bdeb4d228471255832b3c953e97d6ac0cdbc251c5fdd', 0, 'test', 'BTC', 'bitcoin', 8, 1500000, 'tb1q775qvkz74q6dlspkcc9qk66lzk2wg4rwe23aur', NULL, false, '01a1e8f1-d86c-7e19-bca5-1a4869064a67', NULL, NULL, NULL, NULL, 2, '2026-11-17 09:58:46.277+00', false, 3, 'aa03aa2ac5bf708f0eadab706f2eee94e61790ec172b08e51df43f590c1cef57', '01a1e8f2-0250-707d-a75b-7b0ae5bf45b0');
INSERT INTO public.payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units, address, address_tag, by_balance, invoice_id, suspense_reason, for_merchant_id, for_invoice_id, for_static_address_id, required_confirmations, seen_at, waiting, block_height, block_hash, pinned_by) VALUES ('01a1e8f2-08de-7446-b217-843e18ba30a3', 'bitcoin-test', 'b577129fcd5c439566e2d269236e172adec9ed56385f3de4575b2d0fcd3eca8a', 0, 'test', 'BTC', 'bitcoin', 8, 20000000, 'tb1ql6a277yln0he52syckp4j0fvyxc6shc6pelsk2', NULL, false, '01a1e8f2-08ad-7242-9a95-7005553a6359', NULL, NULL, NULL, NULL, 2, '2026-11-17 09:58:58.502+00', false, 22, 'f63249915b22eb21cbebfd8c6f2ab8c9053ba61ff247962472b2981954532111', NULL);

INSERT INTO public.payout_approvals (payout_id, approver, approval_hash, credential_id, authenticator_data, client_data_json, signature, covered_hashes, created_at) VALUES ('01a1e8f1-e519-7170-a37a-23efac8e8aef', 'test:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', 'f7ad56a919d4b4925ccb805fbe0405fb07f2fb02217b089b056ff388d3ca94d9', NULL, NULL, NULL, NULL, NULL, '2026-11-17 09:58:49.57808+00');
INSERT INTO public.payout_approvals (payout_id, approver, approval_hash, credential_id, authenticator_data, client_data_json, signature, covered_hashes, created_at) VALUES ('01a1e8f1-ec29-707d-9980-46338e8312a8', 'test:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', 'a12d9f852abab02eb1bced1962204de0346e19e54ba46a31ebaabc7a535de843', NULL, NULL, NULL, NULL, NULL, '2026-11-17 09:58:51.25527+00');
INSERT INTO public.payout_approvals (payout_id, approver, approval_hash, credential_id, authenticator_data, client_data_json, signature, covered_hashes, created_at) VALUES ('01a1e8f2-00ff-7b5a-be97-e7d0b4e2b377', 'test:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', 'fe7aa1b59398b64e82cc2c4abe541ea24b34023656e5f409d46fbc12d4e212b6', NULL, NULL, NULL, NULL, NULL, '2026-11-17 09:58:56.613458+00');
INSERT INTO public.payout_approvals (payout_id, approver, approval_hash, credential_id, authenticator_data, client_data_json, signature, covered_hashes, created_at) VALUES ('01a1e8f2-04fe-73f4-8fce-5db0d2d11cdb', 'test:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', 'ac893608f179477bb52b26f95a3bd505446a798e9485d3d9150f2ed4b6e3857e', NULL, NULL, NULL, NULL, NULL, '2026-11-17 09:58:57.573737+00');
INSERT INTO public.payout_approvals (payout_id, approver, approval_hash, credential_id, authenticator_data, client_data_json, signature, covered_hashes, created_at) VALUES ('01a1e8f2-09e0-7ed2-b4cd-7d7cf72f2454', 'test:01a1e8f1-ccc3-7a11-86dd-76635b0cf4ab', '31558a0961e91f5ddfc992af08789b3055236e902fa235cabc49ae4b887b517a', NULL, NULL, NULL, NULL, NULL, '2026-11-17 09:58:58.816587+00');

INSERT INTO public.payout_destinations (merchant_id, environment, network, address, tag, label, created_at) VALUES ('01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'bitcoin', 'tb1qurg4y55dpv5z80yhgmjqq6gw83gujt5rg5zr3q', '', 'Cold wallet', '2026-11-17 09:58:58.76669+00');

INSERT INTO public.payout_policies (merchant_id, environment, max_payout, max_day, only_known_destinations, approval, approvals_required, cooling_off_seconds, updated_at) VALUES ('01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 1000000, NULL, true, 'any', 1, 2592000, '2026-11-17 09:58:58.760379+00');

INSERT INTO public.payouts (id, "position", merchant_id, environment, status, currency, network, gate_id, decimals, amount_units, fee_units, network_fee_units, reserve_raises, base_currency, amount_in_base_currency, destination, destination_tag, description, metadata, idempotency_key, request_hash, created_by, refund_id, waiting_reason, failure_reason, spend_id, tx_hash, approved_at, executable_at, completed_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-04fe-73f4-8fce-5db0d2d11cdb', 5, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'failed', 'ETH', 'ethereum', 'ethereum-test', 18, 200000000000000000, 1000000000000000, 63000000000000, 0, 'USD', 50000, '0x2F07c220dC62CE9531bC44B695A6D93578806d8d', NULL, NULL, NULL, NULL, NULL, 'key:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', NULL, NULL, 'Transaction c66cf838b9524f5c10ea295cb86bdd43baa422add9f60069ae839b40bfbd57d8 used the same.', '01a1e8f2-05c9-7209-a5c9-35a83852b0c2', '0xdeb98d8872f8b0c0ad7d881bb1aa7dbdd74234ee56ed9faec6db207c052105f8', '2026-11-17 09:58:57.563+00', '2026-11-17 09:58:57.563+00', NULL, NULL, '2026-11-17 09:58:57.540855+00', '2026-11-17 09:58:58.256861+00');
INSERT INTO public.payouts (id, "position", merchant_id, environment, status, currency, network, gate_id, decimals, amount_units, fee_units, network_fee_units, reserve_raises, base_currency, amount_in_base_currency, destination, destination_tag, description, metadata, idempotency_key, request_hash, created_by, refund_id, waiting_reason, failure_reason, spend_id, tx_hash, approved_at, executable_at, completed_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-e519-7170-a37a-23efac8e8aef', 1, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'completed', 'BTC', 'bitcoin', 'bitcoin-test', 8, 10000000, 50000, 705, 0, 'USD', 500000, 'tb1qjgx204hxfwuse548jc34fjzg6ffq8pvrqwlex4', NULL, NULL, NULL, NULL, NULL, 'key:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', NULL, NULL, NULL, '01a1e8f1-e6eb-7c85-bbf6-fa915e849dd5', 'cf9583e7c1c6fb3054328376a05c169973aa4e966ef394c6271ea0757c9acb2d', '2026-11-17 09:58:49.55+00', '2026-11-17 09:58:49.55+00', '2026-11-17 09:58:50.924+00', NULL, '2026-11-17 09:58:49.417583+00', '2026-11-17 09:58:50.92769+00');
INSERT INTO public.payouts (id, "position", merchant_id, environment, status, currency, network, gate_id, decimals, amount_units, fee_units, network_fee_units, reserve_raises, base_currency, amount_in_base_currency, destination, destination_tag, description, metadata, idempotency_key, request_hash, created_by, refund_id, waiting_reason, failure_reason, spend_id, tx_hash, approved_at, executable_at, completed_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-0819-7648-b545-980e07240ff2', 6, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'pending_approval', 'BTC', 'bitcoin', 'bitcoin-test', 8, 2000000, 10000, 1560, 0, 'USD', 100000, 'tb1qurg4y55dpv5z80yhgmjqq6gw83gujt5rg5zr3q', NULL, 'Waits for an approval', NULL, NULL, NULL, 'key:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-17 09:58:58.333052+00', '2026-11-17 09:58:58.333052+00');
INSERT INTO public.payouts (id, "position", merchant_id, environment, status, currency, network, gate_id, decimals, amount_units, fee_units, network_fee_units, reserve_raises, base_currency, amount_in_base_currency, destination, destination_tag, description, metadata, idempotency_key, request_hash, created_by, refund_id, waiting_reason, failure_reason, spend_id, tx_hash, approved_at, executable_at, completed_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-082a-7cb8-89e0-9e75ee55a795', 7, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'cancelled', 'BTC', 'bitcoin', 'bitcoin-test', 8, 3000000, 15000, 1560, 0, 'USD', 150000, 'tb1qurg4y55dpv5z80yhgmjqq6gw83gujt5rg5zr3q', NULL, NULL, NULL, NULL, NULL, 'key:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-17 09:58:58.399+00', '2026-11-17 09:58:58.350363+00', '2026-11-17 09:58:58.414585+00');
INSERT INTO public.payouts (id, "position", merchant_id, environment, status, currency, network, gate_id, decimals, amount_units, fee_units, network_fee_units, reserve_raises, base_currency, amount_in_base_currency, destination, destination_tag, description, metadata, idempotency_key, request_hash, created_by, refund_id, waiting_reason, failure_reason, spend_id, tx_hash, approved_at, executable_at, completed_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-ec29-707d-9980-46338e8312a8', 2, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'completed', 'USDT', 'ethereum', 'ethereum-test', 6, 120000000, 600000, 500000, 0, 'USD', 12000, '0x0D3eB21b6b21833A4939Cfff4810E9AE0758e12C', NULL, NULL, NULL, NULL, NULL, 'key:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', NULL, NULL, NULL, '01a1e8f1-fa50-77e3-b991-03446bed2264', '0xd4281fafb7e13fb26ac9806f589746092743eb9a5c11cea88b6c4c0bcc1bcf98', '2026-11-17 09:58:51.243+00', '2026-11-17 09:58:51.243+00', '2026-11-17 09:58:56.112+00', NULL, '2026-11-17 09:58:51.207155+00', '2026-11-17 09:58:56.114488+00');
INSERT INTO public.payouts (id, "position", merchant_id, environment, status, currency, network, gate_id, decimals, amount_units, fee_units, network_fee_units, reserve_raises, base_currency, amount_in_base_currency, destination, destination_tag, description, metadata, idempotency_key, request_hash, created_by, refund_id, waiting_reason, failure_reason, spend_id, tx_hash, approved_at, executable_at, completed_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-00ff-7b5a-be97-e7d0b4e2b377', 3, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'completed', 'BTC', 'bitcoin', 'bitcoin-test', 8, 1000000, 2500, 705, 0, 'USD', 50000, 'tb1qurg4y55dpv5z80yhgmjqq6gw83gujt5rg5zr3q', NULL, NULL, NULL, NULL, NULL, 'key:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', '01a1e8f2-00fc-7279-8041-d27bc8e3692e', NULL, NULL, '01a1e8f2-0250-707d-a75b-7b0ae5bf45b0', '1940acee37faa621e92d24c9babbba22694e31fa961edc2d46c7815cc312991e', '2026-11-17 09:58:56.59+00', '2026-11-17 09:58:56.59+00', '2026-11-17 09:58:57.371+00', NULL, '2026-11-17 09:58:56.525463+00', '2026-11-17 09:58:57.374769+00');
INSERT INTO public.payouts (id, "position", merchant_id, environment, status, currency, network, gate_id, decimals, amount_units, fee_units, network_fee_units, reserve_raises, base_currency, amount_in_base_currency, destination, destination_tag, description, metadata, idempotency_key, request_hash, created_by, refund_id, waiting_reason, failure_reason, spend_id, tx_hash, approved_at, executable_at, completed_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-04c9-7ea7-b554-87b6d1854ba9', 4, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'pending_approval', 'BTC', 'bitcoin', 'bitcoin-test', 8, 2000000, 5000, 1560, 0, 'USD', 100000, 'tb1qurg4y55dpv5z80yhgmjqq6gw83gujt5rg5zr3q', NULL, NULL, NULL, NULL, NULL, 'key:01a1e8f1-ccac-79bd-aa15-ab626e6a91f2', '01a1e8f2-04c3-7574-b773-cd05247af7eb', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-17 09:58:57.492524+00', '2026-11-17 09:58:57.492524+00');
INSERT INTO public.payouts (id, "position", merchant_id, environment, status, currency, network, gate_id, decimals, amount_units, fee_units, network_fee_units, reserve_raises, base_currency, amount_in_base_currency, destination, destination_tag, description, metadata, idempotency_key, request_hash, created_by, refund_id, waiting_reason, failure_reason, spend_id, tx_hash, approved_at, executable_at, completed_at, cancelled_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-09e0-7ed2-b4cd-7d7cf72f2454', 8, '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'test', 'approved', 'BTC', 'bitcoin', 'bitcoin-test', 8, 5000000, 0, 1560, 0, 'EUR', 200000, 'tb1qurg4y55dpv5z80yhgmjqq6gw83gujt5rg5zr3q', NULL, NULL, NULL, NULL, NULL, 'key:01a1e8f1-ccc3-7a11-86dd-76635b0cf4ab', NULL, NULL, NULL, NULL, NULL, '2026-11-17 09:58:58.813+00', '2026-12-17 09:58:58.813+00', NULL, NULL, '2026-11-17 09:58:58.788717+00', '2026-11-17 09:58:58.817731+00');

INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-d1ca-7fae-b4a5-86c594b4cc7c', 3, 50000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-d1ca-7fae-b4a5-86c594b4cc7c', 1, -50000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-d1ca-7fb6-b222-23b5f49b24be', 3, -500000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-d1ca-7fb6-b222-23b5f49b24be', 2, 500000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-d44d-742c-aa2d-a1aa2bbe1d5a', 6, 2000000000000000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-d44d-742c-aa2d-a1aa2bbe1d5a', 4, -2000000000000000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-d44d-74b3-88db-94ab6091cf8f', 6, -20000000000000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-d44d-74b3-88db-94ab6091cf8f', 5, 20000000000000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-d833-79ab-a7b7-14b6faaeca28', 9, 300000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-d833-79ab-a7b7-14b6faaeca28', 7, -300000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-d833-781a-b527-34e692c1a4d5', 9, -3000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-d833-781a-b527-34e692c1a4d5', 8, 3000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-de11-75ea-99af-3746a5ab72f0', 3, 1500000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-de11-75ea-99af-3746a5ab72f0', 1, -1500000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-de11-754f-a4c3-2379d6902ccd', 3, -15000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-de11-754f-a4c3-2379d6902ccd', 2, 15000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-de11-7734-9b74-7e31146a9f58', 3, 500000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-de11-7734-9b74-7e31146a9f58', 1, -500000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-de11-70bf-af5d-53538177eb37', 3, -5000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-de11-70bf-af5d-53538177eb37', 2, 5000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-de11-75e6-83c0-cf32b44773c0', 3, 3000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-de11-75e6-83c0-cf32b44773c0', 1, -3000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-de11-7092-9f2b-613005a175c5', 3, -30000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-de11-7092-9f2b-613005a175c5', 2, 30000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-de11-73fe-9655-073abca89f12', 3, 400000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-de11-73fe-9655-073abca89f12', 1, -400000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-de11-7986-a16a-eb1c32b43f8a', 3, -4000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-de11-7986-a16a-eb1c32b43f8a', 2, 4000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-de11-7b5e-adde-4f8862af1af1', 3, 600000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-de11-7b5e-adde-4f8862af1af1', 1, -600000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-de11-7d22-906f-869450598801', 3, -6000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-de11-7d22-906f-869450598801', 2, 6000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-e00b-7a95-a3c8-42d5b6e62a44', 12, 300000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-e00b-7a95-a3c8-42d5b6e62a44', 10, -300000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-e00b-7da6-92c4-a132ba26f655', 12, -3000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-e00b-7da6-92c4-a132ba26f655', 11, 3000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-e0d2-74c8-9934-0f7638f505ee', 12, -297000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-e0d2-74c8-9934-0f7638f505ee', 11, -3000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-e0d2-74c8-9934-0f7638f505ee', 10, 300000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-e20b-7e5b-87dc-97a5c05512ef', 13, 25000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-e20b-7e5b-87dc-97a5c05512ef', 7, -25000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-e20b-7c4e-b854-e33f090eb324', 13, 26000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-e20b-7c4e-b854-e33f090eb324', 7, -26000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-e271-716c-8270-9ff4a6b3ddad', 14, 25000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-e271-716c-8270-9ff4a6b3ddad', 13, -25000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-e549-79fa-9717-12033963e8e4', 3, -10000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-e549-79fa-9717-12033963e8e4', 15, 10000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-e549-7861-90f3-08c5d577dd5d', 3, -50000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-e549-7861-90f3-08c5d577dd5d', 15, 50000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-e549-76fa-86e0-61c1cbc0ab60', 3, -1560);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-e549-76fa-86e0-61c1cbc0ab60', 15, 1560);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-e903-7258-bf85-9303b1a91fd6', 3, 10000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-e903-7258-bf85-9303b1a91fd6', 1, -10000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-e904-799a-a947-bac6d0457f55', 3, -100);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-e904-799a-a947-bac6d0457f55', 2, 100);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-eb2e-7b4c-9f6e-b04adcfc888e', 15, -10050705);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-eb2e-7b4c-9f6e-b04adcfc888e', 1, 10000705);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-eb2e-7b4c-9f6e-b04adcfc888e', 2, 50000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-eb2e-771a-9740-05e5cab847ed', 3, 855);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-eb2e-771a-9740-05e5cab847ed', 15, -855);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-ec46-7c7f-ae5a-cf8671cc8de5', 9, -120000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-ec46-7c7f-ae5a-cf8671cc8de5', 16, 120000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-ec46-791c-80f5-a7fd1ab09273', 9, -600000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-ec46-791c-80f5-a7fd1ab09273', 16, 600000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-ec46-7da7-9c09-c69ae8cfafec', 9, -750000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-ec46-7da7-9c09-c69ae8cfafec', 16, 750000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-f04a-7b99-9cc7-eabd0ebed47d', 17, 100000000000000000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-f04a-7b99-9cc7-eabd0ebed47d', 4, -100000000000000000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-f5f8-7217-b97b-fee3a3185b34', 4, 42000000000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-f5f8-7217-b97b-fee3a3185b34', 17, -42000000000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-f985-7961-a3ba-2c8bd02441a8', 4, 200000000000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-f985-7961-a3ba-2c8bd02441a8', 17, -200000000000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-ff73-7336-afdc-b13e7e4807f0', 16, -121100000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-ff73-7336-afdc-b13e7e4807f0', 7, 120000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-ff73-7336-afdc-b13e7e4807f0', 8, 600000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-ff73-7336-afdc-b13e7e4807f0', 18, 500000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-ff73-78c0-938b-d6024aef97ae', 9, 250000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-ff73-78c0-938b-d6024aef97ae', 16, -250000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-ff73-76c5-bb3b-804122d4758a', 4, 200000000000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f1-ff73-76c5-bb3b-804122d4758a', 17, -200000000000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-0055-7da2-9143-980ba1ee6c1d', 3, 4000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-0055-7da2-9143-980ba1ee6c1d', 1, -4000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-0055-7f3e-89e7-2002a932aa9a', 3, -40000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-0055-7f3e-89e7-2002a932aa9a', 2, 40000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-010d-719e-9b54-e64cdad62cbe', 3, -1000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-010d-719e-9b54-e64cdad62cbe', 15, 1000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-010d-7bcc-b8c9-bc7f40286139', 3, -2500);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-010d-7bcc-b8c9-bc7f40286139', 15, 2500);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-010d-7096-be5f-78b7a0bc9e55', 3, -1560);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-010d-7096-be5f-78b7a0bc9e55', 15, 1560);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-045e-72a9-833b-f1b41e52003e', 15, -1003205);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-045e-72a9-833b-f1b41e52003e', 1, 1000705);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-045e-72a9-833b-f1b41e52003e', 2, 2500);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-045e-7028-987a-4ee29a2350c2', 3, 855);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-045e-7028-987a-4ee29a2350c2', 15, -855);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-04d3-7b7b-999c-fbe87bb12e0f', 3, -2000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-04d3-7b7b-999c-fbe87bb12e0f', 15, 2000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-04d3-7457-9b33-a5ca954833cf', 3, -5000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-04d3-7457-9b33-a5ca954833cf', 15, 5000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-04d3-7ac5-9bb6-1b0f65ca264e', 3, -1560);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-04d3-7ac5-9bb6-1b0f65ca264e', 15, 1560);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-0504-7cd2-b37a-fa6214971755', 6, -200000000000000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-0504-7cd2-b37a-fa6214971755', 19, 200000000000000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-0504-73e5-9442-a25d60830bf6', 6, -1000000000000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-0504-73e5-9442-a25d60830bf6', 19, 1000000000000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-0504-7447-a05f-eeda648f59ae', 6, -63000000000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-0504-7447-a05f-eeda648f59ae', 19, 63000000000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-07d0-7429-b756-6249d4c3e638', 6, 201063000000000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-07d0-7429-b756-6249d4c3e638', 19, -201063000000000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-081c-7488-bdd1-725e9e02b47b', 3, -2000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-081c-7488-bdd1-725e9e02b47b', 15, 2000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-081c-783f-b2fa-dd70dbaa3563', 3, -10000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-081c-783f-b2fa-dd70dbaa3563', 15, 10000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-081c-7339-95ec-c4f0eb5c2e9c', 3, -1560);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-081c-7339-95ec-c4f0eb5c2e9c', 15, 1560);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-082d-77d7-b4ae-ab2c176b27c2', 3, -3000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-082d-77d7-b4ae-ab2c176b27c2', 15, 3000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-082d-7e72-bedb-3072baa3f7b1', 3, -15000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-082d-7e72-bedb-3072baa3f7b1', 15, 15000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-082d-7fd1-b7ca-818c04a444c0', 3, -1560);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-082d-7fd1-b7ca-818c04a444c0', 15, 1560);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-085e-728e-82ba-eeeefbe7ae08', 3, 3016560);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-085e-728e-82ba-eeeefbe7ae08', 15, -3016560);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-09a0-704d-9432-54e99686da76', 20, 20000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-09a0-704d-9432-54e99686da76', 1, -20000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-09e4-7817-af8d-e9db74c8dc9f', 20, -5000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-09e4-7817-af8d-e9db74c8dc9f', 21, 5000000);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-09e4-7ff3-9759-59a8e54a9184', 20, -1560);
INSERT INTO public.postings (transaction_id, account_id, units) VALUES ('01a1e8f2-09e4-7ff3-9759-59a8e54a9184', 21, 1560);

INSERT INTO public.rate_quotes (source, currency, fiat_currency, rate_scaled, fetched_at) VALUES ('coinbase', 'BTC', 'EUR', 40000000000000000000000, '2026-11-17 09:58:42.178+00');
INSERT INTO public.rate_quotes (source, currency, fiat_currency, rate_scaled, fetched_at) VALUES ('coinbase', 'BTC', 'USD', 50000000000000000000000, '2026-11-17 09:58:42.178+00');
INSERT INTO public.rate_quotes (source, currency, fiat_currency, rate_scaled, fetched_at) VALUES ('coinbase', 'ETH', 'EUR', 2000000000000000000000, '2026-11-17 09:58:42.178+00');
INSERT INTO public.rate_quotes (source, currency, fiat_currency, rate_scaled, fetched_at) VALUES ('coinbase', 'ETH', 'USD', 2500000000000000000000, '2026-11-17 09:58:42.178+00');
INSERT INTO public.rate_quotes (source, currency, fiat_currency, rate_scaled, fetched_at) VALUES ('coinbase', 'LTC', 'EUR', 64000000000000000000, '2026-11-17 09:58:42.178+00');
INSERT INTO public.rate_quotes (source, currency, fiat_currency, rate_scaled, fetched_at) VALUES ('coinbase', 'LTC', 'USD', 80000000000000000000, '2026-11-17 09:58:42.178+00');
INSERT INTO public.rate_quotes (source, currency, fiat_currency, rate_scaled, fetched_at) VALUES ('coinbase', 'USDT', 'EUR', 800000000000000000, '2026-11-17 09:58:42.178+00');
INSERT INTO public.rate_quotes (source, currency, fiat_currency, rate_scaled, fetched_at) VALUES ('coinbase', 'USDT', 'USD', 1000000000000000000, '2026-11-17 09:58:42.178+00');

INSERT INTO public.rate_sources (source, due_at) VALUES ('coinbase', '2026-11-17 10:58:42.175361+00');

INSERT INTO public.rates (currency, fiat_currency, rate_scaled, sources, updated_at) VALUES ('BTC', 'EUR', 40000000000000000000000, '{coinbase}', '2026-11-17 09:58:42.178+00');
INSERT INTO public.rates (currency, fiat_currency, rate_scaled, sources, updated_at) VALUES ('BTC', 'USD', 50000000000000000000000, '{coinbase}', '2026-11-17 09:58:42.178+00');
INSERT INTO public.rates (currency, fiat_currency, rate_scaled, sources, updated_at) VALUES ('ETH', 'EUR', 2000000000000000000000, '{coinbase}', '2026-11-17 09:58:42.178+00');
INSERT INTO public.rates (currency, fiat_currency, rate_scaled, sources, updated_at) VALUES ('ETH', 'USD', 2500000000000000000000, '{coinbase}', '2026-11-17 09:58:42.178+00');
INSERT INTO public.rates (currency, fiat_currency, rate_scaled, sources, updated_at) VALUES ('LTC', 'EUR', 64000000000000000000, '{coinbase}', '2026-11-17 09:58:42.178+00');
INSERT INTO public.rates (currency, fiat_currency, rate_scaled, sources, updated_at) VALUES ('LTC', 'USD', 80000000000000000000, '{coinbase}', '2026-11-17 09:58:42.178+00');
INSERT INTO public.rates (currency, fiat_currency, rate_scaled, sources, updated_at) VALUES ('USDT', 'EUR', 800000000000000000, '{coinbase}', '2026-11-17 09:58:42.178+00');
INSERT INTO public.rates (currency, fiat_currency, rate_scaled, sources, updated_at) VALUES ('USDT', 'USD', 1000000000000000000, '{coinbase}', '2026-11-17 09:58:42.178+00');

INSERT INTO public.recovery_codes (user_id, code_hash, used_at) VALUES ('01a1e8f2-0c28-7bf0-8d5c-ff2ff5ac6b77', '\x682ed39c3a5f36e974522dfb8c758986083fb09041883bc4f2d84101d7eea283', NULL);
INSERT INTO public.recovery_codes (user_id, code_hash, used_at) VALUES ('01a1e8f2-0c28-7bf0-8d5c-ff2ff5ac6b77', '\xe88a9984c7470d17973fb0be86ba6f24e2bab240f8bc4c011a3cc03b09ff4e0f', NULL);
INSERT INTO public.recovery_codes (user_id, code_hash, used_at) VALUES ('01a1e8f2-0c28-7bf0-8d5c-ff2ff5ac6b77', '\x5e6bae51a746332d33b13822ecf3329c599b2a8c3cf079d3cd451f48028f66b9', NULL);
INSERT INTO public.recovery_codes (user_id, code_hash, used_at) VALUES ('01a1e8f2-0c28-7bf0-8d5c-ff2ff5ac6b77', '\x9806de5528ad46574ad11cc85c269b31962e849043f9c595e67bfc7835b9623b', NULL);
INSERT INTO public.recovery_codes (user_id, code_hash, used_at) VALUES ('01a1e8f2-0c28-7bf0-8d5c-ff2ff5ac6b77', '\x3612eaca1e3e2f8b6501ba7de3927233b8362689536be78a3c73edb579c535cc', NULL);
INSERT INTO public.recovery_codes (user_id, code_hash, used_at) VALUES ('01a1e8f2-0c28-7bf0-8d5c-ff2ff5ac6b77', '\x5f816defb0f50cc6b18b0656e3534a7e6d272171e3150dcd1a0f5997b40e9734', NULL);
INSERT INTO public.recovery_codes (user_id, code_hash, used_at) VALUES ('01a1e8f2-0c28-7bf0-8d5c-ff2ff5ac6b77', '\xbbeaf78e8c4f474fa76ccab1cc86a7fbaf7cb54276d5a6ad1bbf30cda777742b', NULL);
INSERT INTO public.recovery_codes (user_id, code_hash, used_at) VALUES ('01a1e8f2-0c28-7bf0-8d5c-ff2ff5ac6b77', '\x844a94287f652eb49108dfbaaf08457724c952126ee1ba20d2b3dbbe77b43ce9', NULL);
INSERT INTO public.recovery_codes (user_id, code_hash, used_at) VALUES ('01a1e8f2-0c28-7bf0-8d5c-ff2ff5ac6b77', '\x5a8f4a9b47f5629b4bc57f7f199263057bc72075fe3f76c5e9d7540b21ae503f', NULL);
INSERT INTO public.recovery_codes (user_id, code_hash, used_at) VALUES ('01a1e8f2-0c28-7bf0-8d5c-ff2ff5ac6b77', '\x987bc213d31767f5e9160fca38f88541e0ab46ae62e486352d3e658b97b67bc5', NULL);

INSERT INTO public.refunds (id, "position", merchant_id, environment, invoice_id, payout_id, amount_units, idempotency_key, request_hash, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-00fc-7279-8041-d27bc8e3692e', 1, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', '01a1e8f1-ffa3-78b9-a15c-56f4cebee564', '01a1e8f2-00ff-7b5a-be97-e7d0b4e2b377', 1000000, NULL, NULL, '2026-11-17 09:58:56.546213+00');
INSERT INTO public.refunds (id, "position", merchant_id, environment, invoice_id, payout_id, amount_units, idempotency_key, request_hash, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f2-04c3-7574-b773-cd05247af7eb', 2, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', '01a1e8f1-ffa3-78b9-a15c-56f4cebee564', '01a1e8f2-04c9-7ea7-b554-87b6d1854ba9', 2000000, NULL, NULL, '2026-11-17 09:58:57.511301+00');

INSERT INTO public.schema_migrations (number, name, checksum, applied_at) VALUES (1, '0001_merchants', '720ea47a0a3478c8b488a9a80acbc8265a7298318579f4559f65d739df4f1a81', '2026-11-17 09:58:37.796248+00');
INSERT INTO public.schema_migrations (number, name, checksum, applied_at) VALUES (2, '0002_people', '0077a259ae84037f759fbf1fe010d6d5ecdfbf6294d9899f1e1c88dd9f008a02', '2026-11-17 09:58:37.873102+00');
INSERT INTO public.schema_migrations (number, name, checksum, applied_at) VALUES (3, '0003_events_and_webhooks', '9926ded74ad2ec9d288b8c48707b4264bb4bf191826d0864900193ead6b75516', '2026-11-17 09:58:37.932999+00');
INSERT INTO public.schema_migrations (number, name, checksum, applied_at) VALUES (4, '0004_rates', '2c67a84eded3f50ecf700b32a8617ce19a82cee748b74400c1e1826ecd8e48c2', '2026-11-17 09:58:37.94767+00');
INSERT INTO public.schema_migrations (number, name, checksum, applied_at) VALUES (5, '0005_chains', '7eb2faeb85c3ef106289ee87360fb918b2fcbd40fe4f006180105866ec9a9498', '2026-11-17 09:58:37.97308+00');
INSERT INTO public.schema_migrations (number, name, checksum, applied_at) VALUES (6, '0006_addresses', '2656e872ee8a530425752b2a78ee269946cfc474af3a10f6597c606ee02ac6e1', '2026-11-17 09:58:38.053109+00');
INSERT INTO public.schema_migrations (number, name, checksum, applied_at) VALUES (7, '0007_invoices_and_payments', 'eac1df1397320f8dd6f43059a030b391d99741dad148d15ce34cff40f7c611b4', '2026-11-17 09:58:38.122093+00');
INSERT INTO public.schema_migrations (number, name, checksum, applied_at) VALUES (8, '0008_ledger', '7dc2276bb92bc175d7fcda96c3cf3aea678f7b5ee5d41d7bae9cdb6acb242cd9', '2026-11-17 09:58:38.159239+00');
INSERT INTO public.schema_migrations (number, name, checksum, applied_at) VALUES (9, '0009_payouts_and_refunds', 'e5eeb8875da15503387cdfc9c186132498e2c0a988d8fe65080a7103e8e66fa6', '2026-11-17 09:58:38.191188+00');
INSERT INTO public.schema_migrations (number, name, checksum, applied_at) VALUES (10, '0010_approvals', '34c16630583f4e9142aa01408e5571c218ef47f54bdf41081479185fc96b3a60', '2026-11-17 09:58:38.217104+00');
INSERT INTO public.schema_migrations (number, name, checksum, applied_at) VALUES (11, '0011_spends', 'cba162eb38ac6a4ccc655880a9df1507a7486b5f2dcf273e15d3f793bce21cf3', '2026-11-17 09:58:38.272871+00');
INSERT INTO public.schema_migrations (number, name, checksum, applied_at) VALUES (12, '0012_simulator', 'c7f7e6861c386e119421b360edf8be6f42d6968cc0c0880cb94c96818fed2031', '2026-11-17 09:58:38.313094+00');

INSERT INTO public.sessions (id, user_id, token_hash, is_complete, proved_at, proved_by, ip, user_agent, created_at, last_seen_at, expires_at, ended_at) VALUES ('01a1e8f2-1016-7233-aed0-c55ba0a571fa', '01a1e8f2-0b4e-71d9-819f-96390a88e6a1', '\xea613ec4934b67072f063614c15384772c512a2a66e2f729de1dfe6c104f8344', true, '2026-11-17 09:59:00.832593+00', 'passkey', '127.0.0.1', 'node', '2026-11-17 09:59:00.404741+00', '2026-11-17 09:59:00.404741+00', '2026-12-17 09:59:00.404741+00', NULL);
INSERT INTO public.sessions (id, user_id, token_hash, is_complete, proved_at, proved_by, ip, user_agent, created_at, last_seen_at, expires_at, ended_at) VALUES ('01a1e8f2-12f6-7281-96fd-0b0a59b5c4a6', '01a1e8f2-0c28-7bf0-8d5c-ff2ff5ac6b77', '\x449ae8050335886126d58fcf3bdf51f12c9867214186cc1a9a29e55f1139fc27', true, '2026-11-17 09:59:01.249081+00', 'totp', '127.0.0.1', 'node', '2026-11-17 09:59:01.143664+00', '2026-11-17 09:59:01.143664+00', '2026-12-17 09:59:01.143664+00', NULL);

INSERT INTO public.sign_in_failures (subject, failures, last_at, blocked_until) VALUES ('ip:127.0.0.1', 1, '2026-11-17 09:59:01.289291+00', '-infinity');
INSERT INTO public.sign_in_failures (subject, failures, last_at, blocked_until) VALUES ('account:b5fc85e55755f9e0d030a10ab4429b6b2944855f9a0d60077fe832becbc41d72', 1, '2026-11-17 09:59:01.289842+00', '-infinity');

INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('arbitrum-test', 0, '5c5320d28282de2b691e877911390375a3f5eb31221f9e78edde6796d9aca80d', '0000000000000000000000000000000000000000000000000000000000000000', '2026-11-17 09:58:41.693095+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('avalanche-test', 0, '3145ac0f7d303bfe8efb3301380d6d9f27c95e5e331691a968ebd94015decc2c', '0000000000000000000000000000000000000000000000000000000000000000', '2026-11-17 09:58:41.701633+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('base-test', 0, '0c2c38289e6e4261b56e0c4712ff824586153ea21a564e1e75d66e29a0225918', '0000000000000000000000000000000000000000000000000000000000000000', '2026-11-17 09:58:41.706505+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 0, '5ce70dea2d7527f77e3e742230e5098a0911785c7b72ed5f133519e97b704d1d', '0000000000000000000000000000000000000000000000000000000000000000', '2026-11-17 09:58:41.711738+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bsc-test', 0, 'a91e56ac635a4f219870a3447d70f2968ee216e7975f6596cfe4b593bd4adff9', '0000000000000000000000000000000000000000000000000000000000000000', '2026-11-17 09:58:41.723272+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 0, 'a3cf196c314e1103ce0e9a7c5ef86500598532e78e24ee3fe2a79c268f0a492d', '0000000000000000000000000000000000000000000000000000000000000000', '2026-11-17 09:58:41.729553+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('litecoin-test', 0, '581d3fea7defeba04380503e990a88b4231702152747767a42a0a1eb9a80a7f4', '0000000000000000000000000000000000000000000000000000000000000000', '2026-11-17 09:58:41.73281+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('optimism-test', 0, '429f3c16f34cca8ad544cdb787caa1145da44df05d5a3f0447cf74a65d256cdb', '0000000000000000000000000000000000000000000000000000000000000000', '2026-11-17 09:58:41.736433+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('polygon-test', 0, '3987e66558cd9c9fb12b5ec9021d8050d771a58f78b10945c9f006793667bab4', '0000000000000000000000000000000000000000000000000000000000000000', '2026-11-17 09:58:41.745762+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('solana-test', 0, 'c130e5cf6245796d96ec03316e4ca9aad76f8257ce4243a00146bdf4a0714a0c', '0000000000000000000000000000000000000000000000000000000000000000', '2026-11-17 09:58:41.74956+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('xrp-test', 0, 'b899ef825c84bfed8f43e8971174950875de1bd264e2beaac9b4479ffb54b2cb', '0000000000000000000000000000000000000000000000000000000000000000', '2026-11-17 09:58:41.753899+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 1, 'ba3436364b43eec3c6b6816a1179003a0d8e292fe9b6525305d029eaeb6e17eb', '5ce70dea2d7527f77e3e742230e5098a0911785c7b72ed5f133519e97b704d1d', '2026-11-17 09:58:44.310463+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 2, 'b8e622b24d1183cc17406bf5e61446eb3d287eb5f524eda591262aa6b5a2e840', 'ba3436364b43eec3c6b6816a1179003a0d8e292fe9b6525305d029eaeb6e17eb', '2026-11-17 09:58:44.310561+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 1, '5975bbae4011dbc5899e9e266d251e9864409ce324b90b69dc66d28e38fa4afc', 'a3cf196c314e1103ce0e9a7c5ef86500598532e78e24ee3fe2a79c268f0a492d', '2026-11-17 09:58:44.983452+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 2, 'f0973fc07319165222499f111114b873d3621a1d379b31a32dfc34421f8898f7', '5975bbae4011dbc5899e9e266d251e9864409ce324b90b69dc66d28e38fa4afc', '2026-11-17 09:58:44.983553+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 3, 'f6b293a3287cfd5df201e1c8026a16fe7c5d17563f75e470b6fcb4365a3e430d', 'f0973fc07319165222499f111114b873d3621a1d379b31a32dfc34421f8898f7', '2026-11-17 09:58:44.983579+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 4, '0f9dbdacd055592084c9e1f9d633ef61f2656738223e296cd46cd032eb6c546a', 'f6b293a3287cfd5df201e1c8026a16fe7c5d17563f75e470b6fcb4365a3e430d', '2026-11-17 09:58:44.9836+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 5, 'dfc4846a1fda16cff621a069c256c308cd58706db1a8e5514790887ef404270c', '0f9dbdacd055592084c9e1f9d633ef61f2656738223e296cd46cd032eb6c546a', '2026-11-17 09:58:44.983628+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 6, 'ea95343bda9cdc2c7439d82b2352795915089c7c34e15aac0acfa47eb02c8577', 'dfc4846a1fda16cff621a069c256c308cd58706db1a8e5514790887ef404270c', '2026-11-17 09:58:44.983649+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 7, 'e476d21c70d2d885621a3eb30bb2a39415a71a92c2d0c106c71da6784efdc2cb', 'ea95343bda9cdc2c7439d82b2352795915089c7c34e15aac0acfa47eb02c8577', '2026-11-17 09:58:44.983668+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 8, 'b9f6370c25fdd6f7bcabdb6bdb2dffc1843a4be877da9b17f48645131ab55b18', 'e476d21c70d2d885621a3eb30bb2a39415a71a92c2d0c106c71da6784efdc2cb', '2026-11-17 09:58:44.983686+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 9, '27f6d31d71788420d7ff7a5d836e128a5455a598e2f9ff37153b545e48a0dcb6', 'b9f6370c25fdd6f7bcabdb6bdb2dffc1843a4be877da9b17f48645131ab55b18', '2026-11-17 09:58:44.983705+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 10, 'cb1f731393f0fbe4f7c29acf2d1fa910dabf82126f3e8a68e1ae419ee5d6df0a', '27f6d31d71788420d7ff7a5d836e128a5455a598e2f9ff37153b545e48a0dcb6', '2026-11-17 09:58:44.983725+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 11, '275bb3a9857a87dd7f9c70dc35f49fab41bdec743c331a4a7c7a625ae60e7b56', 'cb1f731393f0fbe4f7c29acf2d1fa910dabf82126f3e8a68e1ae419ee5d6df0a', '2026-11-17 09:58:44.983743+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 12, '66891a384e8274ecc74226ec377f4e210ea4156247fd4da655ffa869281d6704', '275bb3a9857a87dd7f9c70dc35f49fab41bdec743c331a4a7c7a625ae60e7b56', '2026-11-17 09:58:44.983763+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 13, 'a4454e2e655c0eab8a12dbd243e1cefe9dda152226bf531f0e52b6019c52125b', '66891a384e8274ecc74226ec377f4e210ea4156247fd4da655ffa869281d6704', '2026-11-17 09:58:45.697219+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 14, '802befd9c37b90ee694470bec724c5b4f642733d09211709f277ff87bdda31e6', 'a4454e2e655c0eab8a12dbd243e1cefe9dda152226bf531f0e52b6019c52125b', '2026-11-17 09:58:45.697295+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 15, '46e6b4f4253b4b62f5193352c36af92f7d680dcce6c5e678197c59cd590a0d11', '802befd9c37b90ee694470bec724c5b4f642733d09211709f277ff87bdda31e6', '2026-11-17 09:58:45.697318+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 16, '23bb5ffd95b939fa750ae84d2633ddc4987c088fb084e78695cdf8a223bdb8e7', '46e6b4f4253b4b62f5193352c36af92f7d680dcce6c5e678197c59cd590a0d11', '2026-11-17 09:58:45.69736+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 17, 'b189e490ebf90636f75395955770174630fd502538363e67a6a63b2e66bdb038', '23bb5ffd95b939fa750ae84d2633ddc4987c088fb084e78695cdf8a223bdb8e7', '2026-11-17 09:58:45.697379+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 18, 'db0239780b8ba197c76b90f2aa7b979a084066c32c6c2f0435df0fee5cb76706', 'b189e490ebf90636f75395955770174630fd502538363e67a6a63b2e66bdb038', '2026-11-17 09:58:45.697397+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 19, '7ad29d5461ca2c378faebac315cfeb49198caa28c474d1f773da07c843d7ae34', 'db0239780b8ba197c76b90f2aa7b979a084066c32c6c2f0435df0fee5cb76706', '2026-11-17 09:58:45.697414+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 20, '8c9c42f9828499718608314b02afab62776e980e623f6886b6788fad260c84d8', '7ad29d5461ca2c378faebac315cfeb49198caa28c474d1f773da07c843d7ae34', '2026-11-17 09:58:45.697431+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 21, 'aee671209a2d37a68a632199ba10754c06bb31915610f2ef359fef8670851687', '8c9c42f9828499718608314b02afab62776e980e623f6886b6788fad260c84d8', '2026-11-17 09:58:45.697447+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 22, 'd7cec1b82ee161f0eeecffde40390b28fd6db3f28123b473164a0b0a83efba50', 'aee671209a2d37a68a632199ba10754c06bb31915610f2ef359fef8670851687', '2026-11-17 09:58:45.697465+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 23, 'ad78b734f29237fa263f6ff0315d983b5b87cd5881af0ae48640dbdbf33b968b', 'd7cec1b82ee161f0eeecffde40390b28fd6db3f28123b473164a0b0a83efba50', '2026-11-17 09:58:45.697481+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 24, 'ef7e27a4bc70ffbfeadec53a6f9bb8011c30d1d5a21b0e89e2dbc02031366376', 'ad78b734f29237fa263f6ff0315d983b5b87cd5881af0ae48640dbdbf33b968b', '2026-11-17 09:58:45.697508+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 3, 'aa03aa2ac5bf708f0eadab706f2eee94e61790ec172b08e51df43f590c1cef57', 'b8e622b24d1183cc17406bf5e61446eb3d287eb5f524eda591262aa6b5a2e840', '2026-11-17 09:58:47.480608+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 4, 'efe5094dedb402b9646347f9d954853fafb745f0499739cac87b245185bd6916', 'aa03aa2ac5bf708f0eadab706f2eee94e61790ec172b08e51df43f590c1cef57', '2026-11-17 09:58:47.480676+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 25, '86b081a2e1c54fd3ca3f05bf33a01436b8fea9ae63d4c0b5a4ae7a14b8262554', 'ef7e27a4bc70ffbfeadec53a6f9bb8011c30d1d5a21b0e89e2dbc02031366376', '2026-11-17 09:58:48.53188+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 26, 'ca6c32f3a20ba0b409208dcbd7956e57f61d3bc3eef379815532ce32bccbdf0e', '86b081a2e1c54fd3ca3f05bf33a01436b8fea9ae63d4c0b5a4ae7a14b8262554', '2026-11-17 09:58:48.531947+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('litecoin-test', 1, '1fe9bcaf81c14717fb230b20b721bf755b195dc0892f7a906c5c17e9a04f4398', '581d3fea7defeba04380503e990a88b4231702152747767a42a0a1eb9a80a7f4', '2026-11-17 09:58:48.034509+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('litecoin-test', 2, 'f6a9991c4a601c85f256b4f096938964bd5bd1058948194a872f87b71b4bce58', '1fe9bcaf81c14717fb230b20b721bf755b195dc0892f7a906c5c17e9a04f4398', '2026-11-17 09:58:48.034607+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('litecoin-test', 3, 'a39064c9fb4df35f61426be7e1dc2c25dab8898772c602e1fe37a6ded72f4d6f', 'f6a9991c4a601c85f256b4f096938964bd5bd1058948194a872f87b71b4bce58', '2026-11-17 09:58:48.034629+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('litecoin-test', 4, '0f7e2923ac301ecdfc8dce6989a2e85316461826108d08341933e6fd379d56af', 'a39064c9fb4df35f61426be7e1dc2c25dab8898772c602e1fe37a6ded72f4d6f', '2026-11-17 09:58:48.034775+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('litecoin-test', 5, 'fa9125e7e7ecb4df433f908d40ee4a203bee1b6b5a09998105d6d1afe9ba3c54', '0f7e2923ac301ecdfc8dce6989a2e85316461826108d08341933e6fd379d56af', '2026-11-17 09:58:48.034795+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('litecoin-test', 6, 'ec96599872a9d40e5b0b4185a627749ecd6046ab5d512be6193ae243722c80cf', 'fa9125e7e7ecb4df433f908d40ee4a203bee1b6b5a09998105d6d1afe9ba3c54', '2026-11-17 09:58:48.034812+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('litecoin-test', 7, '17b0e9f7588c3d871eeaf847c3eda3382d62a675640b56a4d6c074c1b70b8751', 'ec96599872a9d40e5b0b4185a627749ecd6046ab5d512be6193ae243722c80cf', '2026-11-17 09:58:48.209291+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 6, '38d14c856e7a8a22da8b211da2bcdca72963d7575cc6dddfc975ac78f0ff1312', 'a9d47dab0072e3e28bfe144be571928b9f3a21b399c173af200320e8587676fc', '2026-11-17 09:58:50.304546+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 7, '390d17158b4641d7b0d93577144b9ab2199269112664d34f3cbfb899ca7c4447', '38d14c856e7a8a22da8b211da2bcdca72963d7575cc6dddfc975ac78f0ff1312', '2026-11-17 09:58:50.304606+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 8, '1ec94a7ff20daf3931aeba77decb02f1acb48e5cd0c664616d286559efc6e05e', '390d17158b4641d7b0d93577144b9ab2199269112664d34f3cbfb899ca7c4447', '2026-11-17 09:58:50.304622+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 9, '447b72b20fdabd3eb54c2f42fcf7bf5baf6d23ca08703b48dd6bba587b94e74b', '1ec94a7ff20daf3931aeba77decb02f1acb48e5cd0c664616d286559efc6e05e', '2026-11-17 09:58:50.304635+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 42, '2c07e251a2564acb57d346c4431772f6091585fb5e4311bcb6838e6ee2f47611', 'ec8175d5bc9e9913dd1b6dda9aeb5b1f95508518eac12a8d8fc730aec044b1ec', '2026-11-17 09:58:51.921596+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 43, '6dfb655edf3b8d6ff5d25013e2a84f7f11ff3cee551dcda44df9140e936f8293', '2c07e251a2564acb57d346c4431772f6091585fb5e4311bcb6838e6ee2f47611', '2026-11-17 09:58:51.92165+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 44, '9149802b0b3949d799945e72d7eed9a1bd193de51a883277bd0fba2bd142acc4', '6dfb655edf3b8d6ff5d25013e2a84f7f11ff3cee551dcda44df9140e936f8293', '2026-11-17 09:58:51.921666+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 45, '855c4895fce73a442250209d55ff4054fb6857828794af86ef02cb0057723924', '9149802b0b3949d799945e72d7eed9a1bd193de51a883277bd0fba2bd142acc4', '2026-11-17 09:58:51.921679+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 68, '94bea59bbff430bfad69fb38ec9310cac8323a8e857ce20841d3a859db718520', 'dc1761f51f79ed9c18034b762bfe19049dd6c789859321fa01388ff046a76491', '2026-11-17 09:58:54.610048+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 69, 'a5a22bd4b5f77ca27d69216b927ffb91931d92d772b531fc597339ff2b602596', '94bea59bbff430bfad69fb38ec9310cac8323a8e857ce20841d3a859db718520', '2026-11-17 09:58:54.610106+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 70, 'ae2891ced4b268ec76cf918ea2d404b48d99b47bd1a1a974de72fe011fed8781', 'a5a22bd4b5f77ca27d69216b927ffb91931d92d772b531fc597339ff2b602596', '2026-11-17 09:58:54.610122+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 71, '2ccd47df37ef941890478a3efdf6feb76aeb1dc09faa96f2b945b84b8707ccf8', 'ae2891ced4b268ec76cf918ea2d404b48d99b47bd1a1a974de72fe011fed8781', '2026-11-17 09:58:54.610135+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 27, 'b25fe59e2db05731334646c934745ec1a7dec0237eaafb049f5d3a5aaf5991b8', 'ca6c32f3a20ba0b409208dcbd7956e57f61d3bc3eef379815532ce32bccbdf0e', '2026-11-17 09:58:48.531964+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 28, 'c420ac8148f32424ae5d328bbac2ef2ee8c72e8ca6944da4399e050a0e6ba1a7', 'b25fe59e2db05731334646c934745ec1a7dec0237eaafb049f5d3a5aaf5991b8', '2026-11-17 09:58:48.532037+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 29, 'c506d573fc361d5e46c6bfd9a34ddc5e8c95f721bd6276a71496f8eb9c7da8c4', 'c420ac8148f32424ae5d328bbac2ef2ee8c72e8ca6944da4399e050a0e6ba1a7', '2026-11-17 09:58:48.53205+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 30, '07e4e64ee413f28053157d7da286e8b1f8b4c3f3e34fc61ead0344b099a568a4', 'c506d573fc361d5e46c6bfd9a34ddc5e8c95f721bd6276a71496f8eb9c7da8c4', '2026-11-17 09:58:48.532061+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 31, '24f7c56c43d965bce161101f6c28a2b7d8bfb8ae2ac9f9f0f0654fb54eea6c90', '07e4e64ee413f28053157d7da286e8b1f8b4c3f3e34fc61ead0344b099a568a4', '2026-11-17 09:58:48.532073+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 32, '5a0599040988293edb45e5e2181594332caf55ceda7f7f29ad68848a421bb213', '24f7c56c43d965bce161101f6c28a2b7d8bfb8ae2ac9f9f0f0654fb54eea6c90', '2026-11-17 09:58:48.532084+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 33, 'aa40f6cf67812424e35e98769a7311317e20226ea71c5395ad260521e9276955', '5a0599040988293edb45e5e2181594332caf55ceda7f7f29ad68848a421bb213', '2026-11-17 09:58:48.532094+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 34, 'b02ff6a3da70a6b46efa362f3c086ddda5938f465e7048d58ebb85f9961afd23', 'aa40f6cf67812424e35e98769a7311317e20226ea71c5395ad260521e9276955', '2026-11-17 09:58:48.532106+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 35, '2105b651e5e29f301879dde37addb2cc9dd24f67830256ff3fa89210586599f7', 'b02ff6a3da70a6b46efa362f3c086ddda5938f465e7048d58ebb85f9961afd23', '2026-11-17 09:58:48.532117+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 36, 'f71c86431aa0dfc914ba66b0bf711930413b671531efb702df9c1a8111e0fec5', '2105b651e5e29f301879dde37addb2cc9dd24f67830256ff3fa89210586599f7', '2026-11-17 09:58:48.532128+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 5, 'a9d47dab0072e3e28bfe144be571928b9f3a21b399c173af200320e8587676fc', 'efe5094dedb402b9646347f9d954853fafb745f0499739cac87b245185bd6916', '2026-11-17 09:58:49.873981+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 10, '20098bd8fc46aa1ca59515271eeb365d9549da9b905548707ea38fb24d61a8cb', '447b72b20fdabd3eb54c2f42fcf7bf5baf6d23ca08703b48dd6bba587b94e74b', '2026-11-17 09:58:50.638211+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 37, '75e05bb6f5b24317704bd6e30bbeb50a232f4b18baf548959dc1d55aedbd9be6', 'f71c86431aa0dfc914ba66b0bf711930413b671531efb702df9c1a8111e0fec5', '2026-11-17 09:58:51.553312+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 46, 'ec415c6125291264130be22099d3d2122aa3c504bd0fa7df15f16393c727c720', '855c4895fce73a442250209d55ff4054fb6857828794af86ef02cb0057723924', '2026-11-17 09:58:52.11602+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 47, '511011ea6817463f13d0e73335121b0ceccd986ac787efc107b4f8e15bfc49e7', 'ec415c6125291264130be22099d3d2122aa3c504bd0fa7df15f16393c727c720', '2026-11-17 09:58:52.116073+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 48, 'be6134caa838eb4420521b1e8688f2c3ee75e2132e63ee5f4b8948622d6a53bb', '511011ea6817463f13d0e73335121b0ceccd986ac787efc107b4f8e15bfc49e7', '2026-11-17 09:58:52.116089+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 49, '3e8090816955f7dec46aec3486cf9d6b8597aef4bb453891f3a4824bc8b60ab7', 'be6134caa838eb4420521b1e8688f2c3ee75e2132e63ee5f4b8948622d6a53bb', '2026-11-17 09:58:52.116102+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 77, '02e884567add5c488b210198d405e2afef43e703661465ab1b9f77a4834e77d6', 'fb1fae7fd67f12e31e400653893895699abd45f645d1df0c6ad397136cb2aadb', '2026-11-17 09:58:55.919636+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 78, 'a1a40246bd92680d6ce994ef6bf94f2074961a5d70acaec5b4460d367f65e800', '02e884567add5c488b210198d405e2afef43e703661465ab1b9f77a4834e77d6', '2026-11-17 09:58:55.919689+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 79, '1caa430b4eb569630a112ae1fdfaba5b97468bc95470903d57ee4c880864ec62', 'a1a40246bd92680d6ce994ef6bf94f2074961a5d70acaec5b4460d367f65e800', '2026-11-17 09:58:55.919705+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 80, '5f033b2993134959c685124354e99c5134f001ace4628b10d63c3da5ed8b1faf', '1caa430b4eb569630a112ae1fdfaba5b97468bc95470903d57ee4c880864ec62', '2026-11-17 09:58:55.919717+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 15, '45cfea626855271dca17aa8aa8e3a84f5f8801f2fec1d162765ad22bed1c14c4', 'b1f8596b87c5d23f923a7b6825f07c7273a57de1c632d7ec066c896987d21ade', '2026-11-17 09:58:56.286602+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 16, 'ed861792eb78077cc706903d5c919920a017e61852b87f84f3464ceb94a19028', '45cfea626855271dca17aa8aa8e3a84f5f8801f2fec1d162765ad22bed1c14c4', '2026-11-17 09:58:56.286649+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 11, '8ab25f04e107413b97f32c2456c1441039361006045ec009b0bcda95e0a13e4e', '20098bd8fc46aa1ca59515271eeb365d9549da9b905548707ea38fb24d61a8cb', '2026-11-17 09:58:50.782431+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 12, '77f23451f17b393dbbd09f35ddefb3b8650d297d7037fb15aa9d609233370b9d', '8ab25f04e107413b97f32c2456c1441039361006045ec009b0bcda95e0a13e4e', '2026-11-17 09:58:50.782532+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 13, 'e2a20d6bcc013f8fc1643b1b4ee302bd03259fc49ae2547bed169d2f9efbabc7', '77f23451f17b393dbbd09f35ddefb3b8650d297d7037fb15aa9d609233370b9d', '2026-11-17 09:58:50.782549+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 14, 'b1f8596b87c5d23f923a7b6825f07c7273a57de1c632d7ec066c896987d21ade', 'e2a20d6bcc013f8fc1643b1b4ee302bd03259fc49ae2547bed169d2f9efbabc7', '2026-11-17 09:58:50.782561+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 38, '69737431ba929d9e8fad198d2f25079aa53fe52d8758602587a9e9308e2c4df3', '75e05bb6f5b24317704bd6e30bbeb50a232f4b18baf548959dc1d55aedbd9be6', '2026-11-17 09:58:51.736306+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 39, 'cd3f15e273ce9737da750d47c6ebf8bd279bba110e5344fdb9e4bc7eccb10593', '69737431ba929d9e8fad198d2f25079aa53fe52d8758602587a9e9308e2c4df3', '2026-11-17 09:58:51.736382+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 40, '09d0c5ec57e75c0c997a5dee56165e230100483b6b3033ba3d76c97dd73039da', 'cd3f15e273ce9737da750d47c6ebf8bd279bba110e5344fdb9e4bc7eccb10593', '2026-11-17 09:58:51.736398+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 41, 'ec8175d5bc9e9913dd1b6dda9aeb5b1f95508518eac12a8d8fc730aec044b1ec', '09d0c5ec57e75c0c997a5dee56165e230100483b6b3033ba3d76c97dd73039da', '2026-11-17 09:58:51.736411+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 51, '65dfe6a360771591a6c1eb7a343d26523b1459d9acda6404c26c84292689fbb3', '3d28ed577d28c87e3f25002238edd3ba17c23b39d900f9b2e47dde5c36527761', '2026-11-17 09:58:53.771393+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 52, '614803f4d77eabefb80b609e81bfd29c881d1d2575abfb03c3000ca410f5e981', '65dfe6a360771591a6c1eb7a343d26523b1459d9acda6404c26c84292689fbb3', '2026-11-17 09:58:53.771453+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 53, '035df13d46c260f7a85c30c79172e25b276068b9efdfdacfa4c479e7b6d7d993', '614803f4d77eabefb80b609e81bfd29c881d1d2575abfb03c3000ca410f5e981', '2026-11-17 09:58:53.771469+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 54, '39f8936d103a6c8c3587314049ef76f0c2332a399d97c323d389e3798d24818a', '035df13d46c260f7a85c30c79172e25b276068b9efdfdacfa4c479e7b6d7d993', '2026-11-17 09:58:53.771482+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 55, '8bc50592926d48bf82a2b5445daf745fa6d4ad1d248cf0f04de95ee6aa6c6aa4', '39f8936d103a6c8c3587314049ef76f0c2332a399d97c323d389e3798d24818a', '2026-11-17 09:58:53.988773+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 56, 'd5e2ffa48f3ccc9ceab204ce8a3221e4bdc8083c48a6b7b132dee071330a0de1', '8bc50592926d48bf82a2b5445daf745fa6d4ad1d248cf0f04de95ee6aa6c6aa4', '2026-11-17 09:58:54.130657+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 57, '399384c0c90a548a71b6df42fab13e9e911edb2f9e139ebad69d98582a3e20de', 'd5e2ffa48f3ccc9ceab204ce8a3221e4bdc8083c48a6b7b132dee071330a0de1', '2026-11-17 09:58:54.130706+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 58, '7535293064884318a6f6cb6d006a31016cb78028a915d9a4232605d3b1fe1c67', '399384c0c90a548a71b6df42fab13e9e911edb2f9e139ebad69d98582a3e20de', '2026-11-17 09:58:54.130721+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 59, 'ac9ba7b4131d4e8171e1eae2caf763b9d5f6a67bd0216874a2373379bf34fbb1', '7535293064884318a6f6cb6d006a31016cb78028a915d9a4232605d3b1fe1c67', '2026-11-17 09:58:54.130734+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 60, '2e93f5e2c3a410bc500b6663bce52a091bd88c81870ba8d0c089c1b88c42fa0c', 'ac9ba7b4131d4e8171e1eae2caf763b9d5f6a67bd0216874a2373379bf34fbb1', '2026-11-17 09:58:54.288078+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 61, '192b16002425254fc3dbc3b6e1b67177e71253a9ab8c9324226a6739665c14ad', '2e93f5e2c3a410bc500b6663bce52a091bd88c81870ba8d0c089c1b88c42fa0c', '2026-11-17 09:58:54.288127+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 62, 'a79a819db4cab293f25d1702f20f196e3cfc484fcc50f319bfa0ddb1c6b5e145', '192b16002425254fc3dbc3b6e1b67177e71253a9ab8c9324226a6739665c14ad', '2026-11-17 09:58:54.288143+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 63, 'b723401c3e549a2fc2e7db4a5e531afd864b6ad763acf20731f636c4de89b8f5', 'a79a819db4cab293f25d1702f20f196e3cfc484fcc50f319bfa0ddb1c6b5e145', '2026-11-17 09:58:54.288167+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 64, 'e9638651092663e1bb15d2694566ffcc1a74e3e628c81f9d37fa2be2181572c7', 'b723401c3e549a2fc2e7db4a5e531afd864b6ad763acf20731f636c4de89b8f5', '2026-11-17 09:58:54.424154+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 65, 'b565df27e39d89e5ae3593fd7530f606dba64121cdd45e406acb015819522a8a', 'e9638651092663e1bb15d2694566ffcc1a74e3e628c81f9d37fa2be2181572c7', '2026-11-17 09:58:54.42423+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 66, 'a050f60fa722f956c18da56cfc1bc96778c84905e3bd218e47d55d5e437969ae', 'b565df27e39d89e5ae3593fd7530f606dba64121cdd45e406acb015819522a8a', '2026-11-17 09:58:54.424247+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 67, 'dc1761f51f79ed9c18034b762bfe19049dd6c789859321fa01388ff046a76491', 'a050f60fa722f956c18da56cfc1bc96778c84905e3bd218e47d55d5e437969ae', '2026-11-17 09:58:54.42426+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 72, 'ebb9e0c4f1f4d825b51ce5164ffec4318bbd78b4c3291e2816cd18b0f8ca8574', '2ccd47df37ef941890478a3efdf6feb76aeb1dc09faa96f2b945b84b8707ccf8', '2026-11-17 09:58:55.469446+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 81, '6c45dcd1909e9d2bf2941c50c608a4f006e8c3580ea5eea31ec5cfd310f2a73a', '5f033b2993134959c685124354e99c5134f001ace4628b10d63c3da5ed8b1faf', '2026-11-17 09:58:56.039194+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 82, '2e39360d1de0d5f48c2d3c0d198764231d503d8285a784ac033c2bbae1268b56', '6c45dcd1909e9d2bf2941c50c608a4f006e8c3580ea5eea31ec5cfd310f2a73a', '2026-11-17 09:58:56.039242+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 83, '7cd8572d22b9e7585aeb23bea5717b67ffbb0f624e81e952571a808e7482fba0', '2e39360d1de0d5f48c2d3c0d198764231d503d8285a784ac033c2bbae1268b56', '2026-11-17 09:58:56.039258+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 84, '5a540cef515ee9423b4914d9e11da87086a1553a102e2dba246eb8b876cf499d', '7cd8572d22b9e7585aeb23bea5717b67ffbb0f624e81e952571a808e7482fba0', '2026-11-17 09:58:56.039271+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 22, 'f63249915b22eb21cbebfd8c6f2ab8c9053ba61ff247962472b2981954532111', '9672568b9a6d09278ceba98582987eef4c97ddd4402ea1935640a0eb8b5264c0', '2026-11-17 09:58:58.637049+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 23, '087a54cb934303e8378d076487a4afc65eaad4c5e776d065023191d464fa5b07', 'f63249915b22eb21cbebfd8c6f2ab8c9053ba61ff247962472b2981954532111', '2026-11-17 09:58:58.637139+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 50, '3d28ed577d28c87e3f25002238edd3ba17c23b39d900f9b2e47dde5c36527761', '3e8090816955f7dec46aec3486cf9d6b8597aef4bb453891f3a4824bc8b60ab7', '2026-11-17 09:58:53.519088+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 73, 'e0264b0797fad18763e03def3036c2330c5ed377717786b44de951b74142b86c', 'ebb9e0c4f1f4d825b51ce5164ffec4318bbd78b4c3291e2816cd18b0f8ca8574', '2026-11-17 09:58:55.756129+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 74, '5b7a91c1029331ce3d93eb302db32c9035d0fd8946592551369a02952a151c39', 'e0264b0797fad18763e03def3036c2330c5ed377717786b44de951b74142b86c', '2026-11-17 09:58:55.756206+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 75, '324dc3d1e9fe9df92e12a1e05d06165bf5781d1d2697e4d97e49417c18d15618', '5b7a91c1029331ce3d93eb302db32c9035d0fd8946592551369a02952a151c39', '2026-11-17 09:58:55.756232+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 76, 'fb1fae7fd67f12e31e400653893895699abd45f645d1df0c6ad397136cb2aadb', '324dc3d1e9fe9df92e12a1e05d06165bf5781d1d2697e4d97e49417c18d15618', '2026-11-17 09:58:55.756261+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 17, 'a9c7837348ec6306f22dabfdc73812086fbd8a6f01cf9602547a14dc25f2c436', 'ed861792eb78077cc706903d5c919920a017e61852b87f84f3464ceb94a19028', '2026-11-17 09:58:57.264273+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 18, 'cd8d3930bbf3d19825c2115aa3fdab16da7536ff02d4f21757106fb6c8b299b5', 'a9c7837348ec6306f22dabfdc73812086fbd8a6f01cf9602547a14dc25f2c436', '2026-11-17 09:58:57.335515+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 19, '294cb7aaedfd1b541052283b05f044d778b895ff2a4abb8c271c384784a6d0f8', 'cd8d3930bbf3d19825c2115aa3fdab16da7536ff02d4f21757106fb6c8b299b5', '2026-11-17 09:58:57.335599+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 20, 'aa2ab8a2ea653d54f9907e3eb0dc8ddf08ed692326031e6378486cdd7ac93c53', '294cb7aaedfd1b541052283b05f044d778b895ff2a4abb8c271c384784a6d0f8', '2026-11-17 09:58:57.335637+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('bitcoin-test', 21, '9672568b9a6d09278ceba98582987eef4c97ddd4402ea1935640a0eb8b5264c0', 'aa2ab8a2ea653d54f9907e3eb0dc8ddf08ed692326031e6378486cdd7ac93c53', '2026-11-17 09:58:57.335659+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 85, 'ab24d592d7b6ad0afbbfeb04e256f15b4abde3770f64f49b28586b238fe972f2', '5a540cef515ee9423b4914d9e11da87086a1553a102e2dba246eb8b876cf499d', '2026-11-17 09:58:58.149434+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 86, '6b602adf232caec5a977f0be7363375303bbcd0a4e95a547ec67240b74ba8b79', 'ab24d592d7b6ad0afbbfeb04e256f15b4abde3770f64f49b28586b238fe972f2', '2026-11-17 09:58:58.149515+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 87, '0a28a4d02f57464480143e3807981dfcefea11481fa648f77d454956286b8b2b', '6b602adf232caec5a977f0be7363375303bbcd0a4e95a547ec67240b74ba8b79', '2026-11-17 09:58:58.149541+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 88, '2f92d9241f351bab1ab095c025adb4f32fb6501866a6084b6ad82f18c1444419', '0a28a4d02f57464480143e3807981dfcefea11481fa648f77d454956286b8b2b', '2026-11-17 09:58:58.149563+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 89, 'c4fe16e566942e85c24512999f7476339a625c4420df159a342c49b8ff2908c5', '2f92d9241f351bab1ab095c025adb4f32fb6501866a6084b6ad82f18c1444419', '2026-11-17 09:58:58.149583+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 90, '3148735ed66f70b23b5ddf30e7d670b882999341a4feedf9c7ffcc5be44dab94', 'c4fe16e566942e85c24512999f7476339a625c4420df159a342c49b8ff2908c5', '2026-11-17 09:58:58.149603+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 91, '5feac21e72ff378acf9e5530a3cd71bed779a761bec8ba91f22cc57336b53f5d', '3148735ed66f70b23b5ddf30e7d670b882999341a4feedf9c7ffcc5be44dab94', '2026-11-17 09:58:58.149623+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 92, '0ed703788c38a9fba58ca9cd7d1cacdd90025aaf03275286e8e9729c10e64561', '5feac21e72ff378acf9e5530a3cd71bed779a761bec8ba91f22cc57336b53f5d', '2026-11-17 09:58:58.149643+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 93, '45e36ef1d2e03911dc72a80d8f436e1aa7684284ea001795a121c78d9c2484c0', '0ed703788c38a9fba58ca9cd7d1cacdd90025aaf03275286e8e9729c10e64561', '2026-11-17 09:58:58.149662+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 94, 'e6ddfb5103aba93b6f0505e5caf454b7c94783a9974d60b9716f21b14eec0ff8', '45e36ef1d2e03911dc72a80d8f436e1aa7684284ea001795a121c78d9c2484c0', '2026-11-17 09:58:58.149681+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 95, '6f7909b90ee1959fb78c04061cdd258a4f0a79ed2b8a171c533141c2a674def2', 'e6ddfb5103aba93b6f0505e5caf454b7c94783a9974d60b9716f21b14eec0ff8', '2026-11-17 09:58:58.1497+00');
INSERT INTO public.simulated_blocks (gate_id, height, hash, parent_hash, mined_at) VALUES ('ethereum-test', 96, '859b25e03afc792086ca95cc40535800ca1d817a7139e8e885f950029ba6993c', '6f7909b90ee1959fb78c04061cdd258a4f0a79ed2b8a171c533141c2a674def2', '2026-11-17 09:58:58.149719+00');

INSERT INTO public.simulated_chains (gate_id, height, hash, changes, next_block_at) VALUES ('arbitrum-test', 0, '5c5320d28282de2b691e877911390375a3f5eb31221f9e78edde6796d9aca80d', 0, '2026-11-17 09:58:41.692995+00');
INSERT INTO public.simulated_chains (gate_id, height, hash, changes, next_block_at) VALUES ('avalanche-test', 0, '3145ac0f7d303bfe8efb3301380d6d9f27c95e5e331691a968ebd94015decc2c', 0, '2026-11-17 09:58:41.701592+00');
INSERT INTO public.simulated_chains (gate_id, height, hash, changes, next_block_at) VALUES ('base-test', 0, '0c2c38289e6e4261b56e0c4712ff824586153ea21a564e1e75d66e29a0225918', 0, '2026-11-17 09:58:41.706471+00');
INSERT INTO public.simulated_chains (gate_id, height, hash, changes, next_block_at) VALUES ('bsc-test', 0, 'a91e56ac635a4f219870a3447d70f2968ee216e7975f6596cfe4b593bd4adff9', 0, '2026-11-17 09:58:41.723224+00');
INSERT INTO public.simulated_chains (gate_id, height, hash, changes, next_block_at) VALUES ('optimism-test', 0, '429f3c16f34cca8ad544cdb787caa1145da44df05d5a3f0447cf74a65d256cdb', 0, '2026-11-17 09:58:41.736391+00');
INSERT INTO public.simulated_chains (gate_id, height, hash, changes, next_block_at) VALUES ('polygon-test', 0, '3987e66558cd9c9fb12b5ec9021d8050d771a58f78b10945c9f006793667bab4', 0, '2026-11-17 09:58:41.745702+00');
INSERT INTO public.simulated_chains (gate_id, height, hash, changes, next_block_at) VALUES ('solana-test', 0, 'c130e5cf6245796d96ec03316e4ca9aad76f8257ce4243a00146bdf4a0714a0c', 0, '2026-11-17 09:58:41.749509+00');
INSERT INTO public.simulated_chains (gate_id, height, hash, changes, next_block_at) VALUES ('xrp-test', 0, 'b899ef825c84bfed8f43e8971174950875de1bd264e2beaac9b4479ffb54b2cb', 0, '2026-11-17 09:58:41.753858+00');
INSERT INTO public.simulated_chains (gate_id, height, hash, changes, next_block_at) VALUES ('ethereum-test', 96, '859b25e03afc792086ca95cc40535800ca1d817a7139e8e885f950029ba6993c', 28, '2026-11-17 09:58:56.397722+00');
INSERT INTO public.simulated_chains (gate_id, height, hash, changes, next_block_at) VALUES ('bitcoin-test', 23, '087a54cb934303e8378d076487a4afc65eaad4c5e776d065023191d464fa5b07', 21, '2026-11-17 09:58:59.499245+00');
INSERT INTO public.simulated_chains (gate_id, height, hash, changes, next_block_at) VALUES ('litecoin-test', 7, '17b0e9f7588c3d871eeaf847c3eda3382d62a675640b56a4d6c074c1b70b8751', 3, '2026-11-17 09:58:48.931706+00');

INSERT INTO public.simulated_debits (gate_id, tx_hash, address, currency, units) VALUES ('ethereum-test', '0xd77e514297b58c675c33af614eb8ab7d9deabcbc88c1a1f0c3ec77c2f14c750c', '0xBa930b035389bDa895616f8DeF22338dcfF642F9', 'ETH', 242000000000000);
INSERT INTO public.simulated_debits (gate_id, tx_hash, address, currency, units) VALUES ('ethereum-test', '0x8e01e889727c7bb03ef64bbdcc1ba31955b7f406fc85d44cd2a469989e46b3bd', '0xB0b62D1758506580EAfB4d48d5B6Cb1462246d04', 'ETH', 200000000000000);
INSERT INTO public.simulated_debits (gate_id, tx_hash, address, currency, units) VALUES ('ethereum-test', '0x8e01e889727c7bb03ef64bbdcc1ba31955b7f406fc85d44cd2a469989e46b3bd', '0xB0b62D1758506580EAfB4d48d5B6Cb1462246d04', 'USDT', 300000000);
INSERT INTO public.simulated_debits (gate_id, tx_hash, address, currency, units) VALUES ('ethereum-test', '0xd4281fafb7e13fb26ac9806f589746092743eb9a5c11cea88b6c4c0bcc1bcf98', '0xBa930b035389bDa895616f8DeF22338dcfF642F9', 'ETH', 200000000000000);
INSERT INTO public.simulated_debits (gate_id, tx_hash, address, currency, units) VALUES ('ethereum-test', '0xd4281fafb7e13fb26ac9806f589746092743eb9a5c11cea88b6c4c0bcc1bcf98', '0xBa930b035389bDa895616f8DeF22338dcfF642F9', 'USDT', 120000000);

INSERT INTO public.simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units) VALUES ('bitcoin-test', '34d3013663a37caf248527bde7c93fe28f5dc921339b5efa8eb5451d21e7a4f0', 0, 'tb1qq3mkglz2k0g0qxe0g7tjmka5uzgecke8gn39lz', NULL, 'BTC', 50000000);
INSERT INTO public.simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units) VALUES ('ethereum-test', '0x7dd8a3864fbf950fa8df6863a495b1d9ca6fcc02e861e9dbe6b01b494b21de8a', 0, '0x373B4b3e23AB506f63dB30175273cD89f7E1f8e7', NULL, 'ETH', 2000000000000000000);
INSERT INTO public.simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units) VALUES ('ethereum-test', '0xc3075dcfe72d4f16a32be15b7faa633aa7dda83678e273d96c3703cfbbe0a2ea', 0, '0xB0b62D1758506580EAfB4d48d5B6Cb1462246d04', NULL, 'USDT', 300000000);
INSERT INTO public.simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units) VALUES ('bitcoin-test', '420d6f1e43fd17e705c2bdeb4d228471255832b3c953e97d6ac0cdbc251c5fdd', 0, 'tb1q775qvkz74q6dlspkcc9qk66lzk2wg4rwe23aur', NULL, 'BTC', 1500000);
INSERT INTO public.simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units) VALUES ('bitcoin-test', '2f3f7ef2272143f7bfc26443e3a9b36f589e686d6824300fa3b0fcd17b587e5e', 0, 'tb1qdfl6xh0jn39m3rw08mcvzzr8v0z4m5rcm5rty7', NULL, 'BTC', 500000);
INSERT INTO public.simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units) VALUES ('bitcoin-test', 'e1805427a0136991f9dcf88bfc5e0000d07b5c95b38b525ffca16c695cac4fba', 0, 'tb1qrqauwtcxvu5x7ce8sdjlznefxdcdpz97hj2gft', NULL, 'BTC', 3000000);
INSERT INTO public.simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units) VALUES ('bitcoin-test', 'c5772a702d927430a278e715f0fbe0bde6035833eae9fde83ce141acb79a0816', 0, 'tb1q0trf64wc8y9whrdshld07cgzhmxz8s2nykfjw0', NULL, 'BTC', 400000);
INSERT INTO public.simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units) VALUES ('bitcoin-test', '9a39317929ebeb52db0c851004a549ff97deb49daaa2b8132c970d2a140f516f', 0, 'tb1q0trf64wc8y9whrdshld07cgzhmxz8s2nykfjw0', NULL, 'BTC', 600000);
INSERT INTO public.simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units) VALUES ('bitcoin-test', 'c2e8ceae363661ca09bf285668bfc3afc7859fdb29b7b76a0c7da7ef8741737c', 0, 'tb1qt8tgww02ynh6uzjzjxavh0c8x5cman0funl3q6', NULL, 'BTC', 10000);
INSERT INTO public.simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units) VALUES ('litecoin-test', 'e40c2f9c75f6ea52e9f926cb95264cbe6b7485cab85c8f63b55a8b3c8ac94d99', 0, 'tltc1qt8tgww02ynh6uzjzjxavh0c8x5cman0f9ma0sn', NULL, 'LTC', 300000000);
INSERT INTO public.simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units) VALUES ('ethereum-test', '0x38b0b0de4ab5a7e9b4ff7231b46513c1bfc5562f35581b9d7c2a902fbe204dc7', 0, '0x72eF96D6A31c7891E28398d49CD4Fa1Bf4537564', NULL, 'USDT', 25000000);
INSERT INTO public.simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units) VALUES ('ethereum-test', '0x320e0a80ae6414e0c3c2e98afd899445737caa9706f03e2efb332e23ba56ff99', 0, '0x72eF96D6A31c7891E28398d49CD4Fa1Bf4537564', NULL, 'USDT', 26000000);
INSERT INTO public.simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units) VALUES ('bitcoin-test', 'cf9583e7c1c6fb3054328376a05c169973aa4e966ef394c6271ea0757c9acb2d', 0, 'tb1qjgx204hxfwuse548jc34fjzg6ffq8pvrqwlex4', NULL, 'BTC', 10000000);
INSERT INTO public.simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units) VALUES ('bitcoin-test', 'cf9583e7c1c6fb3054328376a05c169973aa4e966ef394c6271ea0757c9acb2d', 1, 'tb1qmyzt5r269ls7n5ag53cj0n27xq4du6nfmdzy4q', NULL, 'BTC', 39999295);
INSERT INTO public.simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units) VALUES ('ethereum-test', '0x2de543c812a5cd138fd743bade8c43d53cdbad282b68c88f53786fcab10e2f6d', 0, '0xBa930b035389bDa895616f8DeF22338dcfF642F9', NULL, 'ETH', 100000000000000000000);
INSERT INTO public.simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units) VALUES ('ethereum-test', '0xd77e514297b58c675c33af614eb8ab7d9deabcbc88c1a1f0c3ec77c2f14c750c', 0, '0xB0b62D1758506580EAfB4d48d5B6Cb1462246d04', NULL, 'ETH', 200000000000000);
INSERT INTO public.simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units) VALUES ('ethereum-test', '0x8e01e889727c7bb03ef64bbdcc1ba31955b7f406fc85d44cd2a469989e46b3bd', 0, '0xBa930b035389bDa895616f8DeF22338dcfF642F9', NULL, 'USDT', 300000000);
INSERT INTO public.simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units) VALUES ('ethereum-test', '0xd4281fafb7e13fb26ac9806f589746092743eb9a5c11cea88b6c4c0bcc1bcf98', 0, '0x0D3eB21b6b21833A4939Cfff4810E9AE0758e12C', NULL, 'USDT', 120000000);
INSERT INTO public.simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units) VALUES ('bitcoin-test', 'e047839201d6bd3b7fe4c97beaeb6fb7f075412c64eb4d8665329af020e63669', 0, 'tb1qg7jcf6qrfe8wj2ug4ux8h7x3fz5r89yz7nsdhj', NULL, 'BTC', 4000000);
INSERT INTO public.simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units) VALUES ('bitcoin-test', '1940acee37faa621e92d24c9babbba22694e31fa961edc2d46c7815cc312991e', 0, 'tb1qzkshuu7gx7d9l9qjp8amrf055kuql35rdekvle', NULL, 'BTC', 499295);
INSERT INTO public.simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units) VALUES ('bitcoin-test', '1940acee37faa621e92d24c9babbba22694e31fa961edc2d46c7815cc312991e', 1, 'tb1qurg4y55dpv5z80yhgmjqq6gw83gujt5rg5zr3q', NULL, 'BTC', 1000000);
INSERT INTO public.simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units) VALUES ('bitcoin-test', 'b577129fcd5c439566e2d269236e172adec9ed56385f3de4575b2d0fcd3eca8a', 0, 'tb1ql6a277yln0he52syckp4j0fvyxc6shc6pelsk2', NULL, 'BTC', 20000000);

INSERT INTO public.simulated_ruled_out (gate_id, tx_hash, height) VALUES ('litecoin-test', 'e40c2f9c75f6ea52e9f926cb95264cbe6b7485cab85c8f63b55a8b3c8ac94d99', 7);
INSERT INTO public.simulated_ruled_out (gate_id, tx_hash, height) VALUES ('ethereum-test', '0xdeb98d8872f8b0c0ad7d881bb1aa7dbdd74234ee56ed9faec6db207c052105f8', NULL);

INSERT INTO public.simulated_transactions (gate_id, hash, sender, nonce, fee_units, fee_rate, arrival, executed, state, failed, height) OVERRIDING SYSTEM VALUE VALUES ('bitcoin-test', '34d3013663a37caf248527bde7c93fe28f5dc921339b5efa8eb5451d21e7a4f0', NULL, NULL, 1, 1, 1, false, 'mined', false, 1);
INSERT INTO public.simulated_transactions (gate_id, hash, sender, nonce, fee_units, fee_rate, arrival, executed, state, failed, height) OVERRIDING SYSTEM VALUE VALUES ('ethereum-test', '0x7dd8a3864fbf950fa8df6863a495b1d9ca6fcc02e861e9dbe6b01b494b21de8a', NULL, NULL, 1, 1, 2, false, 'mined', false, 1);
INSERT INTO public.simulated_transactions (gate_id, hash, sender, nonce, fee_units, fee_rate, arrival, executed, state, failed, height) OVERRIDING SYSTEM VALUE VALUES ('ethereum-test', '0xc3075dcfe72d4f16a32be15b7faa633aa7dda83678e273d96c3703cfbbe0a2ea', NULL, NULL, 1, 1, 3, false, 'mined', false, 13);
INSERT INTO public.simulated_transactions (gate_id, hash, sender, nonce, fee_units, fee_rate, arrival, executed, state, failed, height) OVERRIDING SYSTEM VALUE VALUES ('bitcoin-test', '420d6f1e43fd17e705c2bdeb4d228471255832b3c953e97d6ac0cdbc251c5fdd', NULL, NULL, 1, 1, 4, false, 'mined', false, 3);
INSERT INTO public.simulated_transactions (gate_id, hash, sender, nonce, fee_units, fee_rate, arrival, executed, state, failed, height) OVERRIDING SYSTEM VALUE VALUES ('bitcoin-test', '2f3f7ef2272143f7bfc26443e3a9b36f589e686d6824300fa3b0fcd17b587e5e', NULL, NULL, 1, 1, 5, false, 'mined', false, 3);
INSERT INTO public.simulated_transactions (gate_id, hash, sender, nonce, fee_units, fee_rate, arrival, executed, state, failed, height) OVERRIDING SYSTEM VALUE VALUES ('bitcoin-test', 'e1805427a0136991f9dcf88bfc5e0000d07b5c95b38b525ffca16c695cac4fba', NULL, NULL, 1, 1, 6, false, 'mined', false, 3);
INSERT INTO public.simulated_transactions (gate_id, hash, sender, nonce, fee_units, fee_rate, arrival, executed, state, failed, height) OVERRIDING SYSTEM VALUE VALUES ('bitcoin-test', 'c5772a702d927430a278e715f0fbe0bde6035833eae9fde83ce141acb79a0816', NULL, NULL, 1, 1, 7, false, 'mined', false, 3);
INSERT INTO public.simulated_transactions (gate_id, hash, sender, nonce, fee_units, fee_rate, arrival, executed, state, failed, height) OVERRIDING SYSTEM VALUE VALUES ('bitcoin-test', '9a39317929ebeb52db0c851004a549ff97deb49daaa2b8132c970d2a140f516f', NULL, NULL, 1, 1, 8, false, 'mined', false, 3);
INSERT INTO public.simulated_transactions (gate_id, hash, sender, nonce, fee_units, fee_rate, arrival, executed, state, failed, height) OVERRIDING SYSTEM VALUE VALUES ('litecoin-test', 'e40c2f9c75f6ea52e9f926cb95264cbe6b7485cab85c8f63b55a8b3c8ac94d99', NULL, NULL, 1, 1, 10, false, 'gone', false, NULL);
INSERT INTO public.simulated_transactions (gate_id, hash, sender, nonce, fee_units, fee_rate, arrival, executed, state, failed, height) OVERRIDING SYSTEM VALUE VALUES ('ethereum-test', '0x38b0b0de4ab5a7e9b4ff7231b46513c1bfc5562f35581b9d7c2a902fbe204dc7', NULL, NULL, 1, 1, 11, false, 'mined', false, 25);
INSERT INTO public.simulated_transactions (gate_id, hash, sender, nonce, fee_units, fee_rate, arrival, executed, state, failed, height) OVERRIDING SYSTEM VALUE VALUES ('ethereum-test', '0x320e0a80ae6414e0c3c2e98afd899445737caa9706f03e2efb332e23ba56ff99', NULL, NULL, 1, 1, 12, false, 'mined', false, 25);
INSERT INTO public.simulated_transactions (gate_id, hash, sender, nonce, fee_units, fee_rate, arrival, executed, state, failed, height) OVERRIDING SYSTEM VALUE VALUES ('bitcoin-test', 'c2e8ceae363661ca09bf285668bfc3afc7859fdb29b7b76a0c7da7ef8741737c', NULL, NULL, 1, 1, 9, false, 'mined', false, 5);
INSERT INTO public.simulated_transactions (gate_id, hash, sender, nonce, fee_units, fee_rate, arrival, executed, state, failed, height) OVERRIDING SYSTEM VALUE VALUES ('bitcoin-test', 'cf9583e7c1c6fb3054328376a05c169973aa4e966ef394c6271ea0757c9acb2d', NULL, NULL, 705, 5, 13, true, 'mined', false, 10);
INSERT INTO public.simulated_transactions (gate_id, hash, sender, nonce, fee_units, fee_rate, arrival, executed, state, failed, height) OVERRIDING SYSTEM VALUE VALUES ('ethereum-test', '0x2de543c812a5cd138fd743bade8c43d53cdbad282b68c88f53786fcab10e2f6d', NULL, NULL, 0, 0, 14, false, 'mined', false, 37);
INSERT INTO public.simulated_transactions (gate_id, hash, sender, nonce, fee_units, fee_rate, arrival, executed, state, failed, height) OVERRIDING SYSTEM VALUE VALUES ('ethereum-test', '0xd77e514297b58c675c33af614eb8ab7d9deabcbc88c1a1f0c3ec77c2f14c750c', '0xBa930b035389bDa895616f8DeF22338dcfF642F9', 0, 42000000000000, 2000000000, 15, true, 'mined', false, 50);
INSERT INTO public.simulated_transactions (gate_id, hash, sender, nonce, fee_units, fee_rate, arrival, executed, state, failed, height) OVERRIDING SYSTEM VALUE VALUES ('ethereum-test', '0x8e01e889727c7bb03ef64bbdcc1ba31955b7f406fc85d44cd2a469989e46b3bd', '0xB0b62D1758506580EAfB4d48d5B6Cb1462246d04', 0, 200000000000000, 2000000000, 16, true, 'mined', false, 55);
INSERT INTO public.simulated_transactions (gate_id, hash, sender, nonce, fee_units, fee_rate, arrival, executed, state, failed, height) OVERRIDING SYSTEM VALUE VALUES ('ethereum-test', '0xd4281fafb7e13fb26ac9806f589746092743eb9a5c11cea88b6c4c0bcc1bcf98', '0xBa930b035389bDa895616f8DeF22338dcfF642F9', 1, 200000000000000, 2000000000, 17, true, 'mined', false, 72);
INSERT INTO public.simulated_transactions (gate_id, hash, sender, nonce, fee_units, fee_rate, arrival, executed, state, failed, height) OVERRIDING SYSTEM VALUE VALUES ('bitcoin-test', 'e047839201d6bd3b7fe4c97beaeb6fb7f075412c64eb4d8665329af020e63669', NULL, NULL, 1, 1, 18, false, 'mined', false, 15);
INSERT INTO public.simulated_transactions (gate_id, hash, sender, nonce, fee_units, fee_rate, arrival, executed, state, failed, height) OVERRIDING SYSTEM VALUE VALUES ('bitcoin-test', '1940acee37faa621e92d24c9babbba22694e31fa961edc2d46c7815cc312991e', NULL, NULL, 705, 5, 19, true, 'mined', false, 17);
INSERT INTO public.simulated_transactions (gate_id, hash, sender, nonce, fee_units, fee_rate, arrival, executed, state, failed, height) OVERRIDING SYSTEM VALUE VALUES ('ethereum-test', 'c66cf838b9524f5c10ea295cb86bdd43baa422add9f60069ae839b40bfbd57d8', '0xBa930b035389bDa895616f8DeF22338dcfF642F9', 2, 0, 100000000000000000000000000000000000000000000000000000000000000000000000000000, 20, true, 'mined', false, 85);
INSERT INTO public.simulated_transactions (gate_id, hash, sender, nonce, fee_units, fee_rate, arrival, executed, state, failed, height) OVERRIDING SYSTEM VALUE VALUES ('bitcoin-test', 'b577129fcd5c439566e2d269236e172adec9ed56385f3de4575b2d0fcd3eca8a', NULL, NULL, 1, 1, 21, false, 'mined', false, 22);

INSERT INTO public.simulated_uses (gate_id, use, tx_hash, gone) VALUES ('bitcoin-test', '79d839bb-a9b0-4b17-9ca9-b61477c72dc3', '34d3013663a37caf248527bde7c93fe28f5dc921339b5efa8eb5451d21e7a4f0', false);
INSERT INTO public.simulated_uses (gate_id, use, tx_hash, gone) VALUES ('ethereum-test', '52bdd2e8-c0d1-49e4-a7eb-01dbfbe50abc', '0x7dd8a3864fbf950fa8df6863a495b1d9ca6fcc02e861e9dbe6b01b494b21de8a', false);
INSERT INTO public.simulated_uses (gate_id, use, tx_hash, gone) VALUES ('ethereum-test', '21ec0acc-a5e8-4076-9131-15d71c2b3424', '0xc3075dcfe72d4f16a32be15b7faa633aa7dda83678e273d96c3703cfbbe0a2ea', false);
INSERT INTO public.simulated_uses (gate_id, use, tx_hash, gone) VALUES ('bitcoin-test', '4deba4f9-1e8b-4813-85a3-9df1ee4d6e3a', '420d6f1e43fd17e705c2bdeb4d228471255832b3c953e97d6ac0cdbc251c5fdd', false);
INSERT INTO public.simulated_uses (gate_id, use, tx_hash, gone) VALUES ('bitcoin-test', 'cc0d713d-9527-4f00-84d1-e713cad00d59', '2f3f7ef2272143f7bfc26443e3a9b36f589e686d6824300fa3b0fcd17b587e5e', false);
INSERT INTO public.simulated_uses (gate_id, use, tx_hash, gone) VALUES ('bitcoin-test', '6b9dc22b-e57c-40ce-93fc-204e0c90f563', 'e1805427a0136991f9dcf88bfc5e0000d07b5c95b38b525ffca16c695cac4fba', false);
INSERT INTO public.simulated_uses (gate_id, use, tx_hash, gone) VALUES ('bitcoin-test', 'd26bfebf-10b1-4240-943a-87f0fd71d082', 'c5772a702d927430a278e715f0fbe0bde6035833eae9fde83ce141acb79a0816', false);
INSERT INTO public.simulated_uses (gate_id, use, tx_hash, gone) VALUES ('bitcoin-test', 'e5d8419f-03f4-45d1-ab24-33165b84efd7', '9a39317929ebeb52db0c851004a549ff97deb49daaa2b8132c970d2a140f516f', false);
INSERT INTO public.simulated_uses (gate_id, use, tx_hash, gone) VALUES ('bitcoin-test', 'cb13905f-24ba-4e93-b1a7-06fa1df4da16', 'c2e8ceae363661ca09bf285668bfc3afc7859fdb29b7b76a0c7da7ef8741737c', false);
INSERT INTO public.simulated_uses (gate_id, use, tx_hash, gone) VALUES ('litecoin-test', '3113e41e-b339-4bf0-8968-f42fb5e128a8', 'e40c2f9c75f6ea52e9f926cb95264cbe6b7485cab85c8f63b55a8b3c8ac94d99', true);
INSERT INTO public.simulated_uses (gate_id, use, tx_hash, gone) VALUES ('ethereum-test', '89ddc509-d47e-4a54-afde-5e7acffb0710', '0x38b0b0de4ab5a7e9b4ff7231b46513c1bfc5562f35581b9d7c2a902fbe204dc7', false);
INSERT INTO public.simulated_uses (gate_id, use, tx_hash, gone) VALUES ('ethereum-test', '6f5a5577-908d-4694-9002-7b7e9298b14f', '0x320e0a80ae6414e0c3c2e98afd899445737caa9706f03e2efb332e23ba56ff99', false);
INSERT INTO public.simulated_uses (gate_id, use, tx_hash, gone) VALUES ('bitcoin-test', '34d3013663a37caf248527bde7c93fe28f5dc921339b5efa8eb5451d21e7a4f0:0', 'cf9583e7c1c6fb3054328376a05c169973aa4e966ef394c6271ea0757c9acb2d', false);
INSERT INTO public.simulated_uses (gate_id, use, tx_hash, gone) VALUES ('ethereum-test', 'gas for 0xBa930b035389bDa895616f8DeF22338dcfF642F9', '0x2de543c812a5cd138fd743bade8c43d53cdbad282b68c88f53786fcab10e2f6d', false);
INSERT INTO public.simulated_uses (gate_id, use, tx_hash, gone) VALUES ('ethereum-test', '0xBa930b035389bDa895616f8DeF22338dcfF642F9#0', '0xd77e514297b58c675c33af614eb8ab7d9deabcbc88c1a1f0c3ec77c2f14c750c', false);
INSERT INTO public.simulated_uses (gate_id, use, tx_hash, gone) VALUES ('ethereum-test', '0xB0b62D1758506580EAfB4d48d5B6Cb1462246d04#0', '0x8e01e889727c7bb03ef64bbdcc1ba31955b7f406fc85d44cd2a469989e46b3bd', false);
INSERT INTO public.simulated_uses (gate_id, use, tx_hash, gone) VALUES ('ethereum-test', '0xBa930b035389bDa895616f8DeF22338dcfF642F9#1', '0xd4281fafb7e13fb26ac9806f589746092743eb9a5c11cea88b6c4c0bcc1bcf98', false);
INSERT INTO public.simulated_uses (gate_id, use, tx_hash, gone) VALUES ('bitcoin-test', '41fd1ba3-a1a7-48f6-8cc8-d17b5aee57b7', 'e047839201d6bd3b7fe4c97beaeb6fb7f075412c64eb4d8665329af020e63669', false);
INSERT INTO public.simulated_uses (gate_id, use, tx_hash, gone) VALUES ('bitcoin-test', '420d6f1e43fd17e705c2bdeb4d228471255832b3c953e97d6ac0cdbc251c5fdd:0', '1940acee37faa621e92d24c9babbba22694e31fa961edc2d46c7815cc312991e', false);
INSERT INTO public.simulated_uses (gate_id, use, tx_hash, gone) VALUES ('ethereum-test', '0xBa930b035389bDa895616f8DeF22338dcfF642F9#2', 'c66cf838b9524f5c10ea295cb86bdd43baa422add9f60069ae839b40bfbd57d8', false);
INSERT INTO public.simulated_uses (gate_id, use, tx_hash, gone) VALUES ('bitcoin-test', '20dc26f7-342c-400c-bba4-136f73f1b2b2', 'b577129fcd5c439566e2d269236e172adec9ed56385f3de4575b2d0fcd3eca8a', false);

INSERT INTO public.spend_counters (gate_id, name, next) VALUES ('ethereum-test', '0xB0b62D1758506580EAfB4d48d5B6Cb1462246d04', 1);
INSERT INTO public.spend_counters (gate_id, name, next) VALUES ('bitcoin-test', 'change', 2);
INSERT INTO public.spend_counters (gate_id, name, next) VALUES ('ethereum-test', '0xBa930b035389bDa895616f8DeF22338dcfF642F9', 3);

INSERT INTO public.spend_transactions (spend_id, attempt, plan, max_fee_units, tx_hash, bytes, refusal, refused_for_good_at, planned_at, signed_at, sent_at, last_sent_at, answer) VALUES ('01a1e8f1-e6eb-7c85-bbf6-fa915e849dd5', 1, '{"kind": "coins", "change": {"index": 0, "outputIndex": 1}, "inputs": [{"key": {"chain": "deposit", "index": 2}, "units": "50000000", "txHash": "34d3013663a37caf248527bde7c93fe28f5dc921339b5efa8eb5451d21e7a4f0", "outputIndex": 0}], "outputs": [{"units": "10000000", "address": "tb1qjgx204hxfwuse548jc34fjzg6ffq8pvrqwlex4", "payoutId": "01a1e8f1-e519-7170-a37a-23efac8e8aef"}, {"units": "39999295", "address": "tb1qmyzt5r269ls7n5ag53cj0n27xq4du6nfmdzy4q", "payoutId": null}], "feeUnits": "705"}', 705, 'cf9583e7c1c6fb3054328376a05c169973aa4e966ef394c6271ea0757c9acb2d', '\x02000000000101f0a4e7211d45b58efa5e9b3321c95d8fe23fc9e7bd278524af7ca3633601d3340000000000fdffffff028096980000000000160014920ca7d6e64bb90cd2a7962354c848d2520385833f57620200000000160014d904ba0d5a2fe1e9d3a8a47127cd5e302ade6a690247304402201f33bfda5d3e735f5c042ce4746bb27ad74a70dd36a1af521ec9c1a68993b1220220086c9e341452ef6b7f2f2c85cb386f23b3b79db7a9a539133b26e5cc8f4426ef0121038531ffbda436ef1c26d99b763d91ce65f350f10f36fc91f070401195e62bad1600000000', NULL, NULL, '2026-11-17 09:58:49.849005+00', '2026-11-17 09:58:50.230459+00', '2026-11-17 09:58:50.510741+00', '2026-11-17 09:58:50.510741+00', NULL);
INSERT INTO public.spend_transactions (spend_id, attempt, plan, max_fee_units, tx_hash, bytes, refusal, refused_for_good_at, planned_at, signed_at, sent_at, last_sent_at, answer) VALUES ('01a1e8f1-f1ea-789f-a904-caad769ae745', 1, '{"to": {"tag": null, "address": "0xB0b62D1758506580EAfB4d48d5B6Cb1462246d04"}, "from": {"key": {"chain": "own", "index": 0}, "address": "0xBa930b035389bDa895616f8DeF22338dcfF642F9"}, "kind": "account", "nonce": "0", "units": "200000000000000", "currency": "ETH", "gasLimit": "21000", "gasPrice": "2000000000", "payoutId": null, "contractAddress": null}', 42000000000000, '0xd77e514297b58c675c33af614eb8ab7d9deabcbc88c1a1f0c3ec77c2f14c750c', '\x02f87383aa36a7808477359400847735940082520894b0b62d1758506580eafb4d48d5b6cb1462246d0486b5e620f4800080c080a0f4c057fec4202d938068acc5e81d214b8b2d46edeb7da7cf37100462b9a8da66a0775e6ddd0ff11177a4b89e644fed6c4aa31631773a4ce0cada35b610a8b7827e', NULL, NULL, '2026-11-17 09:58:52.653516+00', '2026-11-17 09:58:53.081316+00', '2026-11-17 09:58:53.457732+00', '2026-11-17 09:58:53.457732+00', NULL);
INSERT INTO public.spend_transactions (spend_id, attempt, plan, max_fee_units, tx_hash, bytes, refusal, refused_for_good_at, planned_at, signed_at, sent_at, last_sent_at, answer) VALUES ('01a1e8f1-f1ee-70e3-b0ee-462a1a333101', 1, '{"to": {"tag": null, "address": "0xBa930b035389bDa895616f8DeF22338dcfF642F9"}, "from": {"key": {"chain": "deposit", "index": 1}, "address": "0xB0b62D1758506580EAfB4d48d5B6Cb1462246d04"}, "kind": "account", "nonce": "0", "units": "300000000", "currency": "USDT", "gasLimit": "100000", "gasPrice": "2000000000", "payoutId": null, "contractAddress": "0x58f8855849E66cb240B28462331f0C02876BCFC1"}', 200000000000000, '0x8e01e889727c7bb03ef64bbdcc1ba31955b7f406fc85d44cd2a469989e46b3bd', '\x02f8b383aa36a78084773594008477359400830186a09458f8855849e66cb240b28462331f0c02876bcfc180b844a9059cbb000000000000000000000000ba930b035389bda895616f8def22338dcff642f90000000000000000000000000000000000000000000000000000000011e1a300c001a090ab465237419353937850ba1dbf657f5b3786384edb49f573fb98f20b29f26ea03128b012a525bbe4d3fa1b98df527c6bf2835df47334f0bb16affc488f08f772', NULL, NULL, '2026-11-17 09:58:52.661338+00', '2026-11-17 09:58:53.093705+00', '2026-11-17 09:58:53.901461+00', '2026-11-17 09:58:53.901461+00', NULL);
INSERT INTO public.spend_transactions (spend_id, attempt, plan, max_fee_units, tx_hash, bytes, refusal, refused_for_good_at, planned_at, signed_at, sent_at, last_sent_at, answer) VALUES ('01a1e8f1-fa50-77e3-b991-03446bed2264', 1, '{"to": {"tag": null, "address": "0x0D3eB21b6b21833A4939Cfff4810E9AE0758e12C"}, "from": {"key": {"chain": "own", "index": 0}, "address": "0xBa930b035389bDa895616f8DeF22338dcfF642F9"}, "kind": "account", "nonce": "1", "units": "120000000", "currency": "USDT", "gasLimit": "100000", "gasPrice": "2000000000", "payoutId": "01a1e8f1-ec29-707d-9980-46338e8312a8", "contractAddress": "0x58f8855849E66cb240B28462331f0C02876BCFC1"}', 200000000000000, '0xd4281fafb7e13fb26ac9806f589746092743eb9a5c11cea88b6c4c0bcc1bcf98', '\x02f8b383aa36a70184773594008477359400830186a09458f8855849e66cb240b28462331f0c02876bcfc180b844a9059cbb0000000000000000000000000d3eb21b6b21833a4939cfff4810e9ae0758e12c0000000000000000000000000000000000000000000000000000000007270e00c001a02311eaa64be415137dd0dbc18a96ab5af8a33bbebbe6b9e59f07096ffe807ec5a017b02b72d1cd42159fd39cd12819b03cb4fa3aacdada00534df2bf2ebadb9df8', NULL, NULL, '2026-11-17 09:58:54.803692+00', '2026-11-17 09:58:55.107903+00', '2026-11-17 09:58:55.398914+00', '2026-11-17 09:58:55.398915+00', NULL);
INSERT INTO public.spend_transactions (spend_id, attempt, plan, max_fee_units, tx_hash, bytes, refusal, refused_for_good_at, planned_at, signed_at, sent_at, last_sent_at, answer) VALUES ('01a1e8f2-0250-707d-a75b-7b0ae5bf45b0', 1, '{"kind": "coins", "change": {"index": 1, "outputIndex": 0}, "inputs": [{"key": {"chain": "deposit", "index": 3}, "units": "1500000", "txHash": "420d6f1e43fd17e705c2bdeb4d228471255832b3c953e97d6ac0cdbc251c5fdd", "outputIndex": 0}], "outputs": [{"units": "499295", "address": "tb1qzkshuu7gx7d9l9qjp8amrf055kuql35rdekvle", "payoutId": null}, {"units": "1000000", "address": "tb1qurg4y55dpv5z80yhgmjqq6gw83gujt5rg5zr3q", "payoutId": "01a1e8f2-00ff-7b5a-be97-e7d0b4e2b377"}], "feeUnits": "705"}', 705, '1940acee37faa621e92d24c9babbba22694e31fa961edc2d46c7815cc312991e', '\x02000000000101dd5f1c25bccdc06a7de953c9b33258257184224debbdc205e717fd431e6f0d420000000000fdffffff025f9e07000000000016001415a17e73c8379a5f941209fbb1a5f4a5b80fc68340420f0000000000160014e0d152528d0b2823bc9746e400690e3c51c92e83024730440220241f833b12056e69bf5085aac2ca3500af9760100ab30d7f5fc428a8504891f10220482b5ee8fc77de28e14a959db0b425f52c1510580c11def34f5eb53de73aed7f012102e914624cfbab2a746e2532bfe04a002edd251794e6c0063bc77b1598ead49c8a00000000', NULL, NULL, '2026-11-17 09:58:56.8634+00', '2026-11-17 09:58:57.029545+00', '2026-11-17 09:58:57.210435+00', '2026-11-17 09:58:57.210435+00', NULL);
INSERT INTO public.spend_transactions (spend_id, attempt, plan, max_fee_units, tx_hash, bytes, refusal, refused_for_good_at, planned_at, signed_at, sent_at, last_sent_at, answer) VALUES ('01a1e8f2-05c9-7209-a5c9-35a83852b0c2', 1, '{"to": {"tag": null, "address": "0x2F07c220dC62CE9531bC44B695A6D93578806d8d"}, "from": {"key": {"chain": "own", "index": 0}, "address": "0xBa930b035389bDa895616f8DeF22338dcfF642F9"}, "kind": "account", "nonce": "2", "units": "200000000000000000", "currency": "ETH", "gasLimit": "21000", "gasPrice": "2000000000", "payoutId": "01a1e8f2-04fe-73f4-8fce-5db0d2d11cdb", "contractAddress": null}', 42000000000000, '0xdeb98d8872f8b0c0ad7d881bb1aa7dbdd74234ee56ed9faec6db207c052105f8', '\x02f87583aa36a70284773594008477359400825208942f07c220dc62ce9531bc44b695a6d93578806d8d8802c68af0bb14000080c001a0b21f40fea28ed5231960d6ace9a71a2efd06459a37c7dd69b1e75e9e6a929d21a0552a3d0d6c3e19ae388c19ebbb8f6679e60afb6fc7962e37bc591424c1171f22', NULL, NULL, '2026-11-17 09:58:57.742051+00', '2026-11-17 09:58:58.016838+00', '2026-11-17 09:58:58.119593+00', '2026-11-17 09:58:58.119593+00', 'The network does not take transaction 0xdeb98d8872f8b0c0ad7d881bb1aa7dbdd74234ee56ed9faec6db207c052105f8.');

INSERT INTO public.spends (id, gate_id, kind, status, from_address, nonce, to_address, currency, units, after_spend_id, mined_hash, block_height, block_hash, fee_units, fee_currency, fee_corrections, give_up_asked_at, given_up_at, lost_currency, lost_units, lost_count, undone_reason, short_since, look_at, created_at, ended_at) VALUES ('01a1e8f1-e6eb-7c85-bbf6-fa915e849dd5', 'bitcoin-test', 'payout', 'final', NULL, NULL, NULL, NULL, NULL, NULL, 'cf9583e7c1c6fb3054328376a05c169973aa4e966ef394c6271ea0757c9acb2d', 10, '20098bd8fc46aa1ca59515271eeb365d9549da9b905548707ea38fb24d61a8cb', 705, 'BTC', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-17 09:58:50.906975+00', '2026-11-17 09:58:49.848736+00', '2026-11-17 09:58:50.914513+00');
INSERT INTO public.spends (id, gate_id, kind, status, from_address, nonce, to_address, currency, units, after_spend_id, mined_hash, block_height, block_hash, fee_units, fee_currency, fee_corrections, give_up_asked_at, given_up_at, lost_currency, lost_units, lost_count, undone_reason, short_since, look_at, created_at, ended_at) VALUES ('01a1e8f1-f1a6-7abf-93bd-a1bdf5ddde58', 'ethereum-test', 'absorb', 'final', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-17 09:58:52.58633+00', '2026-11-17 09:58:52.58633+00', '2026-11-17 09:58:52.58633+00');
INSERT INTO public.spends (id, gate_id, kind, status, from_address, nonce, to_address, currency, units, after_spend_id, mined_hash, block_height, block_hash, fee_units, fee_currency, fee_corrections, give_up_asked_at, given_up_at, lost_currency, lost_units, lost_count, undone_reason, short_since, look_at, created_at, ended_at) VALUES ('01a1e8f1-f1ea-789f-a904-caad769ae745', 'ethereum-test', 'gas', 'final', '0xBa930b035389bDa895616f8DeF22338dcfF642F9', 0, '0xB0b62D1758506580EAfB4d48d5B6Cb1462246d04', 'ETH', 200000000000000, NULL, '0xd77e514297b58c675c33af614eb8ab7d9deabcbc88c1a1f0c3ec77c2f14c750c', 50, '3d28ed577d28c87e3f25002238edd3ba17c23b39d900f9b2e47dde5c36527761', 42000000000000, 'ETH', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-17 09:59:08.582829+00', '2026-11-17 09:58:52.653309+00', '2026-11-17 09:58:53.687082+00');
INSERT INTO public.spends (id, gate_id, kind, status, from_address, nonce, to_address, currency, units, after_spend_id, mined_hash, block_height, block_hash, fee_units, fee_currency, fee_corrections, give_up_asked_at, given_up_at, lost_currency, lost_units, lost_count, undone_reason, short_since, look_at, created_at, ended_at) VALUES ('01a1e8f1-f1ee-70e3-b0ee-462a1a333101', 'ethereum-test', 'sweep', 'final', '0xB0b62D1758506580EAfB4d48d5B6Cb1462246d04', 0, '0xBa930b035389bDa895616f8DeF22338dcfF642F9', 'USDT', 300000000, '01a1e8f1-f1ea-789f-a904-caad769ae745', '0x8e01e889727c7bb03ef64bbdcc1ba31955b7f406fc85d44cd2a469989e46b3bd', 55, '8bc50592926d48bf82a2b5445daf745fa6d4ad1d248cf0f04de95ee6aa6c6aa4', 200000000000000, 'ETH', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-17 09:59:09.521051+00', '2026-11-17 09:58:52.66119+00', '2026-11-17 09:58:54.590543+00');
INSERT INTO public.spends (id, gate_id, kind, status, from_address, nonce, to_address, currency, units, after_spend_id, mined_hash, block_height, block_hash, fee_units, fee_currency, fee_corrections, give_up_asked_at, given_up_at, lost_currency, lost_units, lost_count, undone_reason, short_since, look_at, created_at, ended_at) VALUES ('01a1e8f1-fa50-77e3-b991-03446bed2264', 'ethereum-test', 'payout', 'final', '0xBa930b035389bDa895616f8DeF22338dcfF642F9', 1, '0x0D3eB21b6b21833A4939Cfff4810E9AE0758e12C', 'USDT', 120000000, NULL, '0xd4281fafb7e13fb26ac9806f589746092743eb9a5c11cea88b6c4c0bcc1bcf98', 72, 'ebb9e0c4f1f4d825b51ce5164ffec4318bbd78b4c3291e2816cd18b0f8ca8574', 200000000000000, 'ETH', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-17 09:59:11.074537+00', '2026-11-17 09:58:54.803532+00', '2026-11-17 09:58:56.113531+00');
INSERT INTO public.spends (id, gate_id, kind, status, from_address, nonce, to_address, currency, units, after_spend_id, mined_hash, block_height, block_hash, fee_units, fee_currency, fee_corrections, give_up_asked_at, given_up_at, lost_currency, lost_units, lost_count, undone_reason, short_since, look_at, created_at, ended_at) VALUES ('01a1e8f2-0250-707d-a75b-7b0ae5bf45b0', 'bitcoin-test', 'payout', 'final', NULL, NULL, NULL, NULL, NULL, NULL, '1940acee37faa621e92d24c9babbba22694e31fa961edc2d46c7815cc312991e', 17, 'a9c7837348ec6306f22dabfdc73812086fbd8a6f01cf9602547a14dc25f2c436', 705, 'BTC', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-17 09:59:12.348385+00', '2026-11-17 09:58:56.863244+00', '2026-11-17 09:58:57.371305+00');
INSERT INTO public.spends (id, gate_id, kind, status, from_address, nonce, to_address, currency, units, after_spend_id, mined_hash, block_height, block_hash, fee_units, fee_currency, fee_corrections, give_up_asked_at, given_up_at, lost_currency, lost_units, lost_count, undone_reason, short_since, look_at, created_at, ended_at) VALUES ('01a1e8f2-05c9-7209-a5c9-35a83852b0c2', 'ethereum-test', 'payout', 'dead', '0xBa930b035389bDa895616f8DeF22338dcfF642F9', 2, '0x2F07c220dC62CE9531bC44B695A6D93578806d8d', 'ETH', 200000000000000000, NULL, NULL, 85, 'ab24d592d7b6ad0afbbfeb04e256f15b4abde3770f64f49b28586b238fe972f2', NULL, 'ETH', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-17 09:59:13.18436+00', '2026-11-17 09:58:57.741753+00', '2026-11-17 09:58:58.235722+00');

INSERT INTO public.static_addresses (id, "position", merchant_id, environment, currency, network, gate_id, keychain, deposit_position, address, address_tag, label, total_received_units, invoice_count, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-d8a8-7f85-a2d1-0aa7652bf363', 1, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'BTC', 'bitcoin', 'bitcoin-test', 'bitcoin-test', 6, 'tb1q0trf64wc8y9whrdshld07cgzhmxz8s2nykfjw0', NULL, 'Donations', 1000000, 2, '2026-11-17 09:58:46.189139+00');

INSERT INTO public.suspense_releases (payment_id, merchant_id, released_by, note, released_at) VALUES ('01a1e8f1-e15a-7221-8822-94422c476ea0', '01a1e8f1-ccb2-7e03-b1d6-8687a376f8ce', 'cli:ada', 'The payer took the wrong shop.', '2026-11-17 09:58:48.690749+00');

INSERT INTO public.users (id, email, name, password_hash, totp_secret, totp_confirmed_at, totp_last_step, totp_pending, is_operator, language, created_at, disabled_at) VALUES ('01a1e8f2-0b4e-71d9-819f-96390a88e6a1', 'olga@example.com', 'Olga', '$argon2id$v=19$m=19456,t=2,p=1$n0f9987hJXatJHm/ApvzaQ$Fu64J0cuWwVeLufGS/FflLZKQO434IBst/AUUDU3OnU', NULL, NULL, 0, NULL, false, NULL, '2026-11-17 09:58:59.156655+00', NULL);
INSERT INTO public.users (id, email, name, password_hash, totp_secret, totp_confirmed_at, totp_last_step, totp_pending, is_operator, language, created_at, disabled_at) VALUES ('01a1e8f2-0de6-77b8-9edc-7c8b293dafc4', 'ada@example.com', 'Ada', '$argon2id$v=19$m=19456,t=2,p=1$Xw2h8czKW1cO6wXQnyi1Gw$s4/+JrFHWwV0+VoN9KdQgTC2k26N7bf290xicTawk4s', NULL, NULL, 0, NULL, true, NULL, '2026-11-17 09:58:59.862005+00', NULL);
INSERT INTO public.users (id, email, name, password_hash, totp_secret, totp_confirmed_at, totp_last_step, totp_pending, is_operator, language, created_at, disabled_at) VALUES ('01a1e8f2-0c28-7bf0-8d5c-ff2ff5ac6b77', 'victor@example.com', 'Victor', '$argon2id$v=19$m=19456,t=2,p=1$YWKLGTsyldZBjy5yUxa+dQ$CGRUQgc4WlWQH6THzO5zk8UR0XWauZvT6oRtVzYy2ME', '\x7f63afd0ccc0e7f48af73624b281399c61492b9159408cee12c645724b0b8a0eac143f482f91cf4c0f30d998b0355d5612ddd13c8233f762d4969112ae29c1bfe0832aef', '2026-11-17 09:59:01.243667+00', 59830317, NULL, false, NULL, '2026-11-17 09:58:59.374105+00', NULL);

INSERT INTO public.wallet_keys (environment, network, public_key, wallet, created_at) VALUES ('test', 'arbitrum', 'xpub6CxNLizmuHzfCT1G4utkbQK6YMi51Jsk6jCRfcHdahkab4AxrUJzsDDygcJjU9gvkKFohxJRzou81MisaDxLybyAC2fcwzNHK9LYtytRAXm', 'aedd99d46d95c0c3', '2026-11-17 09:58:40.908528+00');
INSERT INTO public.wallet_keys (environment, network, public_key, wallet, created_at) VALUES ('test', 'avalanche', 'xpub6CxNLizmuHzfCT1G4utkbQK6YMi51Jsk6jCRfcHdahkab4AxrUJzsDDygcJjU9gvkKFohxJRzou81MisaDxLybyAC2fcwzNHK9LYtytRAXm', 'aedd99d46d95c0c3', '2026-11-17 09:58:40.908728+00');
INSERT INTO public.wallet_keys (environment, network, public_key, wallet, created_at) VALUES ('test', 'base', 'xpub6CxNLizmuHzfCT1G4utkbQK6YMi51Jsk6jCRfcHdahkab4AxrUJzsDDygcJjU9gvkKFohxJRzou81MisaDxLybyAC2fcwzNHK9LYtytRAXm', 'aedd99d46d95c0c3', '2026-11-17 09:58:40.908741+00');
INSERT INTO public.wallet_keys (environment, network, public_key, wallet, created_at) VALUES ('test', 'bitcoin', 'vpub5ZKAwwkAvyTzDryWekYcGcGVaioTDeEc9s47VXfeEU6dJw8VoSJrMW3zgecbvR4kvXnw4fP3e2KrXdjWYwZKKhrthdkL6yfDBxqBVTPAv9q', 'aedd99d46d95c0c3', '2026-11-17 09:58:40.908758+00');
INSERT INTO public.wallet_keys (environment, network, public_key, wallet, created_at) VALUES ('test', 'bsc', 'xpub6CxNLizmuHzfCT1G4utkbQK6YMi51Jsk6jCRfcHdahkab4AxrUJzsDDygcJjU9gvkKFohxJRzou81MisaDxLybyAC2fcwzNHK9LYtytRAXm', 'aedd99d46d95c0c3', '2026-11-17 09:58:40.908777+00');
INSERT INTO public.wallet_keys (environment, network, public_key, wallet, created_at) VALUES ('test', 'ethereum', 'xpub6CxNLizmuHzfCT1G4utkbQK6YMi51Jsk6jCRfcHdahkab4AxrUJzsDDygcJjU9gvkKFohxJRzou81MisaDxLybyAC2fcwzNHK9LYtytRAXm', 'aedd99d46d95c0c3', '2026-11-17 09:58:40.908783+00');
INSERT INTO public.wallet_keys (environment, network, public_key, wallet, created_at) VALUES ('test', 'litecoin', 'ttub4eLa2MG1bb6whKp8ooAFBBtSVSPnEezeCtJQSuCBeFVqu2XSxxuNgbbkRfoS1Z8Px3BnXV8WjnmgU8zwdtDwCGg3yMoCdTKeEFtTKFiTTtL', 'aedd99d46d95c0c3', '2026-11-17 09:58:40.908799+00');
INSERT INTO public.wallet_keys (environment, network, public_key, wallet, created_at) VALUES ('test', 'optimism', 'xpub6CxNLizmuHzfCT1G4utkbQK6YMi51Jsk6jCRfcHdahkab4AxrUJzsDDygcJjU9gvkKFohxJRzou81MisaDxLybyAC2fcwzNHK9LYtytRAXm', 'aedd99d46d95c0c3', '2026-11-17 09:58:40.908805+00');
INSERT INTO public.wallet_keys (environment, network, public_key, wallet, created_at) VALUES ('test', 'polygon', 'xpub6CxNLizmuHzfCT1G4utkbQK6YMi51Jsk6jCRfcHdahkab4AxrUJzsDDygcJjU9gvkKFohxJRzou81MisaDxLybyAC2fcwzNHK9LYtytRAXm', 'aedd99d46d95c0c3', '2026-11-17 09:58:40.90881+00');
INSERT INTO public.wallet_keys (environment, network, public_key, wallet, created_at) VALUES ('test', 'solana', 'F1iMA2s8Thjma4NRx12bJMEeKEMpWmYGWSqdYHVcbmjK', 'aedd99d46d95c0c3', '2026-11-17 09:58:40.908816+00');
INSERT INTO public.wallet_keys (environment, network, public_key, wallet, created_at) VALUES ('test', 'xrp', 'rD7se6UefP46szWxWoEmTRA6j5ZVLimFwn', 'aedd99d46d95c0c3', '2026-11-17 09:58:40.908821+00');

INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('ffb741cc-4c9a-4b34-a961-0449694553dc', 1, '2026-11-17 09:58:43.471678+00', 1794909523, 'v1,KpThJ2X1V8xEE4Dw50g7KTDwgL5XgGFuMaQSJ3n3txQ=', 204, 23, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('6910bc70-c031-4cf9-b2cc-a40f90bedcb6', 1, '2026-11-17 09:58:43.568431+00', 1794909523, 'v1,OtnLrt8/Vl9CIVWAILQ26atwHdm0ThlIwp69jlMi+q8=', 204, 37, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('651abdd1-6c1e-4154-9832-223207016f05', 1, '2026-11-17 09:58:43.626386+00', 1794909523, 'v1,bbsvxBOB2tFP2zKpfQPKNJk49VHK8zkmEkOmg/ExeHo=', 204, 13, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('6ce172e6-393f-43f7-9f47-023d1377627d', 1, '2026-11-17 09:58:44.075541+00', 1794909524, 'v1,IWhYQKlruOk+7O3qx1BWVIQqNlGittqBgTUbOMljGhs=', 204, 19, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('9120cbd4-bdc2-49a8-af28-e3bc2d77d355', 1, '2026-11-17 09:58:44.109444+00', 1794909524, 'v1,hXzIxAFmRG/smtikz4aFG+PiTt3ca9EBkrGPwZm6KUo=', 204, 42, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('c954387f-c88b-4c9a-ac14-991afd1a6ecc', 1, '2026-11-17 09:58:44.252084+00', 1794909524, 'v1,nnAXT3+SaE4fWLPSPNg0GhUkl02NqcyWzTSKi27OG+I=', 204, 3, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('69ad929f-dcd2-4866-b5b3-ae239f5cc5fa', 1, '2026-11-17 09:58:44.508436+00', 1794909524, 'v1,32PdYvu9KNy/dGNuG38lgigZKbaU96PlqP9w8z/rJLg=', 204, 21, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('13b5ec0f-91d7-4993-824e-bb703b0931c0', 1, '2026-11-17 09:58:44.55056+00', 1794909524, 'v1,sgoLClwAr2pOJTHIHo24/EArI/ZYSNrDYqSF5bXvlRo=', 204, 31, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('84153bf3-d998-4ca9-8bac-4f98a14e3029', 1, '2026-11-17 09:58:44.525573+00', 1794909524, 'v1,4ptAYJUhNVSi8k5LYtVwM05evCWpxmS7EXh04m8VGos=', 500, 56, 'It answered with another status than 2xx.', NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('00240537-eccf-425f-af05-a54f4a478996', 1, '2026-11-17 09:58:44.684502+00', 1794909524, 'v1,pUd7rho5oxDMVeWQgmRnG3nVzQh+KjjCNzIxpIiszoY=', 204, 56, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('83df8847-fcfe-45d3-9298-aee4f9f745af', 1, '2026-11-17 09:58:44.79178+00', 1794909524, 'v1,p9a37E/BPl8T80pVVsb4U5uF2XuNKnlz7DRvM7aBUxQ=', 204, 3, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('d1eec148-1e99-4342-b0f0-302621b9fc57', 1, '2026-11-17 09:58:45.205087+00', 1794909525, 'v1,wZvqeh/GzWDwtzzDFoRnn3hMTlvOlV1XIgG2JiTrq38=', 204, 7, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('579112e2-116d-4d7c-981e-41655db40163', 1, '2026-11-17 09:58:45.225386+00', 1794909525, 'v1,N8HUzzH2EKIAoiP04v5FwevfK8/5JUKEbqlZW6qbg4Q=', 204, 8, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('16d3019a-c41c-4837-9552-63ba4119f09e', 1, '2026-11-17 09:58:45.225403+00', 1794909525, 'v1,/RFMwFn8I2gtNV8HZwV4Dr8K1YuYZM8zTZ4KMJR2mbU=', 500, 8, 'It answered with another status than 2xx.', NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('d1e88f70-1ea4-4321-bbac-f2ee2579ca23', 1, '2026-11-17 09:58:45.254148+00', 1794909525, 'v1,kiMRwbH+v6b4SRMA33Phlysh0c8RaL+I6cAGrcJAhRs=', 204, 3, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('5a9cfc76-1190-4706-a3d4-dbce9914a204', 1, '2026-11-17 09:58:45.635671+00', 1794909525, 'v1,Fwr5//4iooNoWGklXetmJ/YMsz4KVdvEgq4+gwe6wFU=', 204, 1, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('74b5989c-e2cd-45f2-9453-6cd949ff024b', 1, '2026-11-17 09:58:46.118667+00', 1794909526, 'v1,SolPMAE0PB6Im2t/mVL8RECbUC3txo+CiX+uw5kpSQw=', 204, 3, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('4d197d48-e62b-4627-b04e-bb6505856778', 1, '2026-11-17 09:58:46.125569+00', 1794909526, 'v1,+taEP2sOkgaAo2SZ+HW73ATgGqKs0jQpSb/einu32uY=', 204, 3, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('c123fb06-d82e-460d-ab85-894ad1a6b933', 1, '2026-11-17 09:58:46.125585+00', 1794909526, 'v1,uB5BPHMjWQkwU9YhP0LuEAi+54y/aX84/4mw58/3C+M=', 500, 3, 'It answered with another status than 2xx.', NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('2594490d-7ef0-4f1f-a397-fc1f87e0a488', 1, '2026-11-17 09:58:46.144157+00', 1794909526, 'v1,tIeC+eTUqiBfxME9ZfV48kuoQVww8LRmBoSPqfO0zHM=', 204, 1, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('65e603fa-5382-40e5-aa87-535189a1f610', 1, '2026-11-17 09:58:46.191959+00', 1794909526, 'v1,gPmsWu84AeuTAHOijXsrjq3C5hjCCelqw1bwU9RGx1c=', 204, 77, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('bbb7e3fd-e3eb-414e-bb17-0a458358d86b', 1, '2026-11-17 09:58:46.197055+00', 1794909526, 'v1,pEdzxDxV+9Q6+aq0Y8uJK6dksAdKHh4zDciMg0av9u4=', 204, 78, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('4b56e160-cb7f-4ace-81e4-92c92a76089b', 1, '2026-11-17 09:58:46.354628+00', 1794909526, 'v1,1r8zfxeIpBxj3i3Ha7UcAv7umFJBLCAWzs+Fb4d7n14=', 204, 1, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('65eab9d3-0bb1-4204-a10a-e81ce5777c1f', 1, '2026-11-17 09:58:46.561494+00', 1794909526, 'v1,Y3xPuPBWpcVALhop4RVUmQWq7my39KWykTdaaQJspW0=', 204, 12, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('40cf863b-139c-4cfa-b66d-56b81ebf6e1a', 1, '2026-11-17 09:58:46.646179+00', 1794909526, 'v1,rtpmJuEyD0uHzJnLG4zzL6iFyqVlCA0iMNpJSTNOpYw=', 204, 1, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('d2327c4b-2489-48ff-b811-3d3954645964', 1, '2026-11-17 09:58:47.194045+00', 1794909527, 'v1,aFA3DdnIZAUqBfRAfdmzZYyB70Lp0v4CfFmvh69moiI=', 204, 9, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('bed68588-910b-4c6f-a126-f2879244bca6', 1, '2026-11-17 09:58:47.238055+00', 1794909527, 'v1,bTN3uuc/6Il0NJjbkLVFOFi0MzkpqaMefC3nGkqGDD8=', 204, 1, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('d6be785e-93cb-4a15-b817-4790ba693082', 1, '2026-11-17 09:58:47.384604+00', 1794909527, 'v1,COlnaylVH4zERFcPjimGZMudnoGVwgk2ZLD5ti/XMEE=', 204, 16, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('f445e9c1-15e1-4dc8-a48f-538ff708a392', 1, '2026-11-17 09:58:47.420649+00', 1794909527, 'v1,bHl0XowIoJh5PiHOu6ZstLSKenwI6QXcclsM/+WDfRE=', 204, 1, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('7e58ab35-ecdb-4b97-ae47-52b7603dafbe', 1, '2026-11-17 09:58:47.658693+00', 1794909527, 'v1,It5YQwJg11Qq/hCHG8A7SNvOpUjOdJ1gAg15vdD2JJg=', 204, 1, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('c0356646-94bd-4acc-a3a5-0e8519b29d90', 1, '2026-11-17 09:58:47.675493+00', 1794909527, 'v1,SnOPPoh7Vv0TeotMShEHjaqDZilKprE7D+xLtqQP2PE=', 204, 18, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('6317529c-c49c-4353-a0ef-a4b053ef37dc', 1, '2026-11-17 09:58:47.672507+00', 1794909527, 'v1,IcJxMQq2qXglhY8F+e1YUwfG43QZg+jQ1wC8o9aF4ls=', 204, 21, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('8d8c7824-0001-4d94-8315-15bd130d4439', 1, '2026-11-17 09:58:47.672511+00', 1794909527, 'v1,eGwxMtRTsTSFN4MaRP68uiL5t/1OPoxjEjWa8a7zDx0=', 204, 21, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('cc2d4a0e-fdac-4001-8961-386464d7f755', 1, '2026-11-17 09:58:47.716357+00', 1794909527, 'v1,G96dB1P0uel7WmmiZfvcoeudg45uznaN0cDsJ5r7G18=', 204, 41, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('dcc92b72-3ac9-40b7-809b-2007116add4f', 1, '2026-11-17 09:58:47.674372+00', 1794909527, 'v1,da92xhtHyejJuI12mWhD0OSnoZMJ/OBM2eF9e1HqPIU=', 204, 83, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('6c31ee46-888b-4e2f-8ff1-a38f566c9b96', 1, '2026-11-17 09:58:47.665375+00', 1794909527, 'v1,U7zWCMDzKPRy/FariOIBzfilKXY22yQ8bPeXFmDbKco=', 204, 92, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('4f6b61c0-c264-4828-af24-940c00e9a981', 1, '2026-11-17 09:58:47.654377+00', 1794909527, 'v1,/exUsHpl96Qfe7DNTKDZxPtS/bB4cFBMrgj7FJmnhXI=', 204, 103, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('c5896b5e-5104-488e-a561-bb536d2e1aa9', 1, '2026-11-17 09:58:47.689643+00', 1794909527, 'v1,zaoWaE0IA1XOPz0BqeHH/YIjOke+pxcX/sQzXCFiroo=', 204, 105, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('48fd4ea1-4286-4f34-9b92-9261a89f1d8a', 1, '2026-11-17 09:58:47.682655+00', 1794909527, 'v1,rRxJBulMUyHeQaSZh88r3KRsbMslXHddgDEjEPytEsg=', 204, 112, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('15cc72a5-0bd7-4f40-b2ff-a7d99b0d861b', 1, '2026-11-17 09:58:47.679659+00', 1794909527, 'v1,i9NU0n754s2V0kpPJB6Xy+UM+8ZKG94ZvS2dHkMdChY=', 204, 115, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('61fef9d8-62e3-4310-9eda-e2f1dc7867a2', 1, '2026-11-17 09:58:47.673661+00', 1794909527, 'v1,/CLyiiFRjTeGxw1/Qfl24xJRnLVw0q8gcQG+4Vh9Txo=', 500, 121, 'It answered with another status than 2xx.', NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('37bf858d-92b3-4cde-ac24-d9f64c9f70b6', 1, '2026-11-17 09:58:47.669259+00', 1794909527, 'v1,b7Z10so0D220zL8DsActfHQiUimiZJ7Uz0KrDlghozA=', 500, 129, 'It answered with another status than 2xx.', NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('b930bf67-28d6-497f-9533-5e71d6d18ac1', 1, '2026-11-17 09:58:47.669271+00', 1794909527, 'v1,bqYOKqiREIrWinm3AfK+ExGK7+IOa/S5A7x3UZkqkCE=', 500, 129, 'It answered with another status than 2xx.', NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('d702b8a8-0a47-43ae-87aa-ca9782b4af46', 1, '2026-11-17 09:58:47.870589+00', 1794909527, 'v1,W7J33qMAHiEfsker3oFFCD/fOYXnUIrUDT+2gzN+yN4=', 204, 7, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('d46bff62-0336-4605-9fc2-20b52d6930a7', 1, '2026-11-17 09:58:47.911265+00', 1794909527, 'v1,AiaA9JJrGpORAuJHJ2hcaeobN2/o4LhWlxgw1Tekqhw=', 204, 1, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('70366f43-c03d-48e7-8536-b9f175083351', 1, '2026-11-17 09:58:48.020355+00', 1794909528, 'v1,adW1FHWsuwirRagLtVOAQYfcSJbzeQIe0/EEU/CqJX0=', 204, 4, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('cd5c6e27-27b2-4025-9a0c-1b74b781ca5b', 1, '2026-11-17 09:58:48.108162+00', 1794909528, 'v1,R8FX+qx70RAhs66PSuCEea/gqQ0XaqOZzeK9PNJf1nI=', 204, 6, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('37de75f6-19d0-4290-a75b-4cb68b20a256', 1, '2026-11-17 09:58:48.109169+00', 1794909528, 'v1,RTsQqev4EZqZmvoYiRHlAxAQXdqCvIzH5prd8JLqqC0=', 204, 7, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('add4d574-f214-47e1-9c16-2571282e4e4f', 1, '2026-11-17 09:58:48.108179+00', 1794909528, 'v1,+BUS2IjxstH+3JAaJfABFZrHx9WLx31dMSfyL80egdg=', 500, 8, 'It answered with another status than 2xx.', NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('0025ba55-2395-459b-aac1-655ba6653440', 1, '2026-11-17 09:58:48.31983+00', 1794909528, 'v1,BgmWUd8DRp4aRezUR1p3Y7K+4Op6vMG8v6JiF/VRwQo=', 204, 9, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('67174aee-dceb-4f50-b8b6-0f1250cebb51', 1, '2026-11-17 09:58:48.379039+00', 1794909528, 'v1,uLSwQSB11K1X6bA/N9H9gvtYGezypUL74Ev3OlxKu9w=', 204, 2, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('3e4c9665-8d0d-4645-ba98-9b85a745dc9b', 1, '2026-11-17 09:58:49.708808+00', 1794909529, 'v1,mMH+F3JqhYBlzK1+C/byRyusVRyuFg31LB2eRlZ0g0Y=', 204, 75, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('5aa362a6-aad4-4cac-b965-106eb8aaf321', 1, '2026-11-17 09:58:49.925769+00', 1794909529, 'v1,ZmB0GoxgWnKuHGaYA70WS6P6ZKV1PjSFJk/TidyO6OA=', 204, 13, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('448198c9-2c0b-4ac4-92a8-06d83b8bdb86', 1, '2026-11-17 09:58:50.532057+00', 1794909530, 'v1,JOp86V0PH3geyP5dtYJnALSzhyD3lm2hATuQly3dbGU=', 204, 8, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('e3973e94-1c9e-4414-a0d4-ed7efa14cab0', 1, '2026-11-17 09:58:50.564091+00', 1794909530, 'v1,nsqhzZvxhkpyxmcDgmHTmhc83qGZOzG7M4omXlwuTDs=', 204, 19, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('16d3019a-c41c-4837-9552-63ba4119f09e', 2, '2026-11-17 09:58:50.563104+00', 1794909530, 'v1,bHXhRZ1j8zbf42avwwNX9FBWCeyVjt0gX0Tk0tSj+SA=', 500, 20, 'It answered with another status than 2xx.', NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('84153bf3-d998-4ca9-8bac-4f98a14e3029', 2, '2026-11-17 09:58:50.563108+00', 1794909530, 'v1,OFVsULuHqQHjkAvgfXTaxyfCVzfXOKxVf1aXK9u35hw=', 500, 20, 'It answered with another status than 2xx.', NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('087500b0-38f8-4fd9-92a3-84961b99eaf2', 1, '2026-11-17 09:58:51.048138+00', 1794909531, 'v1,R8+SzFuD5XAfy1rIqsmDANRfEirohsmPGhrPkHaE1do=', 204, 3, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('b0761595-3260-4801-b38d-90832f1aa58b', 1, '2026-11-17 09:58:51.140846+00', 1794909531, 'v1,E6zvJkbdFfrTzfN7/eJeuiHKRe778Gi/YkDNBEcXioQ=', 500, 19, 'It answered with another status than 2xx.', NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('c123fb06-d82e-460d-ab85-894ad1a6b933', 2, '2026-11-17 09:58:51.204236+00', 1794909531, 'v1,lsQPIdU1SY2mdzr/yZ45zXsKpz+A/qPQiz5uf6ZuS+w=', 500, 9, 'It answered with another status than 2xx.', NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('19a65456-c6f1-4128-b7b3-e41540b3fd36', 1, '2026-11-17 09:58:54.845118+00', 1794909534, 'v1,aS8J36lvRQUQcNnjBkP40JEV/ItAEF9TgoLmdRV0j5k=', 204, 2, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('4e334bba-37f0-4877-86bc-04bc374dc209', 1, '2026-11-17 09:58:56.263723+00', 1794909536, 'v1,pg+0/HXYwoETNNzirROR60DudqgLW6O9czHu475jU7U=', 204, 1, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('45f5f145-ca32-4994-9948-a48468da0d56', 1, '2026-11-17 09:58:56.628986+00', 1794909536, 'v1,xJ1e7xRF+3Wgu45Xm3PnKFdKW3P8FinWxisIlsfRevQ=', 204, 10, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('a8e720e6-d8f8-42f9-8cb0-820eb36eb553', 1, '2026-11-17 09:58:58.284971+00', 1794909538, 'v1,YQj8qrwxcdSYWonJupeoeWCvqL4onCckSfc9Cet63b0=', 204, 5, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('14316356-5b63-4bfb-8f33-68ba9d584fdf', 1, '2026-11-17 09:58:51.278537+00', 1794909531, 'v1,Ipe+4HrQ+AOZnm6CLe72LnIKMWvCXz8cHLUMVeDIuvM=', 204, 29, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('72a91e05-123c-42ad-a5f6-8625bd2d8dcb', 1, '2026-11-17 09:58:56.173292+00', 1794909536, 'v1,xfrJqGJIXv+5o0GJhY8pfBD+e4tWTYsZ26lnXWietHs=', 204, 1, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('280740d7-911f-4235-8a41-c6bb6e7b5c32', 1, '2026-11-17 09:58:56.909217+00', 1794909536, 'v1,7Z19YN7osADtpEfFd8iDsRL2bGEulwaT3BUh0Eo6cOA=', 204, 14, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('7e082ac2-a040-4e42-8637-b99bd61fd3ae', 1, '2026-11-17 09:58:57.422557+00', 1794909537, 'v1,8zXfITM8JjmV20e30TWWaAvLfR4iIM1iIHqerp86XMQ=', 204, 12, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('2973efcf-48b2-4410-80c6-05af1315db9a', 1, '2026-11-17 09:58:57.448319+00', 1794909537, 'v1,510GG+OsXR01aU6DfIA8EX8RbURHhIMKie8i22okbSU=', 204, 13, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('e9f9705c-61cb-4bfa-b7db-6c08bddd7c9e', 1, '2026-11-17 09:58:57.448333+00', 1794909537, 'v1,l/ZOJONTwnaDloBvj23nxaNSLG94GJMYCd0WdJ+FalA=', 500, 13, 'It answered with another status than 2xx.', NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('fbec8922-a81e-47d1-be28-10473dba76aa', 2, '2026-11-17 09:59:01.608847+00', 1794909541, 'v1,OOCyjJblL/ew6EN17fumGubEFFB2D6we5errdaJMusk=', 500, 14, 'It answered with another status than 2xx.', NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('47db3dee-c209-408a-9e18-75a16269c21c', 2, '2026-11-17 09:59:01.611447+00', 1794909541, 'v1,0UD72eDQjFFT7VZh3b1ka1Wo6DOF4CxNgRBfGZ6HQiY=', 500, 24, 'It answered with another status than 2xx.', NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('add4d574-f214-47e1-9c16-2571282e4e4f', 2, '2026-11-17 09:58:53.387371+00', 1794909533, 'v1,bdWql37v25oIfrwd47Wfv79SUSYE9ghq7BDz6VVjVQk=', 500, 16, 'It answered with another status than 2xx.', NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('b930bf67-28d6-497f-9533-5e71d6d18ac1', 2, '2026-11-17 09:58:53.433096+00', 1794909533, 'v1,hbbTF7ko/yJbbOVXV1jf72q1ga9M9KLtfbp85daHH4c=', 500, 22, 'It answered with another status than 2xx.', NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('37bf858d-92b3-4cde-ac24-d9f64c9f70b6', 2, '2026-11-17 09:58:53.419117+00', 1794909533, 'v1,ILNsVabV7ye/zpqtlC7DY6sDj1/ovF5z47dHVxvtbb4=', 500, 36, 'It answered with another status than 2xx.', NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('61fef9d8-62e3-4310-9eda-e2f1dc7867a2', 2, '2026-11-17 09:58:53.417122+00', 1794909533, 'v1,LhNnEsBBNflH1RkP0IrVzR7qMra15wHGZL9jcnK49eA=', 500, 38, 'It answered with another status than 2xx.', NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('37d05b5a-e714-4328-a792-dea25cbedbcb', 1, '2026-11-17 09:58:56.134696+00', 1794909536, 'v1,i8sfsWHVskqhHchMeV/qFEY6q/LBk5zxnz80m0VltnU=', 204, 2, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('47db3dee-c209-408a-9e18-75a16269c21c', 1, '2026-11-17 09:58:56.1424+00', 1794909536, 'v1,1DW0dgVtirrsaYlnPR8xJA1oMOh5dhtI1kMiBewLLI8=', 500, 8, 'It answered with another status than 2xx.', NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('b0761595-3260-4801-b38d-90832f1aa58b', 2, '2026-11-17 09:58:56.144212+00', 1794909536, 'v1,bwoSkVtHWSirlrurryTZWQp492Yl5rsNHCr/PzLsaso=', 500, 8, 'It answered with another status than 2xx.', NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('bbbe51f3-7083-4e93-ac54-2bd4c4d639ef', 1, '2026-11-17 09:58:57.786824+00', 1794909537, 'v1,93o4uPME1fsTEwEF60CvotqAo8kpzk+1rK+TWWuy88E=', 204, 2, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('d0d232ab-dcde-45cf-becd-3b1c4f7db12b', 1, '2026-11-17 09:58:56.388828+00', 1794909536, 'v1,z1PdtRybV4t7c8DMDjWFS0oUnbu2Q8yxvxTcj9X4AjM=', 204, 2, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('d545960b-4f96-429a-9117-913a6c0914fe', 1, '2026-11-17 09:58:56.392858+00', 1794909536, 'v1,j1IReBiRGPTrji8u7jtIRNBBNn4jLd+0LtXff/pnGsA=', 204, 5, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('fbec8922-a81e-47d1-be28-10473dba76aa', 1, '2026-11-17 09:58:56.39287+00', 1794909536, 'v1,JqzBgsc4yTBzIV6/0tc5Y5Y8ioic2m6mGSzEtJi/jTc=', 500, 5, 'It answered with another status than 2xx.', NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('7fc4735f-cbe7-4f4d-94f9-4e62d410bdf5', 1, '2026-11-17 09:58:57.60986+00', 1794909537, 'v1,PQmzdYw9Xgg8SSpT5M/IYCrXLk91NWdtBK1uyEf9hnk=', 204, 8, NULL, NULL);
INSERT INTO public.webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, error, answer) VALUES ('7e84d871-c5ce-4558-ab45-9c329f5a2f52', 1, '2026-11-17 09:58:58.425921+00', 1794909538, 'v1,oqCqFl18GceFQ1i3lO5AZ0N9jEONUEWB6yn5nyDEFpI=', 204, 5, NULL, NULL);

INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('ffb741cc-4c9a-4b34-a961-0449694553dc', '01a1e8f1-cd99-7e8b-907c-e7502882667c', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:43.494527+00', '2026-11-17 09:58:43.366697+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('6910bc70-c031-4cf9-b2cc-a40f90bedcb6', '01a1e8f1-ce4d-7778-bdd9-57d9c8630458', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:43.605359+00', '2026-11-17 09:58:43.540945+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('651abdd1-6c1e-4154-9832-223207016f05', '01a1e8f1-ce85-7423-bede-0970128d7d53', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:43.639303+00', '2026-11-17 09:58:43.600165+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('6ce172e6-393f-43f7-9f47-023d1377627d', '01a1e8f1-cf56-7ff3-981f-588f266d4b35', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:44.094465+00', '2026-11-17 09:58:44.041269+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('9120cbd4-bdc2-49a8-af28-e3bc2d77d355', '01a1e8f1-d073-72f5-887d-481d34e9e96f', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:44.151368+00', '2026-11-17 09:58:44.101557+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('c954387f-c88b-4c9a-ac14-991afd1a6ecc', '01a1e8f1-d113-7009-bf65-cbe52c58ca0f', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:44.254998+00', '2026-11-17 09:58:44.245751+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('69ad929f-dcd2-4866-b5b3-ae239f5cc5fa', '01a1e8f1-d1f6-7f01-b04d-00460fc45e8d', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:44.529343+00', '2026-11-17 09:58:44.472378+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('13b5ec0f-91d7-4993-824e-bb703b0931c0', '01a1e8f1-d1f6-7586-8022-59eb24635247', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:44.581463+00', '2026-11-17 09:58:44.47229+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('00240537-eccf-425f-af05-a54f4a478996', '01a1e8f1-d263-74e4-a92a-8001d3f729c5', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:44.740418+00', '2026-11-17 09:58:44.586579+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('83df8847-fcfe-45d3-9298-aee4f9f745af', '01a1e8f1-d32c-7a21-b0fd-2e3ed599663b', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:44.794707+00', '2026-11-17 09:58:44.783047+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('d1eec148-1e99-4342-b0f0-302621b9fc57', '01a1e8f1-d4bb-7f94-8cb7-64d26aed61b0', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:45.211972+00', '2026-11-17 09:58:45.183002+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('579112e2-116d-4d7c-981e-41655db40163', '01a1e8f1-d4bb-7756-96c0-cec8a7371926', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:45.233244+00', '2026-11-17 09:58:45.1829+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('d1e88f70-1ea4-4321-bbac-f2ee2579ca23', '01a1e8f1-d4eb-76ad-9efc-725549e4f71b', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:45.257037+00', '2026-11-17 09:58:45.238938+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('5a9cfc76-1190-4706-a3d4-dbce9914a204', '01a1e8f1-d674-7c42-afee-2ec9a8763568', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:45.63653+00', '2026-11-17 09:58:45.62345+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('74b5989c-e2cd-45f2-9453-6cd949ff024b', '01a1e8f1-d855-7f8f-b462-58a49debec5f', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:46.121541+00', '2026-11-17 09:58:46.104914+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('4d197d48-e62b-4627-b04e-bb6505856778', '01a1e8f1-d855-79e7-9871-05be65a4511b', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:46.12844+00', '2026-11-17 09:58:46.104791+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('2594490d-7ef0-4f1f-a397-fc1f87e0a488', '01a1e8f1-d86c-7a51-87a5-26a5a1622772', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:46.145012+00', '2026-11-17 09:58:46.134681+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('65e603fa-5382-40e5-aa87-535189a1f610', '01a1e8f1-d885-77cd-bab1-5286f9917d9c', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:46.268856+00', '2026-11-17 09:58:46.155083+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('bbb7e3fd-e3eb-414e-bb17-0a458358d86b', '01a1e8f1-d87b-7c52-b7bb-d61b3d143045', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:46.27499+00', '2026-11-17 09:58:46.145937+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('4b56e160-cb7f-4ace-81e4-92c92a76089b', '01a1e8f1-d932-7df3-ad06-3baeb09eb220', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:46.355549+00', '2026-11-17 09:58:46.327744+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('65eab9d3-0bb1-4204-a10a-e81ce5777c1f', '01a1e8f1-da03-740e-acee-fb3861a465e4', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:46.573412+00', '2026-11-17 09:58:46.536228+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('40cf863b-139c-4cfa-b66d-56b81ebf6e1a', '01a1e8f1-da68-7aed-8bf8-9d58e6736dd1', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:46.647062+00', '2026-11-17 09:58:46.635277+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('d2327c4b-2489-48ff-b811-3d3954645964', '01a1e8f1-dc80-7c18-9967-b4970c72f4c4', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:47.202965+00', '2026-11-17 09:58:47.176719+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('bed68588-910b-4c6f-a126-f2879244bca6', '01a1e8f1-dcb2-7327-928a-7d4ac0200530', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:47.238962+00', '2026-11-17 09:58:47.220851+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('d6be785e-93cb-4a15-b817-4790ba693082', '01a1e8f1-dd30-7af0-8e66-18e2d837ef17', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:47.400513+00', '2026-11-17 09:58:47.358487+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('f445e9c1-15e1-4dc8-a48f-538ff708a392', '01a1e8f1-dd6f-7743-9e69-dee94b40f674', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:47.42157+00', '2026-11-17 09:58:47.413806+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('7e58ab35-ecdb-4b97-ae47-52b7603dafbe', '01a1e8f1-de3d-7e8d-8c85-321c7cd62865', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:47.659593+00', '2026-11-17 09:58:47.623711+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('c0356646-94bd-4acc-a3a5-0e8519b29d90', '01a1e8f1-de3d-74f5-b8c7-846a985dd9e8', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:47.693375+00', '2026-11-17 09:58:47.62369+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('6317529c-c49c-4353-a0ef-a4b053ef37dc', '01a1e8f1-de3d-7541-987c-ad5da86a3b4e', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:47.693469+00', '2026-11-17 09:58:47.623681+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('8d8c7824-0001-4d94-8315-15bd130d4439', '01a1e8f1-de3d-716b-9105-901f6c212884', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:47.693483+00', '2026-11-17 09:58:47.623667+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('cc2d4a0e-fdac-4001-8961-386464d7f755', '01a1e8f1-de3d-7c05-80f1-9ba5c61174a3', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:47.757204+00', '2026-11-17 09:58:47.623658+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('dcc92b72-3ac9-40b7-809b-2007116add4f', '01a1e8f1-de3d-7c6c-8692-7c8b12022064', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:47.757295+00', '2026-11-17 09:58:47.62365+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('6c31ee46-888b-4e2f-8ff1-a38f566c9b96', '01a1e8f1-de3d-70a8-b139-abb53b012807', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:47.757336+00', '2026-11-17 09:58:47.623641+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('4f6b61c0-c264-4828-af24-940c00e9a981', '01a1e8f1-de3d-76ba-8c73-659a952d80ef', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:47.757347+00', '2026-11-17 09:58:47.623633+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('c5896b5e-5104-488e-a561-bb536d2e1aa9', '01a1e8f1-de3d-7fb1-a61b-d909692cc76a', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:47.794514+00', '2026-11-17 09:58:47.623623+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('48fd4ea1-4286-4f34-9b92-9261a89f1d8a', '01a1e8f1-de3d-7c1c-b9e5-8312e986233a', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:47.794603+00', '2026-11-17 09:58:47.623613+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('15cc72a5-0bd7-4f40-b2ff-a7d99b0d861b', '01a1e8f1-de3d-775c-80d2-32a750802074', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:47.794617+00', '2026-11-17 09:58:47.62353+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('d702b8a8-0a47-43ae-87aa-ca9782b4af46', '01a1e8f1-df33-7c3b-8e20-9d77e0d3631d', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:47.877492+00', '2026-11-17 09:58:47.861759+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('d46bff62-0336-4605-9fc2-20b52d6930a7', '01a1e8f1-df50-7b09-9a37-b339f96afa2c', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:47.912162+00', '2026-11-17 09:58:47.892381+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('70366f43-c03d-48e7-8536-b9f175083351', '01a1e8f1-dfcc-784f-be2c-f0198767fa12', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:48.024271+00', '2026-11-17 09:58:48.014696+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('cd5c6e27-27b2-4025-9a0c-1b74b781ca5b', '01a1e8f1-e01a-7fb9-9a6f-52818be0ee38', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:48.114081+00', '2026-11-17 09:58:48.093401+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('37de75f6-19d0-4290-a75b-4cb68b20a256', '01a1e8f1-e01a-718d-9628-594405918f42', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:48.116085+00', '2026-11-17 09:58:48.093325+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('0025ba55-2395-459b-aac1-655ba6653440', '01a1e8f1-e0f0-78a8-9da3-11e9d7836a29', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:48.328746+00', '2026-11-17 09:58:48.308823+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('67174aee-dceb-4f50-b8b6-0f1250cebb51', '01a1e8f1-e123-7073-abeb-43dbe2ac2b36', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:48.38096+00', '2026-11-17 09:58:48.35971+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('3e4c9665-8d0d-4645-ba98-9b85a745dc9b', '01a1e8f1-e5fb-7ec4-b60c-5285bff9ebce', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:49.783724+00', '2026-11-17 09:58:49.607763+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('5aa362a6-aad4-4cac-b965-106eb8aaf321', '01a1e8f1-e70b-7fb5-9fea-7c3fc9c908fb', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:49.938675+00', '2026-11-17 09:58:49.878185+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('448198c9-2c0b-4ac4-92a8-06d83b8bdb86', '01a1e8f1-e980-784b-908f-3b50605f48fd', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:50.539971+00', '2026-11-17 09:58:50.499614+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('e3973e94-1c9e-4414-a0d4-ed7efa14cab0', '01a1e8f1-e97f-7af3-9e84-1979d4fb6e63', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:50.582966+00', '2026-11-17 09:58:50.499513+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('16d3019a-c41c-4837-9552-63ba4119f09e', '01a1e8f1-d4bb-7f94-8cb7-64d26aed61b0', '01a1e8f1-cd5f-7612-807a-265fa23db4eb', 'pending', 2, 2, '2026-11-17 10:04:18.17906+00', false, '2026-11-17 09:58:50.583061+00', '2026-11-17 09:58:45.182986+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('84153bf3-d998-4ca9-8bac-4f98a14e3029', '01a1e8f1-d1f6-7f01-b04d-00460fc45e8d', '01a1e8f1-cd5f-7612-807a-265fa23db4eb', 'pending', 2, 2, '2026-11-17 10:04:15.560078+00', false, '2026-11-17 09:58:50.583078+00', '2026-11-17 09:58:44.472364+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('087500b0-38f8-4fd9-92a3-84961b99eaf2', '01a1e8f1-eb7b-71f3-a70c-d5669b7c63ad', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:51.051045+00', '2026-11-17 09:58:51.008501+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('c123fb06-d82e-460d-ab85-894ad1a6b933', '01a1e8f1-d855-7f8f-b462-58a49debec5f', '01a1e8f1-cd5f-7612-807a-265fa23db4eb', 'pending', 2, 2, '2026-11-17 10:04:12.202151+00', false, '2026-11-17 09:58:51.213152+00', '2026-11-17 09:58:46.104877+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('14316356-5b63-4bfb-8f33-68ba9d584fdf', '01a1e8f1-ec79-78ac-8af0-a1b2816c7b56', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:51.307448+00', '2026-11-17 09:58:51.265986+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('19a65456-c6f1-4128-b7b3-e41540b3fd36', '01a1e8f1-fa59-77af-b134-0e475ef0afab', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:54.847028+00', '2026-11-17 09:58:54.813878+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('37d05b5a-e714-4328-a792-dea25cbedbcb', '01a1e8f1-ff79-7652-846a-6e41f7176cac', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:56.136614+00', '2026-11-17 09:58:56.123673+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('b0761595-3260-4801-b38d-90832f1aa58b', '01a1e8f1-eb7b-71f3-a70c-d5669b7c63ad', '01a1e8f1-cd5f-7612-807a-265fa23db4eb', 'pending', 2, 2, '2026-11-17 10:03:58.667143+00', false, '2026-11-17 09:58:56.152144+00', '2026-11-17 09:58:51.008446+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('d545960b-4f96-429a-9117-913a6c0914fe', '01a1e8f2-0077-7b74-9edc-4d684bbe84c0', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:56.397752+00', '2026-11-17 09:58:56.378446+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('45f5f145-ca32-4994-9948-a48468da0d56', '01a1e8f2-0165-7a39-bb4b-9b81434e93b8', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:56.638899+00', '2026-11-17 09:58:56.615165+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('bbbe51f3-7083-4e93-ac54-2bd4c4d639ef', '01a1e8f2-05d3-7e20-8b63-78ad4b308b63', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:57.788741+00', '2026-11-17 09:58:57.752241+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('47db3dee-c209-408a-9e18-75a16269c21c', '01a1e8f1-ff79-7652-846a-6e41f7176cac', '01a1e8f1-cd5f-7612-807a-265fa23db4eb', 'pending', 2, 2, '2026-11-17 10:04:17.717328+00', false, '2026-11-17 09:59:01.635329+00', '2026-11-17 09:58:56.123622+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('add4d574-f214-47e1-9c16-2571282e4e4f', '01a1e8f1-e01a-7fb9-9a6f-52818be0ee38', '01a1e8f1-cd5f-7612-807a-265fa23db4eb', 'pending', 2, 2, '2026-11-17 10:04:20.027234+00', false, '2026-11-17 09:58:53.403235+00', '2026-11-17 09:58:48.093391+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('72a91e05-123c-42ad-a5f6-8625bd2d8dcb', '01a1e8f1-ffa4-7f41-a548-4d54bb01b055', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:56.174209+00', '2026-11-17 09:58:56.168825+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('d0d232ab-dcde-45cf-becd-3b1c4f7db12b', '01a1e8f2-0078-70af-bd61-ee3073d6ccd6', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:56.390731+00', '2026-11-17 09:58:56.378511+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('280740d7-911f-4235-8a41-c6bb6e7b5c32', '01a1e8f2-0277-7ab5-aec0-01e35d9d2f2a', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:56.923092+00', '2026-11-17 09:58:56.890769+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('7e84d871-c5ce-4558-ab45-9c329f5a2f52', '01a1e8f2-086e-7f5f-be1f-5067ed26ddb5', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:58.43079+00', '2026-11-17 09:58:58.421586+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('fbec8922-a81e-47d1-be28-10473dba76aa', '01a1e8f2-0078-70af-bd61-ee3073d6ccd6', '01a1e8f1-cd5f-7612-807a-265fa23db4eb', 'pending', 2, 2, '2026-11-17 10:03:41.192162+00', false, '2026-11-17 09:59:01.621164+00', '2026-11-17 09:58:56.378501+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('b930bf67-28d6-497f-9533-5e71d6d18ac1', '01a1e8f1-de3d-7c1c-b9e5-8312e986233a', '01a1e8f1-cd5f-7612-807a-265fa23db4eb', 'pending', 2, 2, '2026-11-17 10:03:58.4888+00', false, '2026-11-17 09:58:53.454802+00', '2026-11-17 09:58:47.623603+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('37bf858d-92b3-4cde-ac24-d9f64c9f70b6', '01a1e8f1-de3d-7541-987c-ad5da86a3b4e', '01a1e8f1-cd5f-7612-807a-265fa23db4eb', 'pending', 2, 2, '2026-11-17 10:03:58.09005+00', false, '2026-11-17 09:58:53.455051+00', '2026-11-17 09:58:47.623675+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('61fef9d8-62e3-4310-9eda-e2f1dc7867a2', '01a1e8f1-de3d-7e8d-8c85-321c7cd62865', '01a1e8f1-cd5f-7612-807a-265fa23db4eb', 'pending', 2, 2, '2026-11-17 10:04:07.396076+00', false, '2026-11-17 09:58:53.455077+00', '2026-11-17 09:58:47.623697+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('4e334bba-37f0-4877-86bc-04bc374dc209', '01a1e8f1-ffff-76a7-98d7-61e2201e0e02', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:56.264637+00', '2026-11-17 09:58:56.258708+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('7e082ac2-a040-4e42-8637-b99bd61fd3ae', '01a1e8f2-0483-74e6-951f-604fc0f37ac3', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:57.43444+00', '2026-11-17 09:58:57.414091+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('2973efcf-48b2-4410-80c6-05af1315db9a', '01a1e8f2-0482-70b7-a1dc-955b02121828', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:57.461208+00', '2026-11-17 09:58:57.412992+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('e9f9705c-61cb-4bfa-b7db-6c08bddd7c9e', '01a1e8f2-0482-70b7-a1dc-955b02121828', '01a1e8f1-cd5f-7612-807a-265fa23db4eb', 'pending', 1, 1, '2026-11-17 09:59:02.0593+00', false, '2026-11-17 09:58:57.461302+00', '2026-11-17 09:58:57.412936+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('7fc4735f-cbe7-4f4d-94f9-4e62d410bdf5', '01a1e8f2-0529-742d-9561-1c9babb6c6bf', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:57.617726+00', '2026-11-17 09:58:57.581712+00');
INSERT INTO public.webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, claimed, last_attempt_at, created_at) VALUES ('a8e720e6-d8f8-42f9-8cb0-820eb36eb553', '01a1e8f2-07de-7976-8fc7-966e833f7c0a', '01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 'succeeded', 1, 1, NULL, false, '2026-11-17 09:58:58.28986+00', '2026-11-17 09:58:58.27553+00');

INSERT INTO public.webhook_endpoints (id, "position", merchant_id, environment, url, events, description, status, disabled_reason, disabled_at, secret, previous_secret, previous_until, failing_since, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-cce8-76d0-a0c9-6e7ffbd274ff', 1, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'http://127.0.0.1:40205/hooks', NULL, NULL, 'enabled', NULL, NULL, '\xb2e17de5b432f94b697b7534772e7685e94cc9172c9e5c5189166be940b0dd1d2cecb53f66df36e8ffc9065b653f2881da6a0aedc04db6ebd841b17967a89d9eb617e10ae756e56fe90ba0251eda', NULL, NULL, NULL, '2026-11-17 09:58:43.185676+00');
INSERT INTO public.webhook_endpoints (id, "position", merchant_id, environment, url, events, description, status, disabled_reason, disabled_at, secret, previous_secret, previous_until, failing_since, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a1e8f1-cd5f-7612-807a-265fa23db4eb', 2, '01a1e8f1-cc2d-78d4-9a8c-42b32972b499', 'test', 'http://127.0.0.1:40205/broken', '{invoice.paid,payout.completed}', NULL, 'enabled', NULL, NULL, '\xe566b07f6c186af04f4e2f3d53aac6992df86dddfcb1b470f36b6081fb40d27392399248729fe2d9810cde9caff0594aecf82e4513c32072c73e87cd0eaa4c5bb65add38aa0290237026c2350815', NULL, NULL, '2026-11-17 09:58:44.582492+00', '2026-11-17 09:58:43.305626+00');

SELECT pg_catalog.setval('public.audits_id_seq', 1, false);

SELECT pg_catalog.setval('public.events_position_seq', 70, true);

SELECT pg_catalog.setval('public.invoices_position_seq', 16, true);

SELECT pg_catalog.setval('public.ledger_accounts_id_seq', 21, true);

SELECT pg_catalog.setval('public.passkey_enrolments_position_seq', 1, true);

SELECT pg_catalog.setval('public.passkey_statements_position_seq', 1, false);

SELECT pg_catalog.setval('public.payouts_position_seq', 8, true);

SELECT pg_catalog.setval('public.refunds_position_seq', 2, true);

SELECT pg_catalog.setval('public.simulated_transactions_arrival_seq', 21, true);

SELECT pg_catalog.setval('public.static_addresses_position_seq', 1, true);

SELECT pg_catalog.setval('public.webhook_endpoints_position_seq', 2, true);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (chain, seq);

ALTER TABLE ONLY public.audit_heads
    ADD CONSTRAINT audit_heads_pkey PRIMARY KEY (chain);

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

ALTER TABLE ONLY public.deposit_address_counters
    ADD CONSTRAINT deposit_address_counters_pkey PRIMARY KEY (keychain);

ALTER TABLE ONLY public.deposit_address_grants
    ADD CONSTRAINT deposit_address_grants_pkey PRIMARY KEY (keychain);

ALTER TABLE ONLY public.deposit_addresses
    ADD CONSTRAINT deposit_addresses_pkey PRIMARY KEY (keychain, "position");

ALTER TABLE ONLY public.event_eras
    ADD CONSTRAINT event_eras_pkey PRIMARY KEY (era);

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id);

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

ALTER TABLE ONLY public.postings
    ADD CONSTRAINT postings_pkey PRIMARY KEY (transaction_id, account_id);

ALTER TABLE ONLY public.rate_quotes
    ADD CONSTRAINT rate_quotes_pkey PRIMARY KEY (currency, fiat_currency, source);

ALTER TABLE ONLY public.rate_sources
    ADD CONSTRAINT rate_sources_pkey PRIMARY KEY (source);

ALTER TABLE ONLY public.rates
    ADD CONSTRAINT rates_pkey PRIMARY KEY (currency, fiat_currency);

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash);

ALTER TABLE ONLY public.refunds
    ADD CONSTRAINT refunds_payout_id_key UNIQUE (payout_id);

ALTER TABLE ONLY public.refunds
    ADD CONSTRAINT refunds_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rescan_outputs
    ADD CONSTRAINT rescan_outputs_pkey PRIMARY KEY (gate_id, tx_hash, output_index);

ALTER TABLE ONLY public.rescans
    ADD CONSTRAINT rescans_pkey PRIMARY KEY (gate_id);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY public.sign_in_failures
    ADD CONSTRAINT sign_in_failures_pkey PRIMARY KEY (subject);

ALTER TABLE ONLY public.simulated_blocks
    ADD CONSTRAINT simulated_blocks_pkey PRIMARY KEY (gate_id, height);

ALTER TABLE ONLY public.simulated_chains
    ADD CONSTRAINT simulated_chains_pkey PRIMARY KEY (gate_id);

ALTER TABLE ONLY public.simulated_debits
    ADD CONSTRAINT simulated_debits_pkey PRIMARY KEY (gate_id, tx_hash, currency);

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

ALTER TABLE ONLY public.spends
    ADD CONSTRAINT spends_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.static_addresses
    ADD CONSTRAINT static_addresses_keychain_deposit_position_key UNIQUE (keychain, deposit_position);

ALTER TABLE ONLY public.static_addresses
    ADD CONSTRAINT static_addresses_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.suspense_releases
    ADD CONSTRAINT suspense_releases_pkey PRIMARY KEY (payment_id);

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

CREATE INDEX ceremonies_by_expiry ON public.ceremonies USING btree (expires_at);

CREATE INDEX change_coins_unspent ON public.change_coins USING btree (gate_id, units DESC) WHERE (pinned_by IS NULL);

CREATE INDEX daily_sums_by_day ON public.daily_sums USING btree (merchant_id, environment, day);

CREATE INDEX deposit_addresses_by_hash ON public.deposit_addresses USING hash (address) WHERE (tag = ''::text);

COMMENT ON INDEX public.deposit_addresses_by_hash IS 'A block of thousands of transfers is checked against every address ever given out. A hash index answers in a third of the time a tree takes. Tagged addresses stay out: there, one address stands a million times.';

CREATE INDEX deposit_addresses_by_lower_hash ON public.deposit_addresses USING hash (lower(address)) WHERE ((tag = ''::text) AND (address ~~ '0x%'::text));

COMMENT ON INDEX public.deposit_addresses_by_lower_hash IS 'Finds EVM addresses whatever their case. Nodes write them in lower case and we in EIP-55 form, which takes too long to compute for every stranger in every block.';

CREATE UNIQUE INDEX deposit_addresses_by_place ON public.deposit_addresses USING btree (keychain, address, tag);

CREATE INDEX events_by_name ON public.events USING btree (merchant_id, environment, event, "position" DESC);

CREATE INDEX events_by_resource ON public.events USING btree (merchant_id, environment, resource_id, "position" DESC) WHERE (resource_id IS NOT NULL);

CREATE INDEX events_by_time ON public.events USING btree (merchant_id, environment, created_at);

CREATE INDEX events_newest_first ON public.events USING btree (merchant_id, environment, "position" DESC);

CREATE INDEX events_to_catch_up ON public.events USING btree (merchant_id, environment, era, xid, "position");

CREATE INDEX invoices_by_currency ON public.invoices USING btree (merchant_id, environment, currency, "position" DESC);

CREATE UNIQUE INDEX invoices_by_deposit_position ON public.invoices USING btree (keychain, deposit_position) WHERE ((static_address_id IS NULL) AND (deposit_position IS NOT NULL));

COMMENT ON INDEX public.invoices_by_deposit_position IS 'A deposit address belongs to one invoice for good.';

CREATE INDEX invoices_by_external_id ON public.invoices USING btree (merchant_id, environment, external_id text_pattern_ops) WHERE (external_id IS NOT NULL);

CREATE UNIQUE INDEX invoices_by_idempotency_key ON public.invoices USING btree (merchant_id, environment, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX invoices_by_static_address ON public.invoices USING btree (static_address_id, "position" DESC) WHERE (static_address_id IS NOT NULL);

CREATE INDEX invoices_by_status ON public.invoices USING btree (merchant_id, environment, status, "position" DESC);

CREATE INDEX invoices_by_status_and_currency ON public.invoices USING btree (merchant_id, environment, status, currency, "position" DESC);

CREATE INDEX invoices_due ON public.invoices USING btree (gate_id, due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX invoices_ending ON public.invoices USING btree (merchant_id, environment, due_at) WHERE ((status = 'underpaid'::text) AND (due_at IS NOT NULL));

COMMENT ON INDEX public.invoices_ending IS 'Invoices someone should look at before their window closes.';

CREATE INDEX invoices_newest_first ON public.invoices USING btree (merchant_id, environment, "position" DESC);

CREATE INDEX invoices_underpaid ON public.invoices USING btree (gate_id, currency, "position" DESC) WHERE (status = 'underpaid'::text);

COMMENT ON INDEX public.invoices_underpaid IS 'Addresses that somebody may still pay the rest to, for the comparison of balances.';

CREATE INDEX jobs_by_due_time ON public.jobs USING btree (kind, due_at);

CREATE INDEX jobs_by_gate ON public.jobs USING btree (gate_id) WHERE (gate_id IS NOT NULL);

CREATE UNIQUE INDEX ledger_accounts_by_owner ON public.ledger_accounts USING btree (merchant_id, environment, currency, network, kind) NULLS NOT DISTINCT;

CREATE INDEX ledger_entries_by_reference ON public.ledger_entries USING btree (reference_id);

CREATE INDEX ledger_entries_by_time ON public.ledger_entries USING btree (merchant_id, environment, created_at, currency, number);

CREATE INDEX ledger_entries_by_type ON public.ledger_entries USING btree (merchant_id, environment, currency, entry_type, number DESC);

CREATE INDEX list_counts_by_list ON public.list_counts USING btree (list, merchant_id, environment, facet, currency, bucket) INCLUDE (difference);

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

CREATE INDEX payouts_due ON public.payouts USING btree (gate_id, executable_at) WHERE (status = 'approved'::text);

CREATE INDEX payouts_newest_first ON public.payouts USING btree (merchant_id, environment, "position" DESC);

CREATE INDEX postings_by_account ON public.postings USING btree (account_id);

CREATE UNIQUE INDEX refunds_by_idempotency_key ON public.refunds USING btree (merchant_id, environment, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX refunds_by_invoice ON public.refunds USING btree (invoice_id);

CREATE INDEX refunds_newest_first ON public.refunds USING btree (merchant_id, environment, "position" DESC);

CREATE INDEX rescan_outputs_untaken ON public.rescan_outputs USING btree (gate_id, tx_hash, output_index) WHERE (taken_at IS NULL);

CREATE INDEX sessions_by_place ON public.sessions USING btree (user_id, ip) WHERE is_complete;

COMMENT ON INDEX public.sessions_by_place IS 'Where a person has signed in from before, ended sessions included.';

CREATE INDEX sessions_by_user ON public.sessions USING btree (user_id, last_seen_at DESC) WHERE (ended_at IS NULL);

CREATE INDEX sign_in_failures_by_time ON public.sign_in_failures USING btree (last_at);

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

CREATE INDEX spends_in_no_block ON public.spends USING btree (gate_id) WHERE ((block_height IS NULL) AND (status <> 'open'::text) AND (kind <> 'absorb'::text) AND ((status <> 'dead'::text) OR (from_address IS NOT NULL)));

COMMENT ON INDEX public.spends_in_no_block IS 'Ended spends that no block is known to hold or to rule out, since it was reorganised away. They are looked for at every block, however long it takes: one of their transactions may be mined after all.';

CREATE INDEX spends_mined ON public.spends USING btree (gate_id, block_height) WHERE (block_height IS NOT NULL);

CREATE INDEX spends_of_gas ON public.spends USING btree (gate_id, to_address) WHERE (kind = 'gas'::text);

CREATE INDEX spends_to_look_at ON public.spends USING btree (look_at) WHERE (status = 'open'::text);

CREATE INDEX spends_undone ON public.spends USING btree (gate_id) WHERE (undone_reason IS NOT NULL);

CREATE UNIQUE INDEX spends_use_a_nonce_once ON public.spends USING btree (gate_id, from_address, nonce, (
CASE
    WHEN (kind <> 'fill'::text) THEN 'planned'::text
    WHEN (status <> 'dead'::text) THEN 'filling'::text
    ELSE NULL::text
END)) WHERE (from_address IS NOT NULL);

COMMENT ON INDEX public.spends_use_a_nonce_once IS 'A nonce that was planned has one owner for good, dead or not. Beside it there is at most one fill. Should that be ruled out too, and the nonce be free once more, another may fill it.';

CREATE INDEX static_addresses_by_currency ON public.static_addresses USING btree (merchant_id, environment, currency, "position" DESC);

CREATE INDEX static_addresses_by_gate ON public.static_addresses USING btree (gate_id, currency, "position" DESC);

CREATE INDEX static_addresses_by_label ON public.static_addresses USING btree (merchant_id, environment, lower(label) text_pattern_ops) WHERE (label IS NOT NULL);

CREATE INDEX static_addresses_newest_first ON public.static_addresses USING btree (merchant_id, environment, "position" DESC);

CREATE INDEX suspense_releases_by_merchant ON public.suspense_releases USING btree (merchant_id);

CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (endpoint_id, due_at) WHERE (status = 'pending'::text);

COMMENT ON INDEX public.webhook_deliveries_due IS 'All that the sender reads. A delivery that is done leaves it.';

CREATE INDEX webhook_deliveries_newest_first ON public.webhook_deliveries USING btree (endpoint_id, created_at DESC, id DESC);

CREATE INDEX webhook_endpoints_newest_first ON public.webhook_endpoints USING btree (merchant_id, environment, "position" DESC) WHERE (status <> 'deleted'::text);

CREATE TRIGGER announce_api_key_change AFTER DELETE OR UPDATE OF merchant_id, environment, name, hash, permissions, revoked_at, expires_at, allowed_ips ON public.api_keys FOR EACH ROW EXECUTE FUNCTION public.announce_api_key_change();

COMMENT ON TRIGGER announce_api_key_change ON public.api_keys IS 'Not on last_used_at: using a key changes nothing about it, so nobody has to look it up again.';

CREATE TRIGGER announce_chain_move AFTER UPDATE ON public.followed_chains FOR EACH ROW WHEN (((old.hash IS DISTINCT FROM new.hash) OR (old.height IS DISTINCT FROM new.height))) EXECUTE FUNCTION public.announce_chain_move();

CREATE TRIGGER announce_checkout_change AFTER UPDATE ON public.invoices REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.announce_checkout_change();

COMMENT ON TRIGGER announce_checkout_change ON public.invoices IS 'Not after an insert: nobody can have opened the page before the invoice was there.';

CREATE TRIGGER audit_entries_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER count_added_events AFTER INSERT ON public.events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_events();

CREATE TRIGGER count_added_invoices AFTER INSERT ON public.invoices REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_invoices();

CREATE TRIGGER count_added_ledger_entries AFTER INSERT ON public.ledger_entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_ledger_entries();

CREATE TRIGGER count_added_payouts AFTER INSERT ON public.payouts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_payouts();

CREATE TRIGGER count_added_refunds AFTER INSERT ON public.refunds REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_refunds();

CREATE TRIGGER count_added_static_addresses AFTER INSERT ON public.static_addresses REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_static_addresses();

CREATE TRIGGER count_moved_invoices AFTER UPDATE ON public.invoices REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_invoices();

CREATE TRIGGER count_moved_payouts AFTER UPDATE ON public.payouts REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_payouts();

CREATE TRIGGER deliver_added_events AFTER INSERT ON public.events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.deliver_events();

CREATE TRIGGER deposit_address_counters_are_kept BEFORE TRUNCATE ON public.deposit_address_counters FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER deposit_address_counters_never_go_back BEFORE DELETE OR UPDATE ON public.deposit_address_counters FOR EACH ROW EXECUTE FUNCTION public.refuse_going_back();

CREATE TRIGGER deposit_addresses_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.deposit_addresses FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

COMMENT ON TRIGGER deposit_addresses_are_append_only ON public.deposit_addresses IS 'A deposit address is watched for good.';

CREATE TRIGGER events_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.events FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER ledger_accounts_stay BEFORE DELETE OR UPDATE ON public.ledger_accounts FOR EACH ROW EXECUTE FUNCTION public.refuse_account_change();

CREATE TRIGGER ledger_entries_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER ledger_transactions_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_transactions FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER outside_moves_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.outside_moves FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER own_addresses_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.own_addresses FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER passkey_statements_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.passkey_statements FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER payout_approvals_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payout_approvals FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER payouts_stay_what_they_are BEFORE DELETE OR UPDATE ON public.payouts FOR EACH ROW EXECUTE FUNCTION public.refuse_other_payout();

CREATE TRIGGER postings_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.postings FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE CONSTRAINT TRIGGER postings_sum_to_zero AFTER INSERT ON public.postings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.refuse_unbalanced_transaction();

COMMENT ON TRIGGER postings_sum_to_zero ON public.postings IS 'Deferred to the commit, when all postings of the transaction are there. It sums to zero for each asset.';

CREATE TRIGGER refunds_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.refunds FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER spend_transactions_stay_what_they_are BEFORE DELETE OR UPDATE ON public.spend_transactions FOR EACH ROW EXECUTE FUNCTION public.refuse_other_spend_transaction();

CREATE TRIGGER sum_added_ledger_entries AFTER INSERT ON public.ledger_entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.sum_received();

CREATE TRIGGER sum_added_ledger_transactions AFTER INSERT ON public.ledger_transactions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.sum_settled();

CREATE TRIGGER suspense_releases_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.suspense_releases FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

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

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.float_alerts
    ADD CONSTRAINT float_alerts_gate_id_fkey FOREIGN KEY (gate_id) REFERENCES public.followed_chains(gate_id);

ALTER TABLE ONLY public.followed_blocks
    ADD CONSTRAINT followed_blocks_gate_id_fkey FOREIGN KEY (gate_id) REFERENCES public.followed_chains(gate_id);

ALTER TABLE ONLY public.gates_taken_offline
    ADD CONSTRAINT gates_taken_offline_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

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

ALTER TABLE ONLY public.postings
    ADD CONSTRAINT postings_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.ledger_accounts(id);

ALTER TABLE ONLY public.postings
    ADD CONSTRAINT postings_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES public.ledger_transactions(id);

ALTER TABLE ONLY public.rate_quotes
    ADD CONSTRAINT rate_quotes_source_fkey FOREIGN KEY (source) REFERENCES public.rate_sources(source);

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

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

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

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

ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES public.webhook_deliveries(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES public.webhook_endpoints(id);

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.events(id);

ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);
