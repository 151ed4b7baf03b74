-- A simulated chain grows from nothing to thousands of transactions within seconds. Statistics that were made before know
-- of no row of its own, and plans built on "none" join thousands of rows by looking at all of them for each. Without
-- statistics about chains the planner takes any of them to be one of many, and looks rows up by their whole key.
alter table simulated_transactions alter column gate_id set statistics 0;
alter table simulated_uses alter column gate_id set statistics 0;
alter table simulated_outputs alter column gate_id set statistics 0;
alter table simulated_debits alter column gate_id set statistics 0;
alter table simulated_blocks alter column gate_id set statistics 0;
