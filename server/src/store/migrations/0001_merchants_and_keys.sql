create table merchants (
  id uuid primary key,
  name text not null check (length(name) between 1 and 255),
  base_currency text not null default 'USD' check (base_currency ~ '^[A-Z]{3}$'),
  created_at timestamptz not null default clock_timestamp()
);

-- The key itself is never stored: its SHA-256 finds it, `hint` lets a person tell keys apart.
create table api_keys (
  id uuid primary key,
  merchant_id uuid not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  name text not null check (length(name) <= 255),
  hash bytea not null unique check (octet_length(hash) = 32),
  hint text not null,
  permissions text[] not null check (cardinality(permissions) > 0),
  created_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz
);

create index api_keys_by_merchant on api_keys (merchant_id, created_at);

-- Every process holds keys in memory; whoever changes one, by whatever tool, tells them all.
create function announce_api_key_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('api_key_changed', old.id::text);
  return null;
end
$$;

create trigger announce_api_key_change
  after update or delete on api_keys
  for each row execute function announce_api_key_change();
