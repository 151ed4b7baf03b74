-- Coins of the books that the node says are not there to be spent: they never were on its chain, or somebody has spent them
-- without this database knowing. They are not planned with until the node has them again.
create table missing_coins (
  gate_id text not null,
  tx_hash text not null,
  output_index integer not null,
  noticed_at timestamptz not null default clock_timestamp(),
  primary key (gate_id, tx_hash, output_index)
);
