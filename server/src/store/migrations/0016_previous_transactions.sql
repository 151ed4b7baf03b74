-- What a coin is worth is in the transaction that made it. The signer believes nothing else about the coins that it spends.

create table previous_transactions (
  gate_id text not null,
  tx_hash text not null,
  bytes bytea check (octet_length(bytes) <= 1000000),
  asked_at timestamptz,
  primary key (gate_id, tx_hash),
  constraint previous_transactions_bytes_or_asked check (num_nulls(bytes, asked_at) = 1)
);

create index previous_transactions_unavailable on previous_transactions (gate_id, asked_at) where bytes is null;

comment on table previous_transactions is
  'Transactions in blocks that pay an address of ours on a network of coins. The signer hashes them itself, and so proves the amounts and scripts of the coins that it spends. Those of our change are the signed bytes in spend_transactions.';
comment on column previous_transactions.bytes is
  'Without witnesses: the bytes that tx_hash is the hash of. Null while the node cannot show the transaction; then no spend is planned with its coins.';
comment on column previous_transactions.asked_at is
  'When the node was last asked for a transaction that it could not show. Only coins from before this table was there are asked for.';

alter table simulated_transactions add column bytes bytea;

comment on column simulated_transactions.bytes is
  'On networks of coins: its bytes without witnesses, which hash to its hash. Null on other networks, and for payments from before this column was there; their coins cannot be spent.';
