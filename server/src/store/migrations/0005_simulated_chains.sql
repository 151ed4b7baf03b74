-- The networks of the test environment, kept here so that every process sees the same chain and a restart loses nothing.
-- Whoever changes a chain holds its row for the whole transaction: all else about it is written under that lock.
create table simulated_chains (
  gate_id text primary key,
  height bigint not null check (height >= 0),
  hash text not null,
  -- Rises with every change, so that a reader sees cheaply that it has seen everything.
  changes bigint not null default 0,
  next_block_at timestamptz not null default clock_timestamp()
);

-- The present branch only; what a reorganisation replaces is gone, as on a node that never saw it.
create table simulated_blocks (
  gate_id text not null references simulated_chains (gate_id),
  height bigint not null check (height >= 0),
  hash text not null,
  parent_hash text not null,
  mined_at timestamptz not null,
  primary key (gate_id, height)
);

create table simulated_transactions (
  gate_id text not null references simulated_chains (gate_id),
  hash text not null check (length(hash) between 1 and 128),
  coin text not null check (length(coin) between 1 and 255),
  fee_units numeric(78, 0) not null check (fee_units >= 0),
  state text not null default 'waiting' check (state in ('waiting', 'mined', 'gone')),
  height bigint,
  arrival bigint not null generated always as identity,
  primary key (gate_id, hash),
  check ((state = 'mined') = (height is not null))
);

-- Of all that spend one coin at most one waits or is mined: a coin is never spent twice, whatever the code believes.
create unique index simulated_coins_are_spent_once on simulated_transactions (gate_id, coin) where state <> 'gone';
create index simulated_mempool on simulated_transactions (gate_id, fee_units desc, arrival) where state = 'waiting';
create index simulated_block_contents on simulated_transactions (gate_id, height) where state = 'mined';

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
