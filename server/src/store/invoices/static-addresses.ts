import type { Caller } from '../../domain/caller.ts'
import type { Environment } from '../../domain/environment.ts'
import type { GateId } from '../../domain/networks/network.ts'
import type { CursorPage, PageRequest } from '../../domain/page.ts'
import { type ExportPage, exportPage, type PlacedRow } from '../reports/export-page.ts'
import { type Listed, type ListedRow, listPage, type Narrowing, type Place } from '../reports/list-page.ts'
import { type Db, sql } from '../sql.ts'

export type StaticAddress = {
  readonly id: string
  readonly merchantId: string
  readonly environment: Environment
  readonly currency: string
  readonly network: string
  readonly gateId: GateId
  readonly address: string
  readonly addressTag: string | null
  /** The proof that we derived the address; see `domain/address-proofs.ts`. */
  readonly addressProof: string | null
  readonly keychain: string
  readonly depositPosition: bigint
  readonly label: string | null
  readonly totalReceivedUnits: bigint
  readonly invoiceCount: number
  readonly createdAt: Date
}

export type NewStaticAddress = Omit<StaticAddress, 'totalReceivedUnits' | 'invoiceCount' | 'createdAt'>

/** What a list of static addresses is filtered by; null: by nothing. */
export type AddressFilter = { readonly currency: string | null; readonly narrowing?: Narrowing }

const columns = sql`
  static_addresses.id, static_addresses.merchant_id as "merchantId", static_addresses.environment,
  static_addresses.currency, static_addresses.network, static_addresses.gate_id as "gateId",
  static_addresses.address, static_addresses.address_tag as "addressTag",
  static_addresses.address_proof as "addressProof", static_addresses.keychain,
  static_addresses.deposit_position as "depositPosition", static_addresses.label,
  static_addresses.total_received_units as "totalReceivedUnits",
  static_addresses.invoice_count as "invoiceCount", static_addresses.created_at as "createdAt"`

const listed: Listed = {
  list: 'static_addresses',
  table: 'static_addresses',
  columns,
  hasTimes: false,
  hasBuckets: false,
  searched: sql`concat_ws(e'\n', static_addresses.label, static_addresses.address)`,
}

export function staticAddressesOn(db: Db) {
  return {
    async insert(address: NewStaticAddress): Promise<StaticAddress> {
      return sql<StaticAddress>`
        insert into static_addresses (id, merchant_id, environment, currency, network, gate_id, keychain,
          deposit_position, address, address_tag, address_proof, label, created_at)
        values (${address.id}, ${address.merchantId}, ${address.environment}, ${address.currency}, ${address.network},
          ${address.gateId}, ${address.keychain}, ${address.depositPosition.toString()}, ${address.address},
          ${address.addressTag}, ${address.addressProof}, ${address.label}, merchant_now(${address.merchantId}, ${address.environment}))
        returning ${columns}`.one(db)
    },

    async find(caller: Caller, id: string): Promise<StaticAddress | null> {
      return sql<StaticAddress>`
        select ${columns} from static_addresses
        where id = ${id} and merchant_id = ${caller.merchantId} and environment = ${caller.environment}`.maybeOne(
        db,
      )
    },

    /** One page, newest first, with the total of matching rows, from one snapshot. */
    async list(caller: Caller, filter: AddressFilter & PageRequest): Promise<CursorPage<StaticAddress>> {
      const wanted = { ...wantedAddresses(caller, filter), counted: { currency: filter.currency } }
      return listPage<StaticAddress, StaticAddress>(db, listed, caller, wanted, filter, {
        id: 'id',
        read: (page) => sql<ListedRow<StaticAddress>>`${page}`.rows(db),
        from: (address) => address,
      })
    },

    /** The rows of that list after a place, without the total. */
    exportPage(
      caller: Caller,
      filter: AddressFilter,
      after: Place | null,
      limit: number,
    ): Promise<ExportPage<StaticAddress, Place>> {
      const asked = { ...filter, after, limit }
      return exportPage<StaticAddress, StaticAddress>(listed, wantedAddresses(caller, filter), asked, {
        read: (page) => sql<PlacedRow<StaticAddress>>`${page}`.rows(db),
        from: (address) => address,
      })
    },

    /** Adds confirmed deposits and subtracts reversed ones. The caller has locked their invoices already. */
    async count(
      changes: readonly { staticAddressId: string; units: bigint; invoices: number }[],
    ): Promise<void> {
      if (changes.length === 0) return
      const sorted = [...changes].sort((a, b) => (a.staticAddressId < b.staticAddressId ? -1 : 1))
      await sql`
        select from static_addresses where id = any(${sorted.map(({ staticAddressId }) => staticAddressId)}::uuid[])
        order by id for no key update`.run(db)
      await sql`
        update static_addresses set total_received_units = total_received_units + change.units,
          invoice_count = invoice_count + change.invoices
        from (
          select id, sum(units) as units, sum(invoices) as invoices from unnest(
            ${sorted.map(({ staticAddressId }) => staticAddressId)}::uuid[],
            ${sorted.map(({ units }) => units.toString())}::numeric[],
            ${sorted.map(({ invoices }) => invoices)}::integer[]
          ) as change (id, units, invoices) group by id
        ) as change
        where static_addresses.id = change.id`.run(db)
    },
  }
}

function wantedAddresses({ merchantId, environment }: Caller, { currency }: AddressFilter) {
  return {
    indexed: sql`static_addresses.merchant_id = ${merchantId} and static_addresses.environment = ${environment}
      ${currency === null ? sql`` : sql`and static_addresses.currency = ${currency}`}`,
  }
}
