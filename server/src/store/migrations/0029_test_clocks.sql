-- A merchant may move time forward in its own test environment. What is stored about that environment is dated by the
-- merchant's clock; what belongs to people, keys, networks and deliveries keeps the real time.

create table test_clocks (
  merchant_id uuid not null references merchants (id),
  environment text not null default 'test' check (environment = 'test'),
  ahead interval not null check (
    ahead between interval '0' and interval '316224000 seconds' and ahead = date_trunc('second', ahead)),
  primary key (merchant_id, environment)
);

comment on table test_clocks is
  'How far the clocks of merchants'' test environments are ahead of the real time. A merchant that never moved its clock has no row.';
comment on column test_clocks.ahead is 'Only ever grows: time that went back would put effects before their causes. At most 3,660 days, in whole seconds.';

create table test_clock_moves (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null default 'test' check (environment = 'test'),
  moved_at timestamptz not null,
  advanced interval not null check (advanced > interval '0'),
  ahead interval not null,
  brought json not null,
  idempotency_key text,
  request_hash bytea,
  check ((idempotency_key is null) = (request_hash is null)),
  foreign key (merchant_id, environment) references test_clocks
);
create index test_clock_moves_by_time on test_clock_moves (merchant_id, moved_at desc, ahead desc);
create unique index test_clock_moves_by_idempotency_key on test_clock_moves (merchant_id, idempotency_key)
  where idempotency_key is not null;

comment on table test_clock_moves is
  'Every move of a test clock. What happened before a move is dated by the clock as it was then, however late we learn of it.';
comment on column test_clock_moves.moved_at is 'The real time. Several moves may have the same.';
comment on column test_clock_moves.ahead is 'How far the clock was ahead of the real time from then on.';
comment on column test_clock_moves.brought is 'What the move made due, as it was answered.';
comment on index test_clock_moves_by_idempotency_key is 'A repeated request moves the clock once.';

create function refuse_clock_going_back() returns trigger language plpgsql as $$
begin
  raise exception 'the test clock of merchant % never goes back', old.merchant_id using errcode = 'restrict_violation';
end
$$;
create trigger test_clocks_go_forward before update on test_clocks
  for each row when (new.ahead < old.ahead or new.merchant_id <> old.merchant_id)
  execute function refuse_clock_going_back();
create trigger test_clocks_stay before delete or truncate on test_clocks
  for each statement execute function refuse_change();
create trigger test_clock_moves_are_append_only before update or delete or truncate on test_clock_moves
  for each statement execute function refuse_change();

create function merchant_now(of_merchant uuid, in_environment text) returns timestamptz language plpgsql volatile as $$
begin
  if in_environment is distinct from 'test' then
    return clock_timestamp();
  end if;
  return clock_timestamp() + coalesce(
    (select clock.ahead from test_clocks as clock where clock.merchant_id = of_merchant and clock.environment = 'test'),
    interval '0');
end
$$;

create function merchant_time(of_merchant uuid, in_environment text, moment timestamptz) returns timestamptz
language plpgsql stable as $$
begin
  if in_environment is distinct from 'test' then
    return moment;
  end if;
  return moment + coalesce(
    (select move.ahead from test_clock_moves as move
      where move.merchant_id = of_merchant and move.moved_at <= moment
      order by move.moved_at desc, move.ahead desc limit 1),
    interval '0');
end
$$;

comment on function merchant_now(uuid, text) is
  'The time by the merchant''s clock: the real time, unless it has moved the clock of its test environment.';
comment on function merchant_time(uuid, text, timestamptz) is
  'What the merchant''s clock showed at a moment of the real time. Of two moments, the later never shows an earlier time.';
