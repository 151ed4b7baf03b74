-- Nothing reads them: the plan of each attempt says where it sends, and a payout says itself why it waits.
alter table spends drop column to_address, drop column waiting_reason;
