-- Shops that are connected by one click.

create table shop_connections (
  id uuid primary key,
  position bigint generated always as identity,
  merchant_id uuid not null references merchants (id),
  environment text not null check (environment in ('live', 'test')),
  app text not null check (app ~ '^[a-z][a-z0-9-]{0,31}$'),
  name text not null check (length(name) between 1 and 100),
  return_url text not null check (length(return_url) between 1 and 2048),
  webhook_url text not null check (length(webhook_url) between 1 and 2048),
  permissions text[] not null check (cardinality(permissions) > 0),
  code_hash bytea not null unique check (octet_length(code_hash) = 32),
  challenge bytea not null check (octet_length(challenge) = 32),
  allowed_by uuid not null references users (id),
  allowed_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  key_id uuid references api_keys (id),
  endpoint_id uuid references webhook_endpoints (id),
  connected_at timestamptz,
  disconnected_at timestamptz,
  check ((connected_at is null) = (key_id is null) and (connected_at is null) = (endpoint_id is null)),
  check (disconnected_at is null or connected_at is not null)
);

create index shop_connections_newest_first on shop_connections (merchant_id, environment, position desc);
create index shop_connections_not_taken_up on shop_connections (expires_at) where connected_at is null;

comment on table shop_connections is
  'Shops that a person has allowed to connect. A row without a time of connection is an offer; the shop takes it up by its code, or it expires.';
comment on column shop_connections.code_hash is
  'SHA-256 of the code in the return URL. The code works once: connecting sets connected_at.';
comment on column shop_connections.challenge is
  'SHA-256 of a secret that the shop keeps (RFC 7636). Without it the code, which passes through a browser, is worthless.';
comment on column shop_connections.webhook_url is
  'Identifies the shop: another connection with the same one takes the place of this one.';
