-- A spend of coins that the signer has refused for good: when nobody waits any longer for it to change its mind, and when the
-- signer has said that it never signs it. Only then its coins are free and its payouts fail.
alter table spends
  add column give_up_asked_at timestamptz,
  add column given_up_at timestamptz,
  add constraint spends_given_up_when_asked check (given_up_at is null or give_up_asked_at is not null);

create index spends_given_up on spends (id) where given_up_at is not null and status = 'open';
