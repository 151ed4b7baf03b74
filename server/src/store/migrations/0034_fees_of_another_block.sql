-- A transaction that a reorganisation puts into another block can take more or less gas there. How often what it cost was
-- put right since it was first booked.
alter table spends add column fee_corrections integer not null default 0;
