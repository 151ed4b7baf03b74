-- Gates whose float was found too low, and since when: the operator is told once, by whichever process finds it.
create table float_alerts (
  gate_id text primary key references followed_chains (gate_id),
  low_since timestamptz not null default clock_timestamp()
);
