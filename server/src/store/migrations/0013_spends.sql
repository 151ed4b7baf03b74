-- A spend is money on its way out of an address of ours: the coins or the number it uses are its own for good, so of all
-- transactions that were ever signed for it at most one can be mined.
create table spends (
  id uuid primary key,
  gate_id text not null references followed_chains (gate_id),
  -- `payout` pays payouts; `sweep` gathers a deposit address into the hot wallet; `gas` gives a deposit address what its
  -- sweep costs; `absorb` notes coins that arrived at the hot wallet itself, and has no transaction.
  kind text not null check (kind in ('payout', 'sweep', 'gas', 'absorb')),
  -- `final`: one of its transactions is mined deep enough. `reverted`: so is one, and it failed there, so only the fee is
  -- gone. `dead`: it is proved that none ever will be.
  status text not null default 'open' check (status in ('open', 'final', 'reverted', 'dead')),
  -- Where an account sends, what and whose turn it is; null where coins are spent.
  from_address text,
  nonce numeric(78, 0),
  to_address text,
  currency text,
  units numeric(78, 0),
  -- Sent only when that one is final.
  after_spend_id uuid references spends (id),
  -- Where a transaction of it was mined, on the branch that was followed when it was last looked at.
  mined_hash text,
  block_height bigint,
  block_hash text,
  -- What the network took, and in which coin: its own.
  fee_units numeric(78, 0),
  fee_currency text,
  waiting_reason text,
  -- When it is worth a look again.
  look_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  check ((from_address is null) = (nonce is null)),
  check ((status = 'open') = (ended_at is null)),
  check ((kind = 'absorb') = (fee_currency is null)),
  check ((block_height is null) = (block_hash is null)),
  check (status not in ('final', 'reverted') or kind = 'absorb' or (mined_hash is not null and fee_units is not null))
);

create unique index spends_use_a_nonce_once on spends (gate_id, from_address, nonce) where from_address is not null;
create index spends_to_look_at on spends (look_at) where status = 'open';
create index spends_mined on spends (gate_id, block_height) where block_height is not null;

alter table payouts add foreign key (spend_id) references spends (id);

-- What was planned, signed and sent for a spend. A later attempt pays a higher fee and uses the same coins or number.
create table spend_transactions (
  spend_id uuid not null references spends (id),
  attempt integer not null check (attempt > 0),
  plan jsonb not null,
  -- The most the network can take, in its own coin.
  max_fee_units numeric(78, 0) not null check (max_fee_units >= 0),
  tx_hash text,
  bytes bytea,
  -- Why the signer does not sign it.
  refusal text,
  planned_at timestamptz not null default clock_timestamp(),
  signed_at timestamptz,
  sent_at timestamptz,
  last_sent_at timestamptz,
  -- What the network said when it was sent last.
  answer text,
  primary key (spend_id, attempt),
  check ((tx_hash is null) = (bytes is null) and (bytes is null) = (signed_at is null)),
  check (sent_at is null or signed_at is not null)
);

create index spend_transactions_to_sign on spend_transactions (planned_at) where bytes is null;
create index spend_transactions_by_hash on spend_transactions (tx_hash) where tx_hash is not null;

-- What was signed may be on its way: it is kept to the byte.
create function refuse_other_spend_transaction() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE'
    and (old.spend_id, old.attempt, old.plan, old.max_fee_units) is not distinct from (new.spend_id, new.attempt, new.plan, new.max_fee_units)
    and (old.bytes is null or (old.bytes, old.tx_hash) is not distinct from (new.bytes, new.tx_hash)) then
    return new;
  end if;
  raise exception 'transaction % of spend % cannot be made another, or removed', old.attempt, old.spend_id
    using errcode = 'restrict_violation';
end
$$;

create trigger spend_transactions_stay_what_they_are
  before update or delete on spend_transactions
  for each row execute function refuse_other_spend_transaction();

-- Which spend uses a payment's coins up; written when the spend is planned, and taken back only when it is dead.
alter table payments add column pinned_by uuid references spends (id);
create index payments_unspent on payments (gate_id, currency, units desc) where pinned_by is null;
create index payments_pinned on payments (pinned_by) where pinned_by is not null;

-- Change that came back to us, at address number `change_index` of our own chain of addresses (BIP-44's chain 1).
create table change_coins (
  gate_id text not null,
  tx_hash text not null,
  output_index integer not null,
  change_index bigint not null,
  units numeric(78, 0) not null check (units > 0),
  made_by uuid not null unique references spends (id),
  pinned_by uuid references spends (id),
  primary key (gate_id, tx_hash, output_index)
);

create index change_coins_unspent on change_coins (gate_id, units desc) where pinned_by is null;

-- The next change address of a gate, and the next number of an account: each is taken once.
create table spend_counters (
  gate_id text not null,
  -- `change`, or the account's address.
  name text not null,
  next numeric(78, 0) not null default 0,
  primary key (gate_id, name)
);

-- What a hot wallet has that no spend has claimed. Kept with every spend; the audit holds it against their sum.
create table hot_balances (
  gate_id text not null,
  currency text not null,
  units numeric(78, 0) not null default 0 check (units >= 0),
  primary key (gate_id, currency)
);
