-- What this database is, as long as nobody has put another one in its place: a restore makes another cluster or another
-- database, or starts a server anew. So does a failover, which may lose the newest as well.
create function database_life() returns text language sql volatile as $$
  select format('%s %s %s', system_identifier, (select oid from pg_database where datname = current_database()),
    extract(epoch from pg_postmaster_start_time()))
  from pg_control_system()
$$;

-- Which positions of a keychain may be given: from `first` on and below `below`. The signer has them on its own disk before
-- they stand here, with the same stamp, so that a database which was restored cannot give an address a second time. A grant
-- counts only in the life that it was made in, and only in the row that was written then: one that was loaded from a dump
-- has been written by another transaction.
create table deposit_address_grants (
  keychain text primary key,
  first bigint not null check (first >= 0),
  below bigint not null check (below >= 0),
  stamp text not null,
  life text not null,
  written_by bigint not null
);
