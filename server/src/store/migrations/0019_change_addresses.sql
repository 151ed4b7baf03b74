-- Where the change of an attempt goes: an address of our own, which no payout may be sent to.
alter table spend_transactions
  add column change_address text
    generated always as (plan -> 'outputs' -> ((plan -> 'change' ->> 'outputIndex')::integer) ->> 'address') stored;

create index spend_transactions_by_change on spend_transactions (change_address) where change_address is not null;
