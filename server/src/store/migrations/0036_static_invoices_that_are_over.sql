-- The invoice of a static address is over once the payment that made it is gone. Those that were left pending are assessed.
insert into jobs (kind, subject, gate_id)
select 'assess_invoice', id, gate_id from invoices
where source = 'static_address' and status = 'pending'
  and not exists (select from payments where invoice_id = invoices.id and (waiting or block_height is not null))
on conflict (kind, subject) do nothing;
