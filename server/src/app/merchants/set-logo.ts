import { createHash } from 'node:crypto'
import type { Actor } from '../../domain/audit-log.ts'
import { imageType, maxLogoBytes } from '../../domain/brand.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Logo } from '../../store/merchants/merchant-brands.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { noSuchMerchant, readSettings, type Settings } from './read-settings.ts'

/** Sets the logo of a merchant's payment page, or removes it (null), and records that. */
export async function setLogo(
  app: App,
  by: Actor,
  merchantId: string,
  bytes: Buffer | null,
): Promise<Settings> {
  const logo = bytes === null ? null : readLogo(bytes)
  return app.transaction(async (tx) => {
    if ((await tx.merchants.lock(merchantId)) === null) throw noSuchMerchant(merchantId)
    const brand = await tx.merchantBrands.find(merchantId)
    await tx.merchantBrands.set(merchantId, { ...brand, logo })
    await noteAct(tx, by, merchantId, {
      environment: null,
      subject: merchantId,
      action: logo === null ? 'logo.removed' : 'logo.set',
      details:
        logo === null ? {} : { media_type: logo.mediaType, bytes: logo.bytes.length, sha256: logoHash(logo) },
    })
    return readSettings({ store: tx }, merchantId)
  })
}

/** The hash under which payment pages load a logo. */
export function logoHash({ bytes }: Logo): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function readLogo(bytes: Buffer): Logo {
  if (bytes.length > maxLogoBytes)
    throw wrong(
      `The picture has ${bytes.length} bytes; it may have at most ${maxLogoBytes}. Make it smaller.`,
      `/data: must be at most ${maxLogoBytes} bytes`,
    )
  const mediaType = imageType(bytes)
  if (mediaType === null)
    throw wrong(
      'This is not a PNG, JPEG, WebP or GIF. Save the picture in one of these formats; SVG is not accepted.',
      '/data: must be a PNG, JPEG, WebP or GIF',
    )
  return { mediaType, bytes }
}

function wrong(message: string, detail: string): ServiceError {
  return new ServiceError('validation_error', message, [detail])
}
