-- How far each chain has been followed, and the jobs that must survive a crash.

create table followed_chains (
  gate_id text primary key,
  chain text not null,
  began_height bigint,
  height bigint not null,
  hash text not null,
  revision bigint not null default 0,
  holder uuid,
  held_until timestamptz,
  scanned_at timestamptz not null default clock_timestamp(),
  balances_position bigint not null default 0,
  halted_at timestamptz,
  halt_reason text,
  check ((halted_at is null) = (halt_reason is null))
);

comment on table followed_chains is
  'How far each gate''s chain has been followed. A gate is one network in one environment, such as `bitcoin-test`.';
comment on column followed_chains.chain is
  'Which chain the gate stands for in this database. A network may be simulated here and real elsewhere, and what was credited on one must never be paid out on the other.';
comment on column followed_chains.began_height is
  'Where following began: nothing up to this block was read. Null where nobody noted it.';
comment on column followed_chains.revision is
  'Every write of a follower is a compare-and-set on this. Of two followers, or of one that was stopped and wakes up later, only one can win; the other writes nothing.';
comment on column followed_chains.holder is
  'Who is following. It only saves others from doing the same work; `revision` is what protects the data.';
comment on column followed_chains.scanned_at is 'The start of the last complete look at the chain and its mempool.';
comment on column followed_chains.balances_position is
  'From which position of the keychain the next look compares the balances of addresses that nobody is waiting for.';

create function announce_chain_move() returns trigger language plpgsql as $$
begin
  perform pg_notify('followed_chain_moved', new.gate_id);
  return null;
end
$$;

create trigger announce_chain_move
  after update on followed_chains
  for each row when (old.hash is distinct from new.hash or old.height is distinct from new.height)
  execute function announce_chain_move();

comment on function announce_chain_move() is 'Tells open payment pages: confirmations are counted from the end of the chain.';

create table followed_blocks (
  gate_id text not null references followed_chains (gate_id),
  height bigint not null,
  hash text not null,
  primary key (gate_id, height)
);

comment on table followed_blocks is 'The newest blocks of the followed branch, as many as a reorganisation may replace.';

create table gate_progress (
  gate_id text primary key,
  at_end_at timestamptz,
  behind bigint not null default 0,
  trouble text,
  trouble_kind text check (trouble_kind in ('outage', 'state', 'wrong_chain')),
  trouble_since timestamptz,
  check ((trouble is null) = (trouble_kind is null) and (trouble is null) = (trouble_since is null))
);

comment on table gate_progress is
  'How each gate''s follower is getting on, in its own words. New business on a network asks here: a node that answers is not enough if its chain cannot be followed. Only gates on real nodes write it; the simulated chains are in this database.';
comment on column gate_progress.at_end_at is 'When a look last reached the end of the chain the node showed; null before the first time.';
comment on column gate_progress.behind is 'How many blocks the last look left for the next.';
comment on column gate_progress.trouble is 'Why the chain cannot be followed, in words for the operator; null while it can.';

create table gates_taken_offline (
  merchant_id uuid not null references merchants (id),
  gate_id text not null,
  primary key (merchant_id, gate_id)
);

comment on table gates_taken_offline is 'Test networks that a merchant has taken offline, for itself alone.';

create table jobs (
  kind text not null,
  subject uuid not null,
  gate_id text,
  due_at timestamptz not null default clock_timestamp(),
  claimed_until timestamptz,
  attempts integer not null default 0,
  version bigint not null default 1,
  primary key (kind, subject)
);

create index jobs_by_due_time on jobs (kind, due_at);
create index jobs_by_gate on jobs (gate_id) where gate_id is not null;

comment on table jobs is
  'Work that must survive a crash. It is done when its row is gone. A worker claims a row for a while; if the worker dies, the claim runs out and another takes over.';
comment on column jobs.subject is 'What the job is about, by its kind: an invoice, a mail and so on.';
comment on column jobs.version is
  'Rises when the job is asked for again, so that finishing the first request does not lose the second.';
