-- Refills from cold wallets that are accounts. Their hash is not known before they are signed.

alter table spends drop constraint spends_refill_coins;

drop index spends_use_a_nonce_once;
create unique index spends_use_a_nonce_once on spends (gate_id, from_address, nonce, (
  case
    when kind = 'refill' and status = 'dead' then null
    when kind <> 'fill' then 'planned'
    when status <> 'dead' then 'filling'
  end)) where from_address is not null;

comment on index spends_use_a_nonce_once is
  'A nonce that was planned has one owner for good, dead or not. Beside it there is at most one fill. Should that be ruled out too, and the nonce be free once more, another may fill it. The cold wallet''s nonces are not ours to keep: a refill that is dead makes room for the next.';

alter table refills alter column tx_hash drop not null;
alter table refills add column gas_tip numeric(78, 0) check (gas_tip >= 0);

create table refill_bookings (
  spend_id uuid references refills (spend_id),
  booking integer check (booking > 0),
  cold_fee_units numeric(78, 0) not null check (cold_fee_units >= 0),
  primary key (spend_id, booking)
);

create trigger refill_bookings_are_append_only
  before update or delete or truncate on refill_bookings
  for each statement execute function refuse_change();

comment on table refills is
  'What is known of a refill before it is signed. Where coins are spent, its signatures are witnesses, so they do not change its hash. Where the cold wallet is an account, its address and its nonce identify it. A refill that has ended is recognised for good: whoever has its signed file can still send it.';
comment on column refills.tx_hash is
  'The hash that the transaction has on the network, whoever sends it there; null where the cold wallet is an account.';
comment on column refills.gas_tip is
  'What the block producer is to get of each unit of gas, as it was written to the file; null where coins are spent.';
comment on table refill_bookings is
  'What the books have made of refills from cold wallets that are accounts. The newest booking counts while the spend is final or reverted; before that it was reversed.';
comment on column refill_bookings.booking is 'Which one it is, from 1: after a reorganisation a refill may be booked anew.';
comment on column refill_bookings.cold_fee_units is
  'What its network fee has taken from the books of the cold wallet. Gas that the operator has put there is in no book, so this may be less than the fee.';

comment on column spends.nonce is
  'Of the account at from_address: our own, or the cold wallet in a refill.';
comment on column simulated_transactions.bytes is
  'Its bytes, with witnesses if it was sent with them. Null on networks that are neither Bitcoin-like nor EVM, and for payments that the simulator has made on networks with accounts.';
