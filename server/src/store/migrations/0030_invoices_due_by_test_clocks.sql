drop index concurrently if exists invoices_due_by_test_clock;
create index concurrently invoices_due_by_test_clock on invoices (merchant_id, due_at)
  where environment = 'test' and due_at is not null;
comment on index invoices_due_by_test_clock is
  'What a moved clock makes due is looked up by merchant. Live invoices are not in it.';
