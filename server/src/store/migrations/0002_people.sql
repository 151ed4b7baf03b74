-- The people who use the dashboard: how they sign in, how they are reached, and the log of what they did.

create table users (
  id uuid primary key,
  email text not null check (length(email) between 3 and 254),
  email_key text not null generated always as (lower(email)) stored unique,
  name text not null check (length(name) between 1 and 255),
  password_hash text,
  totp_secret bytea,
  totp_confirmed_at timestamptz,
  totp_last_step bigint not null default 0,
  totp_pending bytea,
  is_operator boolean not null default false,
  language text check (language ~ '^[a-z]{2}$'),
  created_at timestamptz not null default clock_timestamp(),
  disabled_at timestamptz,
  check (totp_confirmed_at is null or totp_secret is not null)
);

comment on table users is 'People who sign in to the dashboard.';
comment on column users.email_key is 'What a person is found by: two spellings that differ only in case are one person.';
comment on column users.password_hash is 'Argon2id (RFC 9106) as a PHC string; null for someone who has never set a password.';
comment on column users.totp_secret is 'The secret of RFC 6238, sealed. It counts once a code from it was entered.';
comment on column users.totp_last_step is 'The newest time step whose code was accepted. No code is accepted twice.';
comment on column users.totp_pending is 'The secret being set up, sealed. It replaces totp_secret once a code from it was entered.';
comment on column users.is_operator is 'Runs the service, for all merchants.';

create table memberships (
  merchant_id uuid not null references merchants,
  user_id uuid not null references users,
  role text not null check (role in ('owner', 'admin', 'finance', 'developer', 'viewer')),
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, merchant_id)
);
create index memberships_by_merchant on memberships (merchant_id);

comment on table memberships is 'Who belongs to which merchant, and what they may do there.';

create table sessions (
  id uuid primary key,
  user_id uuid not null references users,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  is_complete boolean not null,
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
create index sessions_by_place on sessions (user_id, ip) where is_complete;

comment on table sessions is 'Browsers that are, or were, signed in.';
comment on column sessions.token_hash is 'SHA-256 of the cookie, which is shown once and kept nowhere.';
comment on column sessions.is_complete is
  'False between the password and the second factor. Until then the session is good for nothing else.';
comment on column sessions.proved_at is 'When the person last showed more than the cookie.';
comment on index sessions_by_place is 'Where a person has signed in from before, ended sessions included.';

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users,
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  public_key bytea not null,
  sign_count bigint not null default 0,
  transports text[] not null default '{}',
  is_backed_up boolean not null,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz
);
create index passkeys_by_user on passkeys (user_id);

comment on table passkeys is 'WebAuthn credentials (Level 3) that people sign in with.';
comment on column passkeys.public_key is 'A COSE key (RFC 9052).';
comment on column passkeys.sign_count is 'The authenticator''s own counter. One that does not rise means that the passkey was copied.';

create table ceremonies (
  id uuid primary key,
  purpose text not null check (purpose in ('sign_in', 'step_up', 'enrol', 'approve')),
  session_id uuid references sessions,
  challenge bytea not null unique,
  subject jsonb,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index ceremonies_by_expiry on ceremonies (expires_at);

comment on table ceremonies is 'WebAuthn challenges that were handed out. Each can be answered once.';
comment on column ceremonies.session_id is 'Who may answer; null where anyone may, which is signing in.';
comment on column ceremonies.subject is 'What the answer will stand for.';

create table recovery_codes (
  user_id uuid not null references users,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  used_at timestamptz,
  primary key (user_id, code_hash)
);

comment on table recovery_codes is 'Ten codes a person, for the day the phone is lost. Each works once.';
comment on column recovery_codes.code_hash is 'SHA-256 of 80 random bits.';

create table one_time_links (
  id uuid primary key,
  purpose text not null check (purpose in ('reset', 'invite')),
  token_hash bytea unique check (octet_length(token_hash) = 32),
  email text not null check (length(email) between 3 and 254),
  email_key text not null generated always as (lower(email)) stored,
  merchant_id uuid references merchants,
  role text check (role in ('owner', 'admin', 'finance', 'developer', 'viewer')),
  made_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz,
  check ((purpose = 'invite') = (merchant_id is not null)),
  check ((merchant_id is null) = (role is null))
);
create unique index one_time_links_of_invited on one_time_links (merchant_id, email_key)
  where purpose = 'invite' and used_at is null;
create index one_time_links_by_expiry on one_time_links (expires_at);

comment on table one_time_links is 'Links that can be followed once: to set a new password, or to join a merchant.';
comment on column one_time_links.token_hash is
  'SHA-256 of 256 random bits; null until the link is sent or printed. Each sending makes a new one.';
comment on column one_time_links.made_by is 'The actor, as the audit log names it.';
comment on index one_time_links_of_invited is
  'A person has one open invitation to a merchant. Inviting them again renews it.';

create table sign_in_failures (
  subject text primary key check (length(subject) <= 200),
  failures integer not null,
  last_at timestamptz not null default clock_timestamp(),
  blocked_until timestamptz not null default '-infinity'
);
create index sign_in_failures_by_time on sign_in_failures (last_at);

comment on table sign_in_failures is
  'Failed attempts to sign in, by account and by origin. Here, so that all processes count together.';
comment on column sign_in_failures.subject is
  '`account:<hash of the e-mail address>`, `ip:<network>`, `code:<user>` or `password:<user>`.';
comment on column sign_in_failures.blocked_until is 'Until then attempts are turned away without a look at them.';

create table mails (
  id uuid primary key,
  kind text not null check (kind in ('reset', 'invitation', 'notice')),
  recipient text not null check (length(recipient) between 3 and 254),
  link_id uuid references one_time_links on delete cascade,
  notice text check (length(notice) <= 500),
  created_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz,
  failed_at timestamptz,
  failure text check (length(failure) <= 500),
  check ((kind = 'notice') = (notice is not null)),
  check ((kind = 'invitation') = (link_id is not null))
);
create index mails_by_time on mails (created_at);

comment on table mails is
  'Mails to people, sent by a job of kind `send_mail`. The text is written when the mail is sent, so no link is kept here.';
comment on column mails.link_id is 'The invitation that it carries.';
comment on column mails.notice is 'What happened, in words; notices only.';

create table audit_entries (
  chain uuid not null,
  seq bigint not null check (seq > 0),
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

comment on table audit_entries is
  'The audit log: what people did. Each entry''s hash covers the one before it, so nothing can be left out unnoticed.';
comment on column audit_entries.chain is 'The merchant whose log it is, or the nil UUID for the operator''s.';
comment on column audit_entries.at is 'To the millisecond, since the hash covers exactly what is stored.';

create table audit_heads (
  chain uuid primary key,
  seq bigint not null default 0,
  hash bytea not null default decode(repeat('00', 32), 'hex') check (octet_length(hash) = 32)
);

comment on table audit_heads is
  'The newest entry of each chain. Locked while one is added, always after everything else the transaction locks.';
