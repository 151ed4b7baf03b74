-- Where following a chain began: up to this block its follower has read nothing. Null where it was not noted yet.
alter table followed_chains add column began_height bigint;

-- Addresses of our own (BIP-44's chain 1, where change goes) that an earlier database may have used. They are watched for good,
-- as that database's transactions may still be mined. The positions that this database gives to its own change are
-- counted in spend_counters, and lie beyond the last that was found in use.
create table own_addresses (
  keychain text not null,
  position bigint not null check (position >= 0),
  address text not null check (address <> ''),
  primary key (keychain, position)
);

create unique index own_addresses_by_address on own_addresses (address, keychain);

create trigger own_addresses_are_append_only
  before update or delete or truncate on own_addresses
  for each statement execute function refuse_change();

-- How far an old part of a chain was read again, for coins that this database does not know.
create table rescans (
  gate_id text primary key references followed_chains (gate_id),
  from_height bigint not null check (from_height >= 0),
  -- The next block to be read, and the hash of the one before it; null before the first. What is nearer to the chain's end
  -- than a reorganisation may reach is read anew each time, and never counted here.
  next_height bigint not null,
  last_hash text,
  -- How many addresses in a row may have been given out and never paid.
  gap integer not null check (gap > 0),
  -- The highest positions that were found in use.
  highest_deposit bigint not null default -1,
  highest_own bigint not null default -1,
  -- Whoever takes a rescan up raises it: an earlier process that still runs can write no more.
  revision bigint not null default 0,
  finished_at timestamptz,
  check (next_height >= from_height),
  check ((last_hash is null) = (next_height = from_height))
);

-- Outputs that were found to pay us. Those that nobody has spent become payments, in the transaction that notes it here.
create table rescan_outputs (
  gate_id text not null references rescans (gate_id),
  tx_hash text not null,
  output_index integer not null,
  chain text not null check (chain in ('deposit', 'own')),
  position bigint not null,
  address text not null,
  units numeric(78, 0) not null check (units > 0),
  least_confirmations integer not null,
  block_height bigint not null,
  block_hash text not null,
  mined_at timestamptz not null,
  taken_at timestamptz,
  primary key (gate_id, tx_hash, output_index)
);

create index rescan_outputs_untaken on rescan_outputs (gate_id, tx_hash, output_index) where taken_at is null;

-- Coins at addresses of our own are among these: few, or none.
create index payments_recovered on payments (gate_id, units desc) where suspense_reason = 'recovered' and pinned_by is null;
