-- The public side of a wallet: all that anyone but the seed's holder needs. An environment has one wallet; `wallet` is a
-- fingerprint of its seed. `public_key` is what a network's deposit addresses are made from: an account key, or the
-- account that all of them share. It is null where only the seed's holder can make them.
create table wallet_keys (
  environment text not null check (environment in ('live', 'test')),
  network text not null,
  public_key text,
  wallet text not null check (wallet ~ '^[0-9a-f]{16}$'),
  created_at timestamptz not null default clock_timestamp(),
  primary key (environment, network)
);

-- Every address that was ever made for deposits. An empty tag is none, so that an index serves.
create table deposit_addresses (
  keychain text not null,
  position bigint not null check (position >= 0),
  address text not null check (address <> ''),
  tag text not null default '',
  primary key (keychain, position)
);

create unique index deposit_addresses_by_place on deposit_addresses (keychain, address, tag);

-- A deposit address is watched for good.
create trigger deposit_addresses_are_append_only
  before update or delete or truncate on deposit_addresses
  for each statement execute function refuse_change();

-- Positions below `derived` exist in deposit_addresses; positions below `given` were handed out.
create table deposit_address_counters (
  keychain text primary key,
  derived bigint not null default 0,
  given bigint not null default 0 check (given >= 0),
  check (given <= derived)
);

-- An address handed out twice would mix two payers' money.
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
