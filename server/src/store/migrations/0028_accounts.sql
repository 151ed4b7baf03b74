-- What people show beside a password, the links and mails that reach them, and who guessed too often.

-- The secret that is being set up: it takes the place of the other once a code of it was shown. Sealed.
alter table users add column totp_pending bytea;

-- Ten for each person, for the day the phone is lost. 80 random bits, kept as SHA-256; each is good once.
create table recovery_codes (
  user_id uuid not null references users,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Links that can be followed once: to set a new password, or to join a merchant.
create table one_time_links (
  id uuid primary key,
  purpose text not null check (purpose in ('reset', 'invite')),
  -- 256 random bits, kept as SHA-256; null until the link is sent or printed. Each sending makes a new one.
  token_hash bytea unique check (octet_length(token_hash) = 32),
  email text not null check (length(email) between 3 and 254),
  email_key text not null generated always as (lower(email)) stored,
  merchant_id uuid references merchants,
  role text check (role in ('owner', 'admin', 'finance', 'developer', 'viewer')),
  -- The actor's name in books and logs.
  made_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz,
  check ((purpose = 'invite') = (merchant_id is not null)),
  check ((merchant_id is null) = (role is null))
);
-- One open invitation of a person to a merchant: asking again renews it.
create unique index one_time_links_of_invited on one_time_links (merchant_id, email_key)
  where purpose = 'invite' and used_at is null;
create index one_time_links_by_expiry on one_time_links (expires_at);

-- Attempts to sign in that did not succeed, by who was tried and from where. Shared by all processes.
create table sign_in_failures (
  -- `account:<hash of the e-mail address>`, `ip:<network>`, `code:<user>`, `password:<user>`.
  subject text primary key check (length(subject) <= 200),
  failures integer not null,
  last_at timestamptz not null default clock_timestamp(),
  -- Nothing is looked at before.
  blocked_until timestamptz not null default '-infinity'
);
create index sign_in_failures_by_time on sign_in_failures (last_at);

-- Mails to people; sent by who claims the work of the kind `send_mail`. What a mail says is made when it is sent, so that
-- no link is kept here.
create table mails (
  id uuid primary key,
  kind text not null check (kind in ('reset', 'invitation', 'notice')),
  recipient text not null check (length(recipient) between 3 and 254),
  -- The invitation that it carries.
  link_id uuid references one_time_links on delete cascade,
  -- Of a notice: what happened, in words.
  notice text check (length(notice) <= 500),
  created_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz,
  failed_at timestamptz,
  failure text check (length(failure) <= 500),
  check ((kind = 'notice') = (notice is not null)),
  check ((kind = 'invitation') = (link_id is not null))
);
create index mails_by_time on mails (created_at);

-- From where somebody has been signed in, ended sessions too.
create index sessions_by_place on sessions (user_id, ip) where is_complete;
