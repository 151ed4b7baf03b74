-- `fill` uses up a number of the hot wallet that is free again on the chain although what was planned for it is dead, or was
-- never ours. It pays nobody.
alter table spends drop constraint spends_kind_check;
alter table spends add constraint spends_kind_check check (kind in ('payout', 'sweep', 'gas', 'absorb', 'consolidation', 'fill'));
alter table spends add constraint spends_fill_nonces check (kind <> 'fill' or (from_address is not null and units = 0));

-- A number that was planned has one owner for good, dead or not. Beside it there is at most one that fills it; should that be
-- ruled out too, and the number be free once more, another may.
drop index spends_use_a_nonce_once;
create unique index spends_use_a_nonce_once on spends (gate_id, from_address, nonce,
  (case when kind <> 'fill' then 'planned' when status <> 'dead' then 'filling' end)) where from_address is not null;

-- A dead spend has the block that ruled it out. While none is known to, as what ruled it out was reorganised away, it is looked
-- at with every block: one of its transactions may be mined after all. Then that one's hash is noted, and what it took is an
-- outside move of its number.
create index spends_ruled_out_by_nothing on spends (gate_id)
  where status = 'dead' and from_address is not null and block_height is null;
