-- Merchants say which currencies and networks their payers see first.

alter table merchant_brands
  add column currency_order text[] not null default '{}' check (cardinality(currency_order) <= 50),
  add column network_order text[] not null default '{}' check (cardinality(network_order) <= 50);

comment on column merchant_brands.currency_order is
  'The codes of the currencies that the payment page shows first, in this order. The others follow in the usual order.';
comment on column merchant_brands.network_order is
  'The ids of the networks that the page shows first within a currency. A name that the service no longer knows changes nothing.';
