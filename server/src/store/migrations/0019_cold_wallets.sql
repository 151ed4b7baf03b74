-- The operator's cold wallet: what goes there.

alter table spends drop constraint spends_kind_check;
alter table spends add constraint spends_kind_check
  check (kind in ('payout', 'sweep', 'gas', 'absorb', 'consolidation', 'fill', 'cold'));
create index spends_to_cold on spends (gate_id, status) where kind = 'cold';

comment on column spends.kind is
  '`payout` pays payouts. `sweep` moves the funds of a deposit address to the hot wallet. `gas` gives a deposit address what its sweep costs. `absorb` notes funds that arrived at the hot wallet itself, and has no transaction. `consolidation` merges small coins into one of our own while fees are low. `fill` uses up a nonce of the hot wallet that is free again on the chain, although what was planned for it is dead or was never ours. The last two pay nobody. `cold` moves funds of the hot wallet to the operator''s cold wallet.';

alter table ledger_accounts drop constraint ledger_accounts_kind_check;
alter table ledger_accounts add constraint ledger_accounts_kind_check
  check (kind in ('available', 'reserved', 'fees', 'network_fees', 'chain', 'cold', 'float', 'suspense'));

comment on table ledger_accounts is
  'The accounts of the double-entry ledger. What an owner is due is positive: a merchant''s `available` and `reserved`, the platform''s fees, suspense, the operator''s float. `chain` is what the gates hold for them, and `cold` what the operator''s cold wallet holds; both are negative. All accounts of an asset sum to zero.';

create table cold_coins (
  gate_id text not null,
  tx_hash text not null,
  output_index integer not null,
  address text not null,
  cold_index bigint,
  units numeric(78, 0) not null check (units > 0),
  made_by uuid not null unique references spends (id),
  primary key (gate_id, tx_hash, output_index)
);

comment on table cold_coins is
  'Coins that went to the operator''s cold wallet. Whether one was spent since, only the node knows.';
comment on column cold_coins.cold_index is
  'The index of its address below the cold wallet''s extended key; null where the cold wallet is a single address.';
comment on column cold_coins.made_by is 'The spend that moved it there.';
