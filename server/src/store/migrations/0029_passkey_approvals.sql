-- Approvals that are given with a passkey, which the signer checks by itself, and what it is told about passkeys. The signer
-- believes nothing of it that is not signed by a passkey it knows already.

-- The answer of an authenticator (WebAuthn Level 3), whose challenge is a hash over environment, merchant and the approval
-- hashes it covers.
alter table payout_approvals
  add column credential_id bytea,
  add column authenticator_data bytea,
  add column client_data_json bytea,
  add column signature bytea,
  add column covered_hashes text[],
  add check (num_nulls(credential_id, authenticator_data, client_data_json, signature, covered_hashes) in (0, 5));

-- In the live environment `passkey` holds for a merchant with passkeys whatever stands here, until one of them says otherwise.
alter table payout_policies
  add column approval text not null default 'any' check (approval in ('any', 'passkey'));

-- Passkeys that a merchant's people want to approve with. Each row is what was offered, whatever becomes of the passkey.
create table passkey_enrolments (
  merchant_id uuid not null references merchants,
  credential_id bytea not null check (octet_length(credential_id) between 1 and 1023),
  position bigint generated always as identity,
  -- Without a reference: it may be removed from the account, and what signers know of it stays.
  passkey_id uuid not null,
  user_id uuid not null references users,
  -- COSE (RFC 9052).
  public_key bytea not null,
  name text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- What somebody with a passkey that the signer knows says for it; none for a merchant's first.
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

-- What people tell signers with a passkey: that another one is not to be trusted any more, or a new policy.
create table passkey_statements (
  id uuid primary key,
  position bigint generated always as identity,
  merchant_id uuid not null references merchants,
  -- The canonical text that the challenge is the hash of.
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

-- What the signers say of themselves, for people to see. No signer reads it to decide anything.
create table passkey_pins (
  environment text not null check (environment in ('live', 'test')),
  merchant_id uuid not null references merchants,
  credential_id bytea not null,
  pinned_at timestamptz not null,
  primary key (environment, merchant_id, credential_id)
);

-- Whether a signer asks for passkeys for a merchant's payouts, and how many people; as the signer says it.
create table passkey_demands (
  environment text not null check (environment in ('live', 'test')),
  merchant_id uuid not null references merchants,
  is_required boolean not null,
  approvals_required smallint not null,
  primary key (environment, merchant_id)
);

-- Where a merchant has paid to before, and how much.
create index payouts_by_destination on payouts (merchant_id, environment, network, destination);
