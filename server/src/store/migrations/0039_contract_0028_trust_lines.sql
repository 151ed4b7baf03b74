-- XRP Ledger: the hot wallet trusts the issuers of the currencies that it holds. The check only lets one kind more in, so it takes nothing
-- from older programs. It is not validated: every row that is there passed the narrower one.

alter table spends drop constraint spends_kind_check;
alter table spends add constraint spends_kind_check
  check (kind in ('payout', 'sweep', 'gas', 'absorb', 'consolidation', 'fill', 'cold', 'refill', 'nonce', 'trust')) not valid;

comment on column spends.kind is
  '`payout` pays payouts. `sweep` moves the funds of deposit addresses to the hot wallet. `gas` gives a deposit address what its sweep costs. `absorb` notes funds that arrived at the hot wallet itself, and has no transaction. `consolidation` merges small coins into one of our own while fees are low. `fill` uses up a nonce of the hot wallet that is free again on the chain, although what was planned for it is dead or was never ours. The last two pay nobody. `cold` moves funds of the hot wallet to the operator''s cold wallet. `refill` brings some back: the operator signs it, never the signer, and the keys in its plan are the cold wallet''s. `nonce` creates a nonce account of the hot wallet. `trust` makes the hot wallet''s trust line for a currency.';
