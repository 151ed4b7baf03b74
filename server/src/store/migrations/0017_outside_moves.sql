-- What left a hot wallet because its key was used outside this service, one row a currency, as a person has stated it. The
-- account's numbers from `first_nonce` up to `next_nonce`, which is free, were used by that.
create table outside_moves (
  id uuid primary key,
  gate_id text not null references followed_chains (gate_id),
  address text not null,
  first_nonce numeric(78, 0) not null,
  next_nonce numeric(78, 0) not null,
  currency text not null,
  -- What the network took is in it.
  units numeric(78, 0) not null check (units > 0),
  -- `cli:<name>`.
  stated_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  unique (gate_id, address, first_nonce, currency),
  check (first_nonce < next_nonce)
);

create trigger outside_moves_are_append_only
  before update or delete or truncate on outside_moves
  for each statement execute function refuse_change();
