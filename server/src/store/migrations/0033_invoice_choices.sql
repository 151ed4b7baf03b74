-- A payer who has paid nothing yet may pick another asset.

create table invoice_choices (
  invoice_id uuid not null references invoices (id),
  currency text not null,
  network text not null,
  gate_id text not null,
  decimals smallint not null,
  amount_units numeric(78, 0) not null check (amount_units > 0),
  required_confirmations integer not null,
  keychain text not null,
  deposit_position bigint not null,
  deposit_address text not null,
  deposit_address_tag text,
  deposit_address_proof text,
  exchange_rate numeric(78, 0) not null check (exchange_rate > 0),
  rate_locked_at timestamptz not null,
  live_at timestamptz not null,
  amount_in_base_currency numeric(78, 0),
  primary key (invoice_id, currency, network),
  unique (keychain, deposit_position)
);

create trigger invoice_choices_are_append_only
  before update or delete or truncate on invoice_choices
  for each statement execute function refuse_change();

comment on table invoice_choices is
  'The assets that a payer picked before picking another one. Amount and address of each stay as they were; the first payment decides.';
comment on column invoice_choices.deposit_position is 'The deposit address''s position in its keychain.';
comment on column invoice_choices.exchange_rate is 'Fiat per coin, times 10^18.';
comment on column invoice_choices.amount_in_base_currency is 'What the invoice has in its column of this name while this choice counts.';
comment on trigger invoice_choices_are_append_only on invoice_choices is 'A deposit address is watched for good.';
