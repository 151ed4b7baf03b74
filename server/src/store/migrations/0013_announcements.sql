-- A spend passes from a worker to the signer and back. Each announces that the other has something to do, so that no spend
-- waits for a poll on either side.

create function announce_planned_spend() returns trigger language plpgsql as $$
begin
  perform pg_notify('spend_planned', '');
  return null;
end
$$;

create trigger announce_planned_spend
  after insert on spend_transactions
  for each statement execute function announce_planned_spend();

comment on function announce_planned_spend() is
  'Wakes the signers. Each signer looks for itself at what it may sign: the announcement says nothing.';

create function announce_signer_answer() returns trigger language plpgsql as $$
begin
  perform pg_notify('signer_answered', '');
  return null;
end
$$;

create trigger announce_signer_answer
  after update of bytes, refusal on spend_transactions
  for each row when (old.bytes is distinct from new.bytes or old.refusal is distinct from new.refusal)
  execute function announce_signer_answer();

create trigger announce_signer_giving_up
  after update of given_up_at on spends
  for each row when (old.given_up_at is distinct from new.given_up_at)
  execute function announce_signer_answer();

comment on function announce_signer_answer() is
  'Wakes the workers: an attempt was signed or refused, or its spend was given up.';
