-- `join` brings small coins together in one of our own, while the network is cheap. It pays nobody, so it has coins and never
-- an account's number.
alter table spends drop constraint spends_kind_check;
alter table spends add constraint spends_kind_check check (kind in ('payout', 'sweep', 'gas', 'absorb', 'consolidation'));
alter table spends add constraint spends_consolidation_coins check (kind <> 'consolidation' or from_address is null);

create index spends_consolidating on spends (gate_id) where kind = 'consolidation' and status = 'open';
