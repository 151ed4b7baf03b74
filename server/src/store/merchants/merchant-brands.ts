import { type Db, sql } from '../sql.ts'

export type Logo = { readonly mediaType: string; readonly bytes: Buffer }

export type MerchantBrand = {
  readonly colour: string | null
  readonly embedOrigins: readonly string[]
  readonly logo: Logo | null
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
      }>`
        select colour, embed_origins as "embedOrigins", logo, logo_media_type as "mediaType"
        from merchant_brands where merchant_id = ${merchantId}`.maybeOne(db)
      if (row === null) return { colour: null, embedOrigins: [], logo: null }
      const { colour, embedOrigins, logo, mediaType } = row
      return {
        colour,
        embedOrigins,
        logo: logo === null || mediaType === null ? null : { mediaType, bytes: logo },
      }
    },

    async set(merchantId: string, { colour, embedOrigins, logo }: MerchantBrand): Promise<void> {
      await sql`
        insert into merchant_brands (merchant_id, colour, embed_origins, logo, logo_media_type)
        values (${merchantId}, ${colour}, ${[...embedOrigins]}::text[], ${logo?.bytes ?? null}::bytea, ${logo?.mediaType ?? null})
        on conflict (merchant_id) do update set colour = excluded.colour, embed_origins = excluded.embed_origins,
          logo = excluded.logo, logo_media_type = excluded.logo_media_type`.run(db)
    },

    /** An image by its SHA-256 in hexadecimal, whichever merchant uses it. */
    async findLogo(sha256: string): Promise<Logo | null> {
      return sql<{ mediaType: string; bytes: Buffer }>`
        select logo_media_type as "mediaType", logo as bytes from merchant_brands
        where logo_sha256 = decode(${sha256}, 'hex') limit 1`.maybeOne(db)
    },
  }
}
