-- What a simulated transaction pays and takes is looked up by gate and transaction. Statistics that were made while a chain's
-- rows were still being written know of none, and then an index that begins with the gate looks as good as the right one,
-- and is as slow as no index. So no other begins with the gate.
drop index simulated_outputs_by_address;
create index simulated_outputs_by_address on simulated_outputs (address, gate_id, currency);
drop index simulated_debits_by_address;
create index simulated_debits_by_address on simulated_debits (address, gate_id, currency);
