-- A chain grows from nothing to thousands of rows within seconds. Statistics that were made before know of no row of its own,
-- and plans built on "none" find each of thousands of rows by looking at all of them. Without statistics about gates the
-- planner takes any of them to be one of many, and looks rows up by their whole key. (To name the type again, which changes
-- nothing, is how statistics that were made already are forgotten.)
alter table simulated_transactions alter column gate_id type text, alter column gate_id set statistics 0;
alter table simulated_uses alter column gate_id type text, alter column gate_id set statistics 0;
alter table simulated_outputs alter column gate_id type text, alter column gate_id set statistics 0;
alter table simulated_debits alter column gate_id type text, alter column gate_id set statistics 0;
alter table simulated_blocks alter column gate_id type text, alter column gate_id set statistics 0;

-- Payments of a block are looked up by gate, transaction and output, with a plan that may be as old as the first payment. While
-- there are few, an index that begins with the gate looks as good to it as the one over all three, and is as slow as no index
-- once there are many. So no index over all payments begins with the gate but that one.
drop index payments_by_address;
create index payments_by_address on payments (address, gate_id);
