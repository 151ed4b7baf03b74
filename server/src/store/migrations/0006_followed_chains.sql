-- How far each gate's chain has been followed. Every write of a follower is a compare-and-set on `revision`: of two
-- followers, or of one that was stopped and wakes up later, only one can win, and the other writes nothing.
create table followed_chains (
  gate_id text primary key,
  height bigint not null,
  hash text not null,
  revision bigint not null default 0,
  -- Who follows at present. It only keeps others from doing the same work; `revision` is what protects the data.
  holder uuid,
  held_until timestamptz,
  -- The start of the last complete look at the chain and its mempool.
  scanned_at timestamptz not null default clock_timestamp(),
  halted_at timestamptz,
  halt_reason text,
  check ((halted_at is null) = (halt_reason is null))
);

-- The newest blocks of the followed branch, as many as a reorganisation may replace.
create table followed_blocks (
  gate_id text not null references followed_chains (gate_id),
  height bigint not null,
  hash text not null,
  primary key (gate_id, height)
);

-- Work that must survive: done when its row is gone. A worker claims a row for a while; when it dies, the claim runs
-- out and another takes over. `version` rises when the work is asked for again, so that finishing what was asked first
-- does not lose what was asked meanwhile.
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
