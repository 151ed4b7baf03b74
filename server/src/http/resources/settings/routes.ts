import type { App } from '../../../app/app.ts'
import { invalid } from '../../../app/choose-asset.ts'
import { changeSettings } from '../../../app/merchants/change-settings.ts'
import { readSettings, type Settings } from '../../../app/merchants/read-settings.ts'
import { setLogo } from '../../../app/merchants/set-logo.ts'
import { actorIn } from '../../../domain/people.ts'
import type { DashboardHandlers } from '../../dashboard/handlers.ts'
import { ok } from '../../reply.ts'
import { settingsView } from './view.ts'

export function dashboardSettings(
  app: App,
): Pick<DashboardHandlers, 'getSettings' | 'updateSettings' | 'setLogo' | 'removeLogo'> {
  const shown = (settings: Settings) => ok(settingsView(settings, app.assets))
  return {
    getSettings: async ({ path }) => shown(await readSettings(app, path.merchantID)),
    updateSettings: async ({ person, path, body }) => {
      const { name, base_currency: baseCurrency, tolerance_bps: toleranceBps, colour } = body
      const changed = await changeSettings(app, actorIn(person), path.merchantID, {
        ...(name !== undefined && { name }),
        ...(baseCurrency !== undefined && { baseCurrency }),
        ...(toleranceBps !== undefined && { toleranceBps }),
        ...(colour !== undefined && { colour: colour === 'none' ? null : colour }),
        ...(body.embed_origins !== undefined && { embedOrigins: body.embed_origins }),
        ...(body.currency_order !== undefined && { currencyOrder: body.currency_order }),
        ...(body.network_order !== undefined && { networkOrder: body.network_order }),
      })
      return shown(changed)
    },
    setLogo: async ({ person, path, body }) =>
      shown(await setLogo(app, actorIn(person), path.merchantID, bytesFrom(body.data))),
    removeLogo: async ({ person, path }) => shown(await setLogo(app, actorIn(person), path.merchantID, null)),
  }
}

// Base64 is decoded leniently, so re-encode it: damaged data must not become a broken picture.
function bytesFrom(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) throw invalid('/data: must be base64, padded, without line breaks')
  return bytes
}
