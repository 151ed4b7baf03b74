import type { Invoice, InvoiceAsset } from '../../domain/invoices.ts'
import { type Db, sql } from '../sql.ts'
import { assetRecord } from './invoice-rows.ts'

/** An asset that the payer picked before the present one: what the invoice would be with it. */
export type EarlierChoice = {
  readonly asset: InvoiceAsset
  readonly amountInBaseCurrency: bigint | null
}

type ChoiceRow = InvoiceAsset & { readonly amountInBaseCurrency: bigint | null }

const choiceColumns = sql`
  currency, network, gate_id as "gateId", decimals, amount_units as "amountUnits",
  required_confirmations as "requiredConfirmations", keychain, deposit_position as "depositPosition",
  deposit_address as "depositAddress", deposit_address_tag as "depositAddressTag",
  deposit_address_proof as "depositAddressProof", exchange_rate as "exchangeRate", rate_locked_at as "rateLockedAt",
  live_at as "liveAt", amount_in_base_currency as "amountInBaseCurrency"`

/** What payers of deferred invoices picked before they picked another asset. */
export function invoiceChoicesOn(db: Db) {
  return {
    /** In the order in which they were picked. */
    async of(invoiceId: string): Promise<EarlierChoice[]> {
      const rows = await sql<ChoiceRow>`
        select ${choiceColumns} from invoice_choices where invoice_id = ${invoiceId}
        order by live_at, currency, network`.rows(db)
      return rows.map(({ amountInBaseCurrency, ...asset }) => ({ asset, amountInBaseCurrency }))
    },

    /** Keeps the asset of an invoice that is about to get another. One that was kept before stays as it was. */
    async keep({ id, asset, amountInBaseCurrency }: Invoice): Promise<void> {
      if (asset === null) throw new Error(`The payer of invoice ${id} has not picked an asset.`)
      const record = JSON.stringify({
        ...assetRecord(asset),
        invoice_id: id,
        amount_in_base_currency: amountInBaseCurrency?.toString(),
      })
      await sql`
        insert into invoice_choices
        select * from json_populate_record(null::invoice_choices, ${record}::json)
        on conflict (invoice_id, currency, network) do nothing`.run(db)
    },
  }
}
