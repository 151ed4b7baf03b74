CREATE FUNCTION public.announce_api_key_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform pg_notify('api_key_changed', old.id::text);
  return null;
end
$$;

CREATE FUNCTION public.announce_chain_move() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform pg_notify('followed_chain_moved', new.gate_id);
  return null;
end
$$;

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

CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op) using errcode = 'restrict_violation';
end
$$;

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

CREATE TABLE public.api_keys (
    id uuid NOT NULL,
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    hint text NOT NULL,
    permissions text[] NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    revoked_at timestamp with time zone,
    expires_at timestamp with time zone,
    allowed_ips text[],
    last_used_at timestamp with time zone,
    created_by text,
    CONSTRAINT api_keys_allowed_ips_check CHECK (((cardinality(allowed_ips) >= 1) AND (cardinality(allowed_ips) <= 50))),
    CONSTRAINT api_keys_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT api_keys_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT api_keys_name_check CHECK ((length(name) <= 255)),
    CONSTRAINT api_keys_permissions_check CHECK ((cardinality(permissions) > 0))
);

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

CREATE TABLE public.audit_heads (
    chain uuid NOT NULL,
    seq bigint DEFAULT 0 NOT NULL,
    hash bytea DEFAULT decode(repeat('00'::text, 32), 'hex'::text) NOT NULL,
    CONSTRAINT audit_heads_hash_check CHECK ((octet_length(hash) = 32))
);

CREATE TABLE public.audits (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    ok boolean NOT NULL
);

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

CREATE TABLE public.deposit_address_counters (
    keychain text NOT NULL,
    derived bigint DEFAULT 0 NOT NULL,
    given bigint DEFAULT 0 NOT NULL,
    CONSTRAINT deposit_address_counters_check CHECK ((given <= derived)),
    CONSTRAINT deposit_address_counters_given_check CHECK ((given >= 0))
);

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

CREATE TABLE public.deposit_addresses (
    keychain text NOT NULL,
    "position" bigint NOT NULL,
    address text NOT NULL,
    tag text DEFAULT ''::text NOT NULL,
    CONSTRAINT deposit_addresses_address_check CHECK ((address <> ''::text)),
    CONSTRAINT deposit_addresses_position_check CHECK (("position" >= 0))
);

