-- Payouts to addresses that a program controls, which have no private key of their own.

alter table payouts add column allow_program_address boolean not null default false;

comment on column payouts.allow_program_address is
  'Whether a program controls the destination, as for a multisig wallet on Solana. Whoever created the payout has allowed it explicitly. The signer does not ask: it is no protection against thieves, only against mistakes.';

create or replace function refuse_other_payout() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'UPDATE'
    and (old.id, old.merchant_id, old.environment, old.currency, old.network, old.gate_id, old.decimals, old.amount_units,
      old.fee_units, old.destination, old.destination_tag, old.allow_program_address, old.created_by, old.refund_id)
    is not distinct from (new.id, new.merchant_id, new.environment, new.currency, new.network, new.gate_id, new.decimals,
      new.amount_units, new.fee_units, new.destination, new.destination_tag, new.allow_program_address, new.created_by,
      new.refund_id)
    and (old.spend_id is null or old.spend_id is not distinct from new.spend_id) then
    return new;
  end if;
  raise exception 'payout % cannot be made another, or removed', old.id using errcode = 'restrict_violation';
end
$$;
