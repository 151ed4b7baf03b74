-- When each rate source is asked next. Claiming it moves the time on, so that several workers ask once between them.
create table rate_sources (
  source text primary key,
  due_at timestamptz not null default clock_timestamp()
);

-- The latest quote of each source. Rates are fiat per coin, scaled by 10^18.
create table rate_quotes (
  source text not null references rate_sources (source),
  currency text not null,
  fiat_currency text not null,
  rate_scaled numeric(78, 0) not null check (rate_scaled > 0),
  fetched_at timestamptz not null,
  primary key (currency, fiat_currency, source)
);

-- The last rate that the healthy sources agreed on.
create table rates (
  currency text not null,
  fiat_currency text not null,
  rate_scaled numeric(78, 0) not null check (rate_scaled > 0),
  sources text[] not null check (cardinality(sources) > 0),
  updated_at timestamptz not null,
  primary key (currency, fiat_currency)
);
