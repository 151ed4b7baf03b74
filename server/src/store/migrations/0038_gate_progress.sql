-- How the follower of each gate gets on, as it says itself. Whoever takes new business on a network asks here: a node that
-- answers is not enough if its chain cannot be followed. Only gates on real nodes write it; the simulated ones are this database.
create table gate_progress (
  gate_id text primary key,
  -- When a look last reached the end of the chain that the node showed; null before the first time.
  at_end_at timestamptz,
  -- How many blocks the last look has left to the next one.
  behind bigint not null default 0,
  -- Why the chain cannot be followed, in words for the operator; null while it can.
  trouble text,
  trouble_kind text check (trouble_kind in ('outage', 'state', 'wrong_chain')),
  trouble_since timestamptz,
  check ((trouble is null) = (trouble_kind is null) and (trouble is null) = (trouble_since is null))
);
