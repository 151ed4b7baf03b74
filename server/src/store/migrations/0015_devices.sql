-- The devices that people sign in from, passwords that have to be replaced first, and acts of API keys in the audit log.

create table devices (
  user_id uuid not null references users,
  token_hash bytea not null check (octet_length(token_hash) = 32),
  created_at timestamptz not null default clock_timestamp(),
  last_seen_at timestamptz not null default clock_timestamp(),
  primary key (user_id, token_hash)
);
create index devices_by_use on devices (last_seen_at);

comment on table devices is
  'Browsers that a person has signed in from before. A sign-in from any other one is announced to the person.';
comment on column devices.token_hash is 'SHA-256 of a token in the device''s cookie, which is kept nowhere else.';
comment on column devices.last_seen_at is 'The last sign-in from it.';

alter table sessions
  add column device_hash bytea check (octet_length(device_hash) = 32),
  add column is_new_device boolean not null default false;

comment on column sessions.device_hash is
  'The device it was begun from, as in devices; null while it is incomplete, and for sessions from before devices were known.';
comment on column sessions.is_new_device is 'Whether the device was unknown until then.';

alter table mails
  drop constraint mails_kind_check,
  add constraint mails_kind_check check (kind in ('reset', 'invitation', 'notice', 'new_device')),
  add column device jsonb,
  add constraint mails_device_check check ((kind = 'new_device') = (device is not null));

comment on column mails.device is 'When and from where a new device signed in.';

alter table users add column must_change_password boolean not null default false;

comment on column users.must_change_password is
  'Whether others may know the password, such as one that was printed. Its sessions can do nothing but replace it.';

alter table audit_entries
  drop constraint audit_entries_actor_check,
  add constraint audit_entries_actor_check check (actor ~ '^(user|key|cli|service):');
