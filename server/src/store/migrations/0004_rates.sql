-- What coins are worth.

create table rate_sources (
  source text primary key,
  due_at timestamptz not null default clock_timestamp()
);

comment on table rate_sources is 'When each rate source is asked next.';
comment on column rate_sources.due_at is 'Whoever claims a source moves this on, so that several workers ask once between them.';

create table rate_quotes (
  source text not null references rate_sources (source),
  currency text not null,
  fiat_currency text not null,
  rate_scaled numeric(78, 0) not null check (rate_scaled > 0),
  fetched_at timestamptz not null,
  primary key (currency, fiat_currency, source)
);

comment on table rate_quotes is 'The latest quote of each source.';
comment on column rate_quotes.rate_scaled is 'Fiat per coin, times 10^18.';

create table rates (
  currency text not null,
  fiat_currency text not null,
  rate_scaled numeric(78, 0) not null check (rate_scaled > 0),
  sources text[] not null check (cardinality(sources) > 0),
  updated_at timestamptz not null,
  primary key (currency, fiat_currency)
);

comment on table rates is 'The last rate that the healthy sources agreed on.';
comment on column rates.rate_scaled is 'Fiat per coin, times 10^18.';
comment on column rates.sources is 'Whose quotes it was made of.';