CREATE TABLE public.event_eras (
    era integer NOT NULL,
    system_identifier bigint NOT NULL,
    database_oid oid NOT NULL,
    began_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE public.events (
    id uuid NOT NULL,
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    event text NOT NULL,
    data json NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    "position" bigint NOT NULL,
    resource_id uuid,
    era integer DEFAULT public.current_event_era() NOT NULL,
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    CONSTRAINT events_data_check CHECK ((json_typeof(data) = 'object'::text)),
    CONSTRAINT events_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT events_event_check CHECK (((length(event) >= 1) AND (length(event) <= 255)))
);

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

CREATE TABLE public.followed_blocks (
    gate_id text NOT NULL,
    height bigint NOT NULL,
    hash text NOT NULL
);

CREATE TABLE public.followed_chains (
    gate_id text NOT NULL,
    height bigint NOT NULL,
    hash text NOT NULL,
    revision bigint DEFAULT 0 NOT NULL,
    holder uuid,
    held_until timestamp with time zone,
    scanned_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    halted_at timestamp with time zone,
    halt_reason text,
    chain text NOT NULL,
    began_height bigint,
    balances_position bigint DEFAULT 0 NOT NULL,
    CONSTRAINT followed_chains_check CHECK (((halted_at IS NULL) = (halt_reason IS NULL)))
);

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

CREATE TABLE public.gates_behind (
    gate_id text NOT NULL,
    noticed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE public.gates_taken_offline (
    merchant_id uuid NOT NULL,
    gate_id text NOT NULL
);

CREATE TABLE public.hot_balances (
    gate_id text NOT NULL,
    currency text NOT NULL,
    units numeric(78,0) DEFAULT 0 NOT NULL,
    CONSTRAINT hot_balances_units_check CHECK ((units >= (0)::numeric))
);

CREATE TABLE public.invoices (
    id uuid NOT NULL,
    "position" bigint NOT NULL,
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    status text NOT NULL,
    source text NOT NULL,
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
    created_by text,
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

CREATE TABLE public.ledger_numbers (
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    currency text NOT NULL,
    last_number bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.ledger_transactions (
    id uuid NOT NULL,
    entry_type text NOT NULL,
    subject uuid NOT NULL,
    occurrence integer NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE public.list_counts (
    list text NOT NULL,
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    facet text DEFAULT ''::text NOT NULL,
    currency text DEFAULT ''::text NOT NULL,
    bucket bigint DEFAULT 0 NOT NULL,
    difference bigint NOT NULL
);

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

CREATE TABLE public.memberships (
    merchant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT memberships_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'finance'::text, 'developer'::text, 'viewer'::text])))
);

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

CREATE TABLE public.merchants (
    id uuid NOT NULL,
    name text NOT NULL,
    base_currency text DEFAULT 'USD'::text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    fee_bps integer DEFAULT 0 NOT NULL,
    underpayment_tolerance_bps integer DEFAULT 0 NOT NULL,
    payout_fee_bps integer DEFAULT 0 NOT NULL,
    refund_fee_bps integer DEFAULT 0 NOT NULL,
    CONSTRAINT merchants_base_currency_check CHECK ((base_currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT merchants_fee_bps_check CHECK (((fee_bps >= 0) AND (fee_bps <= 10000))),
    CONSTRAINT merchants_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
    CONSTRAINT merchants_payout_fee_bps_check CHECK (((payout_fee_bps >= 0) AND (payout_fee_bps <= 10000))),
    CONSTRAINT merchants_refund_fee_bps_check CHECK (((refund_fee_bps >= 0) AND (refund_fee_bps <= 10000))),
    CONSTRAINT merchants_underpayment_tolerance_bps_check CHECK (((underpayment_tolerance_bps >= 0) AND (underpayment_tolerance_bps <= 9999)))
);

CREATE TABLE public.missing_coins (
    gate_id text NOT NULL,
    tx_hash text NOT NULL,
    output_index integer NOT NULL,
    noticed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

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

CREATE TABLE public.own_addresses (
    keychain text NOT NULL,
    "position" bigint NOT NULL,
    address text NOT NULL,
    CONSTRAINT own_addresses_address_check CHECK ((address <> ''::text)),
    CONSTRAINT own_addresses_position_check CHECK (("position" >= 0))
);

CREATE TABLE public.passkey_demands (
    environment text NOT NULL,
    merchant_id uuid NOT NULL,
    is_required boolean NOT NULL,
    approvals_required smallint NOT NULL,
    CONSTRAINT passkey_demands_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
);

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

CREATE TABLE public.payment_bookings (
    payment_id uuid NOT NULL,
    credited boolean NOT NULL,
    credits integer NOT NULL,
    late boolean NOT NULL,
    fee_units numeric(78,0) NOT NULL,
    confirmed_at timestamp with time zone,
    CONSTRAINT payment_bookings_check CHECK (((credits >= 0) AND ((credits > 0) OR (NOT credited))))
);

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
    invoice_id uuid,
    suspense_reason text,
    required_confirmations integer NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    waiting boolean NOT NULL,
    block_height bigint,
    block_hash text,
    matures_at bigint GENERATED ALWAYS AS (((block_height + required_confirmations) - 1)) STORED,
    pinned_by uuid,
    by_balance boolean DEFAULT false NOT NULL,
    for_merchant_id uuid,
    for_invoice_id uuid,
    for_static_address_id uuid,
    CONSTRAINT payments_check CHECK (((invoice_id IS NULL) = (suspense_reason IS NOT NULL))),
    CONSTRAINT payments_check1 CHECK (((block_height IS NULL) = (block_hash IS NULL))),
    CONSTRAINT payments_check2 CHECK ((NOT (waiting AND (block_height IS NOT NULL)))),
    CONSTRAINT payments_check3 CHECK (((invoice_id IS NULL) OR (for_merchant_id IS NULL))),
    CONSTRAINT payments_check4 CHECK (((for_merchant_id IS NOT NULL) OR ((for_invoice_id IS NULL) AND (for_static_address_id IS NULL)))),
    CONSTRAINT payments_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT payments_units_check CHECK ((units > (0)::numeric))
);

CREATE TABLE public.payout_approvals (
    payout_id uuid NOT NULL,
    approver text NOT NULL,
    approval_hash text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    credential_id bytea,
    authenticator_data bytea,
    client_data_json bytea,
    signature bytea,
    covered_hashes text[],
    CONSTRAINT payout_approvals_approval_hash_check CHECK ((approval_hash ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT payout_approvals_check CHECK ((num_nulls(credential_id, authenticator_data, client_data_json, signature, covered_hashes) = ANY (ARRAY[0, 5])))
);

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

CREATE TABLE public.payout_policies (
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    max_payout numeric(78,0),
    max_day numeric(78,0),
    only_known_destinations boolean DEFAULT false NOT NULL,
    approvals_required smallint DEFAULT 1 NOT NULL,
    cooling_off_seconds integer DEFAULT 0 NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    approval text DEFAULT 'any'::text NOT NULL,
    CONSTRAINT payout_policies_approval_check CHECK ((approval = ANY (ARRAY['any'::text, 'passkey'::text]))),
    CONSTRAINT payout_policies_approvals_required_check CHECK ((approvals_required = ANY (ARRAY[1, 2]))),
    CONSTRAINT payout_policies_cooling_off_seconds_check CHECK (((cooling_off_seconds >= 0) AND (cooling_off_seconds <= 2592000))),
    CONSTRAINT payout_policies_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT payout_policies_max_day_check CHECK ((max_day > (0)::numeric)),
    CONSTRAINT payout_policies_max_payout_check CHECK ((max_payout > (0)::numeric))
);

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

CREATE TABLE public.rate_quotes (
    source text NOT NULL,
    currency text NOT NULL,
    fiat_currency text NOT NULL,
    rate_scaled numeric(78,0) NOT NULL,
    fetched_at timestamp with time zone NOT NULL,
    CONSTRAINT rate_quotes_rate_scaled_check CHECK ((rate_scaled > (0)::numeric))
);

CREATE TABLE public.rate_sources (
    source text NOT NULL,
    due_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE public.rates (
    currency text NOT NULL,
    fiat_currency text NOT NULL,
    rate_scaled numeric(78,0) NOT NULL,
    sources text[] NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT rates_rate_scaled_check CHECK ((rate_scaled > (0)::numeric)),
    CONSTRAINT rates_sources_check CHECK ((cardinality(sources) > 0))
);

CREATE TABLE public.recovery_codes (
    user_id uuid NOT NULL,
    code_hash bytea NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT recovery_codes_code_hash_check CHECK ((octet_length(code_hash) = 32))
);

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

CREATE TABLE public.schema_migrations (
    number integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

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

CREATE TABLE public.sign_in_failures (
    subject text NOT NULL,
    failures integer NOT NULL,
    last_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    blocked_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT sign_in_failures_subject_check CHECK ((length(subject) <= 200))
);

CREATE TABLE public.simulated_blocks (
    gate_id text NOT NULL,
    height bigint NOT NULL,
    hash text NOT NULL,
    parent_hash text NOT NULL,
    mined_at timestamp with time zone NOT NULL,
    CONSTRAINT simulated_blocks_height_check CHECK ((height >= 0))
);
ALTER TABLE ONLY public.simulated_blocks ALTER COLUMN gate_id SET STATISTICS 0;

CREATE TABLE public.simulated_chains (
    gate_id text NOT NULL,
    height bigint NOT NULL,
    hash text NOT NULL,
    changes bigint DEFAULT 0 NOT NULL,
    next_block_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT simulated_chains_height_check CHECK ((height >= 0))
);

CREATE TABLE public.simulated_debits (
    gate_id text NOT NULL,
    tx_hash text NOT NULL,
    address text NOT NULL,
    currency text NOT NULL,
    units numeric(78,0) NOT NULL,
    CONSTRAINT simulated_debits_units_check CHECK ((units > (0)::numeric))
);
ALTER TABLE ONLY public.simulated_debits ALTER COLUMN gate_id SET STATISTICS 0;

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

CREATE TABLE public.simulated_ruled_out (
    gate_id text NOT NULL,
    tx_hash text NOT NULL,
    height bigint
);

CREATE TABLE public.simulated_transactions (
    gate_id text NOT NULL,
    hash text NOT NULL,
    fee_units numeric(78,0) NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    height bigint,
    arrival bigint NOT NULL,
    fee_rate numeric(78,0) NOT NULL,
    sender text,
    nonce numeric(78,0),
    executed boolean DEFAULT false NOT NULL,
    gone boolean GENERATED ALWAYS AS ((state = 'gone'::text)) STORED NOT NULL,
    failed boolean DEFAULT false NOT NULL,
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

CREATE TABLE public.spend_counters (
    gate_id text NOT NULL,
    name text NOT NULL,
    next numeric(78,0) DEFAULT 0 NOT NULL
);

CREATE TABLE public.spend_transactions (
    spend_id uuid NOT NULL,
    attempt integer NOT NULL,
    plan jsonb NOT NULL,
    max_fee_units numeric(78,0) NOT NULL,
    tx_hash text,
    bytes bytea,
    refusal text,
    planned_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    signed_at timestamp with time zone,
    sent_at timestamp with time zone,
    last_sent_at timestamp with time zone,
    answer text,
    refused_for_good_at timestamp with time zone,
    change_address text GENERATED ALWAYS AS ((((plan -> 'outputs'::text) -> (((plan -> 'change'::text) ->> 'outputIndex'::text))::integer) ->> 'address'::text)) STORED,
    cancels boolean GENERATED ALWAYS AS (COALESCE((((plan ->> 'kind'::text) = 'account'::text) AND ((plan ->> 'units'::text) = '0'::text) AND (NOT (plan ? 'allowsUnits'::text))), false)) STORED NOT NULL,
    CONSTRAINT spend_transactions_attempt_check CHECK ((attempt > 0)),
    CONSTRAINT spend_transactions_check CHECK ((((tx_hash IS NULL) = (bytes IS NULL)) AND ((bytes IS NULL) = (signed_at IS NULL)))),
    CONSTRAINT spend_transactions_check1 CHECK (((sent_at IS NULL) OR (signed_at IS NOT NULL))),
    CONSTRAINT spend_transactions_max_fee_units_check CHECK ((max_fee_units >= (0)::numeric))
);

CREATE TABLE public.spends (
    id uuid NOT NULL,
    gate_id text NOT NULL,
    kind text NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    from_address text,
    nonce numeric(78,0),
    currency text,
    units numeric(78,0),
    after_spend_id uuid,
    mined_hash text,
    block_height bigint,
    block_hash text,
    fee_units numeric(78,0),
    fee_currency text,
    look_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    ended_at timestamp with time zone,
    to_address text,
    fee_corrections integer DEFAULT 0 NOT NULL,
    give_up_asked_at timestamp with time zone,
    given_up_at timestamp with time zone,
    lost_currency text,
    lost_units numeric(78,0),
    lost_count integer,
    undone_reason text,
    short_since timestamp with time zone,
    CONSTRAINT spends_allow_nonces CHECK (((kind <> 'allow'::text) OR ((from_address IS NOT NULL) AND (units = (0)::numeric)))),
    CONSTRAINT spends_check CHECK (((from_address IS NULL) = (nonce IS NULL))),
    CONSTRAINT spends_check1 CHECK (((status = 'open'::text) = (ended_at IS NULL))),
    CONSTRAINT spends_check2 CHECK (((kind = 'absorb'::text) = (fee_currency IS NULL))),
    CONSTRAINT spends_check3 CHECK (((block_height IS NULL) = (block_hash IS NULL))),
    CONSTRAINT spends_check4 CHECK (((status <> ALL (ARRAY['final'::text, 'reverted'::text])) OR (kind = 'absorb'::text) OR ((mined_hash IS NOT NULL) AND (fee_units IS NOT NULL)))),
    CONSTRAINT spends_consolidation_coins CHECK (((kind <> 'consolidation'::text) OR (from_address IS NULL))),
    CONSTRAINT spends_fill_nonces CHECK (((kind <> 'fill'::text) OR ((from_address IS NOT NULL) AND (units = (0)::numeric)))),
    CONSTRAINT spends_given_up_when_asked CHECK (((given_up_at IS NULL) OR (give_up_asked_at IS NOT NULL))),
    CONSTRAINT spends_kind_check CHECK ((kind = ANY (ARRAY['payout'::text, 'sweep'::text, 'gas'::text, 'absorb'::text, 'consolidation'::text, 'fill'::text, 'allow'::text]))),
    CONSTRAINT spends_lost_count_check CHECK ((lost_count > 0)),
    CONSTRAINT spends_lost_units_check CHECK ((lost_units > (0)::numeric)),
    CONSTRAINT spends_lost_whole CHECK ((num_nulls(lost_currency, lost_units, lost_count) = ANY (ARRAY[0, 3]))),
    CONSTRAINT spends_status_check CHECK ((status = ANY (ARRAY['open'::text, 'final'::text, 'reverted'::text, 'dead'::text])))
);

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

CREATE TABLE public.users (
    id uuid NOT NULL,
    email text NOT NULL,
    email_key text GENERATED ALWAYS AS (lower(email)) STORED NOT NULL,
    name text NOT NULL,
    password_hash text,
    totp_secret bytea,
    totp_confirmed_at timestamp with time zone,
    totp_last_step bigint DEFAULT 0 NOT NULL,
    is_operator boolean DEFAULT false NOT NULL,
    language text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    disabled_at timestamp with time zone,
    totp_pending bytea,
    CONSTRAINT users_check CHECK (((totp_confirmed_at IS NULL) OR (totp_secret IS NOT NULL))),
    CONSTRAINT users_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
    CONSTRAINT users_language_check CHECK ((language ~ '^[a-z]{2}$'::text)),
    CONSTRAINT users_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255)))
);

CREATE TABLE public.wallet_keys (
    environment text NOT NULL,
    network text NOT NULL,
    public_key text,
    wallet text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT wallet_keys_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT wallet_keys_wallet_check CHECK ((wallet ~ '^[0-9a-f]{16}$'::text))
);

CREATE TABLE public.webhook_attempts (
    delivery_id uuid NOT NULL,
    number integer NOT NULL,
    attempted_at timestamp with time zone NOT NULL,
    status_code integer,
    duration_ms integer NOT NULL,
    error text,
    answer text,
    signed_at bigint,
    signature text
);

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

CREATE INDEX deposit_addresses_by_lower_hash ON public.deposit_addresses USING hash (lower(address)) WHERE ((tag = ''::text) AND (address ~~ '0x%'::text));

CREATE UNIQUE INDEX deposit_addresses_by_place ON public.deposit_addresses USING btree (keychain, address, tag);

CREATE INDEX events_by_name ON public.events USING btree (merchant_id, environment, event, "position" DESC);

CREATE INDEX events_by_resource ON public.events USING btree (merchant_id, environment, resource_id, "position" DESC) WHERE (resource_id IS NOT NULL);

CREATE INDEX events_by_time ON public.events USING btree (merchant_id, environment, created_at);

CREATE INDEX events_newest_first ON public.events USING btree (merchant_id, environment, "position" DESC);

CREATE INDEX events_to_catch_up ON public.events USING btree (merchant_id, environment, era, xid, "position");

CREATE INDEX invoices_by_currency ON public.invoices USING btree (merchant_id, environment, currency, "position" DESC);

CREATE UNIQUE INDEX invoices_by_deposit_position ON public.invoices USING btree (keychain, deposit_position) WHERE ((static_address_id IS NULL) AND (deposit_position IS NOT NULL));

CREATE INDEX invoices_by_external_id ON public.invoices USING btree (merchant_id, environment, external_id text_pattern_ops) WHERE (external_id IS NOT NULL);

CREATE UNIQUE INDEX invoices_by_idempotency_key ON public.invoices USING btree (merchant_id, environment, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX invoices_by_static_address ON public.invoices USING btree (static_address_id, "position" DESC) WHERE (static_address_id IS NOT NULL);

CREATE INDEX invoices_by_status ON public.invoices USING btree (merchant_id, environment, status, "position" DESC);

CREATE INDEX invoices_by_status_and_currency ON public.invoices USING btree (merchant_id, environment, status, currency, "position" DESC);

CREATE INDEX invoices_due ON public.invoices USING btree (gate_id, due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX invoices_ending ON public.invoices USING btree (merchant_id, environment, due_at) WHERE ((status = 'underpaid'::text) AND (due_at IS NOT NULL));

CREATE INDEX invoices_newest_first ON public.invoices USING btree (merchant_id, environment, "position" DESC);

CREATE INDEX invoices_underpaid ON public.invoices USING btree (gate_id, currency, "position" DESC) WHERE (status = 'underpaid'::text);

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

CREATE INDEX payments_in_suspense ON public.payments USING btree (environment, id) WHERE ((invoice_id IS NULL) AND (suspense_reason <> 'operator_float'::text));

CREATE INDEX payments_in_suspense_by_merchant ON public.payments USING btree (for_merchant_id, environment, id) WHERE (for_merchant_id IS NOT NULL);

CREATE INDEX payments_pinned ON public.payments USING btree (pinned_by) WHERE (pinned_by IS NOT NULL);

CREATE INDEX payments_recovered ON public.payments USING btree (gate_id, units DESC) WHERE ((suspense_reason = 'recovered'::text) AND (pinned_by IS NULL));

CREATE INDEX payments_unspent ON public.payments USING btree (gate_id, currency, units DESC) WHERE (pinned_by IS NULL);

CREATE INDEX payments_waiting ON public.payments USING btree (gate_id) WHERE waiting;

CREATE INDEX payouts_by_approval ON public.payouts USING btree (merchant_id, environment, approved_at) WHERE (approved_at IS NOT NULL);

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

CREATE INDEX sessions_by_user ON public.sessions USING btree (user_id, last_seen_at DESC) WHERE (ended_at IS NULL);

CREATE INDEX sign_in_failures_by_time ON public.sign_in_failures USING btree (last_at);

CREATE INDEX simulated_account_nonces ON public.simulated_transactions USING btree (gate_id, sender, nonce) WHERE ((sender IS NOT NULL) AND (state = 'mined'::text));

CREATE INDEX simulated_block_contents ON public.simulated_transactions USING btree (gate_id, height) WHERE (state = 'mined'::text);

CREATE INDEX simulated_debits_by_address ON public.simulated_debits USING btree (address, gate_id, currency);

CREATE INDEX simulated_executed_mined ON public.simulated_transactions USING btree (gate_id, height) WHERE ((state = 'mined'::text) AND executed);

CREATE INDEX simulated_executed_waiting ON public.simulated_transactions USING btree (gate_id) WHERE ((state = 'waiting'::text) AND executed);

CREATE INDEX simulated_mempool ON public.simulated_transactions USING btree (gate_id, fee_rate DESC, arrival) WHERE (state = 'waiting'::text);

CREATE INDEX simulated_outputs_by_address ON public.simulated_outputs USING btree (address, gate_id, currency);

CREATE UNIQUE INDEX simulated_uses_are_used_once ON public.simulated_uses USING btree (gate_id, use) WHERE (NOT gone);

CREATE INDEX spend_transactions_by_change ON public.spend_transactions USING btree (change_address) WHERE (change_address IS NOT NULL);

CREATE INDEX spend_transactions_by_hash ON public.spend_transactions USING btree (tx_hash) WHERE (tx_hash IS NOT NULL);

CREATE INDEX spend_transactions_to_sign ON public.spend_transactions USING btree (planned_at) WHERE (bytes IS NULL);

CREATE INDEX spends_allowances ON public.spends USING btree (gate_id, currency, nonce) WHERE (kind = 'allow'::text);

CREATE INDEX spends_consolidating ON public.spends USING btree (gate_id) WHERE ((kind = 'consolidation'::text) AND (status = 'open'::text));

CREATE INDEX spends_given_up ON public.spends USING btree (id) WHERE ((given_up_at IS NOT NULL) AND (status = 'open'::text));

CREATE INDEX spends_in_no_block ON public.spends USING btree (gate_id) WHERE ((block_height IS NULL) AND (status <> 'open'::text) AND (kind <> 'absorb'::text) AND ((status <> 'dead'::text) OR (from_address IS NOT NULL)));

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

CREATE INDEX static_addresses_by_currency ON public.static_addresses USING btree (merchant_id, environment, currency, "position" DESC);

CREATE INDEX static_addresses_by_gate ON public.static_addresses USING btree (gate_id, currency, "position" DESC);

CREATE INDEX static_addresses_by_label ON public.static_addresses USING btree (merchant_id, environment, lower(label) text_pattern_ops) WHERE (label IS NOT NULL);

CREATE INDEX static_addresses_newest_first ON public.static_addresses USING btree (merchant_id, environment, "position" DESC);

CREATE INDEX suspense_releases_by_merchant ON public.suspense_releases USING btree (merchant_id);

CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (endpoint_id, due_at) WHERE (status = 'pending'::text);

CREATE INDEX webhook_deliveries_newest_first ON public.webhook_deliveries USING btree (endpoint_id, created_at DESC, id DESC);

CREATE INDEX webhook_endpoints_newest_first ON public.webhook_endpoints USING btree (merchant_id, environment, "position" DESC) WHERE (status <> 'deleted'::text);

CREATE TRIGGER announce_api_key_change AFTER DELETE OR UPDATE OF merchant_id, environment, name, hash, permissions, revoked_at, expires_at, allowed_ips ON public.api_keys FOR EACH ROW EXECUTE FUNCTION public.announce_api_key_change();

CREATE TRIGGER announce_chain_move AFTER UPDATE ON public.followed_chains FOR EACH ROW WHEN (((old.hash IS DISTINCT FROM new.hash) OR (old.height IS DISTINCT FROM new.height))) EXECUTE FUNCTION public.announce_chain_move();

CREATE TRIGGER announce_checkout_change AFTER UPDATE ON public.invoices REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.announce_checkout_change();

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
