-- Refills: what comes back from the operator's cold wallet.

alter table spends drop constraint spends_kind_check;
alter table spends add constraint spends_kind_check
  check (kind in ('payout', 'sweep', 'gas', 'absorb', 'consolidation', 'fill', 'cold', 'refill'));
alter table spends add constraint spends_refill_coins check (kind <> 'refill' or from_address is null);

comment on column spends.kind is
  '`payout` pays payouts. `sweep` moves the funds of a deposit address to the hot wallet. `gas` gives a deposit address what its sweep costs. `absorb` notes funds that arrived at the hot wallet itself, and has no transaction. `consolidation` merges small coins into one of our own while fees are low. `fill` uses up a nonce of the hot wallet that is free again on the chain, although what was planned for it is dead or was never ours. The last two pay nobody. `cold` moves funds of the hot wallet to the operator''s cold wallet. `refill` brings some back: the operator signs it, never the signer, and the keys in its plan are the cold wallet''s.';
comment on constraint spends_refill_coins on spends is 'A refill spends coins, never a nonce of ours.';

alter table cold_coins add column pinned_by uuid references spends (id);
create index cold_coins_pinned on cold_coins (pinned_by) where pinned_by is not null;

comment on table cold_coins is
  'Coins that went to the operator''s cold wallet. Whether the operator has spent one without a refill, only the node knows.';
comment on column cold_coins.made_by is 'The spend that moved it there, or the refill whose change it is.';
comment on column cold_coins.pinned_by is 'The refill that uses the coin up, as in payments.';

create table refills (
  spend_id uuid primary key references spends (id),
  tx_hash text not null,
  prepared_by text not null,
  again_of uuid references refills (spend_id)
);

create index refills_by_hash on refills (tx_hash);

create trigger refills_are_append_only
  before update or delete or truncate on refills
  for each statement execute function refuse_change();

create index spends_refills on spends (gate_id, status) where kind = 'refill';

comment on table refills is
  'What is known of a refill before it is signed. Its signatures are witnesses, so they do not change its hash. A refill that has ended is recognised for good: whoever has its signed file can still send it.';
comment on column refills.tx_hash is 'The hash that the transaction has on the network, whoever sends it there.';
comment on column refills.prepared_by is '`cli:<name>`.';
comment on column refills.again_of is
  'The dead refill whose transaction was mined after all, so that this one books it. Null for one that was prepared.';

comment on column simulated_transactions.bytes is
  'On networks of coins: its bytes, with witnesses if it was sent with them. Null on other networks, and for payments from before this column was there; their coins cannot be spent.';
