import { type CheckoutOrder, usualOrder } from '../../domain/checkout-order.ts'
import { type Db, sql } from '../sql.ts'

export type Logo = { readonly mediaType: string; readonly bytes: Buffer }

export type MerchantBrand = {
  readonly colour: string | null
  readonly embedOrigins: readonly string[]
  readonly logo: Logo | null
  readonly order: CheckoutOrder
}

/** How the payment pages of merchants look. */
export function merchantBrandsOn(db: Db) {
  return {
    /** The merchant's brand, or the defaults if none is set. */
    async find(merchantId: string): Promise<MerchantBrand> {
      const row = await sql<{
        colour: string | null
        embedOrigins: string[]
        logo: Buffer | null
        mediaType: string | null
        currencyOrder: string[]
        networkOrder: string[]
      }>`
        select colour, embed_origins as "embedOrigins", logo, logo_media_type as "mediaType",
          currency_order as "currencyOrder", network_order as "networkOrder"
        from merchant_brands where merchant_id = ${merchantId}`.maybeOne(db)
      if (row === null) return { colour: null, embedOrigins: [], logo: null, order: usualOrder }
      const { colour, embedOrigins, logo, mediaType, currencyOrder, networkOrder } = row
      return {
        colour,
        embedOrigins,
        logo: logo === null || mediaType === null ? null : { mediaType, bytes: logo },
        order: { currencies: currencyOrder, networks: networkOrder },
      }
    },

    async set(merchantId: string, { colour, embedOrigins, logo, order }: MerchantBrand): Promise<void> {
      await sql`
        insert into merchant_brands (merchant_id, colour, embed_origins, logo, logo_media_type, currency_order, network_order)
        values (${merchantId}, ${colour}, ${[...embedOrigins]}::text[], ${logo?.bytes ?? null}::bytea, ${logo?.mediaType ?? null},
          ${[...order.currencies]}::text[], ${[...order.networks]}::text[])
        on conflict (merchant_id) do update set colour = excluded.colour, embed_origins = excluded.embed_origins,
          logo = excluded.logo, logo_media_type = excluded.logo_media_type,
          currency_order = excluded.currency_order, network_order = excluded.network_order`.run(db)
    },

    /** What the merchant's payers see first; the usual order if none is set. */
    async checkoutOrder(merchantId: string): Promise<CheckoutOrder> {
      return (
        (await sql<{ currencies: string[]; networks: string[] }>`
          select currency_order as currencies, network_order as networks
          from merchant_brands where merchant_id = ${merchantId}`.maybeOne(db)) ?? usualOrder
      )
    },

    /** An image by its SHA-256 in hexadecimal, whichever merchant uses it. */
    async findLogo(sha256: string): Promise<Logo | null> {
      return sql<{ mediaType: string; bytes: Buffer }>`
        select logo_media_type as "mediaType", logo as bytes from merchant_brands
        where logo_sha256 = decode(${sha256}, 'hex') limit 1`.maybeOne(db)
    },
  }
}
