-- Simulated networks execute signed transactions: a transaction may use several coins, or the number of an account.
alter table simulated_transactions
  -- What it pays for a unit of its size or work: what is mined first, and what a replacement must exceed.
  add column fee_rate numeric(78, 0) check (fee_rate >= 0),
  -- Whose transaction it is and which of them, where accounts pay.
  add column sender text,
  add column nonce numeric(78, 0) check (nonce >= 0),
  -- Whether it was read from signed bytes and so is held to what it spends. All others bring coins from nowhere.
  add column executed boolean not null default false,
  add column gone boolean not null generated always as (state = 'gone') stored,
  add check ((sender is null) = (nonce is null)),
  add check (executed or sender is null),
  add unique (gate_id, hash, gone);

update simulated_transactions set fee_rate = fee_units;
alter table simulated_transactions alter column fee_rate set not null;

-- What can be used once only: a coin as `<hash>:<output>`, an account's number as `<address>#<number>`.
create table simulated_uses (
  gate_id text not null,
  use text not null check (length(use) between 1 and 300),
  tx_hash text not null,
  gone boolean not null default false,
  primary key (gate_id, tx_hash, use),
  -- What is gone frees what it used: the database itself keeps the two alike.
  foreign key (gate_id, tx_hash, gone) references simulated_transactions (gate_id, hash, gone) on update cascade
);

insert into simulated_uses (gate_id, use, tx_hash, gone) select gate_id, coin, hash, gone from simulated_transactions;

-- Of all that use the same at most one waits or is mined: nothing is spent twice, whatever the code believes.
create unique index simulated_uses_are_used_once on simulated_uses (gate_id, use) where not gone;
alter table simulated_transactions drop column coin;

drop index simulated_mempool;
create index simulated_mempool on simulated_transactions (gate_id, fee_rate desc, arrival) where state = 'waiting';
create index simulated_executed_waiting on simulated_transactions (gate_id) where state = 'waiting' and executed;
create index simulated_executed_mined on simulated_transactions (gate_id, height) where state = 'mined' and executed;
create index simulated_account_nonces on simulated_transactions (gate_id, sender, nonce) where sender is not null and state = 'mined';

-- What the sender of an account's transaction parts with, the fee among it.
create table simulated_debits (
  gate_id text not null,
  tx_hash text not null,
  address text not null,
  currency text not null,
  units numeric(78, 0) not null check (units > 0),
  primary key (gate_id, tx_hash, currency),
  foreign key (gate_id, tx_hash) references simulated_transactions (gate_id, hash)
);

create index simulated_debits_by_address on simulated_debits (gate_id, address, currency);
create index simulated_outputs_by_address on simulated_outputs (gate_id, address, currency);

-- Transactions that the network rejects for good, known to it or not.
create table simulated_ruled_out (
  gate_id text not null references simulated_chains (gate_id),
  tx_hash text not null,
  -- How high the chain was then; null where another transaction took its account's number and rules it out.
  height bigint,
  primary key (gate_id, tx_hash)
);
