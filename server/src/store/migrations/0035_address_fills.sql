-- One process at a time derives the addresses of a keychain's pool. Deriving takes long, and addresses that two processes
-- derive at once are derived in vain by one of them. Older processes do not look here; they only waste that work, as before.

create table deposit_address_fills (
  keychain text primary key,
  filler uuid not null,
  held_until timestamptz not null
);

comment on table deposit_address_fills is
  'Which process is filling the pool of a keychain. It holds this for seconds and renews it, so that another takes over from one that died.';
comment on column deposit_address_fills.filler is 'Names the process, for as long as it runs.';
