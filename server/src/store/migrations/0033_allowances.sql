-- `allow` says how much of a token the contract that pays many at once may take from the hot wallet. It moves nothing.
alter table spends drop constraint spends_kind_check;
alter table spends add constraint spends_kind_check
  check (kind in ('payout', 'sweep', 'gas', 'absorb', 'consolidation', 'fill', 'allow'));
alter table spends add constraint spends_allow_nonces check (kind <> 'allow' or (from_address is not null and units = 0));

-- Which was the last, and whether one is on its way.
create index spends_allowances on spends (gate_id, currency, nonce) where kind = 'allow';

-- What allows moves nothing either, and uses no number up in another's place.
alter table spend_transactions drop column cancels;
alter table spend_transactions add column cancels boolean not null
  generated always as (coalesce(plan ->> 'kind' = 'account' and plan ->> 'units' = '0' and not plan ? 'allowsUnits', false)) stored;
