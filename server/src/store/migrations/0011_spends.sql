-- Money out, as the chain sees it: the transactions that carry payouts and move our own funds, and what they are made of.

create table spends (
  id uuid primary key,
  gate_id text not null references followed_chains (gate_id),
  kind text not null check (kind in ('payout', 'sweep', 'gas', 'absorb', 'consolidation', 'fill')),
  status text not null default 'open' check (status in ('open', 'final', 'reverted', 'dead')),
  from_address text,
  nonce numeric(78, 0),
  to_address text,
  currency text,
  units numeric(78, 0),
  after_spend_id uuid references spends (id),
  mined_hash text,
  block_height bigint,
  block_hash text,
  fee_units numeric(78, 0),
  fee_currency text,
  fee_corrections integer not null default 0,
  give_up_asked_at timestamptz,
  given_up_at timestamptz,
  lost_currency text,
  lost_units numeric(78, 0) check (lost_units > 0),
  lost_count integer check (lost_count > 0),
  undone_reason text,
  short_since timestamptz,
  look_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  check ((from_address is null) = (nonce is null)),
  check ((status = 'open') = (ended_at is null)),
  check ((kind = 'absorb') = (fee_currency is null)),
  check ((block_height is null) = (block_hash is null)),
  check (status not in ('final', 'reverted') or kind = 'absorb' or (mined_hash is not null and fee_units is not null)),
  constraint spends_consolidation_coins check (kind <> 'consolidation' or from_address is null),
  constraint spends_fill_nonces check (kind <> 'fill' or (from_address is not null and units = 0)),
  constraint spends_given_up_when_asked check (given_up_at is null or give_up_asked_at is not null),
  constraint spends_lost_whole check (num_nulls(lost_currency, lost_units, lost_count) in (0, 3))
);

create unique index spends_use_a_nonce_once on spends (gate_id, from_address, nonce,
  (case when kind <> 'fill' then 'planned' when status <> 'dead' then 'filling' end)) where from_address is not null;
create index spends_to_look_at on spends (look_at) where status = 'open';
create index spends_mined on spends (gate_id, block_height) where block_height is not null;
create index spends_in_no_block on spends (gate_id)
  where block_height is null and status <> 'open' and kind <> 'absorb' and (status <> 'dead' or from_address is not null);
create index spends_consolidating on spends (gate_id) where kind = 'consolidation' and status = 'open';
create index spends_of_gas on spends (gate_id, to_address) where kind = 'gas';
create index spends_given_up on spends (id) where given_up_at is not null and status = 'open';
create index spends_undone on spends (gate_id) where undone_reason is not null;

comment on table spends is
  'Money on its way out of an address of ours. The coins or the nonce a spend uses are its own for good, so of all transactions ever signed for it at most one can be mined.';
comment on column spends.kind is
  '`payout` pays payouts. `sweep` moves the funds of a deposit address to the hot wallet. `gas` gives a deposit address what its sweep costs. `absorb` notes funds that arrived at the hot wallet itself, and has no transaction. `consolidation` merges small coins into one of our own while fees are low. `fill` uses up a nonce of the hot wallet that is free again on the chain, although what was planned for it is dead or was never ours. The last two pay nobody.';
comment on column spends.status is
  '`final`: one of its transactions is mined deep enough. `reverted`: one is, but it failed there, so only the fee is gone. `dead`: it is proved that none ever will be mined.';
comment on column spends.from_address is 'The account that sends; null where coins are spent.';
comment on column spends.nonce is 'The account''s nonce for the transaction; null where coins are spent.';
comment on column spends.to_address is
  'Where an account''s coins went. Asked for each address whose balance is compared with what it should hold.';
comment on column spends.after_spend_id is 'Sent only once that one is final.';
comment on column spends.mined_hash is
  'The transaction of it that was mined. On a dead spend: one that was mined after all, when what ruled it out was reorganised away. What that took is an outside move of its number.';
comment on column spends.block_height is
  'The block with its mined transaction, on the branch that was followed when it was last looked at. On a dead spend: the block that ruled it out.';
comment on column spends.fee_units is 'What the network took.';
comment on column spends.fee_currency is 'The network''s native currency.';
comment on column spends.fee_corrections is
  'How often the cost was put right after it was first booked. A transaction that a reorganisation moves to another block can take more or less gas there.';
comment on column spends.give_up_asked_at is
  'On a spend of coins that the signer refused for good: since when nobody waits any longer for it to change its mind.';
comment on column spends.given_up_at is
  'When the signer said that it will never sign the spend. Only then are its coins free, and its payouts fail.';
comment on column spends.lost_units is
  'What a signed transaction pays for payouts that were lost with a newer database, and that nobody knows any more. It is booked to the operator''s float when the transaction is final.';
comment on column spends.lost_count is 'How many payouts those were.';
comment on column spends.undone_reason is
  'Why a transaction that was booked as done cannot come back by itself after a reorganisation; null while it can.';
comment on column spends.short_since is
  'Since when the hot wallet has had less than this signed payout, whose turn it is, sends and pays; null while it has enough.';
comment on column spends.look_at is 'When it is worth a look again.';
comment on constraint spends_consolidation_coins on spends is 'A consolidation spends coins, never a nonce.';
comment on constraint spends_fill_nonces on spends is 'A fill uses an account''s nonce and moves nothing.';
comment on index spends_use_a_nonce_once is
  'A nonce that was planned has one owner for good, dead or not. Beside it there is at most one fill. Should that be ruled out too, and the nonce be free once more, another may fill it.';
