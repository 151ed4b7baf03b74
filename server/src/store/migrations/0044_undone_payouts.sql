-- A completed payout whose transaction a reorganisation has taken away for good can be undone: its settlement is taken back, and
-- what was counted as paid out that day is taken from what is paid out on the day of the undoing.
create or replace function sum_settled() returns trigger language plpgsql as $$
begin
  insert into daily_sums (merchant_id, environment, day, kind, currency, network, decimals, base_currency, units, base_units)
  select payout.merchant_id, payout.environment, (settled.created_at at time zone 'UTC')::date,
    case when payout.refund_id is null then 'paid_out' else 'refunded' end, payout.currency, payout.network, payout.decimals,
    case when payout.amount_in_base_currency is null then '' else payout.base_currency end,
    sum(sign * payout.amount_units), coalesce(sum(sign * payout.amount_in_base_currency), 0)
  from added as settled
  cross join lateral (select case settled.entry_type when 'settlement' then 1 else -1 end as sign) as direction
  cross join lateral (select * from payouts where id = settled.subject offset 0) as payout
  where settled.entry_type in ('settlement', 'settlement_undone')
  group by 1, 2, 3, 4, 5, 6, 7, 8;
  return null;
end
$$;

-- Why a transaction that was booked as done cannot come back by itself after a reorganisation; null while it can.
alter table spends add column undone_reason text;
create index spends_undone on spends (gate_id) where undone_reason is not null;

-- Ended spends that no block is known to hold, or to rule out: they are looked for at every block, however long it takes.
drop index spends_ruled_out_by_nothing;
create index spends_in_no_block on spends (gate_id)
  where block_height is null and status <> 'open' and kind <> 'absorb' and (status <> 'dead' or from_address is not null);
