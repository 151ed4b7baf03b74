CREATE FUNCTION public.announce_api_key_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform pg_notify('api_key_changed', old.id::text);
  return null;
end
$$;

CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op) using errcode = 'restrict_violation';
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
    CONSTRAINT api_keys_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT api_keys_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT api_keys_name_check CHECK ((length(name) <= 255)),
    CONSTRAINT api_keys_permissions_check CHECK ((cardinality(permissions) > 0))
);

CREATE TABLE public.events (
    id uuid NOT NULL,
    merchant_id uuid NOT NULL,
    environment text NOT NULL,
    event text NOT NULL,
    data jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT events_data_check CHECK ((jsonb_typeof(data) = 'object'::text)),
    CONSTRAINT events_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT events_event_check CHECK (((length(event) >= 1) AND (length(event) <= 255)))
);

CREATE TABLE public.merchants (
    id uuid NOT NULL,
    name text NOT NULL,
    base_currency text DEFAULT 'USD'::text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT merchants_base_currency_check CHECK ((base_currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT merchants_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255)))
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

CREATE TABLE public.schema_migrations (
    number integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.merchants
    ADD CONSTRAINT merchants_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rate_quotes
    ADD CONSTRAINT rate_quotes_pkey PRIMARY KEY (currency, fiat_currency, source);

ALTER TABLE ONLY public.rate_sources
    ADD CONSTRAINT rate_sources_pkey PRIMARY KEY (source);

ALTER TABLE ONLY public.rates
    ADD CONSTRAINT rates_pkey PRIMARY KEY (currency, fiat_currency);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (number);

CREATE INDEX api_keys_by_merchant ON public.api_keys USING btree (merchant_id, created_at);

CREATE INDEX events_by_name ON public.events USING btree (merchant_id, environment, event, created_at DESC, id DESC);

CREATE INDEX events_newest_first ON public.events USING btree (merchant_id, environment, created_at DESC, id DESC);

CREATE TRIGGER announce_api_key_change AFTER DELETE OR UPDATE ON public.api_keys FOR EACH ROW EXECUTE FUNCTION public.announce_api_key_change();

CREATE TRIGGER events_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.events FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES public.merchants(id);

ALTER TABLE ONLY public.rate_quotes
    ADD CONSTRAINT rate_quotes_source_fkey FOREIGN KEY (source) REFERENCES public.rate_sources(source);
