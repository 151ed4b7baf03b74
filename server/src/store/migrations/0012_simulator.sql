-- The networks of the test environment. They are kept here so that every process sees the same chain and a restart loses
-- nothing.

create table simulated_chains (
  gate_id text primary key,
  height bigint not null check (height >= 0),
  hash text not null,
  changes bigint not null default 0,
  next_block_at timestamptz not null default clock_timestamp()
);

comment on table simulated_chains is
  'The simulated chains. Whoever changes one locks its row for the whole transaction: everything else about the chain is written under that lock.';
comment on column simulated_chains.changes is
  'Rises with every change, so that a reader sees at little cost that it has seen everything.';

create table simulated_blocks (
  gate_id text not null references simulated_chains (gate_id),
  height bigint not null check (height >= 0),
  hash text not null,
  parent_hash text not null,
  mined_at timestamptz not null,
  primary key (gate_id, height)
);

comment on table simulated_blocks is
  'The blocks of the present branch. What a reorganisation replaces is gone, as on a node that never saw it.';

create table simulated_transactions (
  gate_id text not null references simulated_chains (gate_id),
  hash text not null check (length(hash) between 1 and 128),
  sender text,
  nonce numeric(78, 0) check (nonce >= 0),
  fee_units numeric(78, 0) not null check (fee_units >= 0),
  fee_rate numeric(78, 0) not null check (fee_rate >= 0),
  arrival bigint not null generated always as identity,
  executed boolean not null default false,
  state text not null default 'waiting' check (state in ('waiting', 'mined', 'gone')),
  gone boolean not null generated always as (state = 'gone') stored,
  failed boolean not null default false,
  height bigint,
  primary key (gate_id, hash),
  unique (gate_id, hash, gone),
  check ((state = 'mined') = (height is not null)),
  check ((sender is null) = (nonce is null)),
  check (executed or sender is null)
);

create index simulated_mempool on simulated_transactions (gate_id, fee_rate desc, arrival) where state = 'waiting';
create index simulated_block_contents on simulated_transactions (gate_id, height) where state = 'mined';
create index simulated_executed_waiting on simulated_transactions (gate_id) where state = 'waiting' and executed;
create index simulated_executed_mined on simulated_transactions (gate_id, height) where state = 'mined' and executed;
create index simulated_account_nonces on simulated_transactions (gate_id, sender, nonce) where sender is not null and state = 'mined';

comment on table simulated_transactions is 'Transactions the simulated networks know, waiting, mined or gone.';
comment on column simulated_transactions.sender is 'The account whose transaction it is; null on networks of coins.';
comment on column simulated_transactions.nonce is 'Which of the sender''s transactions it is.';
comment on column simulated_transactions.fee_rate is
  'What it pays for a unit of its size or gas. It decides what is mined first, and what a replacement must exceed.';
comment on column simulated_transactions.arrival is 'The order in which transactions reached the mempool.';
comment on column simulated_transactions.executed is
  'Whether it was read from signed bytes, and so is held to what it spends. All others bring coins from nowhere.';
comment on column simulated_transactions.gone is 'For the foreign key of simulated_uses.';
comment on column simulated_transactions.failed is
  'Whether it ran and failed, as one does whose tokens are no longer there: it took its nonce and its fee, and moved nothing.';

create table simulated_uses (
  gate_id text not null,
  use text not null check (length(use) between 1 and 300),
  tx_hash text not null,
  gone boolean not null default false,
  primary key (gate_id, tx_hash, use),
  foreign key (gate_id, tx_hash, gone) references simulated_transactions (gate_id, hash, gone) on update cascade
);

create unique index simulated_uses_are_used_once on simulated_uses (gate_id, use) where not gone;

comment on table simulated_uses is 'What a transaction uses that can be used only once.';
comment on column simulated_uses.use is 'A coin as `<hash>:<output>`, an account''s nonce as `<address>#<nonce>`.';
comment on constraint simulated_uses_gate_id_tx_hash_gone_fkey on simulated_uses is
  'A transaction that is gone frees what it used: the database itself keeps the two alike.';
comment on index simulated_uses_are_used_once is
  'Of all that use the same, at most one waits or is mined: nothing is spent twice, whatever the code believes.';

create table simulated_outputs (
  gate_id text not null,
  tx_hash text not null,
  output_index integer not null check (output_index >= 0),
  address text not null,
  tag text,
  currency text not null,
  units numeric(78, 0) not null check (units > 0),
  primary key (gate_id, tx_hash, output_index),
  foreign key (gate_id, tx_hash) references simulated_transactions (gate_id, hash)
);

create index simulated_outputs_by_address on simulated_outputs (address, gate_id, currency);

comment on table simulated_outputs is 'What a transaction pays, and to whom.';
comment on index simulated_outputs_by_address is
  'Outputs and debits are looked up by gate and transaction. Statistics made while a chain was still being written know of no rows, and then another index that begins with the gate looks as good as the right one, and is as slow as none. So no other begins with the gate.';

create table simulated_debits (
  gate_id text not null,
  tx_hash text not null,
  address text not null,
  currency text not null,
  units numeric(78, 0) not null check (units > 0),
  primary key (gate_id, tx_hash, currency),
  foreign key (gate_id, tx_hash) references simulated_transactions (gate_id, hash)
);

create index simulated_debits_by_address on simulated_debits (address, gate_id, currency);

comment on table simulated_debits is 'What the sender of an account''s transaction parts with, fee included.';
comment on index simulated_debits_by_address is 'The gate comes second for the reason given at simulated_outputs_by_address.';

create table simulated_ruled_out (
  gate_id text not null references simulated_chains (gate_id),
  tx_hash text not null,
  height bigint,
  primary key (gate_id, tx_hash)
);

comment on table simulated_ruled_out is 'Transactions that the network rejects for good, whether it knows them or not.';
comment on column simulated_ruled_out.height is
  'How high the chain was then; null where another transaction took the account''s nonce and so rules it out.';

-- A chain grows from nothing to thousands of rows within seconds. Statistics made before that know of no row of its own, and
-- plans built on "none" find each of thousands of rows by looking at all of them. Without statistics about gates the planner
-- takes any of them to be one of many, and looks rows up by their whole key.
alter table simulated_transactions alter column gate_id set statistics 0;
alter table simulated_uses alter column gate_id set statistics 0;
alter table simulated_outputs alter column gate_id set statistics 0;
alter table simulated_debits alter column gate_id set statistics 0;
alter table simulated_blocks alter column gate_id set statistics 0;

comment on column simulated_blocks.gate_id is
  'Here and in the tables beside it without statistics, so that plans made while a chain is short serve when it is long.';
