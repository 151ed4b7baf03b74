-- Whose address a payment in suspense was sent to, where that is known: they are shown it, and whoever sent it asks them.
alter table payments
  add column for_merchant_id uuid references merchants (id),
  add column for_invoice_id uuid references invoices (id),
  add column for_static_address_id uuid references static_addresses (id),
  add check (invoice_id is null or for_merchant_id is null),
  add check (for_merchant_id is not null or (for_invoice_id is null and for_static_address_id is null));

update payments set for_merchant_id = invoices.merchant_id, for_invoice_id = invoices.id
from invoices
where payments.invoice_id is null and suspense_reason not in ('operator_float', 'recovered')
  and invoices.deposit_address = payments.address
  and coalesce(invoices.deposit_address_tag, '') = coalesce(payments.address_tag, '')
  and invoices.environment = payments.environment and invoices.static_address_id is null;

update payments set for_merchant_id = static.merchant_id, for_static_address_id = static.id
from static_addresses as static
where payments.invoice_id is null and suspense_reason not in ('operator_float', 'recovered') and for_merchant_id is null
  and static.address = payments.address and coalesce(static.address_tag, '') = coalesce(payments.address_tag, '')
  and static.environment = payments.environment;

create index payments_in_suspense on payments (environment, id)
  where invoice_id is null and suspense_reason <> 'operator_float';
create index payments_in_suspense_by_merchant on payments (for_merchant_id, environment, id)
  where for_merchant_id is not null;

-- What the operator gave a merchant out of suspense: once for each payment, and for good. While the payment is off the chain, so
-- is what was given.
create table suspense_releases (
  payment_id uuid primary key references payments (id),
  merchant_id uuid not null references merchants (id),
  released_by text not null,
  note text not null,
  released_at timestamptz not null default clock_timestamp()
);
create index suspense_releases_by_merchant on suspense_releases (merchant_id);

create trigger suspense_releases_are_append_only
  before update or delete or truncate on suspense_releases
  for each statement execute function refuse_change();

-- An adjustment refers to nothing that a merchant made.
alter table ledger_entries
  alter column reference_type drop not null,
  alter column reference_id drop not null,
  add check ((reference_type is null) = (reference_id is null)),
  add check (reference_type is not null or entry_type = 'adjustment');
