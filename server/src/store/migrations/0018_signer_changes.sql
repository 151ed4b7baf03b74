-- Several people may have to vouch for a passkey, so each vouches with a statement of their own.
insert into passkey_statements (id, merchant_id, said, credential_id, authenticator_data, client_data_json, signature)
select gen_random_uuid(), merchant_id,
  format('{"credential_id":"%s","merchant":"%s","public_key":"%s","sluice":"trust_passkey","user":"%s","version":1}',
    translate(encode(credential_id, 'base64'), E'+/=\n', '-_'), merchant_id,
    translate(encode(public_key, 'base64'), E'+/=\n', '-_'), user_id),
  voucher_credential_id, voucher_authenticator_data, voucher_client_data_json, voucher_signature
from passkey_enrolments where voucher_signature is not null order by position;

alter table passkey_enrolments
  drop column voucher_credential_id,
  drop column voucher_authenticator_data,
  drop column voucher_client_data_json,
  drop column voucher_signature,
  drop column vouched_at;

comment on table passkey_statements is
  'What users state to signers with a passkey: that another passkey may be trusted or no longer is, a policy, a destination. Everyone who agrees signs the same text.';

alter table passkey_pins add column counts_from timestamptz not null default clock_timestamp();
update passkey_pins set counts_from = pinned_at;
comment on column passkey_pins.counts_from is
  'When the signer begins to accept its signatures. Trusting a passkey weakens the signer, so it waits.';

create table signer_changes (
  environment text not null check (environment in ('live', 'test')),
  kind text not null check (kind in ('passkey', 'policy', 'destination', 'settings')),
  merchant_id uuid references merchants (id),
  subject text not null,
  details text not null,
  accepted_at timestamptz not null,
  counts_from timestamptz not null,
  announced_at timestamptz,
  unique nulls not distinct (environment, kind, merchant_id, subject)
);
create index signer_changes_by_merchant on signer_changes (merchant_id) where merchant_id is not null;
create index signer_changes_unannounced on signer_changes (accepted_at) where announced_at is null;

comment on table signer_changes is
  'What signers report to have accepted and not to allow yet, because it weakens what is in force. For people to see in time; no signer reads it.';
comment on column signer_changes.merchant_id is 'Null for a change of the operator’s settings.';
comment on column signer_changes.subject is 'A passkey’s fingerprint, the time of a policy, a destination, or the name of a setting.';
comment on column signer_changes.announced_at is 'When mails about it were queued.';

-- A challenge is the hash of a text that only the service writes, so that no row can choose it. Those under way are asked again.
delete from ceremonies;
alter table ceremonies add column nonce bytea not null;
comment on column ceremonies.nonce is
  'What makes the challenge unique. The challenge is the hash of a text with it, the purpose and the session.';

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check
  check (kind in ('reset', 'invitation', 'notice', 'new_device', 'policy_change', 'passkey_waits'));
alter table mails add column passkey jsonb check ((kind = 'passkey_waits') = (passkey is not null));
comment on column mails.passkey is 'Whose passkey the signer will trust, for which merchant, and when.';
