-- Who let payouts go. An approval may carry a passkey's signature, which the signer checks by itself; it believes nothing said
-- here about passkeys that is not signed by a passkey it already knows.

create table payout_approvals (
  payout_id uuid not null references payouts (id),
  approver text not null,
  approval_hash text not null check (approval_hash ~ '^[0-9a-f]{64}$'),
  credential_id bytea,
  authenticator_data bytea,
  client_data_json bytea,
  signature bytea,
  covered_hashes text[],
  created_at timestamptz not null default clock_timestamp(),
  primary key (payout_id, approver),
  check (num_nulls(credential_id, authenticator_data, client_data_json, signature, covered_hashes) in (0, 5))
);

create trigger payout_approvals_are_append_only
  before update or delete or truncate on payout_approvals
  for each statement execute function refuse_change();

comment on table payout_approvals is 'Who let a payout go.';
comment on column payout_approvals.approver is
  '`user:<id>`, `cli:<name>`, or `test:<key id>` for the test environment''s helper.';
comment on column payout_approvals.approval_hash is 'A hash over exactly what was approved.';
comment on column payout_approvals.signature is
  'With the columns around it, an authenticator''s answer (WebAuthn Level 3). Its challenge is a hash over environment, merchant and covered_hashes. Null where the approval was given without a passkey.';
comment on column payout_approvals.covered_hashes is 'The approval hashes of all payouts that the one answer lets go.';

create table passkey_enrolments (
  merchant_id uuid not null references merchants,
  credential_id bytea not null check (octet_length(credential_id) between 1 and 1023),
  position bigint generated always as identity,
  passkey_id uuid not null,
  user_id uuid not null references users,
  public_key bytea not null,
  name text not null,
  created_at timestamptz not null default clock_timestamp(),
  voucher_credential_id bytea,
  voucher_authenticator_data bytea,
  voucher_client_data_json bytea,
  voucher_signature bytea,
  vouched_at timestamptz,
  primary key (merchant_id, credential_id),
  check (num_nulls(voucher_credential_id, voucher_authenticator_data, voucher_client_data_json, voucher_signature,
    vouched_at) in (0, 5))
);
create index passkey_enrolments_by_passkey on passkey_enrolments (passkey_id);

comment on table passkey_enrolments is
  'Passkeys that a merchant''s people want to approve with, as they were offered, whatever becomes of the passkey.';
comment on column passkey_enrolments.passkey_id is
  'Not a reference: the passkey may be removed from the account, and what signers know of it stays.';
comment on column passkey_enrolments.public_key is 'A COSE key (RFC 9052).';
comment on column passkey_enrolments.voucher_signature is
  'With the other voucher columns, what someone with a passkey the signer knows says for this one. A merchant''s first has none.';

create table passkey_statements (
  id uuid primary key,
  position bigint generated always as identity,
  merchant_id uuid not null references merchants,
  said text not null,
  credential_id bytea not null,
  authenticator_data bytea not null,
  client_data_json bytea not null,
  signature bytea not null,
  created_at timestamptz not null default clock_timestamp()
);
create unique index passkey_statements_in_order on passkey_statements (position);
create index passkey_statements_by_merchant on passkey_statements (merchant_id, position desc);
create trigger passkey_statements_are_append_only
  before update or delete or truncate on passkey_statements
  for each statement execute function refuse_change();

comment on table passkey_statements is
  'What people tell signers with a passkey: that another passkey is no longer to be trusted, or a new policy.';
comment on column passkey_statements.said is 'The canonical text whose hash is the challenge.';

create table passkey_pins (
  environment text not null check (environment in ('live', 'test')),
  merchant_id uuid not null references merchants,
  credential_id bytea not null,
  pinned_at timestamptz not null,
  primary key (environment, merchant_id, credential_id)
);

comment on table passkey_pins is
  'Which passkeys the signers say they trust, for people to see. No signer reads it to decide anything.';

create table passkey_demands (
  environment text not null check (environment in ('live', 'test')),
  merchant_id uuid not null references merchants,
  is_required boolean not null,
  approvals_required smallint not null,
  primary key (environment, merchant_id)
);

comment on table passkey_demands is
  'Whether a signer says it asks for passkeys for a merchant''s payouts, and from how many people. For people to see, too.';
