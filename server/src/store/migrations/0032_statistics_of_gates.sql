-- A chain grows from nothing to thousands of rows within seconds. Statistics that were made before know of no row of its own,
-- and plans built on "none" find each of thousands of rows by looking at all of them. Without statistics about gates the
-- planner takes any of them to be one of many, and looks rows up by their whole key. (To name the type again, which changes
-- nothing, is how statistics that were made already are forgotten.)
alter table payments alter column gate_id type text, alter column gate_id set statistics 0;
alter table simulated_transactions alter column gate_id type text, alter column gate_id set statistics 0;
alter table simulated_uses alter column gate_id type text, alter column gate_id set statistics 0;
alter table simulated_outputs alter column gate_id type text, alter column gate_id set statistics 0;
alter table simulated_debits alter column gate_id type text, alter column gate_id set statistics 0;
alter table simulated_blocks alter column gate_id type text, alter column gate_id set statistics 0;
