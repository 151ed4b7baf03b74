-- The wallets' public keys, the addresses made from them, and the search for coins an earlier database knew.

create table wallet_keys (
  environment text not null check (environment in ('live', 'test')),
  network text not null,
  public_key text,
  wallet text not null check (wallet ~ '^[0-9a-f]{16}$'),
  created_at timestamptz not null default clock_timestamp(),
  primary key (environment, network)
);

comment on table wallet_keys is
  'The public side of a wallet: all that anyone but the holder of the seed needs. An environment has one wallet.';
comment on column wallet_keys.public_key is
  'What deposit addresses are made from: an account key, or the account they all share. Null where only the holder of the seed can make them.';
comment on column wallet_keys.wallet is 'A fingerprint of the seed.';

create table deposit_addresses (
  keychain text not null,
  position bigint not null check (position >= 0),
  address text not null check (address <> ''),
  tag text not null default '',
  primary key (keychain, position)
);

create unique index deposit_addresses_by_place on deposit_addresses (keychain, address, tag);
create index deposit_addresses_by_hash on deposit_addresses using hash (address) where tag = '';
create index deposit_addresses_by_lower_hash on deposit_addresses using hash (lower(address))
  where tag = '' and address like '0x%';

create trigger deposit_addresses_are_append_only
  before update or delete or truncate on deposit_addresses
  for each statement execute function refuse_change();

comment on table deposit_addresses is 'Every address ever made for deposits.';
comment on column deposit_addresses.keychain is 'What made the address; one for all EVM networks.';
comment on column deposit_addresses.tag is 'Empty where there is none, so that an index serves.';
comment on index deposit_addresses_by_hash is
  'A block of thousands of transfers is checked against every address ever given out. A hash index answers in a third of the time a tree takes. Tagged addresses stay out: there, one address stands a million times.';
comment on index deposit_addresses_by_lower_hash is
  'Finds EVM addresses whatever their case. Nodes write them in lower case and we in EIP-55 form, which takes too long to compute for every stranger in every block.';
comment on trigger deposit_addresses_are_append_only on deposit_addresses is 'A deposit address is watched for good.';

create table deposit_address_counters (
  keychain text primary key,
  derived bigint not null default 0,
  given bigint not null default 0 check (given >= 0),
  check (given <= derived)
);

create function refuse_going_back() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.keychain = old.keychain and new.derived >= old.derived and new.given >= old.given then
    return new;
  end if;
  raise exception '% never goes back: % refused', tg_table_name, lower(tg_op) using errcode = 'restrict_violation';
end
$$;

create trigger deposit_address_counters_never_go_back
  before update or delete on deposit_address_counters
  for each row execute function refuse_going_back();
create trigger deposit_address_counters_are_kept
  before truncate on deposit_address_counters
  for each statement execute function refuse_change();

comment on table deposit_address_counters is 'How many addresses of each keychain exist, and how many were handed out.';
comment on column deposit_address_counters.derived is 'Positions below this are in deposit_addresses.';
comment on column deposit_address_counters.given is 'Positions below this were handed out.';
comment on function refuse_going_back() is 'An address handed out twice would mix two payers'' money.';

create function database_life() returns text language sql volatile as $$
  select format('%s %s %s', system_identifier, (select oid from pg_database where datname = current_database()),
    extract(epoch from pg_postmaster_start_time()))
  from pg_control_system()
$$;

comment on function database_life() is
  'Names this database for as long as nobody puts another in its place. A restore makes another cluster or database, or restarts the server. So does a failover, which may lose the newest rows as well.';

create table deposit_address_grants (
  keychain text primary key,
  first bigint not null check (first >= 0),
  below bigint not null check (below >= 0),
  stamp text not null,
  life text not null,
  written_by bigint not null
);

comment on table deposit_address_grants is
  'Which positions of a keychain may be handed out. The signer notes a grant on its own disk before it is written here, so that a restored database cannot hand out an address twice.';
comment on column deposit_address_grants.first is 'The first position granted.';
comment on column deposit_address_grants.below is 'The first position no longer granted.';
comment on column deposit_address_grants.stamp is 'Names the signer''s own note of the grant.';
comment on column deposit_address_grants.life is 'The database_life() it was made in. It counts in no other.';
comment on column deposit_address_grants.written_by is
  'The transaction that wrote the row, which must be the row''s own xmin. A row loaded from a dump was written by another.';

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

comment on table own_addresses is
  'Change addresses (BIP-44''s chain 1) that an earlier database may have used. They are watched for good, since that database''s transactions may still be mined. This database''s own change addresses are counted in spend_counters and begin after the last one found in use.';

create table rescans (
  gate_id text primary key references followed_chains (gate_id),
  from_height bigint not null check (from_height >= 0),
  next_height bigint not null,
  last_hash text,
  gap integer not null check (gap > 0),
  highest_deposit bigint not null default -1,
  highest_own bigint not null default -1,
  revision bigint not null default 0,
  finished_at timestamptz,
  check (next_height >= from_height),
  check ((last_hash is null) = (next_height = from_height))
);

comment on table rescans is 'How far an old part of a chain has been read again, for coins this database does not know.';
comment on column rescans.next_height is
  'The next block to read. Blocks that a reorganisation may still replace are read anew each time and never counted here.';
comment on column rescans.last_hash is 'The hash of the block before next_height; null before the first.';
comment on column rescans.gap is 'How many addresses in a row may have been handed out and never paid.';
comment on column rescans.highest_deposit is 'The highest position of a deposit address found in use; -1 for none.';
comment on column rescans.highest_own is 'The highest position of a change address found in use; -1 for none.';
comment on column rescans.revision is 'Whoever takes a rescan up raises it, so that an earlier process still running can write no more.';

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

comment on table rescan_outputs is 'Outputs a rescan found to pay us.';
comment on column rescan_outputs.chain is 'Which of our addresses it pays: a deposit address, or one of our own for change.';
comment on column rescan_outputs.taken_at is
  'When it was dealt with. An output that nobody has spent becomes a payment in the same transaction.';
