-- A deposit address is handed out, shown and credited only if the service derived it. The proof of that is made with a key
-- that is not in the database, so a row that was put here by anyone else has none.

alter table wallet_keys add column proof text;
alter table deposit_addresses add column proof text;
alter table invoices add column deposit_address_proof text;
alter table static_addresses add column address_proof text;

comment on column wallet_keys.proof is
  'The signer''s HMAC of environment, wallet, network and key. Null until a signer with the secret key has started.';
comment on column deposit_addresses.proof is
  'An HMAC of keychain, position, address and tag, by the process that derived the address. Null where that process had no secret key.';
comment on column invoices.deposit_address_proof is 'The proof of its deposit address.';
comment on column static_addresses.address_proof is 'The proof of its deposit address.';
