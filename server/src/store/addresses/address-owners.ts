import type { Environment } from '../../domain/environment.ts'
import type { GateId } from '../../domain/networks/network.ts'
import { type Db, sql } from '../sql.ts'

/** What a deposit address was given out for: an invoice, a static address, or neither while it is in the pool. */
export type AddressOwner = {
  readonly position: bigint
  /** The proof that is stored beside the address. */
  readonly proof: string | null
  readonly invoice: {
    readonly id: string
    readonly merchantId: string
    readonly environment: Environment
    readonly gateId: GateId
    readonly currency: string
    readonly requiredConfirmations: number
    readonly isDeferred: boolean
    /** What the payer was to pay here before picking the asset above; null if the address belongs to that asset. */
    readonly earlier: { readonly gateId: GateId; readonly currency: string } | null
  } | null
  readonly staticAddress: {
    readonly id: string
    readonly merchantId: string
    readonly environment: Environment
    readonly gateId: GateId
    readonly currency: string
    readonly keychain: string
    readonly baseCurrency: string
    readonly toleranceBps: number
    readonly feeBps: number
    readonly label: string | null
  } | null
}

type Place = { readonly address: string; readonly tag: string | null }
type OwnerRow = Place & AddressOwner

export function addressOwnersOn(db: Db) {
  return {
    /** Owners by `<address> <tag>`; a place that is not ours has no entry. */
    async find(keychain: string, places: readonly Place[]): Promise<Map<string, AddressOwner>> {
      const rows = await sql<OwnerRow>`
        select place.address, place.tag, deposit.position, deposit.proof,
          case when invoices.id is not null then json_build_object('id', invoices.id,
            'merchantId', invoices.merchant_id, 'environment', invoices.environment, 'gateId', invoices.gate_id,
            'currency', invoices.currency, 'requiredConfirmations', invoices.required_confirmations,
            'isDeferred', invoices.deferred, 'earlier', case when own.id is null then
              json_build_object('gateId', choice.gate_id, 'currency', choice.currency) end) end as invoice,
          case when static.id is not null then json_build_object('id', static.id,
            'merchantId', static.merchant_id, 'environment', static.environment, 'gateId', static.gate_id,
            'currency', static.currency, 'keychain', static.keychain, 'baseCurrency', merchants.base_currency,
            'toleranceBps', merchants.underpayment_tolerance_bps, 'feeBps', merchants.fee_bps, 'label', static.label) end as "staticAddress"
        from (
          select distinct address, tag from unnest(
            ${places.map(({ address }) => address)}::text[], ${places.map(({ tag }) => tag ?? '')}::text[]
          ) as given (address, tag)
        ) as place
        join deposit_addresses as deposit
          on deposit.keychain = ${keychain} and deposit.address = place.address and deposit.tag = place.tag
        left join invoices as own on own.keychain = deposit.keychain and own.deposit_position = deposit.position
          and own.static_address_id is null
        left join invoice_choices as choice
          on choice.keychain = deposit.keychain and choice.deposit_position = deposit.position and own.id is null
        left join invoices on invoices.id = coalesce(own.id, choice.invoice_id)
        left join static_addresses as static
          on static.keychain = deposit.keychain and static.deposit_position = deposit.position
        left join merchants on merchants.id = static.merchant_id`.rows(db)
      return new Map(rows.map(({ address, tag, ...owner }) => [`${address} ${tag ?? ''}`, owner]))
    },
  }
}
