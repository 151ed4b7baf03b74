-- People who work in the dashboard, how they are let in, and what they did.

create table users (
  id uuid primary key,
  email text not null check (length(email) between 3 and 254),
  -- What a person is found by: upper and lower case are no difference between people.
  email_key text not null generated always as (lower(email)) stored unique,
  name text not null check (length(name) between 1 and 255),
  -- Argon2id (RFC 9106) in the PHC string format; null for who has never set one.
  password_hash text,
  -- RFC 6238, sealed; it counts once a code of it was shown.
  totp_secret bytea,
  totp_confirmed_at timestamptz,
  -- The newest time step whose code was taken: none is taken twice.
  totp_last_step bigint not null default 0,
  -- Who runs the service, for all merchants.
  is_operator boolean not null default false,
  language text check (language ~ '^[a-z]{2}$'),
  created_at timestamptz not null default clock_timestamp(),
  disabled_at timestamptz,
  check (totp_confirmed_at is null or totp_secret is not null)
);

create table memberships (
  merchant_id uuid not null references merchants,
  user_id uuid not null references users,
  role text not null check (role in ('owner', 'admin', 'finance', 'developer', 'viewer')),
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, merchant_id)
);
create index memberships_by_merchant on memberships (merchant_id);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users,
  -- The cookie is shown once and kept only as its hash.
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  -- False between the password and the second factor: good for nothing else.
  is_complete boolean not null,
  -- When and how the person last showed more than the cookie.
  proved_at timestamptz,
  proved_by text check (proved_by in ('password', 'totp', 'recovery_code', 'passkey')),
  ip text not null,
  user_agent text not null check (length(user_agent) <= 500),
  created_at timestamptz not null default clock_timestamp(),
  last_seen_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  check ((proved_at is null) = (proved_by is null))
);
create index sessions_by_user on sessions (user_id, last_seen_at desc) where ended_at is null;

-- WebAuthn credentials (Level 3).
create table passkeys (
  id uuid primary key,
  user_id uuid not null references users,
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  -- COSE (RFC 9052).
  public_key bytea not null,
  sign_count bigint not null default 0,
  transports text[] not null default '{}',
  is_backed_up boolean not null,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz
);
create index passkeys_by_user on passkeys (user_id);

-- Challenges that were handed out and may be answered once.
create table ceremonies (
  id uuid primary key,
  purpose text not null check (purpose in ('sign_in', 'step_up', 'enrol', 'approve')),
  -- Null where anyone may answer: signing in.
  session_id uuid references sessions,
  challenge bytea not null unique,
  -- What the answer will stand for.
  subject jsonb,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index ceremonies_by_expiry on ceremonies (expires_at);

-- What people did: a merchant's chain, or with the nil UUID that of who runs the service. Each entry's hash covers the
-- one before it.
create table audit_entries (
  chain uuid not null,
  seq bigint not null check (seq > 0),
  -- To the millisecond: the hash covers exactly what is here.
  at timestamptz(3) not null,
  actor text not null check (actor ~ '^(user|cli|service):'),
  actor_name text not null,
  ip text,
  user_agent text,
  environment text check (environment in ('live', 'test')),
  action text not null check (action ~ '^[a-z_]+\.[a-z_]+$'),
  subject text,
  details jsonb not null,
  previous_hash bytea not null check (octet_length(previous_hash) = 32),
  hash bytea not null check (octet_length(hash) = 32),
  primary key (chain, seq)
);
create index audit_entries_by_actor on audit_entries (chain, actor, seq desc);
create index audit_entries_by_action on audit_entries (chain, action, seq desc);
create trigger audit_entries_are_append_only
  before update or delete or truncate on audit_entries
  for each statement execute function refuse_change();

-- The newest entry of each chain; locked while one is added, always after everything else that the transaction holds.
create table audit_heads (
  chain uuid primary key,
  seq bigint not null default 0,
  hash bytea not null default decode(repeat('00', 32), 'hex') check (octet_length(hash) = 32)
);
