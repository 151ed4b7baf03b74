-- Merchants, how their payment pages look, and the keys their servers call with.

comment on table schema_migrations is 'The migrations this database has run. Made and written by store/migrate.ts.';
comment on column schema_migrations.checksum is
  'SHA-256 of the file as it ran. A file that has changed since is refused.';

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op) using errcode = 'restrict_violation';
end
$$;

comment on function refuse_change() is
  'Behind every table whose rows are never changed or removed. A trigger, since grants do not bind the role that owns the table.';

create table merchants (
  id uuid primary key,
  name text not null check (length(name) between 1 and 255),
  base_currency text not null default 'USD' check (base_currency ~ '^[A-Z]{3}$'),
  fee_bps integer not null default 0 check (fee_bps between 0 and 10000),
  payout_fee_bps integer not null default 0 check (payout_fee_bps between 0 and 10000),
  refund_fee_bps integer not null default 0 check (refund_fee_bps between 0 and 10000),
  underpayment_tolerance_bps integer not null default 0
    check (underpayment_tolerance_bps between 0 and 9999),
  created_at timestamptz not null default clock_timestamp()
);

comment on table merchants is 'Whoever accepts payments here. Everything else belongs to one of them, or to the operator.';
comment on column merchants.base_currency is 'The fiat currency that values, limits and overviews are given in.';
comment on column merchants.fee_bps is 'The platform''s share of each payment, in hundredths of a percent. Invoices copy it when they are made.';
comment on column merchants.underpayment_tolerance_bps is
  'How far below its amount an invoice still counts as paid, in hundredths of a percent. Invoices copy it when they are made.';

create table merchant_brands (
  merchant_id uuid primary key references merchants (id),
  colour text check (colour ~ '^#[0-9a-f]{6}$'),
  embed_origins text[] not null default '{}' check (cardinality(embed_origins) <= 20),
  logo bytea check (octet_length(logo) between 1 and 65536),
  logo_media_type text check (logo_media_type in ('image/png', 'image/jpeg', 'image/webp', 'image/gif')),
  logo_sha256 bytea generated always as (sha256(logo)) stored,
  check ((logo is null) = (logo_media_type is null))
);

create index merchant_brands_by_logo on merchant_brands (logo_sha256) where logo_sha256 is not null;

comment on table merchant_brands is 'How a merchant''s payment page looks, and where it may be framed.';
comment on column merchant_brands.embed_origins is 'The sites that may show the page in a frame.';
comment on column merchant_brands.logo_sha256 is 'The logo''s public address is made of its content, so that it can be cached for good.';

create table api_keys (
  id uuid primary key,
  merchant_id uuid not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  name text not null check (length(name) <= 255),
  hash bytea not null unique check (octet_length(hash) = 32),
  hint text not null,
  permissions text[] not null check (cardinality(permissions) > 0),
  allowed_ips text[] check (cardinality(allowed_ips) between 1 and 50),
  created_by text,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);

create index api_keys_by_merchant on api_keys (merchant_id, created_at);

comment on table api_keys is 'The keys that merchants'' servers call with. The key itself is never stored.';
comment on column api_keys.hash is 'SHA-256 of the key, which it is found by.';
comment on column api_keys.hint is 'Enough of the key for a person to tell it from others.';
comment on column api_keys.allowed_ips is 'Addresses and CIDR ranges the key works from; null for anywhere.';
comment on column api_keys.created_by is '`user:<id>` or `cli:<name>`; null where nobody noted it.';

create function announce_api_key_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('api_key_changed', old.id::text);
  return null;
end
$$;

create trigger announce_api_key_change
  after delete or update of merchant_id, environment, name, hash, permissions, revoked_at, expires_at, allowed_ips
  on api_keys for each row execute function announce_api_key_change();

comment on function announce_api_key_change() is
  'Every process holds keys in memory. Whoever changes one, with whatever tool, tells them all.';
comment on trigger announce_api_key_change on api_keys is
  'Not on last_used_at: using a key changes nothing about it, so nobody has to look it up again.';
