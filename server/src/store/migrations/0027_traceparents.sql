-- Where a trace goes on: work that a request causes later carries the span that caused it.

alter table events add column traceparent text check (length(traceparent) = 55);
alter table invoices add column traceparent text check (length(traceparent) = 55);
alter table payouts add column traceparent text check (length(traceparent) = 55);

comment on column events.traceparent is
  'The span in which it was appended, as W3C Trace Context writes it; null while tracing is off. Its deliveries continue that trace.';
comment on column invoices.traceparent is
  'The request that created it, as W3C Trace Context writes it; null if that was not traced. What its payments bring about continues that trace.';
comment on column payouts.traceparent is
  'The request that created it, as W3C Trace Context writes it; null if that was not traced. Submitting, sending and settling it continue that trace.';
