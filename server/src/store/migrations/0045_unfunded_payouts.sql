-- Since when the hot wallet has less than a signed payout, whose turn it is, sends and pays; null while it has enough.
alter table spends add column short_since timestamptz;
