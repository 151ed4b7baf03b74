-- `join` brings small coins together in one of our own, while the network is cheap. It pays nobody, so it has coins and never
-- an account's number.
alter table spends drop constraint spends_kind_check;
alter table spends add constraint spends_kind_check check (kind in ('payout', 'sweep', 'gas', 'absorb', 'join'));
alter table spends add constraint spends_join_coins check (kind <> 'join' or from_address is null);

create index spends_joining on spends (gate_id) where kind = 'join' and status = 'open';
