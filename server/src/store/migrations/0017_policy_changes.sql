-- Relaxing a live payout policy needs the approvals in force, and waits. Until then the change is a row here.

create table policy_changes (
  id uuid primary key,
  merchant_id uuid not null references merchants,
  environment text not null check (environment in ('live', 'test')),
  kind text not null check (kind in ('policy', 'destination')),
  base_currency text,
  max_payout numeric(78, 0) check (max_payout > 0),
  max_day numeric(78, 0) check (max_day > 0),
  only_known_destinations boolean,
  approvals_required smallint check (approvals_required between 1 and 2),
  cooling_off_seconds integer check (cooling_off_seconds between 0 and 2592000),
  approval text check (approval in ('any', 'passkey')),
  network text,
  address text,
  tag text,
  label text,
  relaxes text[] not null,
  statement text,
  proposed_by text not null check (proposed_by ~ '^(user|cli):'),
  proposed_at timestamptz not null,
  approvals_needed smallint not null check (approvals_needed between 1 and 2),
  status text not null check (status in ('proposed', 'waiting', 'applied', 'withdrawn', 'superseded')),
  applies_at timestamptz,
  ended_at timestamptz,
  check (num_nulls(base_currency, only_known_destinations, approvals_required, cooling_off_seconds, approval)
    = case kind when 'policy' then 0 else 5 end),
  check (kind = 'policy' or num_nonnulls(max_payout, max_day) = 0),
  check (num_nulls(network, address, tag) = case kind when 'destination' then 0 else 3 end),
  check (kind = 'destination' or label is null),
  check (status <> 'proposed' or applies_at is null),
  check (status not in ('waiting', 'applied') or applies_at is not null),
  check ((status in ('proposed', 'waiting')) = (ended_at is null))
);
create unique index policy_changes_open on policy_changes (merchant_id, environment)
  where kind = 'policy' and status in ('proposed', 'waiting');
create unique index policy_changes_open_destinations on policy_changes (merchant_id, environment, network, address, tag)
  where kind = 'destination' and status in ('proposed', 'waiting');
create index policy_changes_due on policy_changes (applies_at) where status = 'waiting';
create index policy_changes_by_merchant on policy_changes (merchant_id, environment, proposed_at desc);

comment on table policy_changes is
  'Changes that relax a live payout policy, or allow a destination while only known ones may be paid: proposed, approved, waiting, ended.';
comment on column policy_changes.kind is
  '`policy`: the columns up to approval hold the whole policy that is wanted. `destination`: those from network to label hold the destination to allow.';
comment on column policy_changes.tag is 'Empty for a destination without a tag.';
comment on column policy_changes.relaxes is 'The rules that it relaxed when it was proposed; empty for a destination.';
comment on column policy_changes.statement is
  'The canonical text that everyone who approves signs with a passkey; null where none is asked for.';
comment on column policy_changes.approvals_needed is 'As the policy in force required when it was proposed.';
comment on column policy_changes.applies_at is 'Set when the last approval came.';
comment on index policy_changes_open is 'One at a time: a new proposal supersedes the open one.';

create table policy_change_approvals (
  change_id uuid not null references policy_changes,
  approver text not null check (approver ~ '^(user|cli):'),
  credential_id bytea,
  authenticator_data bytea,
  client_data_json bytea,
  signature bytea,
  created_at timestamptz not null,
  primary key (change_id, approver),
  check (num_nulls(credential_id, authenticator_data, client_data_json, signature) in (0, 4))
);
create trigger policy_change_approvals_are_append_only
  before update or delete or truncate on policy_change_approvals
  for each statement execute function refuse_change();

comment on table policy_change_approvals is 'Who agreed to a change of the policy. Whoever proposed it is the first.';
comment on column policy_change_approvals.signature is
  'With the columns around it, the passkey''s answer to the change''s statement; null where none was asked for.';

alter table memberships add column approver_since timestamptz;
update memberships set approver_since = created_at where role in ('owner', 'admin', 'finance');

comment on column memberships.approver_since is
  'Since when the role has allowed to approve payouts without a break; null while it does not. Who became an approver after a change of the policy was proposed cannot approve it.';

alter table mails
  drop constraint mails_kind_check,
  add constraint mails_kind_check check (kind in ('reset', 'invitation', 'notice', 'new_device', 'policy_change')),
  add column policy_change jsonb,
  add constraint mails_policy_change_check check ((kind = 'policy_change') = (policy_change is not null));

comment on column mails.policy_change is 'What became of a change that relaxes the payout policy, as it is told.';
