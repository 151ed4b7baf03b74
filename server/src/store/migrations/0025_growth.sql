-- Nothing costs more because there is more of it: totals that are read without adding up, and indexes for what would
-- otherwise be searched from the newest row on.

create table list_totals (
  list text not null,
  merchant_id uuid not null,
  environment text not null,
  facet text not null,
  currency text not null,
  total bigint not null,
  primary key (list, merchant_id, environment, facet, currency)
) with (fillfactor = 70);

create table list_buckets (
  list text not null,
  merchant_id uuid not null,
  environment text not null,
  facet text not null,
  currency text not null,
  bucket bigint not null,
  total bigint not null,
  primary key (list, merchant_id, environment, facet, currency, bucket)
) with (fillfactor = 70);

comment on table list_totals is
  'How many rows each list has, as far as list_counts was folded. The present total is this and what list_counts adds to it.';
comment on table list_buckets is
  'The same by stretches of 2^15 positions. Only a page deep in a long list reads it.';
comment on table list_counts is
  'Changes of the lengths of lists, by what each can be filtered by. Counting a million rows takes too long, and a single counter would make every insert wait for the last. So each change only appends a difference, which is folded into list_totals and list_buckets later.';

drop index list_counts_by_list;
create index list_counts_by_list on list_counts (list, merchant_id, environment, facet, currency) include (difference);

alter table daily_sums add column is_folded boolean not null default false;
create index daily_sums_to_fold on daily_sums (day) where not is_folded;
create unique index daily_sums_folded on daily_sums
  (merchant_id, environment, day, kind, currency, network, decimals, base_currency) where is_folded;
drop index daily_sums_by_day;
create index daily_sums_fresh on daily_sums (merchant_id, environment, day) where not is_folded;

comment on column daily_sums.is_folded is
  'One such row holds what was folded; bookings append others beside it. Folding reads only those, however many days there are.';

create index invoices_by_time on invoices (merchant_id, environment, created_at desc, position desc);
create index payouts_by_time on payouts (merchant_id, environment, created_at desc, position desc);

comment on index invoices_by_time is
  'For exports of a time range. In the order of positions they would read every invoice that is newer than the range, and every older one to find that none is left.';
comment on index payouts_by_time is 'As invoices_by_time.';

create index events_to_catch_up_by_name on events (merchant_id, environment, event, era, xid, position);

comment on index events_to_catch_up_by_name is
  'For a reader that follows one kind of event. While none comes its position stays, and it would read every other event since again and again.';

create index webhook_deliveries_failed on webhook_deliveries (endpoint_id, created_at desc, id desc) where status = 'failed';

comment on index webhook_deliveries_failed is
  'Few deliveries fail. Without this, the list of them reads all that succeeded.';
