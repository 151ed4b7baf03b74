-- Solana: a transaction holds a nonce account of the hot wallet, and several addresses pay in one transaction.

alter table spends drop constraint spends_kind_check;
alter table spends add constraint spends_kind_check
  check (kind in ('payout', 'sweep', 'gas', 'absorb', 'consolidation', 'fill', 'cold', 'refill', 'nonce'));
alter table spends add column nonce_account integer check (nonce_account >= 0);
alter table spends add column nonce_value text;
alter table spends add constraint spends_nonce_value_of_account check (nonce_value is null or nonce_account is not null);
create unique index spends_hold_a_nonce_account on spends (gate_id, nonce_account)
  where nonce_account is not null and status = 'open';
create unique index spends_use_a_nonce_value on spends (gate_id, nonce_account, nonce_value)
  where nonce_value is not null and status <> 'dead';

comment on column spends.kind is
  '`payout` pays payouts. `sweep` moves the funds of deposit addresses to the hot wallet. `gas` gives a deposit address what its sweep costs. `absorb` notes funds that arrived at the hot wallet itself, and has no transaction. `consolidation` merges small coins into one of our own while fees are low. `fill` uses up a nonce of the hot wallet that is free again on the chain, although what was planned for it is dead or was never ours. The last two pay nobody. `cold` moves funds of the hot wallet to the operator''s cold wallet. `refill` brings some back: the operator signs it, never the signer, and the keys in its plan are the cold wallet''s. `nonce` creates a nonce account of the hot wallet.';
comment on column spends.nonce is
  'Of the account at from_address: our own, or the cold wallet in a refill. On Solana only a number of ours, since transactions there hold a nonce account instead.';
comment on column spends.nonce_account is 'On Solana: the index of the hot wallet''s nonce account that it holds, or creates.';
comment on column spends.nonce_value is
  'The value of that account that its transactions carry, so that at most one of them can be executed. Null where it creates the account.';
comment on index spends_hold_a_nonce_account is 'One open spend at a time holds a nonce account.';
comment on index spends_use_a_nonce_value is 'A value is used up by whatever was planned with it, unless that is proved dead.';

alter table spend_transactions drop column cancels;
alter table spend_transactions add column cancels boolean not null
  generated always as (coalesce(
    plan ->> 'kind' in ('account', 'solana') and plan ->> 'units' = '0'
      and plan -> 'to' ->> 'address' = plan -> 'from' ->> 'address', false)) stored;

comment on column spend_transactions.cancels is
  'Whether the attempt pays nothing and only uses up the nonce, so that earlier attempts can never be mined.';

alter table simulated_debits drop constraint simulated_debits_pkey;
alter table simulated_debits add primary key (gate_id, tx_hash, currency, address);

comment on table simulated_debits is 'What each account parts with in a transaction, fee included.';
