-- On some networks coins arrive inside contracts, without a transaction to us: what an address has is compared with what it
-- should have. Where a spend's coins went to is asked for each of those addresses.
alter table spends add column to_address text;
update spends set to_address = (
  select plan -> 'to' ->> 'address' from spend_transactions where spend_id = spends.id and attempt = 1)
where from_address is not null;
create index spends_of_gas on spends (gate_id, to_address) where kind = 'gas';
-- A payment that was found by what its address has, and is named by the block after which it had it first.
alter table payments add column by_balance boolean not null default false;
create index payments_by_address on payments (gate_id, address);
create index invoices_underpaid on invoices (gate_id, currency, position desc) where status = 'underpaid';
create index static_addresses_by_gate on static_addresses (gate_id, currency, position desc);

-- From which position of the keychain on the next look compares addresses that nobody is waiting for.
alter table followed_chains add column balances_position bigint not null default 0;

-- Addresses that were found to have less than they should. Nothing is booked by it: a person has to look.
create table balance_shortfalls (
  gate_id text not null references followed_chains (gate_id),
  address text not null,
  currency text not null,
  decimals smallint not null,
  expected_units numeric(78, 0) not null,
  found_units numeric(78, 0) not null,
  block_height bigint not null,
  found_at timestamptz not null default clock_timestamp(),
  primary key (gate_id, address),
  check (found_units < expected_units)
);
