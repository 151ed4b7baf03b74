-- Views of the dashboard's lists that people save under a name.

create table saved_views (
  id uuid primary key,
  merchant_id uuid not null,
  user_id uuid not null,
  list text not null check (length(list) between 1 and 30),
  name text not null check (length(name) between 1 and 60),
  name_key text not null generated always as (lower(name)) stored,
  query text not null check (length(query) between 1 and 1000),
  is_shared boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  unique (user_id, merchant_id, list, name_key),
  foreign key (user_id, merchant_id) references memberships on delete cascade
);
create index saved_views_shared on saved_views (merchant_id) where is_shared;

comment on table saved_views is
  'Views of the dashboard''s lists. They belong to a membership: whoever leaves the merchant leaves none behind.';
comment on column saved_views.list is 'Which list; domain/saved-views.ts knows them all.';
comment on column saved_views.name_key is 'What a name is recognised by: two spellings that differ only in case are one name.';
comment on column saved_views.query is
  'Filters, days and order as the list''s URL has them, with nothing but parameters of this list, in the order in which the service writes them.';
comment on column saved_views.is_shared is 'Whether the other members see it.';