comment on index spends_in_no_block is
  'Ended spends that no block is known to hold or to rule out, since it was reorganised away. They are looked for at every block, however long it takes: one of their transactions may be mined after all.';

alter table payments add foreign key (pinned_by) references spends (id);
alter table payouts add foreign key (spend_id) references spends (id);

create table spend_transactions (
  spend_id uuid not null references spends (id),
  attempt integer not null check (attempt > 0),
  plan jsonb not null,
  max_fee_units numeric(78, 0) not null check (max_fee_units >= 0),
  cancels boolean not null
    generated always as (coalesce(plan ->> 'kind' = 'account' and plan ->> 'units' = '0', false)) stored,
  change_address text
    generated always as (plan -> 'outputs' -> ((plan -> 'change' ->> 'outputIndex')::integer) ->> 'address') stored,
  tx_hash text,
  bytes bytea,
  refusal text,
  refused_for_good_at timestamptz,
  planned_at timestamptz not null default clock_timestamp(),
  signed_at timestamptz,
  sent_at timestamptz,
  last_sent_at timestamptz,
  answer text,
  primary key (spend_id, attempt),
  check ((tx_hash is null) = (bytes is null) and (bytes is null) = (signed_at is null)),
  check (sent_at is null or signed_at is not null)
);

create index spend_transactions_to_sign on spend_transactions (planned_at) where bytes is null;
create index spend_transactions_by_hash on spend_transactions (tx_hash) where tx_hash is not null;
create index spend_transactions_by_change on spend_transactions (change_address) where change_address is not null;

comment on table spend_transactions is
  'The attempts of a spend: what was planned, signed and sent. A later attempt pays a higher fee and uses the same coins or nonce.';
comment on column spend_transactions.max_fee_units is 'The most the network can take, in its native currency.';
comment on column spend_transactions.cancels is
  'Whether the attempt pays nothing and only uses up the nonce, so that earlier attempts can never be mined.';
comment on column spend_transactions.change_address is
  'Where the change goes: an address of our own, which no payout may be sent to.';
comment on column spend_transactions.refusal is 'Why the signer does not sign it.';
comment on column spend_transactions.refused_for_good_at is
  'When the signer first refused it for a reason that will not pass by itself; null while it may.';
comment on column spend_transactions.answer is 'What the network said when it was last sent.';

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

comment on function refuse_other_spend_transaction() is 'What was signed may be on its way: it is kept to the byte.';

create table spend_counters (
  gate_id text not null,
  name text not null,
  next numeric(78, 0) not null default 0,
  primary key (gate_id, name)
);

comment on table spend_counters is 'The next change address of a gate, and the next nonce of an account. Each is taken once.';
comment on column spend_counters.name is '`change`, or the account''s address.';

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

comment on table change_coins is 'Change that came back to us.';
comment on column change_coins.change_index is 'The index of its address on our own chain of addresses (BIP-44''s chain 1).';
comment on column change_coins.pinned_by is 'The spend that uses the coin up, as in payments.';

create table missing_coins (
  gate_id text not null,
  tx_hash text not null,
  output_index integer not null,
  noticed_at timestamptz not null default clock_timestamp(),
  primary key (gate_id, tx_hash, output_index)
);

comment on table missing_coins is
  'Coins of the books that the node says cannot be spent: they never were on its chain, or somebody spent them without this database knowing. Nothing is planned with them until the node has them again.';

create table hot_balances (
  gate_id text not null,
  currency text not null,
  units numeric(78, 0) not null default 0 check (units >= 0),
  primary key (gate_id, currency)
);

comment on table hot_balances is
  'What a hot wallet has that no spend has claimed. Kept with every spend; the audit checks it against their sum.';

create table outside_moves (
  id uuid primary key,
  gate_id text not null references followed_chains (gate_id),
  address text not null,
  first_nonce numeric(78, 0) not null,
  next_nonce numeric(78, 0) not null,
  currency text not null,
  units numeric(78, 0) not null check (units > 0),
  stated_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  unique (gate_id, address, first_nonce, currency),
  check (first_nonce < next_nonce)
);

create trigger outside_moves_are_append_only
  before update or delete or truncate on outside_moves
  for each statement execute function refuse_change();

comment on table outside_moves is
  'What left a hot wallet because its key was used outside this service, as a person has stated it. One row a currency.';
comment on column outside_moves.first_nonce is 'The first of the account''s nonces that were used outside Sluice.';
comment on column outside_moves.next_nonce is 'The nonce after the last of them, which is free.';
comment on column outside_moves.units is 'What the network took is included.';
comment on column outside_moves.stated_by is '`cli:<name>`.';

create table float_alerts (
  gate_id text primary key references followed_chains (gate_id),
  low_since timestamptz not null default clock_timestamp()
);

comment on table float_alerts is
  'Gates whose float was found too low. Whichever process finds it adds the row, so the operator is told once.';

create table gates_behind (
  gate_id text primary key,
  noticed_at timestamptz not null default clock_timestamp()
);

comment on table gates_behind is
  'Gates of which the signer''s journal has transactions that this database has forgotten and that cannot be put back yet. Nothing new is planned there: it could use what those have used.';
