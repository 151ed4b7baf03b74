-- When the signer first refused an attempt for a reason that will not pass by itself; null while it may.
alter table spend_transactions add column refused_for_good_at timestamptz;

-- Whether an attempt pays nothing and only uses up the number, so that the earlier attempts can never be mined.
alter table spend_transactions
  add column cancels boolean not null
    generated always as (coalesce(plan ->> 'kind' = 'account' and plan ->> 'units' = '0', false)) stored;

-- Which refusals are for good is known to the signer only: it says so when it judges them anew.
update spend_transactions set refusal = null where bytes is null and refusal is not null;
